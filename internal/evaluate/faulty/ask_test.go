package faulty

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/isodelta/isodelta/internal/evaluate/kmr/measure"
)

func TestHangingChild(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	dir := t.TempDir()
	code := Code{Folders: map[string]fs.FS{"kmr": os.DirFS("../kmr")}, Programs: "kmr/subjects", Relations: "kmr/properties"}
	hanging, err := code.build(ctx, dir, map[string][]byte{"main.go": []byte("package main\n\nfunc main() {\n\tfor {\n\t}\n}\n")})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := ask(ctx, hanging, 0, measure.Request{}, 200*time.Millisecond); !errors.Is(err, errHang) {
		t.Errorf("error %v", err)
	}
	stopped, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := ask(stopped, hanging, 0, measure.Request{}, time.Hour); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v of a run that is over", err)
	}
	good, err := code.build(ctx, dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := ask(ctx, good, 0, measure.Request{Subject: "tax"}, time.Minute); err == nil || !strings.Contains(err.Error(), `no subject is called "tax"`) {
		t.Errorf("error %v", err)
	}
}

// TestHangingFunction: a child ends itself long before the time limit.
func TestHangingFunction(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	code := Code{Folders: map[string]fs.FS{"kmr": os.DirFS("../kmr")}, Programs: "kmr/subjects", Relations: "kmr/properties"}
	src, err := code.source("kmr/subjects/phone.go")
	if err != nil {
		t.Fatal(err)
	}
	const fee = "b := PhoneBill{Fee: fee}"
	if !strings.Contains(string(src), fee) {
		t.Fatal("the program is another one")
	}
	src = []byte(strings.Replace(string(src), fee, fee+"\n\tfor b.Fee > 0 {\n\t}", 1))
	binary, err := code.build(ctx, t.TempDir(), map[string][]byte{"kmr/subjects/phone.go": src})
	if err != nil {
		t.Fatal(err)
	}
	q := measure.Request{Subject: "phone", Try: &measure.Try{Pool: []uint64{1}}}
	if _, err := ask(ctx, binary, 0, q, time.Hour); !errors.Is(err, errHang) {
		t.Errorf("error %v", err)
	}
}

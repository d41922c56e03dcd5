package automr

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/isodelta/isodelta/internal/evaluate/workshop"
	"github.com/isodelta/isodelta/runner/execute/sandbox"
)

func TestMain(m *testing.M) {
	sandbox.Helper() // the test binary is started again as the sandbox's helper
	os.Exit(m.Run())
}

func goroot(t *testing.T) string {
	out, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(out))
}

func TestScratch(t *testing.T) {
	dir := t.TempDir()
	m, err := newModule(goroot(t), runtime.Version(), dir, programs())
	if err != nil {
		t.Fatal(err)
	}
	for n := range m.copied.files {
		t.Log(n, m.copied.decls[n])
	}
	t.Log(m.copied.reach["Sin"], m.copied.reach["Asinh"])
	if err := m.build(context.Background(), filepath.Join(dir, "x.exe"), ""); err != nil {
		t.Fatal(err)
	}
	w, err := workshop.Open(context.Background(), t.Output())
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	var eight []program
	for _, p := range programs() {
		if p.apache {
			eight = append(eight, p)
		}
	}
	m, err = newModule(goroot(t), runtime.Version(), t.TempDir(), eight)
	if err != nil {
		t.Fatal(err)
	}
	x, err := seedMutants(context.Background(), w, m)
	if err != nil {
		t.Fatal(err)
	}
	t.Log(len(x.all), x.rejected)
	for _, p := range eight {
		t.Log(p.name, len(x.of(p, false)), len(x.of(p, true)), m.copied.reach[p.root])
		if p.name == "abs" || p.name == "log10" {
			for _, y := range x.of(p, true) {
				t.Log(y)
			}
		}
	}
}

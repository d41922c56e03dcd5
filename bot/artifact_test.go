package bot

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/isodelta/isodelta/bot/githubtest"
)

// bomb is an archive whose directory states other sizes than are inside.
func bomb(size int) []byte {
	b := githubtest.Zip("stream.jsonl", strings.Repeat("0", size))
	at := bytes.Index(b, []byte("PK\x01\x02"))
	copy(b[at+24:], []byte{10, 0, 0, 0}) // uncompressed size in the directory
	return b
}

func special(mode fs.FileMode) []byte {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	h := &zip.FileHeader{Name: "stream.jsonl"}
	h.SetMode(mode)
	w, _ := z.CreateHeader(h)
	_, _ = w.Write([]byte("/etc/passwd"))
	_ = z.Close()
	return b.Bytes()
}

func TestArtifact(t *testing.T) {
	t.Parallel()
	const limit = 1 << 16
	many := make([]string, 0, 2*(maxEntries+1))
	for i := range maxEntries + 1 {
		many = append(many, fmt.Sprintf("d/%d", i), "")
	}
	refused := func(err error) bool { var e *ArchiveError; return errors.As(err, &e) }
	missing := func(err error) bool { var e *NotFoundError; return errors.As(err, &e) }
	tests := []struct {
		name    string
		zip     []byte
		expired bool
		wanted  []string
		want    map[string]string
		err     func(error) bool
	}{
		{"what is wanted", githubtest.Zip("report.html", "page", "stream.jsonl", "{}"), false, []string{"stream.jsonl"}, map[string]string{"stream.jsonl": "{}"}, nil},
		{"paths", githubtest.Zip("../stream.jsonl", "a", "/stream.jsonl", "b", "x/stream.jsonl", "c", `..\stream.jsonl`, "d"), false, []string{"stream.jsonl"}, nil, nil},
		{"all plain names", githubtest.Zip("a", "1", "d/b", "2", ".c", "3", "c:d", "4"), false, nil, map[string]string{"a": "1"}, nil},
		{"what is not wanted may be large", githubtest.Zip("report.html", strings.Repeat("0", 10*limit), "stream.jsonl", "{}"), false, []string{"stream.jsonl"}, map[string]string{"stream.jsonl": "{}"}, nil},
		{"as large as allowed", githubtest.Zip("stream.jsonl", strings.Repeat("0", limit)), false, []string{"stream.jsonl"}, map[string]string{"stream.jsonl": strings.Repeat("0", limit)}, nil},
		{"one too large", githubtest.Zip("stream.jsonl", strings.Repeat("0", limit+1)), false, []string{"stream.jsonl"}, nil, refused},
		{"together too large", githubtest.Zip("a", strings.Repeat("0", limit-10), "b", strings.Repeat("0", 11)), false, nil, nil, refused},
		{"sizes that lie", bomb(50 * limit), false, []string{"stream.jsonl"}, nil, refused},
		{"twice", githubtest.Zip("stream.jsonl", "a", "stream.jsonl", "b"), false, []string{"stream.jsonl"}, nil, refused},
		{"a link", special(fs.ModeSymlink | 0o777), false, []string{"stream.jsonl"}, nil, refused},
		{"many entries", githubtest.Zip(many...), false, []string{"stream.jsonl"}, nil, refused},
		{"no archive", []byte("<html>"), false, nil, nil, refused},
		{"cut off", githubtest.Zip("stream.jsonl", strings.Repeat("abc", 100))[:60], false, nil, nil, refused},
		{"large archive", bytes.Repeat([]byte{1}, limit+1), false, nil, nil, refused},
		{"expired", githubtest.Zip("stream.jsonl", "{}"), true, nil, nil, missing},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			state := pull()
			state.Runs = []githubtest.Run{{ID: 10, Commit: second, Status: "completed"}}
			state.Artifacts = []githubtest.Artifact{
				{ID: 1, Run: 10, Name: "other", Zip: []byte("x")},
				{ID: 2, Run: 10, Name: "isodelta", Zip: []byte("of an earlier attempt")},
				{ID: 3, Run: 10, Name: "isodelta", Zip: test.zip, Expired: test.expired},
				{ID: 4, Run: 11, Name: "isodelta", Zip: []byte("of another run")},
			}
			_, c := double(t, githubtest.Options{State: state, PageSize: 1})
			files, err := c.Artifact(context.Background(), 10, "isodelta", limit, test.wanted...)
			if test.err != nil {
				if !test.err(err) {
					t.Errorf("the error is %T %v", err, err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			want := map[string]string{}
			for k, v := range test.want {
				want[k] = v
			}
			got := map[string]string{}
			for k, v := range files {
				got[k] = string(v)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestArtifactFailures(t *testing.T) {
	t.Parallel()
	state := pull()
	state.Runs = []githubtest.Run{{ID: 10, Commit: second, Status: "completed"}}
	state.Artifacts = []githubtest.Artifact{{ID: 3, Run: 10, Name: "isodelta", Zip: githubtest.Zip("a", "b")}}
	state.Tokens = []githubtest.Token{
		{Token: githubtest.DefaultToken, Login: me, App: "github-actions"},
		{Token: "weak", Login: me, App: "github-actions", Permissions: map[string]string{"contents": "read"}},
	}
	s, c := double(t, githubtest.Options{State: state})
	ctx := context.Background()

	var missing *NotFoundError
	if _, err := c.Artifact(ctx, 10, "isodelt", 1000); !errors.As(err, &missing) {
		t.Errorf("an artifact that is not there: %v", err)
	}
	var denied *PermissionError
	if _, err := client(t, s, Options{Token: "weak"}).Artifact(ctx, 10, "isodelta", 1000); !errors.As(err, &denied) || denied.Permission != "actions: read" {
		t.Errorf("a token that may not: %v", err)
	}
	s.Fail(githubtest.Status(500, 1).On("", "/blob"))
	s.Fail(githubtest.Failure{Drop: true, Times: 1, Path: "/blob"})
	if files, err := c.Artifact(ctx, 10, "isodelta", 1000); err != nil || string(files["a"]) != "b" {
		t.Errorf("after failures of the store: %q, %v", files, err)
	}
	s.Fail(githubtest.Status(403, 1).On("", "/blob"))
	if _, err := c.Artifact(ctx, 10, "isodelta", 1000); err == nil || strings.Contains(err.Error(), "signature") {
		t.Errorf("the store refuses: %v", err)
	}
	s.Fail(githubtest.Failure{Drop: true, Path: "/blob"})
	if _, err := c.Artifact(ctx, 10, "isodelta", 1000); err == nil || strings.Contains(err.Error(), "signature") {
		t.Errorf("the store is gone: %v", err)
	}
}

func FuzzUnpack(f *testing.F) {
	f.Add(githubtest.Zip("stream.jsonl", "{}"))
	f.Add(bomb(5000))
	f.Add(special(fs.ModeDir))
	f.Fuzz(func(t *testing.T, b []byte) {
		const limit = 1 << 12
		files, err := unpack(b, limit, nil)
		n := 0
		for name, text := range files {
			if strings.ContainsAny(name, `/\`) || name == ".." {
				t.Fatalf("%q was unpacked", name)
			}
			n += len(text)
		}
		if err != nil && files != nil {
			t.Fatal("files of an archive that was refused")
		}
		if n > limit {
			t.Fatalf("%d bytes were unpacked", n)
		}
	})
}

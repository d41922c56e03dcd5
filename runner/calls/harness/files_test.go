package harness

import (
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/isodelta/isodelta/runner/calls/wire"
)

func filesRegistry() *Registry {
	r := newRegistry()
	r.servedFiles = func(files fs.FS) reflect.Value { return reflect.ValueOf(http.FS(files)) }
	r.servedFilesType = reflect.TypeFor[http.FileSystem]()
	return r
}

func TestFileName(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"index.html": "index.html", "/a/b": "a/b", "./a.txt": "a.txt", "a/": "a", "/v.css?x=1": "v.css",
		"word": "", "a word.txt": "", "": "", "/": "", ".": "", "..": "", "../a": "", "a//b": "", "/*": "", "/:id/a": "", "{id}/a": "",
		"https://example.com/a": "", "a.": "", ".hidden": ".hidden", ".5": "", ".a": "", "Hello.Worldwide": "", strings.Repeat("a", 70) + "/a": "",
	} {
		if got, ok := fileName(text); ok != (want != "") || ok && got != want {
			t.Errorf("%q: %q, %t; want %q", text, got, ok, want)
		}
	}
}

func TestFilesOfLiterals(t *testing.T) {
	t.Parallel()
	m := NewMachine(filesRegistry())
	text := func(s string) wire.Lit { return wire.Lit{Form: wire.Text, S: s} }
	l := wire.Lit{Form: wire.Special, S: wire.SpecialFiles, E: []wire.Lit{{Form: wire.Int, N: filesChanged}, text("a/b.txt"), text("b")}}
	for _, of := range []reflect.Type{reflect.TypeFor[fs.FS](), reflect.TypeFor[fs.ReadFileFS](), reflect.TypeFor[interface{ ReadFile(string) ([]byte, error) }]()} {
		v, err := m.Special(l, of)
		if err != nil || !v.Type().Implements(of) {
			t.Errorf("%s: %v, %v", of, v, err)
		}
	}
	v, err := m.Special(l, reflect.TypeFor[http.FileSystem]())
	if err != nil {
		t.Fatal(err)
	}
	f, err := v.Interface().(http.FileSystem).Open("/a/b.txt")
	if err != nil {
		t.Fatal(err)
	}
	if info, err := f.Stat(); err != nil || info.Size() != 1 || !info.ModTime().Equal(time.Unix(filesChanged, 0)) {
		t.Errorf("%v, %v", info, err)
	}
	// What is given to tests is written down the same.
	for _, files := range []any{fstest.MapFS{"a/b.txt": {Data: []byte("b"), ModTime: time.Now()}, "c": {Mode: fs.ModeDir}}, v.Interface()} {
		of := reflect.TypeFor[http.FileSystem]()
		if _, ok := files.(fs.FS); ok {
			of = reflect.TypeFor[fs.FS]()
		}
		if got := m.literal(files, of); string(got.Encode(nil)) != string(l.Encode(nil)) {
			t.Errorf("%T is written %v", files, got)
		}
	}
	if got := m.literal(os.DirFS("."), reflect.TypeFor[fs.FS]()); got.Form != wire.Hole {
		t.Errorf("a folder is written %v", got)
	}
	for name, wrong := range map[string]wire.Lit{
		"a name without a content": {Form: wire.Special, S: wire.SpecialFiles, E: l.E[:2]},
		"nothing":                  {Form: wire.Special, S: wire.SpecialFiles},
		"a name that is none":      {Form: wire.Special, S: wire.SpecialFiles, E: []wire.Lit{{Form: wire.Int}, text("../a"), text("")}},
	} {
		if _, err := m.Special(wrong, reflect.TypeFor[fs.FS]()); err == nil {
			t.Errorf("%s makes files", name)
		}
	}
	if _, err := m.Special(l, reflect.TypeFor[error]()); err == nil {
		t.Error("files are an error")
	}
}

// Files that are made can be made, the texts of the code name some, and requests meet them.
func TestFreshFiles(t *testing.T) {
	t.Parallel()
	r := filesRegistry()
	r.requestType = reflect.TypeFor[*http.Request]()
	r.request = func(method, target, body string) reflect.Value {
		return reflect.ValueOf(httptest.NewRequest(method, target, strings.NewReader(body)))
	}
	plain := NewPlain()
	plain.AddText(0, "templates/base.tmpl")
	g := newGenerator(NewMachine(r), plain, 1)
	of := reflect.TypeFor[http.FileSystem]()
	named, found, asked := false, 0, map[string]bool{}
	const tries = 300
	for range tries {
		b := g.builder(nil)
		l, ok := b.fresh(of, spot{-1, -1}, 0)
		if !ok {
			t.Fatal("nothing is made")
		}
		b.changeFiles(&l)
		v, err := g.m.Special(l, of)
		if err != nil {
			t.Fatalf("%v: %v", l, err)
		}
		_, files, _ := FilesOf(l)
		named = named || slices.ContainsFunc(files, func(f File) bool { return strings.HasPrefix(f.Name, "templates/base.tmpl") })
		request, err := g.m.Special(b.freshRequest(spot{-1, -1}), r.requestType)
		if err != nil {
			continue // no target
		}
		req := request.Interface().(*http.Request)
		if f, err := v.Interface().(http.FileSystem).Open(req.URL.Path); err == nil {
			f.Close()
			found++
		}
		for what, is := range map[string]bool{"a slash behind it": len(req.URL.Path) > 1 && strings.HasSuffix(req.URL.Path, "/"), "two dots": strings.Contains(req.URL.Path, ".."),
			"a range": req.Header.Get("Range") != "", "a space": strings.Contains(req.URL.Path, "e f")} {
			asked[what] = asked[what] || is
		}
	}
	if !named {
		t.Error("no file has the name that a text says")
	}
	if found < tries/4 {
		t.Errorf("%d of %d requests are for files that are there", found, tries)
	}
	for _, what := range []string{"a slash behind it", "two dots", "a range", "a space"} {
		if !asked[what] {
			t.Errorf("no request has %s", what)
		}
	}
}

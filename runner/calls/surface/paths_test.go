package surface

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"testing"
)

// Parameters and fields name files where what they hold gets to a function that reads files: by way of variables, fields,
// other functions, other packages, and functions that put paths together. What else is a text does not. Of a function of another
// module the names say it.
func TestPaths(t *testing.T) {
	t.Parallel()
	tree := loaded(t, lay(t, `
-- go.mod --
module example.com/m

go 1.21

require example.com/settings v0.0.0

replace example.com/settings => ./settings
-- settings/go.mod --
module example.com/settings

go 1.21
-- settings/settings.go --
package settings

func DecodeFile(path string, into any) error { return nil }

func Route(path string) {}

func Watch(key, dir string) {}
-- m.go --
package m

import (
	"net/http"
	"os"
	"path/filepath"

	"example.com/m/read"
	"example.com/settings"
)

func Configure(from, route, key, base string) error {
	settings.Route(route)
	settings.Watch(key, base)
	return settings.DecodeFile(from, nil)
}

type Server struct {
	Dir  string
	Name string
}

func Open(file string) { os.Open(file) }

func Join(dir, prefix string) { p := filepath.Join(dir, "a"); Open(p); println(prefix) }

func New(root, name string) *Server { return &Server{Dir: root, Name: name} }

func (s *Server) Serve() http.Handler { return http.FileServer(http.Dir(s.Dir)) }

func Each(files ...string) { for _, f := range files { read.All(f, "") } }

func Told(text string) int { return len(text) }

type Store struct{ Root string }

func (s *Store) file(id string) string { return filepath.Join(s.Root, id+".bin") }

func (s *Store) Drop(id string) error { return os.Remove(s.file(id)) }

func Set(s *Server, at string) { s.Dir, _ = filepath.Abs(at + "/b") }
-- read/read.go --
package read

import "os"

func All(from, what string) string { b, _ := os.ReadFile(from); return string(b) + what }
`))
	found := paths(tree)
	var got []string
	for _, p := range tree.Packages {
		for id, o := range p.Code.TypesInfo.Defs {
			if v, ok := o.(*types.Var); ok && found[v.Pos()] && token.IsIdentifier(id.Name) && (v.IsField() || isParameter(p.Code.Syntax, v)) {
				got = append(got, p.Path[len("example.com/m"):]+" "+id.Name)
			}
		}
	}
	slices.Sort(got)
	want := []string{" Dir", " Root", " at", " base", " dir", " file", " files", " from", " root", "/read from"}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

func isParameter(files []*ast.File, v *types.Var) bool {
	found := false
	for _, f := range files {
		ast.Inspect(f, func(n ast.Node) bool {
			if p, ok := n.(*ast.FieldList); ok && p.Pos() <= v.Pos() && v.Pos() < p.End() {
				found = true
			}
			return !found
		})
	}
	return found
}

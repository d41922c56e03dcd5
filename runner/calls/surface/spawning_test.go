package surface

import (
	"go/ast"
	"testing"

	"github.com/isodelta/isodelta/runner/load"
)

// After a panic on a goroutine, what may have started it is left out, and nothing else.
func TestStarts(t *testing.T) {
	t.Parallel()
	const source = `package p

type T struct{}

func (t *T) Search() { t.start() }
func (t *T) start()  { func() { go func() {}() }() }
func (t *T) Bind()   {}
func Serve[K any](k K) { go listen(k) }
func listen[K any](k K) {}
`
	code := typed(t, source)
	s := spawningIn(&load.Package{Code: code})
	for _, test := range []struct {
		name, creator string
		want          bool
	}{
		{"Search", "p.(*T).start.func1", true},
		{"Search", "p.(*T).start", true},
		{"Search", "p.(*T).startAll", false},
		{"Bind", "p.(*T).start", false},
		{"Serve", "p.Serve[...]", true},
		{"Search", "testing.(*T).Run", false},
		{"Search", "", false},
	} {
		var o Operation
		for _, d := range code.Syntax[0].Decls {
			if d, ok := d.(*ast.FuncDecl); ok && d.Name.Name == test.name {
				o.spawners = s.of(d)
			}
		}
		if got := o.Starts(test.creator); got != test.want {
			t.Errorf("%s, created by %q: %v; %q", test.name, test.creator, got, o.spawners)
		}
	}
	if o := (Operation{spawners: []string{"example.com/p.v2.F"}}); !o.Starts("example.com/p%2ev2.F") {
		t.Error("a dot in the path, as the run time writes it")
	}
}

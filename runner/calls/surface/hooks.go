package surface

import (
	"go/ast"
	"go/token"
	"go/types"
	"sort"

	"github.com/isodelta/isodelta/runner/load"
	"github.com/isodelta/isodelta/runner/version"
)

// Hooks numbers the functions at whose entry calls are recorded or tried in
// place: those that both versions declare with the same signature, or with one that calls
// can be adapted to, and that are exported or wanted.
type Hooks struct {
	At      version.Both[map[load.Place]int] // numbers, by place of the declaration
	Names   []string                         // by number
	byName  map[string]int
	adapted map[string]*adaptation // by name
	wanted  func(name string) bool
	paths   map[token.Pos]bool // head's parameters and fields that name files, found once for all packages
	writes  bool               // head's code makes, changes or removes files
	spelled map[string]bool    // see spelledOut, of head
}

// NewHooks numbers the functions of both versions. wanted says which
// unexported ones are hooked, by name as in Δ.
func NewHooks(base, head *load.Tree, wanted func(name string) bool) *Hooks {
	h := &Hooks{At: version.Both[map[load.Place]int]{{}, {}}, byName: map[string]int{}, adapted: map[string]*adaptation{}, wanted: wanted, paths: paths(head), writes: writesFiles(head), spelled: spelledOut(head)}
	b, hd := declared(base), declared(head)
	plans := adapter{namesOf(base), namesOf(head)}
	for name, d := range hd {
		o, ok := b[name]
		if !ok {
			continue
		}
		if o.signature != d.signature {
			h.adapted[name] = plans.plan(o.fn.Signature(), d.fn.Signature())
			ok = h.adapted[name] != nil
		}
		if ok && (d.fn.Exported() || wanted(name)) {
			h.Names = append(h.Names, name)
		}
	}
	sort.Strings(h.Names)
	for i, name := range h.Names {
		h.byName[name] = i
		h.At[version.Base][b[name].at], h.At[version.Head][hd[name].at] = i, i
	}
	return h
}

// Number returns a function's number, -1 where it has none.
func (h *Hooks) Number(name string) int {
	if i, ok := h.byName[name]; ok {
		return i
	}
	return -1
}

type declaration struct {
	at        load.Place
	signature string
	fn        *types.Func
}

// declared finds the functions of a version by their names.
func declared(t *load.Tree) map[string]declaration {
	out := map[string]declaration{}
	for _, p := range t.Packages {
		if p.Code == nil || p.Code.TypesInfo == nil {
			continue
		}
		for _, file := range p.Code.Syntax {
			for _, d := range file.Decls {
				fn, ok := d.(*ast.FuncDecl)
				if !ok || fn.Body == nil || fn.Name.Name == "init" || fn.Name.Name == "main" || fn.Name.Name == "_" {
					continue
				}
				o, ok := p.Code.TypesInfo.Defs[fn.Name].(*types.Func)
				if !ok {
					continue
				}
				out[t.Short(o.FullName())] = declaration{t.Place(fn.Pos()), signature(o), o}
			}
		}
	}
	return out
}

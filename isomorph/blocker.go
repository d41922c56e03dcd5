package isomorph

import (
	"fmt"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/isodelta/isodelta/runner/load"
)

// pruneBlockers finds what else than the body of a function can make two
// versions behave differently.
func pruneBlockers(b, h *Program, changed []Function) ([]string, error) {
	base, head := codeByPath(b.tree), codeByPath(h.tree)
	c := &blockers{b: b, h: h, base: base, head: head}
	for path, hp := range head {
		bp := base[path]
		if bp == nil {
			continue // nothing but changed functions and imports can lead there
		}
		c.typeDefinitions(path, bp.Types, hp.Types)
		c.imports(path, bp, hp)
		c.directives(path, bp, hp)
		if err := c.packageFiles(path, bp, hp); err != nil {
			return nil, err
		}
	}
	for _, f := range changed {
		if f.Init && base[f.Package] != nil && head[f.Package] != nil {
			c.add("package %s: initialisation changed (%s)", f.Package, f.Name)
		}
	}
	if err := c.module(); err != nil {
		return nil, err
	}
	slices.Sort(c.found)
	return slices.Compact(c.found), nil
}

type blockers struct {
	b, h       *Program
	base, head map[string]*packages.Package // of the module, by path
	found      []string
}

func (c *blockers) add(format string, args ...any) {
	c.found = append(c.found, fmt.Sprintf(format, args...))
}

func codeByPath(t *load.Tree) map[string]*packages.Package {
	m := map[string]*packages.Package{}
	for _, q := range t.Packages {
		if q.Code != nil && q.Code.Types != nil {
			m[q.Path] = q.Code
		}
	}
	return m
}

// typeDefinitions compares the types that both versions declare. A changed
// definition shows through reflection, conversion and memory layout; a changed
// method set through type assertions, fmt and the like. A type that only one
// version has can be named by changed functions only.
func (c *blockers) typeDefinitions(path string, base, head *types.Package) {
	for _, name := range head.Scope().Names() {
		ho, ok1 := head.Scope().Lookup(name).(*types.TypeName)
		bo, ok2 := base.Scope().Lookup(name).(*types.TypeName)
		if !ok1 || !ok2 {
			continue
		}
		if c.b.names.definition(bo) != c.h.names.definition(ho) {
			c.add("type %s.%s: definition changed", path, name)
			continue // its method set, with promoted methods, follows from that
		}
		if c.b.names.methodSet(bo.Type(), anywhere) == c.h.names.methodSet(ho.Type(), anywhere) {
			continue
		}
		if c.b.names.methodSet(bo.Type(), c.own) == c.h.names.methodSet(ho.Type(), c.own) {
			c.add(promoted+"%s.%s", path, name)
			continue
		}
		c.add("type %s.%s: method set changed", path, name)
	}
}

// promoted is the beginning of a blocker for a type that has other methods of types which it embeds and
// which are not the module's own: its dependencies say what is different.
const promoted = "methods from dependencies changed: type "

// own reports whether a package is one of the module, on either version.
func (c *blockers) own(pkg *types.Package) bool {
	return pkg != nil && (c.base[pkg.Path()] != nil || c.head[pkg.Path()] != nil)
}

func anywhere(*types.Package) bool { return true }

func (n *namer) definition(obj *types.TypeName) string {
	t := types.Unalias(obj.Type())
	if obj.IsAlias() {
		return "alias " + n.typ(t)
	}
	s := n.typ(t.Underlying())
	if named, ok := t.(*types.Named); ok {
		for p := range named.TypeParams().TypeParams() {
			s += "," + n.typ(p.Constraint().Underlying())
		}
	}
	return s
}

// methodSet names the methods of a type that come from some packages.
func (n *namer) methodSet(t types.Type, from func(*types.Package) bool) string {
	if types.IsInterface(t) {
		return "" // part of the definition
	}
	var b strings.Builder
	for _, t := range []types.Type{t, types.NewPointer(t)} {
		for m := range types.NewMethodSet(t).Methods() {
			if from(m.Obj().Pkg()) {
				fmt.Fprintf(&b, "%s %s;", m.Obj().Id(), n.typ(m.Type()))
			}
		}
		b.WriteString("*")
	}
	return b.String()
}

// registering lists packages of the distribution whose mere import changes
// what others do: they register decoders, hashes, handlers, flags or signals.
var registering = []string{
	"archive", "crypto", "embed", "encoding/gob", "expvar", "flag", "hash", "image", "log", "mime", "net",
	"os/signal", "os/user", "plugin", "runtime", "testing", "time/tzdata", "unsafe", "C",
}

// imports compares which packages are initialised with this one.
func (c *blockers) imports(path string, base, head *packages.Package) {
	for p := range head.Imports {
		if base.Imports[p] == nil && c.initialises(c.h, p, map[string]bool{}) {
			c.add("package %s: now imports %s, whose initialisation may be seen elsewhere", path, p)
		}
	}
	for p := range base.Imports {
		if head.Imports[p] == nil && c.initialises(c.b, p, map[string]bool{}) {
			c.add("package %s: no longer imports %s, whose initialisation may be seen elsewhere", path, p)
		}
	}
}

// initialises reports whether importing a package may do something by itself.
func (c *blockers) initialises(p *Program, path string, seen map[string]bool) bool {
	if seen[path] {
		return false
	}
	seen[path] = true
	for _, q := range p.tree.Packages {
		if q.Path != path || q.Code == nil {
			continue
		}
		for _, f := range p.functions {
			if f.pkg == path && f.init && !f.trivial() {
				return true
			}
		}
		for i := range q.Code.Imports {
			if c.initialises(p, i, seen) {
				return true
			}
		}
		return false
	}
	first, _, _ := strings.Cut(path, "/")
	if strings.Contains(first, ".") {
		return true // not of the distribution: its code is not looked at
	}
	return slices.ContainsFunc(registering, func(r string) bool {
		return path == r || strings.HasPrefix(path, r+"/")
	})
}

// directives compares comments that tell the compiler or linker something that
// is no part of any function.
func (c *blockers) directives(path string, base, head *packages.Package) {
	if !slices.Equal(directiveLines(base), directiveLines(head)) {
		c.add("package %s: go:linkname, go:embed, go:debug or export directives changed", path)
	}
}

func directiveLines(p *packages.Package) []string {
	var out []string
	for _, f := range p.Syntax {
		for _, g := range f.Comments {
			for _, line := range g.List {
				for _, d := range []string{"//go:linkname ", "//go:embed ", "//go:debug ", "//export "} {
					if strings.HasPrefix(line.Text, d) {
						out = append(out, strings.TrimSpace(line.Text))
					}
				}
			}
		}
	}
	slices.Sort(out)
	return out
}

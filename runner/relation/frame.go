package relation

import (
	"go/token"
	"go/types"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/isodelta/isodelta/runner/relation/goexpr"
)

// A Frame makes the forms of one subject's relations. It names parameters,
// variables and packages so that none of them hides another.
type Frame struct {
	Subject *Subject
	Params  []Param // of the subject
	names   *names
	types   []types.Type
	copied  []bool
	imports map[string]string // path → name
}

// NewFrame makes a frame in which the parameters have their names.
func NewFrame(s *Subject) *Frame {
	f := &Frame{Subject: s, names: newNames(s.Package), imports: map[string]string{}}
	for v := range s.Sig.Params().Variables() {
		f.types = append(f.types, v.Type())
		f.copied = append(f.copied, shares(v.Type(), map[types.Type]bool{}))
	}
	// Types first: what they import must not be hidden by a parameter.
	for _, t := range f.types {
		f.Params = append(f.Params, Param{Type: f.typ(t), Kind: Kind(t)})
	}
	i := 0
	for v := range s.Sig.Params().Variables() {
		name := v.Name()
		if name == "" || name == "_" {
			name = guess(v.Type())
		}
		f.Params[i].Name = f.names.fresh(name)
		i++
	}
	return f
}

// guess names a parameter without a name.
func guess(t types.Type) string {
	if p, ok := t.(*types.Pointer); ok {
		t = p.Elem()
	}
	if n, ok := types.Unalias(t).(*types.Named); ok {
		for _, r := range strings.ToLower(n.Obj().Name()) {
			return string(r)
		}
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		if u.Info()&types.IsString != 0 {
			return "s"
		}
		return "x"
	case *types.Slice, *types.Array:
		return "list"
	case *types.Map:
		return "m"
	case *types.Signature:
		return "f"
	}
	return "v"
}

// typ spells a type as it is seen from within the package.
func (f *Frame) typ(t types.Type) string { return types.TypeString(t, f.Qualify) }

// Qualify returns the name by which expressions use a package, which it imports; "" for
// that of the subject. It is a types.Qualifier.
func (f *Frame) Qualify(p *types.Package) string {
	if p == f.Subject.Package || p.Path() == f.Subject.Package.Path() {
		return ""
	}
	return f.Use(p.Path(), p.Name())
}

// Use imports a package, and returns the name that expressions use it by.
func (f *Frame) Use(pkg, name string) string {
	if n, ok := f.imports[pkg]; ok {
		return n
	}
	if slices.Contains(Standard(), pkg) && f.Subject.Package.Scope().Lookup(name) == nil {
		f.imports[pkg] = name // taken by names from the start
	} else {
		f.imports[pkg] = f.names.fresh(name)
	}
	return f.imports[pkg]
}

// Fresh returns a name for a variable, like the one that is wanted.
func (f *Frame) Fresh(want string) string { return f.names.fresh(want) }

// Call returns a call of the subject with the parameters as arguments. It has no
// variables yet for what it gives.
func (f *Frame) Call() Call {
	c := Call{Function: f.Subject.Expr, Copied: f.copied, Spread: f.Subject.Sig.Variadic(), Kinds: kinds(f.Subject.Sig.Results())}
	for _, p := range f.Params {
		c.Args = append(c.Args, p.Name)
	}
	return c
}

// Form puts a form together; of the packages, it names those that it uses.
func (f *Frame) Form(calls []Call, when, given, check string) Form {
	form := Form{Params: f.Params, When: when, Calls: calls, Given: given, Check: check}
	texts := []string{when, given, check}
	for _, p := range f.Params {
		texts = append(texts, p.Type)
	}
	for _, c := range calls {
		texts = append(append(append(texts, c.When), c.Args...), c.Types...)
	}
	used := map[string]bool{}
	for _, t := range texts {
		for _, name := range goexpr.Names(t) {
			used[name] = true
		}
	}
	for _, c := range calls {
		for _, name := range goexpr.Names(c.Function) {
			used[name] = used[name] || slices.Contains(slices.Collect(maps.Values(f.imports)), name)
		}
	}
	for _, p := range Standard() {
		if used[path.Base(p)] && f.Subject.Package.Scope().Lookup(path.Base(p)) == nil {
			form.Imports = append(form.Imports, p)
		}
	}
	for p, name := range f.imports {
		if !used[name] || slices.Contains(form.Imports, p) {
			continue
		}
		form.Imports = append(form.Imports, p)
		if name != path.Base(p) {
			if form.Names == nil {
				form.Names = map[string]string{}
			}
			form.Names[p] = name
		}
	}
	slices.Sort(form.Imports)
	return form
}

// names gives out identifiers for one form. They differ from each other, from
// what the package and the language declare, and from packages that templates
// use, so that a name in a form means one thing only.
type names struct {
	pkg   *types.Package
	taken map[string]bool
}

func newNames(pkg *types.Package) *names {
	n := &names{pkg: pkg, taken: map[string]bool{"Equal": true, "t": true}}
	for _, p := range Standard() {
		n.taken[path.Base(p)] = true
	}
	return n
}

// fresh is a name like want.
func (n *names) fresh(want string) string {
	try := want
	for i := 2; n.isTaken(try); i++ {
		try = want + strconv.Itoa(i)
	}
	n.taken[try] = true
	return try
}

func (n *names) isTaken(name string) bool {
	return n.taken[name] || n.pkg != nil && n.pkg.Scope().Lookup(name) != nil || types.Universe.Lookup(name) != nil || token.IsKeyword(name)
}

// Standard returns the packages of the standard library that conditions can use.
func Standard() []string {
	return []string{"bytes", "maps", "math", "slices", "sort", "strconv", "strings", "unicode", "unicode/utf8"}
}

// Mentioned returns those packages that expressions may use, by the names in them.
func Mentioned(exprs []string) []string {
	used := map[string]bool{}
	for _, e := range exprs {
		for _, name := range goexpr.Names(e) {
			used[name] = true
		}
	}
	return slices.DeleteFunc(Standard(), func(p string) bool { return !used[path.Base(p)] })
}

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

// A Subject is a function or a method as it is called: type parameters are
// replaced, and a receiver is the first parameter.
type Subject struct {
	Name     string // as in Δ: "Sin", "geo.(*Ring).Area"
	Expr     string // Go expression, seen from within the package: "Sin", "(*Ring).Area", "Max[int]"
	Short    string // for notation: "Sin", "Area"
	Package  *types.Package
	Sig      *types.Signature
	Receiver bool // the first parameter is one
}

// NewSubject is a function or method of a package under a name as in Δ, called
// with type arguments where it, or the type that it is a method of, has
// parameters. It gives nil if the arguments do not fit.
func NewSubject(fn *types.Func, name string, args []types.Type) *Subject {
	sig := fn.Type().(*types.Signature)
	s := &Subject{Name: name, Short: fn.Name(), Package: fn.Pkg(), Expr: fn.Name() + typeArgs(args, fn.Pkg())}
	if sig.Recv() == nil {
		if len(args) != sig.TypeParams().Len() {
			return nil
		}
		s.Sig = sig
		if len(args) > 0 {
			t, err := types.Instantiate(nil, sig, args, true)
			if err != nil {
				return nil
			}
			s.Sig = t.(*types.Signature)
		}
		return s
	}
	recv := sig.Recv().Type()
	p, pointer := recv.(*types.Pointer)
	if pointer {
		recv = p.Elem()
	}
	named, ok := types.Unalias(recv).(*types.Named)
	if !ok || len(args) != named.Origin().TypeParams().Len() {
		return nil
	}
	on := types.Type(named.Origin())
	if len(args) > 0 {
		t, err := types.Instantiate(nil, named.Origin(), args, true)
		if err != nil {
			return nil
		}
		on = t
	}
	expr := named.Obj().Name() + typeArgs(args, fn.Pkg())
	if pointer {
		expr, on = "(*"+expr+")", types.NewPointer(on)
	}
	obj, _, _ := types.LookupFieldOrMethod(on, true, fn.Pkg(), fn.Name())
	m, ok := obj.(*types.Func)
	if !ok {
		return nil
	}
	ms := m.Type().(*types.Signature)
	params := []*types.Var{types.NewParam(token.NoPos, fn.Pkg(), sig.Recv().Name(), on)}
	for v := range ms.Params().Variables() {
		params = append(params, v)
	}
	s.Expr, s.Receiver = expr+"."+fn.Name(), true
	s.Sig = types.NewSignatureType(nil, nil, nil, types.NewTuple(params...), ms.Results(), ms.Variadic())
	return s
}

func typeArgs(args []types.Type, pkg *types.Package) string {
	if len(args) == 0 {
		return ""
	}
	var list []string
	for _, a := range args {
		list = append(list, types.TypeString(a, types.RelativeTo(pkg)))
	}
	return "[" + strings.Join(list, ", ") + "]"
}

// writable reports whether a file of the package can name all parameter types.
func (s *Subject) writable() bool {
	for v := range s.Sig.Params().Variables() {
		if !writable(v.Type(), s.Package.Path(), map[types.Type]bool{}) {
			return false
		}
	}
	return true
}

func writable(t types.Type, pkg string, seen map[types.Type]bool) bool {
	if seen[t] {
		return true
	}
	seen[t] = true
	switch t := t.(type) {
	case *types.TypeParam:
		return false
	case *types.Named:
		o := t.Obj()
		if o.Pkg() != nil && o.Pkg().Path() != pkg && !o.Exported() || o.Parent() != nil && o.Pkg() != nil && o.Parent() != o.Pkg().Scope() {
			return false
		}
		for a := range t.TypeArgs().Types() {
			if !writable(a, pkg, seen) {
				return false
			}
		}
	case *types.Alias:
		o := t.Obj()
		return (o.Pkg() == nil || o.Pkg().Path() == pkg || o.Exported()) && writable(types.Unalias(t), pkg, seen)
	case *types.Struct:
		for f := range t.Fields() {
			if !f.Exported() && f.Pkg() != nil && f.Pkg().Path() != pkg || !writable(f.Type(), pkg, seen) {
				return false
			}
		}
	case *types.Signature:
		for _, list := range []*types.Tuple{t.Params(), t.Results()} {
			for v := range list.Variables() {
				if !writable(v.Type(), pkg, seen) {
					return false
				}
			}
		}
	case *types.Map:
		return writable(t.Key(), pkg, seen) && writable(t.Elem(), pkg, seen)
	case interface{ Elem() types.Type }:
		return writable(t.Elem(), pkg, seen)
	}
	return true
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
	for _, p := range standard {
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

// standard are the packages that conditions can use.
var standard = []string{"bytes", "math", "slices", "sort", "strconv", "strings", "unicode"}

// frame is what all relations of a subject share: parameters and the names of
// packages.
type frame struct {
	subject *Subject
	names   *names
	params  []Param
	types   []types.Type
	copied  []bool
	imports map[string]string // path → name
}

func newFrame(s *Subject) *frame {
	f := &frame{subject: s, names: newNames(s.Package), imports: map[string]string{}}
	for v := range s.Sig.Params().Variables() {
		f.types = append(f.types, v.Type())
		f.copied = append(f.copied, shares(v.Type(), map[types.Type]bool{}))
	}
	// Types first: what they import must not be hidden by a parameter.
	for _, t := range f.types {
		f.params = append(f.params, Param{Type: f.typ(t), Kind: Kind(t)})
	}
	i := 0
	for v := range s.Sig.Params().Variables() {
		name := v.Name()
		if name == "" || name == "_" {
			name = guess(v.Type())
		}
		f.params[i].Name = f.names.fresh(name)
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
func (f *frame) typ(t types.Type) string {
	return types.TypeString(t, func(p *types.Package) string {
		if p == f.subject.Package || p.Path() == f.subject.Package.Path() {
			return ""
		}
		return f.use(p.Path(), p.Name())
	})
}

// use imports a package.
func (f *frame) use(pkg, name string) string {
	if n, ok := f.imports[pkg]; ok {
		return n
	}
	if slices.Contains(standard, pkg) && f.subject.Package.Scope().Lookup(name) == nil {
		f.imports[pkg] = name // taken by names from the start
	} else {
		f.imports[pkg] = f.names.fresh(name)
	}
	return f.imports[pkg]
}

// form puts a form together; of the packages, it names those that it uses.
func (f *frame) form(calls []Call, when, given, check string) Form {
	form := Form{Params: f.params, When: when, Calls: calls, Given: given, Check: check}
	texts := []string{when, given, check}
	for _, p := range f.params {
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
	for _, p := range standard {
		if used[path.Base(p)] && f.subject.Package.Scope().Lookup(path.Base(p)) == nil {
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

// shares reports whether two variables with the same value of a type can share
// memory that one of them changes.
func shares(t types.Type, seen map[types.Type]bool) bool {
	if seen[t] {
		return false
	}
	seen[t] = true
	if n, ok := types.Unalias(t).(*types.Named); ok && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == "context" {
		return false
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return u.Kind() == types.UnsafePointer
	case *types.Signature:
		return false
	case *types.Struct:
		for f := range u.Fields() {
			if shares(f.Type(), seen) {
				return true
			}
		}
		return false
	case *types.Array:
		return shares(u.Elem(), seen)
	}
	return true
}

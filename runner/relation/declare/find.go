package declare

import (
	"fmt"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/isodelta/isodelta/internal/spelling"
	"github.com/isodelta/isodelta/runner/load"
	"github.com/isodelta/isodelta/runner/relation"
	"github.com/isodelta/isodelta/runner/version"
)

// lookup is a name of a function as a person writes it, taken apart.
type lookup struct {
	name string // without parentheses, pointers and type arguments: geo.Ring.Area
	args string // type arguments, "" for none
}

func parseName(s string) lookup {
	var l lookup
	if i := strings.Index(s, "["); i >= 0 {
		if k := strings.LastIndex(s, "]"); k > i {
			l.args = s[i+1 : k]
			s = s[:i] + s[k+1:]
		}
	}
	l.name = strings.Map(func(r rune) rune {
		switch r {
		case '(', ')', '*', ' ':
			return -1
		}
		return r
	}, s)
	return l
}

// declaredFunction is a function or a declared method of a version.
type declaredFunction struct {
	fn    *types.Func
	short string // as in Δ
	plain string // pkg/path.Type.Name
	bare  string // Type.Name
}

// functions lists what a version declares, in a fixed order.
func functions(t *load.Tree) []declaredFunction {
	var out []declaredFunction
	for _, p := range t.Packages {
		if p.Code == nil {
			continue
		}
		add := func(f *types.Func, bare string) {
			out = append(out, declaredFunction{f, t.Short(f.FullName()), p.Path + "." + bare, bare})
		}
		scope := p.Code.Types.Scope()
		for _, name := range scope.Names() {
			switch o := scope.Lookup(name).(type) {
			case *types.Func:
				add(o, name)
			case *types.TypeName:
				if n, ok := o.Type().(*types.Named); ok && !o.IsAlias() {
					for m := range n.Methods() {
						add(m, name+"."+m.Name())
					}
				}
			}
		}
	}
	return out
}

// matches reports whether a person may mean this function, and whether the name is
// spelled out.
func (l lookup) matches(f declaredFunction, written string) (may, exact bool) {
	exact = written == f.short || written == f.fn.FullName() || l.name == f.plain
	named := f.fn.Pkg().Name() + "." + f.bare
	return exact || l.name == f.bare || l.name == named || strings.HasSuffix(f.plain, "/"+l.name), exact
}

// find returns the one function of that name, nil if there is none.
func find(t *load.Tree, written string) (*declaredFunction, error) {
	l := parseName(written)
	var may []declaredFunction
	for _, f := range functions(t) {
		ok, exact := l.matches(f, written)
		if exact {
			return &f, nil
		}
		if ok {
			may = append(may, f)
		}
	}
	switch len(may) {
	case 0:
		return nil, nil
	case 1:
		return &may[0], nil
	}
	var names []string
	for _, f := range may {
		names = append(names, f.short)
	}
	return nil, fmt.Errorf("%q may be %s; write more of the path", written, strings.Join(names, " or "))
}

// unknown says that neither version has a function.
func unknown(written string, trees version.Both[*load.Tree]) string {
	var names []string
	for _, t := range trees {
		for _, f := range functions(t) {
			names = append(names, f.short)
		}
	}
	slices.Sort(names)
	hint := spelling.DidYouMean(written, slices.Compact(names))
	if hint == "" {
		hint = "; write names as go doc does: Area, geo.Area, (*Ring).Area"
	}
	return fmt.Sprintf("neither version has a function %q%s", written, hint)
}

// subject is the function as the declaration calls it.
func (f *declaredFunction) subject(written string) (*relation.Subject, error) {
	sig := f.fn.Type().(*types.Signature)
	n := sig.TypeParams().Len() + sig.RecvTypeParams().Len()
	l := parseName(written)
	var args []types.Type
	if l.args != "" {
		for _, a := range strings.Split(l.args, ",") {
			tv, err := types.Eval(token.NewFileSet(), f.fn.Pkg(), token.NoPos, strings.TrimSpace(a))
			if err != nil || !tv.IsType() {
				return nil, fmt.Errorf("%s is no type that %s can be used with", strings.TrimSpace(a), f.short)
			}
			args = append(args, tv.Type)
		}
	}
	if len(args) != n {
		if n == 0 {
			return nil, fmt.Errorf("%s is not generic; leave [%s] out", f.short, l.args)
		}
		return nil, fmt.Errorf("%s is generic: say with which %s it is called, such as %s[int]", f.short, types_(n), f.bare)
	}
	s := relation.NewSubject(f.fn, f.short, args)
	if s == nil {
		return nil, fmt.Errorf("%s cannot be used with [%s]", f.short, l.args)
	}
	if !s.Writable() {
		return nil, fmt.Errorf("%s takes a type that cannot be named from within its package", f.short)
	}
	return s, nil
}

func types_(n int) string {
	if n == 1 {
		return "type"
	}
	return fmt.Sprintf("%d types", n)
}

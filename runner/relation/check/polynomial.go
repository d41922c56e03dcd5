package check

import (
	"fmt"
	"go/types"
	"strings"

	"github.com/isodelta/isodelta/report/event"
	"github.com/isodelta/isodelta/runner/calls/surface"
	"github.com/isodelta/isodelta/runner/relation"
	"github.com/isodelta/isodelta/runner/relation/automr"
)

// polynomial writes an inferred relation as Go over the parameters of the
// function: numbers are converted to float64 and back.
func polynomial(s *relation.Subject, n surface.Numeric, r automr.Relation) (relation.Relation, error) {
	out := relation.Relation{Function: s.Name, Package: s.Package.Path(), Name: r.Name(), Source: event.AutoMR,
		Notation: r.Notation(s.Short, n.Params), Tolerance: r.Tolerance}
	spell := func(t types.Type) string { return types.TypeString(t, types.RelativeTo(s.Package)) }
	var params []string // the elements of the source input, as float64
	sig := s.Sig
	for i := range sig.Params().Len() {
		v := sig.Params().At(i)
		name := elementName(n, i)
		out.Form.Params = append(out.Form.Params, relation.Param{Name: name, Type: spell(v.Type()), Kind: relation.Kind(v.Type())})
		list, ok := v.Type().Underlying().(*types.Slice)
		if !ok {
			params = append(params, float(name, v.Type()))
			continue
		}
		if out.Form.When != "" {
			out.Form.When += " && "
		}
		out.Form.When += fmt.Sprintf("len(%s) == %d", name, n.Slices[i])
		for k := range n.Slices[i] {
			params = append(params, float(fmt.Sprintf("%s[%d]", name, k), list.Elem()))
		}
	}
	results := make([][]string, r.Groups())
	calls := make([]relation.Call, r.Groups())
	for j := range calls {
		calls[j].Function = s.Expr
		var err error
		if results[j], err = resultsOf(sig, n, j, &calls[j]); err != nil {
			return out, err
		}
	}
	form, err := r.Go(params, results)
	if err != nil {
		return out, err
	}
	for j := range calls {
		in := params
		if j > 0 {
			in = form.Args[j-1]
		}
		at := 0
		for i := range sig.Params().Len() {
			t := sig.Params().At(i).Type()
			list, ok := t.Underlying().(*types.Slice)
			switch {
			case j == 0:
				calls[j].Args = append(calls[j].Args, out.Form.Params[i].Name)
			case ok:
				var elements []string
				for k := range n.Slices[i] {
					elements = append(elements, unfloat(in[at+k], list.Elem(), spell))
				}
				calls[j].Args = append(calls[j].Args, spell(t)+"{"+strings.Join(elements, ", ")+"}")
			default:
				calls[j].Args = append(calls[j].Args, unfloat(in[at], t, spell))
			}
			at += max(1, n.Slices[i])
			calls[j].Copied = append(calls[j].Copied, ok)
		}
	}
	out.Form.Calls, out.Form.Check = calls, form.Check
	if form.When != "" {
		if out.Form.When != "" {
			out.Form.When += " && "
		}
		out.Form.When += form.When
	}
	if form.Math {
		out.Form.Imports = []string{"math"}
	}
	return out, nil
}

// elementName returns the name of the i-th parameter.
func elementName(n surface.Numeric, i int) string {
	at := 0
	for k := range i {
		at += max(1, n.Slices[k])
	}
	name, _, _ := strings.Cut(n.Params[at], "[")
	return name
}

// resultsOf declares the variables of a call, and returns the elements of the output as
// float64.
func resultsOf(sig *types.Signature, n surface.Numeric, j int, c *relation.Call) ([]string, error) {
	var out []string
	if sig.Results().Len() == 0 {
		name := fmt.Sprintf("after%d", j)
		c.After = []string{name}
		list := sig.Params().At(0).Type().Underlying().(*types.Slice)
		for k := range n.Out {
			out = append(out, float(fmt.Sprintf("%s[%d]", name, k), list.Elem()))
		}
		return out, nil
	}
	for i := range sig.Results().Len() {
		t := sig.Results().At(i).Type()
		name := fmt.Sprintf("y%d", j)
		if sig.Results().Len() > 1 {
			name = fmt.Sprintf("y%d_%d", j, i)
		}
		switch u := t.Underlying().(type) {
		case *types.Slice:
			return nil, fmt.Errorf("%s gives a list, whose length a test would have to check", c.Function)
		case *types.Basic:
			if u.Info()&types.IsBoolean != 0 {
				return nil, fmt.Errorf("%s gives a truth value", c.Function)
			}
			out = append(out, float(name, t))
		default:
			name = "_"
		}
		c.Results = append(c.Results, name)
		c.Kinds = append(c.Kinds, relation.Kind(t))
	}
	return out, nil
}

func float(expr string, t types.Type) string {
	if b, ok := t.(*types.Basic); ok && b.Kind() == types.Float64 {
		return expr
	}
	return "float64(" + expr + ")"
}

func unfloat(expr string, t types.Type, spell func(types.Type) string) string {
	if b, ok := t.(*types.Basic); ok && b.Kind() == types.Float64 {
		return expr
	}
	return spell(t) + "(" + expr + ")"
}

package surface

import (
	"fmt"
	"go/types"
	"strings"

	"github.com/isodelta/isodelta/runner/calls/wire"
)

// Numeric is an operation on numbers, with the adapter by which it is called in
// batches and without reflection.
type Numeric struct {
	Op      wire.Op
	Params  []string // one name for each number of the input
	Out     int      // numbers of the output
	Integer []bool   // by input number: only whole ones
	Min     []float64
	Max     []float64 // of each input number's type
	Slices  []int     // by parameter: how many numbers it takes as a slice, 0 for a single one
	Truth   bool      // the output is a truth value, as 0 or 1
}

// elements is the length of the slices that adapters pass.
const elements = 3

// numericOf describes an operation on numbers, and writes its adapter; false if
// it takes or gives anything else.
func (a *API) numericOf(o Operation) (Numeric, string, bool) {
	n := Numeric{}
	if o.sig == nil || o.adapted != nil || o.sig.Variadic() || o.sig.Params().Len() == 0 {
		return n, "", false
	}
	qualify := func(p *types.Package) string {
		if p.Path() == a.Package {
			return ""
		}
		return a.Import(p.Path())
	}
	spell := func(t types.Type) string { return types.TypeString(t, qualify) }
	var setup, args []string
	lists := 0
	for i := range o.sig.Params().Len() {
		v := o.sig.Params().At(i)
		name := v.Name()
		if recv := o.Function.Signature().Recv(); recv != nil && i == 0 {
			name = recv.Name()
		}
		if name == "" || name == "_" {
			name = fmt.Sprintf("p%d", i+1)
		}
		if b, ok := number(v.Type()); ok {
			args = append(args, a.convert(spell(v.Type()), b, len(n.Params)))
			n.add(name, b, 0)
			continue
		}
		s, ok := v.Type().Underlying().(*types.Slice)
		if !ok {
			return n, "", false
		}
		b, ok := number(s.Elem())
		if !ok || lists == 2 {
			return n, "", false
		}
		lists++
		var list []string
		for k := range elements {
			list = append(list, a.convert(spell(s.Elem()), b, len(n.Params)))
			n.add(fmt.Sprintf("%s[%d]", name, k), b, elements)
		}
		setup = append(setup, fmt.Sprintf("list%d := %s{%s}", i, spell(v.Type()), strings.Join(list, ", ")))
		args = append(args, fmt.Sprintf("list%d", i))
		n.Slices[len(n.Slices)-1] = elements
	}
	call := o.call + "(" + strings.Join(args, ", ") + ")"
	after, ok := n.output(o.sig.Results(), call, setup)
	if !ok {
		return n, "", false
	}
	body := strings.Join(append(setup, after), "; ")
	return n, fmt.Sprintf("isodeltaH.Numeric(%q, %q, %d, %d, func(in, out []float64) { %s })", o.Name, o.expr, len(n.Params), n.Out, body), true
}

func (n *Numeric) add(name string, b *types.Basic, list int) {
	low, high := bounds(b)
	n.Params = append(n.Params, name)
	n.Integer = append(n.Integer, b.Info()&types.IsInteger != 0)
	n.Min, n.Max = append(n.Min, low), append(n.Max, high)
	if list == 0 || strings.HasSuffix(name, "[0]") {
		n.Slices = append(n.Slices, 0)
	}
}

// output writes the call and what takes its results.
func (n *Numeric) output(results *types.Tuple, call string, setup []string) (string, bool) {
	var names, takes []string
	for i := range results.Len() {
		t := results.At(i).Type()
		r := fmt.Sprintf("r%d", i)
		names = append(names, r)
		b, isNumber := number(t)
		s, isSlice := t.Underlying().(*types.Slice)
		basic, isBasic := t.Underlying().(*types.Basic)
		switch {
		case isNumber:
			_ = b
			takes = append(takes, fmt.Sprintf("out[%d] = float64(%s)", n.Out, r))
			n.Out++
		case isSlice:
			if _, ok := number(s.Elem()); !ok {
				return "", false
			}
			takes = append(takes, fmt.Sprintf("if len(%s) != %d { isodeltaH.None(out); return }", r, elements))
			for k := range elements {
				takes = append(takes, fmt.Sprintf("out[%d] = float64(%s[%d])", n.Out, r, k))
				n.Out++
			}
		case isBasic && basic.Info()&types.IsBoolean != 0 && results.Len() == 1:
			takes = append(takes, fmt.Sprintf("out[0] = 0; if %s { out[0] = 1 }", r))
			n.Out, n.Truth = 1, true
		case i == results.Len()-1 && i > 0 && types.Identical(t, types.Universe.Lookup("error").Type()):
			takes = append([]string{fmt.Sprintf("if %s != nil { isodeltaH.None(out); return }", r)}, takes...)
		default:
			return "", false
		}
	}
	if len(names) > 0 {
		return strings.Join(append([]string{strings.Join(names, ", ") + " := " + call}, takes...), "; "), true
	}
	// It changes the one list that it is given.
	if len(setup) != 1 {
		return "", false
	}
	list, _, _ := strings.Cut(setup[0], " ")
	takes = append(takes, call)
	for k := range elements {
		takes = append(takes, fmt.Sprintf("out[%d] = float64(%s[%d])", k, list, k))
	}
	n.Out = elements
	return strings.Join(takes, "; "), true
}

// convert writes the conversion of an input number to a parameter's type.
func (a *API) convert(typ string, b *types.Basic, i int) string {
	in := fmt.Sprintf("in[%d]", i)
	switch {
	case b.Info()&types.IsInteger != 0:
		low, high := bounds(b)
		in = fmt.Sprintf("isodeltaH.Whole(in[%d], %g, %g)", i, low, high)
	case typ == "float64":
		return in
	}
	return typ + "(" + in + ")"
}

func number(t types.Type) (*types.Basic, bool) {
	b, ok := t.Underlying().(*types.Basic)
	return b, ok && b.Info()&(types.IsInteger|types.IsFloat) != 0 && b.Info()&types.IsUntyped == 0 && b.Kind() != types.Uintptr
}

// bounds are the least and the greatest number of a type that a float64 can be
// converted to and from without loss.
func bounds(b *types.Basic) (low, high float64) {
	const exact = 1 << 53
	switch b.Kind() {
	case types.Int8:
		return -128, 127
	case types.Int16:
		return -1 << 15, 1<<15 - 1
	case types.Int32:
		return -1 << 31, 1<<31 - 1
	case types.Uint8:
		return 0, 255
	case types.Uint16:
		return 0, 1<<16 - 1
	case types.Uint32:
		return 0, 1<<32 - 1
	case types.Uint, types.Uint64:
		return 0, exact
	case types.Int, types.Int64:
		return -exact, exact
	case types.Float32:
		return -3e38, 3e38
	}
	return -1e308, 1e308
}

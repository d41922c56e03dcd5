package genetic

import (
	"fmt"
	"math"
	"slices"

	"github.com/isodelta/isodelta/runner/relation/law"
)

// A Transform makes the inputs of a follow-up call from those of the source call.
type Transform struct {
	Name  string // "reverse(2)": what is done, and to which inputs, counted from 1
	trees []*law.Expr
}

// Transforms returns the transformations of inputs of those kinds: PermuteParameters,
// BooleanFlip, NumericAddition, NumericMultiplication, SequenceRemove of both ends and
// SequenceFlip of the paper's section 5, and others of texts and lists. Constants are
// those of the code under test; numbers are added, texts and elements are put to an end.
func Transforms(inputs []law.Kind, constants []any) []Transform {
	same := make([]*law.Expr, len(inputs))
	for i, k := range inputs {
		same[i] = law.Var(i, k)
	}
	var all []Transform
	for i, x := range same {
		for _, c := range changes(x, constants) {
			trees := slices.Clone(same)
			trees[i] = c.tree
			all = append(all, Transform{Name: fmt.Sprintf("%s(%d)", c.name, i+1), trees: trees})
		}
	}
	for i := range inputs {
		for j := range i {
			if inputs[i] == inputs[j] {
				trees := slices.Clone(same)
				trees[i], trees[j] = same[j], same[i]
				all = append(all, Transform{Name: fmt.Sprintf("swap(%d, %d)", j+1, i+1), trees: trees})
			}
		}
	}
	return all
}

// Constants returns what transformations add and trees use of the numbers in a function: one,
// and a few small whole ones.
func Constants(numbers []float64) []any {
	out := []any{int64(1), 1.0}
	for _, x := range numbers {
		if x == math.Trunc(x) && x > 1 && x <= 1000 && len(out) < 6 {
			out = append(out, int64(x), x)
		}
	}
	return out
}

// Spread returns at most so many of the transformations, spread over all inputs.
func Spread(all []Transform, most int) []Transform {
	n := min(len(all), most)
	out := make([]Transform, n)
	for i := range out {
		out[i] = all[i*len(all)/n]
	}
	return out
}

// Apply returns the follow-up input of a source input. It is not ok where nothing
// changes, or where the transformation has no result: what overflows, an empty list
// without its first element.
func (t Transform) Apply(source []any) (followUp []any, ok bool) {
	changed := false
	for i, x := range t.trees {
		v := law.Value(x, source)
		if v == nil {
			return nil, false
		}
		changed = changed || !law.EqualValues(v, source[i])
		followUp = append(followUp, v)
	}
	return followUp, changed
}

// Changes reports whether the transformation makes another input of the one with index i.
func (t Transform) Changes(i int) bool { return t.trees[i].Variable() != i }

// Math returns the arguments of the follow-up call in mathematical notation.
func (t Transform) Math(params []string) []string {
	var out []string
	for _, x := range t.trees {
		out = append(out, law.Notation(x, t.variables(params)))
	}
	return out
}

// Go returns the arguments of the follow-up call as Go, in the order of the inputs; nil for
// an input that stays as it is. Params are Go expressions of the Go types of the inputs'
// kinds, whole numbers of the type that whole says (see law.Go).
func (t Transform) Go(params []string, whole string) []*law.Code {
	out := make([]*law.Code, len(t.trees))
	for i, x := range t.trees {
		if !t.Changes(i) {
			continue
		}
		code := law.Go(x, t.variables(params), whole)
		out[i] = &code
	}
	return out
}

// variables are the inputs under those names.
func (t Transform) variables(params []string) []law.Variable {
	var out []law.Variable
	for i, x := range t.trees {
		out = append(out, law.Variable{Math: params[i], Go: params[i], Kind: x.Kind()})
	}
	return out
}

// change is what becomes of one input.
type change struct {
	name string
	tree *law.Expr
}

func changes(x *law.Expr, constants []any) []change {
	k := x.Kind()
	var all []change
	add := func(name string, op law.Op, args ...*law.Expr) {
		if tree := law.Apply(op, args...); tree != nil {
			all = append(all, change{name, tree})
		}
	}
	switch {
	case k == law.Bool:
		add("flip", law.Not, x)
	case k.IsNumber():
		for _, c := range steps(k, constants) {
			add(fmt.Sprintf("add %v", c.Value()), law.Add, x, c)
		}
		add("negate", law.Neg, x)
		add("double", law.Mul, x, numbers(k, 2)[0])
	default:
		for _, op := range []struct {
			name string
			op   law.Op
		}{
			{"upper", law.Upper}, {"lower", law.Lower}, {"trim", law.Trim}, {"reverse", law.Reverse}, {"rotate", law.Rotate},
			{"sort", law.Sort}, {"without first", law.Tail}, {"without last", law.Init},
		} {
			add(op.name, op.op, x)
		}
		add("twice", law.Concat, x, x)
		for _, c := range scalars(constants) {
			add(fmt.Sprintf("append %v", c.Value()), law.Append, x, c)
			if k == law.Text && c.Kind() == law.Text && c.Value() != "" {
				add(fmt.Sprintf("append %q", c.Value()), law.Concat, x, c)
				add(fmt.Sprintf("prepend %q", c.Value()), law.Concat, c, x)
			}
		}
	}
	return all
}

// steps are what is added to a number: 1, −1, and each constant with both signs.
func steps(k law.Kind, constants []any) []*law.Expr {
	all := numbers(k, 1, -1)
	for _, c := range scalars(constants) {
		if c.Kind() == k {
			all = append(all, c, law.Simplify(law.Apply(law.Neg, c)))
		}
	}
	seen := map[string]bool{}
	return slices.DeleteFunc(all, func(c *law.Expr) bool {
		known := seen[c.Key()] || c.Op() != law.Constant || c.Value() == int64(0) || c.Value() == 0.0
		seen[c.Key()] = true
		return known
	})
}

// numbers are constants of a kind of number.
func numbers(k law.Kind, values ...int64) []*law.Expr {
	var all []*law.Expr
	for _, v := range values {
		if k == law.Float {
			all = append(all, law.Const(float64(v)))
		} else {
			all = append(all, law.Const(v))
		}
	}
	return all
}

// scalars are the constants among values, each once.
func scalars(values []any) []*law.Expr {
	var all []*law.Expr
	seen := map[string]bool{}
	for _, v := range values {
		if f, ok := v.(float64); ok && f-f != 0 {
			continue // infinite, or no number
		}
		if k := law.KindOf(v); k == law.None || k.IsList() {
			continue
		}
		if c := law.Const(v); !seen[c.Key()] {
			seen[c.Key()] = true
			all = append(all, c)
		}
	}
	return all
}

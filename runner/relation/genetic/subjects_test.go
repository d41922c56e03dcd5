package genetic

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/isodelta/isodelta/runner/relation/law"
)

// A subject is a function with laws that have to be found.
type subject struct {
	name      string
	params    []string
	inputs    []law.Kind
	output    law.Kind
	call      func(in []any) any
	constants []any
	laws      map[string]string // by the names of transformations
}

func subjects() []subject {
	text, ints, number := []law.Kind{law.Text}, []law.Kind{law.Ints}, []law.Kind{law.Int}
	return []subject{
		{name: "reverse", params: []string{"s"}, inputs: text, output: law.Text,
			call: func(in []any) any { return backwards(in[0].(string)) },
			laws: map[string]string{"reverse(1)": "f(reverse(s)) = reverse(f(s))", "twice(1)": "f(s ++ s) = f(s) ++ f(s)"}},
		{name: "dedupe", params: []string{"xs"}, inputs: ints, output: law.Ints,
			call: func(in []any) any {
				var out []int64
				for _, v := range in[0].([]int64) {
					if !slices.Contains(out, v) {
						out = append(out, v)
					}
				}
				return out
			},
			laws: map[string]string{"twice(1)": "f(xs ++ xs) = f(xs)", "reverse(1)": "f(reverse(xs)) is a permutation of f(xs)"}},
		{name: "sort", params: []string{"xs"}, inputs: ints, output: law.Ints,
			call: func(in []any) any { return slices.Sorted(slices.Values(in[0].([]int64))) },
			laws: map[string]string{"reverse(1)": "f(reverse(xs)) = f(xs)", "rotate(1)": "f(rotate(xs)) = f(xs)"}},
		{name: "clamp", params: []string{"x", "lo", "hi"}, inputs: []law.Kind{law.Int, law.Int, law.Int}, output: law.Int,
			call: func(in []any) any { return max(in[1].(int64), min(in[2].(int64), in[0].(int64))) },
			laws: map[string]string{"add 1(1)": "f(x, lo, hi) ≤ f(x + 1, lo, hi)"}},
		{name: "sum", params: []string{"xs"}, inputs: ints, output: law.Int, constants: []any{int64(7)},
			call: func(in []any) any {
				sum := int64(0)
				for _, v := range in[0].([]int64) {
					sum += v
				}
				return sum
			},
			laws: map[string]string{"append 7(1)": "f(xs ++ [7]) = f(xs) + 7", "twice(1)": "f(xs ++ xs) = 2·f(xs)", "sort(1)": "f(sort(xs)) = f(xs)"}},
		{name: "join", params: []string{"parts"}, inputs: []law.Kind{law.Texts}, output: law.Text, constants: []any{",", "end"},
			call: func(in []any) any { return strings.Join(in[0].([]string), ",") },
			laws: map[string]string{"reverse(1)": "len(f(reverse(parts))) = len(f(parts))", "append end(1)": "f(parts ++ [\"end\"]) starts with f(parts)"}},
		{name: "abs", params: []string{"x"}, inputs: number, output: law.Int,
			call: func(in []any) any { return max(in[0].(int64), -in[0].(int64)) },
			laws: map[string]string{"negate(1)": "f(−x) = f(x)", "double(1)": "f(2·x) = 2·f(x)"}},
		{name: "maximum", params: []string{"a", "b"}, inputs: []law.Kind{law.Int, law.Int}, output: law.Int,
			call: func(in []any) any { return max(in[0].(int64), in[1].(int64)) },
			laws: map[string]string{"swap(1, 2)": "f(b, a) = f(a, b)"}},
		{name: "upper", params: []string{"s"}, inputs: text, output: law.Text,
			call: func(in []any) any { return strings.ToUpper(in[0].(string)) },
			laws: map[string]string{"lower(1)": "f(lower(s)) = f(s)", "reverse(1)": "f(reverse(s)) = reverse(f(s))"}},
		{name: "words", params: []string{"s"}, inputs: text, output: law.Int, constants: []any{" "},
			call: func(in []any) any { return int64(len(strings.Fields(in[0].(string)))) },
			laws: map[string]string{"upper(1)": "f(upper(s)) = f(s)", "append \" \"(1)": "f(s ++ \" \") = f(s)", "reverse(1)": "f(reverse(s)) = f(s)"}},
		{name: "celsius", params: []string{"t"}, inputs: []law.Kind{law.Float}, output: law.Float, constants: []any{9.0, 5.0, 32.0},
			call: func(in []any) any { return (in[0].(float64) - 32) * 5 / 9 },
			laws: map[string]string{"add 9(1)": "f(t + 9) = f(t) + 5"}},
		{name: "even", params: []string{"n"}, inputs: number, output: law.Bool,
			call: func(in []any) any { return in[0].(int64)%2 == 0 },
			laws: map[string]string{"add 1(1)": "f(n + 1) ≠ f(n)", "negate(1)": "f(−n) = f(n)"}},
		{name: "trim", params: []string{"s"}, inputs: text, output: law.Text, constants: []any{" "},
			call: func(in []any) any { return strings.TrimSpace(in[0].(string)) },
			laws: map[string]string{"append \" \"(1)": "f(s ++ \" \") = f(s)", "upper(1)": "f(upper(s)) = upper(f(s))"}},
	}
}

func backwards(s string) string {
	r := []rune(s)
	slices.Reverse(r)
	return string(r)
}

// variables are source inputs, follow-up inputs, and the two outputs.
func (s subject) variables(t Transform) []law.Variable {
	var all []law.Variable
	images := t.Math(s.params)
	for i, k := range s.inputs {
		all = append(all, law.Variable{Math: s.params[i], Go: s.params[i], Kind: k})
	}
	for i, k := range s.inputs {
		all = append(all, law.Variable{Math: images[i], Go: s.params[i] + "2", Kind: k})
	}
	return append(all,
		law.Variable{Math: "f(" + strings.Join(s.params, ", ") + ")", Go: "y", Kind: s.output},
		law.Variable{Math: "f(" + strings.Join(images, ", ") + ")", Go: "y2", Kind: s.output})
}

// correct are pairs of executions, as many as there are inputs that t changes among n.
func (s subject) correct(t *testing.T, transform Transform, n int, random *rand.Rand) *law.Table {
	t.Helper()
	var rows [][]any
	for range n {
		var source []any
		for _, k := range s.inputs {
			source = append(source, randomValue(random, k))
		}
		if s.name == "clamp" && source[1].(int64) > source[2].(int64) {
			source[1], source[2] = source[2], source[1]
		}
		followUp, ok := transform.Apply(source)
		if !ok {
			continue
		}
		rows = append(rows, slices.Concat(source, followUp, []any{s.call(source), s.call(followUp)}))
	}
	table, err := law.NewTable(s.variables(transform), rows)
	if err != nil {
		t.Fatal(err)
	}
	return table
}

// problem has as many correct rows as it can have with n sources, and an incorrect one
// for each output of them.
func (s subject) problem(t *testing.T, transform Transform, n int, random *rand.Rand) Problem {
	t.Helper()
	correct := s.correct(t, transform, n, random)
	p := Problem{Variables: correct.Variables(), Outputs: []int{2 * len(s.inputs), 2*len(s.inputs) + 1}, Constants: s.constants, Correct: correct}
	p.Pairs = [][2]int{{p.Outputs[0], p.Outputs[1]}}
	p.Incorrect = Perturb(correct, p.Outputs, nil, nil, random)
	return p
}

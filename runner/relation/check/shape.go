package check

import (
	"fmt"
	"go/types"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"github.com/isodelta/isodelta/report/event"
	"github.com/isodelta/isodelta/runner/calls/wire"
	"github.com/isodelta/isodelta/runner/probe"
	"github.com/isodelta/isodelta/runner/relation"
	"github.com/isodelta/isodelta/runner/relation/genetic"
	"github.com/isodelta/isodelta/runner/relation/law"
)

// shape is what a function takes and gives, in the kinds of package law.
type shape struct {
	in, out []law.Kind
	params  []string
	basics  []*types.Basic // of each parameter, or of its elements
	err     bool           // the last result is an error; with one, there is no output
}

// shapeOf returns the shape of a function whose parameters and results are numbers, truth
// values, texts and lists of these; false for others.
func shapeOf(s *relation.Subject) (shape, bool) {
	var out shape
	sig := s.Sig
	if s.Receiver || sig.Variadic() || sig.Params().Len() == 0 || sig.Results().Len() == 0 {
		return out, false
	}
	for i := range sig.Params().Len() {
		v := sig.Params().At(i)
		kind, basic := kindOf(v.Type())
		if kind == law.None {
			return out, false
		}
		name := v.Name()
		if name == "" || name == "_" {
			name = fmt.Sprintf("x%d", i+1)
		}
		out.in, out.basics, out.params = append(out.in, kind), append(out.basics, basic), append(out.params, name)
	}
	for i := range sig.Results().Len() {
		t := sig.Results().At(i).Type()
		if i > 0 && i == sig.Results().Len()-1 && types.Identical(t, types.Universe.Lookup("error").Type()) {
			out.err = true
			continue
		}
		kind, _ := kindOf(t)
		if kind == law.None {
			return out, false
		}
		out.out = append(out.out, kind)
	}
	return out, true
}

// kindOf returns the kind of a type, and its basic type or that of its elements.
func kindOf(t types.Type) (law.Kind, *types.Basic) {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		switch info := u.Info(); {
		case info&types.IsBoolean != 0:
			return law.Bool, u
		case info&types.IsInteger != 0 && u.Kind() != types.Uintptr:
			return law.Int, u
		case info&types.IsFloat != 0:
			return law.Float, u
		case info&types.IsString != 0:
			return law.Text, u
		}
	case *types.Slice:
		if b, ok := u.Elem().Underlying().(*types.Basic); ok && b.Kind() != types.Uint8 {
			switch kind, _ := kindOf(b); kind {
			case law.Bool:
				return law.Bools, b
			case law.Int:
				return law.Ints, b
			case law.Float:
				return law.Floats, b
			case law.Text:
				return law.Texts, b
			}
		}
	}
	return law.None, nil
}

// sources returns inputs: those that sequences have, and mixtures of their arguments with
// each other and with usual values, until there are enough.
func (h shape) sources(of []wire.Sequence, points []float64, most int, random *rand.Rand) [][]any {
	var out [][]any
	seen := map[string]bool{}
	add := func(in []any) {
		if key := keyOf(in); h.takes(in) && !seen[key] {
			seen[key] = true
			out = append(out, in)
		}
	}
	pool := make([][]any, len(h.in))
	for _, p := range of {
		if len(p) != 1 || len(p[0].Args) != len(h.in) {
			continue
		}
		in := make([]any, len(h.in))
		for i, l := range p[0].Args {
			if in[i] = valueOf(l, h.in[i]); in[i] != nil {
				pool[i] = append(pool[i], in[i])
			}
		}
		if !slices.Contains(in, nil) {
			add(in)
		}
	}
	for range 4 * most {
		if len(out) >= most {
			break
		}
		in := make([]any, len(h.in))
		for i, kind := range h.in {
			if len(pool[i]) > 0 && random.IntN(3) == 0 {
				in[i] = pool[i][random.IntN(len(pool[i]))]
			} else {
				in[i] = usualValue(kind, points, random)
			}
		}
		add(in)
	}
	return out[:min(len(out), most)]
}

// usualValue returns a value as people use them, small and in part at points.
func usualValue(kind law.Kind, points []float64, random *rand.Rand) any {
	number := func() float64 {
		if len(points) > 0 && random.IntN(4) == 0 {
			return points[random.IntN(len(points))] + float64(random.IntN(3)-1)
		}
		return math.Round((2*random.Float64() - 1) * math.Pow(10, 3*random.Float64()))
	}
	size := random.IntN(7)
	switch kind {
	case law.Bool:
		return random.IntN(2) == 0
	case law.Int:
		return int64(number())
	case law.Float:
		return number() / []float64{1, 2, 10, 8}[random.IntN(4)]
	case law.Text:
		return usualText(random)
	case law.Bools:
		return listOf(size, func() bool { return random.IntN(2) == 0 })
	case law.Ints:
		return listOf(size, func() int64 { return int64(number()) })
	case law.Floats:
		return listOf(size, func() float64 { return number() / 2 })
	case law.Texts:
		return listOf(size, func() string { return usualText(random) })
	}
	return nil
}

func listOf[T any](n int, element func() T) []T {
	out := make([]T, n)
	for i := range out {
		out[i] = element()
	}
	return out
}

// usualText returns a few letters, digits, blanks and marks, small alphabets so that
// repetition is likely.
func usualText(random *rand.Rand) string {
	const alphabet = "aab bcXYZ019 _-./,äß\t"
	runes := []rune(alphabet)
	return string(listOf(random.IntN(10), func() rune { return runes[random.IntN(len(runes))] }))
}

// constantsOf returns the constants that transformations add: one, and small whole ones of
// the function.
func constantsOf(points []float64) []any {
	out := []any{int64(1), 1.0}
	for _, x := range points {
		if x == math.Trunc(x) && x > 1 && x <= 1000 && len(out) < 6 {
			out = append(out, int64(x), x)
		}
	}
	return out
}

// takes reports whether the parameters' types hold an input.
func (h shape) takes(in []any) bool {
	for i, v := range in {
		ok := true
		switch v := v.(type) {
		case int64:
			ok = fitsIn(v, h.basics[i])
		case []int64:
			ok = !slices.ContainsFunc(v, func(x int64) bool { return !fitsIn(x, h.basics[i]) })
		}
		if !ok {
			return false
		}
	}
	return true
}

func fitsIn(x int64, b *types.Basic) bool {
	bits := map[types.BasicKind]uint{types.Int8: 8, types.Int16: 16, types.Int32: 32, types.Uint8: 8, types.Uint16: 16, types.Uint32: 32}[b.Kind()]
	if b.Info()&types.IsUnsigned != 0 {
		return x >= 0 && (bits == 0 || x < 1<<bits)
	}
	return bits == 0 || x >= -1<<(bits-1) && x < 1<<(bits-1)
}

// sequence is the call of an operation with an input.
func (h shape) sequence(op wire.Op, in []any) wire.Sequence {
	step := wire.Step{Op: op}
	for i, v := range in {
		step.Args = append(step.Args, literal(v, h.basics[i]))
	}
	return wire.Sequence{step}
}

func literal(v any, b *types.Basic) wire.Lit {
	list := func(n int, element func(i int) any) wire.Lit {
		l := wire.Lit{Form: wire.Seq}
		for i := range n {
			l.E = append(l.E, literal(element(i), b))
		}
		return l
	}
	switch v := v.(type) {
	case bool:
		if v {
			return wire.Lit{Form: wire.Bool, N: 1}
		}
		return wire.Lit{Form: wire.Bool}
	case int64:
		if b.Info()&types.IsUnsigned != 0 {
			return wire.Lit{Form: wire.Uint, N: v}
		}
		return wire.Lit{Form: wire.Int, N: v}
	case float64:
		return wire.FloatLit(v)
	case string:
		return wire.Lit{Form: wire.Text, S: v}
	case []bool:
		return list(len(v), func(i int) any { return v[i] })
	case []int64:
		return list(len(v), func(i int) any { return v[i] })
	case []float64:
		return list(len(v), func(i int) any { return v[i] })
	case []string:
		return list(len(v), func(i int) any { return v[i] })
	}
	return wire.Lit{Form: wire.Hole}
}

// valueOf returns what a literal stands for, nil where that is not of the kind.
func valueOf(l wire.Lit, kind law.Kind) any {
	if l.Form == wire.Zero {
		return map[law.Kind]any{law.Bool: false, law.Int: int64(0), law.Float: 0.0, law.Text: "",
			law.Bools: []bool{}, law.Ints: []int64{}, law.Floats: []float64{}, law.Texts: []string{}}[kind]
	}
	switch {
	case kind == law.Bool && l.Form == wire.Bool:
		return l.N != 0
	case kind == law.Int && (l.Form == wire.Int || l.Form == wire.Uint && l.N >= 0):
		return l.N
	case kind == law.Float && l.Form == wire.Float:
		if x := l.Float64(); !math.IsNaN(x) && !math.IsInf(x, 0) {
			return x
		}
	case kind == law.Text && l.Form == wire.Text:
		return l.S
	case kind == law.Bools && l.Form == wire.Seq:
		return elements[bool](l, law.Bool)
	case kind == law.Ints && l.Form == wire.Seq:
		return elements[int64](l, law.Int)
	case kind == law.Floats && l.Form == wire.Seq:
		return elements[float64](l, law.Float)
	case kind == law.Texts && l.Form == wire.Seq:
		return elements[string](l, law.Text)
	}
	return nil
}

func elements[T any](l wire.Lit, kind law.Kind) any {
	out := make([]T, len(l.E))
	for i, e := range l.E {
		v, ok := valueOf(e, kind).(T)
		if !ok {
			return nil
		}
		out[i] = v
	}
	return out
}

// results returns what a call gave, nil where it did not return, gave an error, or
// something that cannot be written.
func (h shape) results(v wire.Valued) []any {
	if !v.Ran || v.Ending != probe.Returned || len(v.Results) < len(h.out) {
		return nil
	}
	if h.err && v.Results[len(v.Results)-1].Form != wire.Zero {
		return nil
	}
	out := make([]any, len(h.out))
	for i, kind := range h.out {
		if out[i] = valueOf(v.Results[i], kind); out[i] == nil {
			return nil
		}
	}
	return out
}

// variables are the columns of a row: the inputs of both calls, then their outputs; which
// of them are outputs, and which outputs are those of both calls.
func (h shape) variables(s *relation.Subject, t genetic.Transform) (all []law.Variable, outputs []int, twins [][2]int) {
	follow := t.Math(h.params)
	for _, names := range [][]string{h.params, follow} {
		for i, name := range names {
			all = append(all, law.Variable{Math: name, Go: name, Kind: h.in[i]})
		}
	}
	for _, args := range [][]string{h.params, follow} {
		for i, kind := range h.out {
			name := s.Short + "(" + strings.Join(args, ", ") + ")"
			if len(h.out) > 1 {
				name += string([]rune("₁₂₃₄₅₆₇₈₉")[min(i, 8)])
			}
			outputs = append(outputs, len(all))
			all = append(all, law.Variable{Math: name, Go: name, Kind: kind})
		}
	}
	for i := range h.out {
		twins = append(twins, [2]int{outputs[i], outputs[i+len(h.out)]})
	}
	return all, outputs, twins
}

// verdict is what a group says of a relation: the inputs of a row with other outputs.
func (h shape) verdict(tree *law.Expr, variables []law.Variable, row []any, source, follow wire.Valued) law.Verdict {
	a, b := h.results(source), h.results(follow)
	if a == nil || b == nil {
		return law.Silent
	}
	switch law.Value(tree, slices.Concat(row[:2*len(h.in)], a, b)) {
	case true:
		return law.Holds
	case false:
		return law.Fails
	}
	return law.Silent
}

// written is a relation as it is told. It has no form as Go yet, so there is no test to
// paste.
func (h shape) written(s *relation.Subject, t genetic.Transform, tree *law.Expr) relation.Relation {
	variables, _, _ := h.variables(s, t)
	return relation.Relation{Function: s.Name, Package: s.Package.Path(), Name: "evolved, " + t.Name, Source: event.GenMorph,
		Notation: law.Notation(tree, variables)}
}

// keyOf is a text that only equal values have.
func keyOf(values []any) string { return fmt.Sprintf("%#v", values) }

// texts writes values as Go does.
func texts(values []any) []string {
	var out []string
	for _, v := range values {
		switch v := v.(type) {
		case string:
			out = append(out, strconv.Quote(v))
		default:
			out = append(out, strings.ReplaceAll(fmt.Sprintf("%#v", v), "int64", "int"))
		}
	}
	return out
}

func textLength(values []any) int { return len(strings.Join(texts(values), ", ")) }

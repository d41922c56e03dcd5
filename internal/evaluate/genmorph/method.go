package genmorph

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/isodelta/isodelta/runner/relation/law"
)

// method is one of Table II.
type method struct {
	name     string
	function string // that it is in methods.go, "" for the name
	params   []string
	in       []law.Kind
	out      law.Kind
}

// methodsOf returns the methods in the order of the table.
func methodsOf() []method {
	number := func(name string) method {
		return method{name: name, params: []string{"x"}, in: []law.Kind{law.Float}, out: law.Float}
	}
	i, s, b, l := law.Int, law.Text, law.Bools, law.Ints
	return []method{
		{"nextPrime", "", []string{"n"}, []law.Kind{i}, i},
		{"isPrime", "", []string{"n"}, []law.Kind{i}, law.Bool},
		{"gcd", "", []string{"p", "q"}, []law.Kind{i, i}, i},
		{"pow", "", []string{"k", "e"}, []law.Kind{i, i}, i},
		{"stirling", "", []string{"n", "k"}, []law.Kind{i, i}, i},
		number("acos"), number("log10"), number("sin"), number("sinh"), number("tan"),
		{"abbreviate", "", []string{"s", "marker", "offset", "width"}, []law.Kind{s, s, i, i}, s},
		{"capitalize", "", []string{"s"}, []law.Kind{s}, s},
		{"center", "", []string{"s", "width", "pad"}, []law.Kind{s, i, s}, s},
		{"difference", "", []string{"a", "b"}, []law.Kind{s, s}, s},
		{"isSorted", "", []string{"list"}, []law.Kind{l}, law.Bool},
		{"indexOf", "", []string{"list", "target"}, []law.Kind{b, b}, i},
		{"join", "", []string{"separator", "list"}, []law.Kind{s, b}, s},
		{"meanOf", "", []string{"list"}, []law.Kind{l}, law.Float},
		{"min", "least", []string{"list"}, []law.Kind{l}, i},
		{"padStart", "", []string{"s", "least", "pad"}, []law.Kind{s, i, s}, s},
		{"repeat", "", []string{"s", "count"}, []law.Kind{s, i}, s},
		{"sort", "", []string{"list", "from", "to"}, []law.Kind{l, i, i}, l},
		{"truncate", "", []string{"s", "most", "sign"}, []law.Kind{s, i, s}, s},
	}
}

// declared is the name of the function in methods.go.
func (m method) declared() string {
	if m.function != "" {
		return m.function
	}
	return m.name
}

// generator draws values of a kind.
type generator func(k law.Kind, random *rand.Rand) any

// inputs draws inputs, each once.
func (m method) inputs(draw generator, n int, random *rand.Rand) [][]any {
	var out [][]any
	seen := map[string]bool{}
	for range 4 * n {
		in := make([]any, len(m.in))
		for i, k := range m.in {
			in[i] = draw(k, random)
		}
		if key := keyOf(in); !seen[key] && len(out) < n {
			seen[key] = true
			out = append(out, in)
		}
	}
	return out
}

// The three generators. Those for searching and judging draw small values and values as
// people use them; the one for measuring draws by size, from another alphabet, and makes
// values of each other.

func training(k law.Kind, random *rand.Rand) any {
	switch k {
	case law.Int:
		if random.IntN(2) == 0 {
			return int64(random.IntN(7))
		}
		return int64(random.IntN(61) - 15)
	case law.Float:
		return math.Round((random.Float64()*40-10)*100) / 100 / float64(1+random.IntN(20))
	case law.Text:
		return text("abc XYä", random.IntN(9), random)
	case law.Bools:
		return list(random.IntN(6), func() bool { return random.IntN(2) == 0 })
	}
	return list(random.IntN(7), func() int64 { return int64(random.IntN(41) - 20) })
}

func fresh(k law.Kind, random *rand.Rand) any {
	switch k {
	case law.Int:
		if random.IntN(3) == 0 {
			return int64(random.IntN(13))
		}
		return int64(math.Round((2*random.Float64() - 0.6) * math.Pow(10, 3*random.Float64())))
	case law.Float:
		return (2*random.Float64() - 1) * math.Pow(10, 2*random.Float64()-1)
	case law.Text:
		return text("aB -.é1", random.IntN(20), random)
	case law.Bools:
		return list(random.IntN(12), func() bool { return random.IntN(3) == 0 })
	}
	return list(random.IntN(12), func() int64 { return int64(random.IntN(2001) - 1000) })
}

func measuring(k law.Kind, random *rand.Rand) any {
	size := random.IntN(1 << random.IntN(5))
	switch k {
	case law.Int:
		return int64(random.IntN(1<<(1+random.IntN(9)))) - int64(random.IntN(3)*random.IntN(10))
	case law.Float:
		return math.Ldexp(random.Float64()-0.3, random.IntN(8)-3)
	case law.Text:
		if random.IntN(3) == 0 {
			half := text("mnoP", size/2, random)
			return half + half
		}
		return text("mnoPQ ,ßé7", size, random)
	case law.Bools:
		return list(size, func() bool { return random.IntN(2) == 0 })
	}
	out := list(size, func() int64 { return int64(random.IntN(1<<(1+random.IntN(8)))) - 30 })
	if random.IntN(4) == 0 {
		slices.Sort(out)
	}
	return out
}

func text(alphabet string, n int, random *rand.Rand) string {
	runes := []rune(alphabet)
	return string(list(n, func() rune { return runes[random.IntN(len(runes))] }))
}

func list[T any](n int, element func() T) []T {
	out := make([]T, n)
	for i := range out {
		out[i] = element()
	}
	return out
}

// helpers are the functions that only this method calls.
func (m method) helpers() []string {
	return map[string][]string{"gcd": {"abs"}, "acos": {"arcsine"}, "center": {"padding"}}[m.name]
}

// keyOf is a text that only equal values have.
func keyOf(values []any) string { return fmt.Sprintf("%#v", values) }

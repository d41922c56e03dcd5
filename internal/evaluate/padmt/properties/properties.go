package properties

import (
	"math/rand/v2"
	"slices"

	"github.com/isodelta/isodelta/internal/evaluate/kmr/properties"
)

// Subjects returns all subjects.
func Subjects() []properties.Subject {
	return []properties.Subject{charge(), number(), tax(), gcd(), angle(), distance()}
}

type relation[I, O any] = properties.Relation[I, O]

// pair is a relation with one follow-up input, which change makes of the source input, unless it
// says that the relation does not apply.
func pair[I, O any](name string, change func(i I, r *rand.Rand) (I, bool), holds func(a, b O) bool) relation[I, O] {
	return relation[I, O]{Name: name, Follow: func(i I, r *rand.Rand) []I {
		if j, ok := change(i, r); ok {
			return []I{j}
		}
		return nil
	}, Holds: func(_ []I, out []O) bool { return holds(out[0], out[1]) }}
}

// several is a relation with several follow-up inputs, or none where it does not apply.
func several[I, O any](name string, follow func(i I, r *rand.Rand) []I, holds func(out []O) bool) relation[I, O] {
	return relation[I, O]{Name: name, Follow: follow, Holds: func(_ []I, out []O) bool { return holds(out) }}
}

func equal[T comparable](a, b T) bool { return a == b }

// between is a number from low to high, both included.
func between(r *rand.Rand, low, high int) int { return low + r.IntN(high-low+1) }

// shuffled is a list in another order.
func shuffled[T any](list []T, r *rand.Rand) []T {
	out := slices.Clone(list)
	r.Shuffle(len(out), func(i, j int) { out[i], out[j] = out[j], out[i] })
	return out
}

// changed is a list with each element changed.
func changed[T any](list []T, change func(T) T) []T {
	out := slices.Clone(list)
	for i, x := range out {
		out[i] = change(x)
	}
	return out
}

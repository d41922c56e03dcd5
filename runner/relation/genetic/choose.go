package genetic

import (
	"math/rand/v2"
	"slices"

	"github.com/isodelta/isodelta/runner/relation/law"
)

// worthwhile is the part of the incorrect rows that a law has to detect newly, but for
// the first one.
const worthwhile = 0.03

// choose returns the laws among what was kept: greedily, those first that newly detect
// most rows for their size, and none that detects nothing that the others do not.
func (s *search) choose(kept []*individual) Result {
	incorrect := s.problem.Incorrect.Rows()
	all := slices.Clone(kept)
	var chosen []*individual
	covered := newRows(incorrect)
	for len(chosen) < s.options.Most {
		at := most(all, covered)
		if at < 0 || len(chosen) > 0 && float64(all[at].detected.beyond(covered)) < worthwhile*float64(incorrect) {
			break
		}
		x := all[at]
		all = slices.Delete(all, at, at+1)
		if failures(s.populations[0].chance, x.tree) > 0 { // else it is a tautology
			chosen = append(chosen, x)
			covered.include(x.detected)
		}
	}
	chosen = necessary(chosen)
	out := Result{Detected: covered.count()}
	covered = newRows(incorrect)
	for len(chosen) > 0 {
		at := most(chosen, covered)
		x := chosen[at]
		chosen = slices.Delete(chosen, at, at+1)
		covered.include(x.detected)
		out.Laws = append(out.Laws, x.law(incorrect))
	}
	return out
}

// most returns the one that newly detects most rows for its size, −1 if none detects any;
// of equals, the first.
func most(all []*individual, covered rows) int {
	at, gain := -1, 0
	for i, x := range all {
		n := x.detected.beyond(covered)
		if n > 0 && (at < 0 || n*all[at].tree.Size() > gain*x.tree.Size()) {
			at, gain = i, n
		}
	}
	return at
}

// necessary leaves out those that detect nothing that the others do not, beginning with
// the ones that detect least.
func necessary(chosen []*individual) []*individual {
	order := slices.Clone(chosen)
	slices.SortStableFunc(order, func(a, b *individual) int { return a.detected.count() - b.detected.count() })
	for _, x := range order {
		others := make(rows, len(x.detected))
		for _, y := range chosen {
			if y != x {
				others.include(y.detected)
			}
		}
		if x.detected.beyond(others) == 0 {
			chosen = slices.DeleteFunc(chosen, func(y *individual) bool { return y == x })
		}
	}
	return chosen
}

func (x *individual) law(incorrect int) Law {
	out := Law{Tree: x.tree, Silent: x.silent}
	for i := range incorrect {
		if x.detected[i/64]&(1<<(i%64)) != 0 {
			out.Detected = append(out.Detected, i)
		}
	}
	return out
}

// randomRows is how many random rows a tautology has to hold for.
const randomRows = 200

// randomTable holds values that have nothing to do with each other: what holds for all of
// them holds for any function.
func randomTable(p Problem, random *rand.Rand) *law.Table {
	var rows [][]any
	for range randomRows {
		row := make([]any, len(p.Variables))
		for i, v := range p.Variables {
			row[i] = randomValue(random, v.Kind)
		}
		rows = append(rows, row)
	}
	t, err := law.NewTable(p.Variables, rows)
	if err != nil {
		panic("genetic: a random value is of another kind: " + err.Error())
	}
	return t
}

func randomValue(random *rand.Rand, k law.Kind) any {
	switch k {
	case law.Bool:
		return random.IntN(2) == 0
	case law.Int:
		return int64(random.IntN(41) - 20)
	case law.Float:
		return 40*random.Float64() - 20
	case law.Text:
		return randomText(random)
	case law.Bools:
		return randomList[bool](random, k)
	case law.Ints:
		return randomList[int64](random, k)
	case law.Floats:
		return randomList[float64](random, k)
	}
	return randomList[string](random, k)
}

func randomText(random *rand.Rand) string {
	letters := []rune("abAB é1")
	text := make([]rune, random.IntN(6))
	for i := range text {
		text[i] = letters[random.IntN(len(letters))]
	}
	return string(text)
}

func randomList[T any](random *rand.Rand, k law.Kind) []T {
	all := make([]T, random.IntN(6))
	for i := range all {
		all[i] = randomValue(random, k.Elem()).(T)
	}
	return all
}

package genetic

import (
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/isodelta/isodelta/runner/relation/law"
)

// Perturb returns incorrect rows. For each correct row and each of its outputs there is the
// row with another value there, as a fault may give that few inputs meet; and for each pair
// of outputs, those of the source call and of its follow-up, the row in which both are
// changed in the same way, as by a fault that every call meets. Rows whose output has no
// other value of its kind are left out, so that all of these are corrupted. Faulty rows,
// such as a mutant gave, are put behind them.
func Perturb(correct *law.Table, outputs []int, pairs [][2]int, faulty [][]any, rnd *rand.Rand) *law.Table {
	var rows [][]any
	for i := range correct.Rows() {
		row := correct.Row(i)
		neighbour := correct.Row((i + 1) % correct.Rows())
		for _, o := range outputs {
			if v := another(row[o], neighbour[o], rnd); v != nil {
				wrong := slices.Clone(row)
				wrong[o] = v
				rows = append(rows, wrong)
			}
		}
		for _, pair := range pairs {
			if wrong := alike(row, pair, rnd); wrong != nil {
				rows = append(rows, wrong)
			}
		}
	}
	t, err := law.NewTable(correct.Variables(), append(rows, faulty...))
	if err != nil {
		panic("genetic: a perturbed value has another kind: " + err.Error())
	}
	return t
}

// alike changes both outputs of a pair in the same way, nil if one cannot be changed so.
func alike(row []any, pair [2]int, rnd *rand.Rand) []any {
	if row[pair[0]] == nil || row[pair[1]] == nil {
		return nil
	}
	a, b := Others(row[pair[0]]), Others(row[pair[1]])
	n := min(len(a), len(b))
	if n == 0 {
		return nil
	}
	k := rnd.IntN(n)
	if law.EqualValues(a[k], row[pair[0]]) && law.EqualValues(b[k], row[pair[1]]) {
		return nil
	}
	wrong := slices.Clone(row)
	wrong[pair[0]], wrong[pair[1]] = a[k], b[k]
	return wrong
}

// another draws one of the values that differ from an output, nil if there is none.
func another(v, neighbour any, rnd *rand.Rand) any {
	if v == nil {
		return nil
	}
	all := append(Others(v), neighbour)
	all = slices.DeleteFunc(all, func(w any) bool { return w == nil || law.EqualValues(v, w) })
	if len(all) == 0 {
		return nil
	}
	return all[rnd.IntN(len(all))]
}

// Others returns values that a fault may give instead of an output, the same changes in the
// same order for each value of a kind; nil for what has no kind.
func Others(v any) []any {
	switch v := v.(type) {
	case bool:
		return []any{!v}
	case int64:
		return []any{v + 1, -v, int64(0), 2 * v}
	case float64:
		return []any{v + 1, -v, 0.0, 2 * v}
	case string:
		r := []rune(v)
		return []any{string(r[:len(r)/2]), string(r[:max(0, len(r)-1)]), strings.ToUpper(v), ""}
	case []bool:
		return rearranged(v)
	case []int64:
		return rearranged(v)
	case []float64:
		return rearranged(v)
	case []string:
		return rearranged(v)
	}
	return nil
}

// rearranged are lists that are reversed, shorter by the last element, or have the first
// element twice.
func rearranged[T any](v []T) []any {
	reversed := slices.Clone(v)
	slices.Reverse(reversed)
	if len(v) == 0 {
		return nil
	}
	return []any{reversed, slices.Clone(v[:len(v)-1]), slices.Concat(v[:1], v)}
}

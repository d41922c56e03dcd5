package automr

import (
	"context"
	"math"
	"math/rand"
	"sort"
)

// equalities searches relations of types I to V: for each input relation A the
// output relations are the null space of the data matrix of output monomials
// (equation 7), so only A is searched.
type equalities struct {
	eval      *evaluator
	validator *validator
	options   Options
	rnd       *rand.Rand
	sample    *inputs // for data matrices
	quick     *inputs // few of them, for a first look
	laws      []law   // kept
	found     map[Type]int
	// words are the kept laws of type I and what they compose to.
	words *closure
	// constant says that the program gives the same for all inputs.
	constant bool
}

const searchRows = 72

func newEqualities(eval *evaluator, sample *inputs, v *validator, o Options, rnd *rand.Rand) *equalities {
	return &equalities{eval: eval, validator: v, options: o, rnd: rnd, found: map[Type]int{},
		sample: sample, quick: newInputs(sample.rows[:12])}
}

// dependent says, cheaply, whether the group may have an output relation of the
// degree that is worth a singular value decomposition.
func (e *equalities) dependent(ctx context.Context, s *inputs, group []mapping, degree int) (bool, error) {
	rows, err := e.eval.variables(ctx, s, group)
	if err != nil {
		return false, err
	}
	of := monomials(len(group)*e.eval.program.Out, degree)
	data, _ := dataMatrix(rows, of)
	if len(data) < len(of) {
		return false, nil
	}
	return deficient(data), nil
}

// space is the null space of a group, in scaled units.
func (e *equalities) space(ctx context.Context, group []mapping, degree int) (basis [][]float64, scale []float64, err error) {
	rows, err := e.eval.variables(ctx, e.sample, group)
	if err != nil {
		return nil, nil, err
	}
	data, scale := dataMatrix(rows, monomials(len(group)*e.eval.program.Out, degree))
	basis, _ = nullSpace(data, scale)
	return basis, scale, nil
}

// search finds the laws of a group that do not follow from those already kept,
// and how many there are in all.
func (e *equalities) search(ctx context.Context, typ Type, group []mapping, degree int) (laws []law, all int, err error) {
	basis, scale, err := e.space(ctx, group, degree)
	if err != nil || len(basis) == 0 {
		return nil, 0, err
	}
	of := monomials(len(group)*e.eval.program.Out, degree)
	known := &span{}
	nulls := &span{}
	for _, b := range basis {
		nulls.add(b)
	}
	for _, k := range e.consequences(group, degree, of) {
		for j := range k {
			k[j] *= scale[j]
		}
		// Only what is in the null space: consequences of laws that hold
		// elsewhere than these inputs are none.
		if _, rest := nulls.remainder(k); rest < 1e-5 {
			known.add(k)
		}
	}
	for _, v := range sparse(basis, known, e.costs(of, group), e.rnd) {
		l, ok, err := e.judge(ctx, typ, group, degree, v, scale)
		if err != nil {
			return nil, 0, err
		}
		if ok {
			laws = append(laws, l)
		}
	}
	return laws, len(known.rows) + len(laws), nil
}

// costs make low powers and the outputs of simple inputs preferred.
func (e *equalities) costs(of [][]int, group []mapping) []float64 {
	costs := make([]float64, len(of))
	for j, m := range of {
		costs[j] = 0.3 * float64(len(m))
		for _, v := range m {
			costs[j] += 0.05 * math.Min(group[v/e.eval.program.Out].complexity, 10)
		}
		if len(m) > 1 && m[0] != m[1] {
			costs[j] += 0.1
		}
	}
	return costs
}

// judge makes coefficients of a null vector, with recognised constants if they
// verify as well, and lets the validator decide.
func (e *equalities) judge(ctx context.Context, typ Type, group []mapping, degree int, v, scale []float64) (law, bool, error) {
	b := make([]float64, len(v))
	for j := range v {
		if v[j] != 0 {
			b[j] = v[j] / scale[j]
		}
	}
	if !involves(b, len(group), e.eval.program.Out, degree) {
		return law{}, false, nil
	}
	if balance(v) < 1e-5 && !wellKnown(b) {
		return law{}, false, nil
	}
	l := law{typ: typ, group: group, degree: degree}
	of := monomials(len(group)*e.eval.program.Out, degree)
	for _, candidate := range normalForms(b, of, len(group), e.eval.program.Out) {
		l.b = candidate
		judged, ok, err := e.validator.try(ctx, l)
		if ok || err != nil {
			return judged, ok, err
		}
	}
	return law{}, false, nil
}

// balance is the least contribution of a term relative to the largest. Laws with
// terms that hardly contribute are differences of nearly equal quantities: the
// derivative of an approximation, unless constants are recognisable.
func balance(v []float64) float64 {
	least, most := math.Inf(1), 0.0
	for _, x := range v {
		if x != 0 {
			least, most = math.Min(least, math.Abs(x)), math.Max(most, math.Abs(x))
		}
	}
	return least / most
}

// wellKnown reports whether ratios of coefficients are recognisable.
func wellKnown(b []float64) bool {
	first := 0.0
	for _, c := range b {
		if c == 0 {
			continue
		}
		if first == 0 {
			first = c
		}
		if _, ok := snap(c/first, 3e-9); !ok {
			return false
		}
	}
	return true
}

// involves reports whether the source and every follow-up input have a part in B v.
func involves(b []float64, h, m, degree int) bool {
	used := make([]bool, h)
	for j, mono := range monomials(h*m, degree) {
		if b[j] != 0 {
			for _, v := range mono {
				used[v/m] = true
			}
		}
	}
	for _, u := range used {
		if !u {
			return false
		}
	}
	return true
}

// normalForms of coefficients, the preferred one first: scaled so that snapping
// gives the simplest constants, then scaled only. The term that notation puts on
// the left has coefficient 1 or, where that gives simpler ones, all are whole.
func normalForms(b []float64, of [][]int, h, m int) [][]float64 {
	type form struct {
		b    []float64
		cost float64
	}
	var forms []form
	lead := leading(b, of, h, m)
	for j, d := range b {
		if d == 0 {
			continue
		}
		snapped := make([]float64, len(b))
		cost, ok := 0.0, true
		for k, c := range b {
			s, known := snap(c/d, 3e-9)
			snapped[k] = s
			if s != 0 {
				cost += recognise(s).complexity
			}
			ok = ok && known
		}
		if j != lead {
			cost += 2
		}
		if ok {
			forms = append(forms, form{snapped, cost})
		}
	}
	sort.SliceStable(forms, func(i, j int) bool { return forms[i].cost < forms[j].cost })
	var all [][]float64
	for i, f := range forms {
		if i < 2 {
			all = append(all, f.b)
		}
	}
	// Not all constants are recognisable: those that are, and digits.
	partly, plain := make([]float64, len(b)), make([]float64, len(b))
	for k, c := range b {
		plain[k] = c / b[lead]
		partly[k], _ = snap(plain[k], 1e-11)
	}
	return append(all, partly, plain)
}

// leading is the term that is solved for: the output of the last follow-up input
// in the first power, else the highest power of a single output.
func leading(b []float64, of [][]int, h, m int) int {
	best, bestRank := 0, -1
	for j, mono := range of {
		if b[j] == 0 || len(mono) == 0 {
			continue
		}
		rank := 0
		switch {
		case len(mono) == 1:
			rank = 1000 + mono[0]
		case mono[0] == mono[len(mono)-1]:
			rank = 500 + mono[0]
		default:
			rank = 100 + mono[len(mono)-1]
		}
		if rank > bestRank {
			best, bestRank = j, rank
		}
	}
	return best
}

// consequences of kept laws for a group: laws of the same mappings between its
// inputs, times every monomial that keeps the degree. Rows are coefficients.
func (e *equalities) consequences(group []mapping, degree int, of [][]int) [][]float64 {
	var rows [][]float64
	m := e.eval.program.Out
	at := map[string]int{}
	for i, g := range group {
		at[g.key] = i
	}
	for _, l := range e.laws {
		if l.degree > degree || len(l.group) > len(group) {
			continue
		}
	base:
		for _, g := range group {
			place := make([]int, len(l.group))
			for i, lm := range l.group {
				composed, ok := g.then(lm)
				if !ok {
					continue base
				}
				p, there := at[composed.key]
				if !there {
					continue base
				}
				place[i] = p
			}
			from := monomials(len(l.group)*m, l.degree)
			for _, factor := range monomials(len(group)*m, degree-l.degree) {
				row := make([]float64, len(of))
				for j, mono := range from {
					if l.b[j] == 0 {
						continue
					}
					moved := append([]int(nil), factor...)
					for _, v := range mono {
						moved = append(moved, place[v/m]*m+v%m)
					}
					sort.Ints(moved)
					row[indexOfMonomial(of, moved)] += l.b[j]
				}
				rows = append(rows, row)
			}
		}
	}
	return rows
}

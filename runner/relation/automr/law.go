package automr

import (
	"context"
	"fmt"
	"math"
	"math/rand"
	"strconv"
)

// A law is an equality while it is searched: B v = 0 for the outputs of a group.
type law struct {
	typ     Type
	group   []mapping // the identity first
	degree  int       // of the output relation
	b       []float64
	region  []Interval
	defined []Interval
	floor   float64
	largest float64
	// tolerance of the law: the option's, or what rounding near poles needs.
	tolerance float64
}

func (l law) relation(p Program) Relation {
	r := Relation{Type: l.typ, Inputs: p.In, Outputs: p.Out, InputOp: Equal, InputDegree: 1, OutputOp: Equal,
		OutputDegree: l.degree, B: l.b, Tolerance: l.tolerance, Floor: l.floor, Largest: l.largest, Region: l.region, Defined: l.defined,
		Integer: p.Integer}
	for _, m := range l.group[1:] {
		r.InputDegree = max(r.InputDegree, m.degree)
	}
	for _, m := range l.group[1:] {
		r.A = append(r.A, widen(m, r.InputDegree))
	}
	return r
}

// widen writes the matrix of m over the monomials up to degree.
func widen(m mapping, degree int) [][]float64 {
	t := len(monomials(m.n, degree))
	a := make([][]float64, m.n)
	for i := range a {
		a[i] = make([]float64, t)
		copy(a[i], m.a[i])
	}
	return a
}

// residuals of a polynomial on groups: the worst of |B v| relative to the
// magnitude of the terms plus floor, and how many groups could be judged.
func residuals(b []float64, of [][]int, rows [][]float64, floor float64) (worst float64, judged int) {
	for _, row := range rows {
		if row == nil {
			continue
		}
		sum, size := polynomial(b, of, row)
		if math.IsInf(size, 0) || math.IsNaN(size) || math.IsNaN(sum) {
			continue
		}
		judged++
		if size+floor > 0 {
			worst = math.Max(worst, math.Abs(sum)/(size+floor))
		}
	}
	return worst, judged
}

// fewRoundings is what half of the residuals of a law have to be below. Where an
// approximation is that good, doubles cannot tell it from a law.
const fewRoundings = 3e-13

// typicalResidual is the median of |B v| relative to the magnitude of the terms.
func typicalResidual(b []float64, of [][]int, rows [][]float64) float64 {
	var all []float64
	for _, row := range rows {
		if row == nil {
			continue
		}
		if sum, size := polynomial(b, of, row); size > 0 && !math.IsInf(size, 0) {
			all = append(all, math.Abs(sum)/size)
		}
	}
	return median(all)
}

// typicalMagnitude of the terms: the median over groups, or a hundred times what
// nearly all have, where magnitudes differ so much that the median says nothing
// about the small ones.
func typicalMagnitude(b []float64, of [][]int, rows [][]float64) float64 {
	var all []float64
	for _, row := range rows {
		if row == nil {
			continue
		}
		if _, size := polynomial(b, of, row); size > 0 && !math.IsInf(size, 0) {
			all = append(all, size)
		}
	}
	if len(all) == 0 {
		return 0
	}
	return math.Min(median(all), 100*quantile(all, 0.02))
}

// A validator decides whether what the null space suggests is a law. Its inputs are
// fresh: none was used by the search.
type validator struct {
	eval      *evaluator
	tolerance float64
	domain    *inputs         // evenly filling the domain
	regions   []sampledRegion // from the widest to the narrowest
}

// A sampledRegion has inputs of all magnitudes in it.
type sampledRegion struct {
	region []Interval
	in     *inputs
	trial  *inputs // where programs tend to have cases; see trials
	only   bool    // the domain itself, for programs that have no outputs elsewhere
}

func newValidator(eval *evaluator, o Options, rnd *rand.Rand) *validator {
	p := eval.program
	v := &validator{eval: eval, tolerance: o.Tolerance}
	v.domain = newInputs(uniform(p.Domain, p.Integer, o.Inputs, rnd))
	fill := func(region []Interval) sampledRegion {
		rows := append(specialInputs(p, region), make([][]float64, o.Inputs/2)...)
		for i := range rows {
			if rows[i] == nil {
				rows[i] = sourceInput(p, region, rnd)
			}
		}
		return sampledRegion{region: region, in: newInputs(rows)}
	}
	tried := map[string]*inputs{}
	trial := func(region []Interval) *inputs {
		// Regions of the same signs share their trials: what fails at everyday
		// inputs is no law of a smaller region either.
		wide := everydayRegion(p, region)
		key := fmt.Sprint(wide)
		if tried[key] == nil {
			tried[key] = newInputs(trials(p, wide, trialInputs, rnd))
		}
		return tried[key]
	}
	sizes := []float64{1e300, 1e12, 1e6, 1e3, 100}
	if p.In > 1 {
		// Sums of products of elements of very different sizes cancel to nothing
		// but rounding.
		sizes = []float64{1e6, 1e3, 100}
	}
	if anyTrue(p.Integer) {
		sizes = []float64{1e15, 1e6, 1e3, 100}
	}
	for _, sides := range []bool{true, false} {
		for _, size := range sizes {
			region := make([]Interval, p.In)
			wider := true
			for i, d := range p.Domain {
				region[i] = Interval{-size, size}
				if !sides {
					region[i].Min = math.Min(0, math.Max(d.Min, -size))
					if d.Min > 0 {
						region[i].Min = d.Min
					}
				}
				if d.Max > size || sides && d.Min < -size {
					wider = false
				}
			}
			if wider && (sides || !isAmong(region, v.regions)) {
				r := fill(region)
				r.trial = trial(region)
				v.regions = append(v.regions, r)
			}
		}
	}
	last := fill(p.Domain)
	last.only, last.trial = true, trial(p.Domain)
	v.regions = append(v.regions, last)
	return v
}

func isAmong(region []Interval, among []sampledRegion) bool {
	for _, r := range among {
		same := true
		for i := range region {
			same = same && r.region[i] == region[i]
		}
		if same {
			return true
		}
	}
	return false
}

func anyTrue(all []bool) bool {
	for _, b := range all {
		if b {
			return true
		}
	}
	return false
}

// try judges B for a group: on the domain first, then on the widest region on
// which it holds. A law that only holds on the domain counts if the program has
// no outputs elsewhere; otherwise it is an approximation.
func (v *validator) try(ctx context.Context, l law) (law, bool, error) {
	of := monomials(len(l.group)*v.eval.program.Out, l.degree)
	rows, err := v.eval.variables(ctx, v.domain, l.group)
	if err != nil {
		return l, false, err
	}
	// Random inputs of the domain are not so close to a zero of all terms that
	// the law needs a floor there. Extremely large outputs may be close to a pole.
	worst, judged := residuals(l.b, of, rows, 0)
	if worst > v.tolerance {
		worst, judged = residuals(l.b, of, atMost(rows, nearPole(rows)), 0)
	}
	if typicalResidual(l.b, of, rows) > fewRoundings {
		return l, false, nil
	}
	if judged < 10 || judged < len(rows)/20 || worst > v.tolerance {
		return l, false, nil
	}
	l.tolerance = v.tolerance
	typical := typicalMagnitude(l.b, of, rows)
	for _, r := range v.regions {
		wide, err := v.eval.variables(ctx, r.in, l.group)
		if err != nil {
			return l, false, err
		}
		if r.only {
			if v.definedOutside(ctx, l.group) {
				return l, false, nil
			}
		}
		if !v.settle(&l, of, append(append([][]float64(nil), rows...), wide...), typical) || v.vacuous(r, wide) {
			continue
		}
		trial, err := v.eval.variables(ctx, r.trial, l.group)
		if err != nil {
			return l, false, err
		}
		// What is usual in the domain may be little where the constants are.
		if fails(l.b, of, trial, l.floor, math.Max(nearPole(rows), nearPole(trial)), clearly) {
			continue
		}
		l.region = r.region
		l.defined = v.definedIn(r, rows, wide)
		return l, true, nil
	}
	return l, false, nil
}

// settle chooses the least floor, from a ten-thousandth of the typical magnitude
// up to all of it, with which the law holds with a wide margin, and reports
// whether there is one: for all outputs, or, as it is close to poles, for those
// that are not extremely large; what fails clearly far from poles is no matter
// of rounding.
func (v *validator) settle(l *law, of [][]int, rows [][]float64, typical float64) bool {
	usual := typicalOutput(rows)
	worst, _ := residuals(l.b, of, rows, 1e-4*typical)
	heavy := worst > fewRoundings && tooLarge(rows, 1e3*usual)
	bounds := []float64{0, roundUp(100 * usual)}
	if usual == 0 {
		bounds = bounds[:1]
	}
	for _, largest := range bounds {
		if largest == 0 && heavy {
			continue // residuals may be worse than these inputs show
		}
		l.largest = largest
		judged := rows
		if largest > 0 {
			judged = atMost(rows, largest)
		}
		for _, part := range []float64{1e-4, 1e-2, 1} {
			worst, n := residuals(l.b, of, judged, part*typical)
			if n > 0 && worst <= v.tolerance/safety && !(largest > 0 && fails(l.b, of, rows, part*typical, nearPole(rows), clearly)) {
				l.floor = roundUp(part * typical)
				return true
			}
		}
	}
	return false
}

// nearPole is the magnitude of outputs beyond which an input is taken to be close to a
// pole, where rounding alone may break a law: ten thousand times the usual one. Where
// all outputs are 0, none is.
func nearPole(rows [][]float64) float64 {
	if usual := typicalOutput(rows); usual > 0 {
		return 1e4 * usual
	}
	return math.Inf(1)
}

// safety is by how much residuals of a sample have to be below the tolerance.
const safety = 300

func tooLarge(rows [][]float64, largest float64) bool {
	for _, row := range rows {
		if exceeds(row, largest) {
			return true
		}
	}
	return false
}

// roundUp to two digits, for the reader's sake.
func roundUp(v float64) float64 {
	if v == 0 {
		return 0
	}
	r, err := strconv.ParseFloat(strconv.FormatFloat(v*1.05, 'e', 1, 64), 64)
	if err != nil {
		return v
	}
	return r
}

// typicalOutput is the median of outputs' magnitudes, zeros aside: a fee that is 0 for
// half of the inputs has a magnitude all the same. It is 0 where all outputs are.
func typicalOutput(rows [][]float64) float64 {
	var all []float64
	for _, row := range rows {
		for _, x := range row {
			if x != 0 {
				all = append(all, math.Abs(x))
			}
		}
	}
	return median(all)
}

func atMost(rows [][]float64, largest float64) [][]float64 {
	kept := make([][]float64, len(rows))
	for i, row := range rows {
		if row != nil && !exceeds(row, largest) {
			kept[i] = row
		}
	}
	return kept
}

// vacuous reports whether a region that extends to negative inputs has no groups
// there, so that the law says nothing about them.
func (v *validator) vacuous(r sampledRegion, wide [][]float64) bool {
	if r.only {
		return false
	}
	for e, b := range r.region {
		if b.Min >= 0 || b.Min >= v.eval.program.Domain[e].Min {
			continue
		}
		negative, judged := 0, 0
		for i, row := range r.in.rows {
			if row[e] < 0 {
				negative++
				if wide[i] != nil {
					judged++
				}
			}
		}
		if judged*20 < negative {
			return true
		}
	}
	judged := 0
	for _, row := range wide {
		if row != nil {
			judged++
		}
	}
	return judged*20 < len(wide)
}

// definedOutside reports whether the program has outputs of the group for a notable
// part of inputs outside its domain.
func (v *validator) definedOutside(ctx context.Context, group []mapping) bool {
	for _, r := range v.regions {
		if r.only {
			continue
		}
		rows, err := v.eval.variables(ctx, r.in, group)
		if err != nil {
			return true
		}
		outside, judged := 0, 0
		for i, in := range r.in.rows {
			if inside(v.eval.program.Domain, in) {
				continue
			}
			outside++
			if rows[i] != nil {
				judged++
			}
		}
		if judged*10 > outside {
			return true
		}
	}
	return false
}

// definedIn is where all groups have outputs: the region, or the domain, or nil.
func (v *validator) definedIn(r sampledRegion, rows, wide [][]float64) []Interval {
	for _, row := range rows {
		if row == nil {
			return nil
		}
	}
	for i, row := range wide {
		if row == nil && inside(v.eval.program.Domain, r.in.rows[i]) {
			return nil
		}
	}
	for _, row := range wide {
		if row == nil {
			return v.eval.program.Domain
		}
	}
	return r.region
}

func median(all []float64) float64 {
	if len(all) == 0 {
		return 0
	}
	return quantile(all, 0.5)
}

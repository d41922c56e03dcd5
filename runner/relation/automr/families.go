package automr

import (
	"context"
	"fmt"
	"sort"
	"strings"
)

// run searches the types in their order, so that what follows from simpler laws
// is known when it comes up.
func (e *equalities) run(ctx context.Context) error {
	constant, err := e.single(ctx)
	if constant || err != nil {
		return err
	}
	candidates, err := e.firstDegree(ctx)
	if err != nil {
		return err
	}
	classes, err := e.classes(ctx, candidates)
	if err != nil {
		return err
	}
	independent, err := e.threeInputs(ctx, candidates, classes)
	if err != nil {
		return err
	}
	if e.eval.program.In == 1 {
		independent = append(independent, suitable(curvedCandidates(), e.eval.program)...)
	}
	if err := e.powers(ctx, TypeII, 2, candidates, independent); err != nil {
		return err
	}
	if err := e.powers(ctx, TypeIII, 3, candidates, independent); err != nil {
		return err
	}
	return e.products(ctx, candidates, independent)
}

func (e *equalities) keep(laws ...law) { e.laws = append(e.laws, laws...) }

// maxMonomials of the outputs of a group that are searched: beyond, null vectors
// are nothing that a reader could follow, and the search is slow.
const maxMonomials = 35

// wide reports whether groups of h with output relations of the degree are searched.
func (e *equalities) wide(h, degree int) bool {
	return countMonomials(h*e.eval.program.Out, degree, 64) <= maxMonomials
}

// single searches relations of one output: constants, and between elements of
// the same output. Of a constant function nothing else is said.
func (e *equalities) single(ctx context.Context) (constant bool, err error) {
	id := identity(e.eval.program.In)
	if zero, err := e.vanishing(ctx); zero || err != nil {
		return zero, err
	}
	for degree, typ := range []Type{TypeI, TypeII, TypeIII} {
		if !e.options.wants(typ) || !e.wide(1, degree+1) {
			continue
		}
		laws, all, err := e.search(ctx, typ, []mapping{id}, degree+1)
		if err != nil {
			return false, err
		}
		e.keep(laws...)
		e.found[typ] += all
		if degree == 0 && len(laws) == e.eval.program.Out {
			e.constant = true
			return true, nil
		}
	}
	return false, nil
}

// vanishing finds output elements that are always 0: their columns have no
// direction that a singular value decomposition could find. It reports whether all
// are.
func (e *equalities) vanishing(ctx context.Context) (all bool, err error) {
	m := e.eval.program.Out
	id := []mapping{identity(e.eval.program.In)}
	rows, err := e.eval.variables(ctx, e.sample, id)
	if err != nil || !e.options.wants(TypeI) {
		return false, err
	}
	zeros := 0
	for i := range m {
		zero := true
		for _, row := range rows {
			zero = zero && (row == nil || row[i] == 0)
		}
		if !zero {
			continue
		}
		b := make([]float64, 1+m)
		b[1+i] = 1
		l, ok, err := e.validator.try(ctx, law{typ: TypeI, group: id, degree: 1, b: b})
		if err != nil {
			return false, err
		}
		if ok {
			zeros++
			e.keep(l)
			e.found[TypeI]++
		}
	}
	e.constant = zeros == m
	return e.constant, nil
}

// firstDegree finds the relations of type I of all candidates and returns the
// candidates for the other types.
func (e *equalities) firstDegree(ctx context.Context) ([]mapping, error) {
	p := e.eval.program
	var all []mapping
	if p.In == 1 {
		all = suitable(unaryCandidates(false), p)
		if err := e.typeOne(ctx, all); err != nil {
			return nil, err
		}
		if e.anyShift() {
			return all, nil
		}
		more := without(suitable(unaryCandidates(true), p), all)
		if err := e.typeOne(ctx, more); err != nil {
			return nil, err
		}
		all = suitable(append(all, more...), p)
		found, err := e.searchShifts(ctx)
		if err != nil {
			return nil, err
		}
		found = without(found, all)
		if err := e.typeOne(ctx, found); err != nil {
			return nil, err
		}
		curved, err := e.curved(ctx)
		if err != nil {
			return nil, err
		}
		if err := e.typeOne(ctx, curved); err != nil {
			return nil, err
		}
		return e.byAngle(all), nil
	}
	all = suitable(vectorCandidates(p.In, true), p)
	if err := e.typeOne(ctx, all); err != nil {
		return nil, err
	}
	return e.byAngle(all), nil
}

// byAngle orders candidates of programs that a multiple of π is a law of: parts
// of the circle before other shifts. For all others they are no better than any
// shift, and left out.
func (e *equalities) byAngle(all []mapping) []mapping {
	circular := false
	for _, w := range e.words.generators {
		circular = circular || angle(w.g)
	}
	if !circular && e.options.wants(TypeI) {
		var rest []mapping
		for _, m := range all {
			if !angle(m) {
				rest = append(rest, m)
			}
		}
		return rest
	}
	sort.SliceStable(all, func(i, j int) bool { return turned(all[i]) < turned(all[j]) })
	return all
}

// angle reports whether a mapping shifts by a recognisable multiple of π.
func angle(m mapping) bool {
	for _, row := range m.a {
		if c := row[0]; c != 0 && strings.Contains(recognise(c).text, "π") {
			return true
		}
	}
	return false
}

// turned is the complexity of mappings where angles are the simple shifts.
func turned(m mapping) float64 {
	for _, row := range m.a {
		if row[0] != 0 && !angle(m) {
			return m.complexity + 2
		}
	}
	return m.complexity
}

func without(all, known []mapping) []mapping {
	seen := map[string]bool{}
	for _, m := range known {
		seen[m.key] = true
	}
	var rest []mapping
	for _, m := range all {
		if !seen[m.key] {
			rest = append(rest, m)
		}
	}
	return rest
}

// anyShift reports whether shifts by 1 and by ½ are laws: then so is every shift,
// and circular ones would be more of the same.
func (e *equalities) anyShift() bool {
	if e.words == nil {
		return false
	}
	return e.words.reaches(affine(1, 1)) && e.words.reaches(affine(0.5, 1))
}

// typeOne finds the laws of type I among mappings and keeps those that do not
// follow from others by composition.
func (e *equalities) typeOne(ctx context.Context, all []mapping) error {
	p := e.eval.program
	if e.words == nil {
		e.words = newClosure(p.In, p.Out)
	}
	if !e.options.wants(TypeI) || !e.wide(2, 1) {
		return nil
	}
	id := identity(p.In)
	if err := e.eval.prepare(ctx, e.sample, append([]mapping{id}, all...)); err != nil {
		return err
	}
	type finding struct {
		g    mapping
		laws []law
		word word
		ok   bool
	}
	var findings []finding
	for _, g := range all {
		dependent, err := e.dependent(ctx, e.sample, []mapping{id, g}, 1)
		if err != nil {
			return err
		}
		if !dependent {
			continue
		}
		laws, count, err := e.search(ctx, TypeI, []mapping{id, g}, 1)
		if err != nil {
			return err
		}
		e.found[TypeI] += count
		if len(laws) > 0 {
			f := finding{g: g, laws: laws}
			f.word, f.ok = asWord(g, laws, p.Out)
			findings = append(findings, f)
		}
	}
	sort.SliceStable(findings, func(i, j int) bool {
		a, b := findings[i], findings[j]
		if ka, kb := plainness(a.g, a.word, a.ok), plainness(b.g, b.word, b.ok); ka != kb {
			return ka < kb
		}
		return a.g.complexity < b.g.complexity
	})
	for _, f := range findings {
		if f.ok && e.words.implies(f.word) {
			continue
		}
		e.keep(f.laws...)
		if f.ok {
			e.words.add(f.word)
		}
	}
	return nil
}

// plainness orders laws of type I: invariance under shifts and scalings first,
// then parity, then other shifts and scalings, then the rest, so that f(x+2π) =
// f(x), f(−x) = −f(x) and f(x+π) = −f(x) are kept rather than reflections that
// say the same.
func plainness(g mapping, w word, ok bool) int {
	if !ok {
		return 5
	}
	if g.degree > 1 {
		return 4
	}
	constants, scaled, negated, mixed := false, false, false, false
	for i, row := range g.a {
		for j, c := range row {
			switch {
			case c == 0 || j == i+1 && c == 1:
			case j == 0:
				constants = true
			case j != i+1:
				mixed = true
			case c == -1:
				negated = true
			default:
				scaled = true
			}
		}
	}
	invariant := true
	for i := range w.c {
		for j := range w.m[i] {
			want := 0.0
			if i == j {
				want = 1
			}
			invariant = invariant && w.m[i][j] == want
		}
		invariant = invariant && w.c[i] == 0
	}
	switch {
	case mixed:
		if invariant && !constants {
			return 0
		}
		return 3
	case !negated && invariant && !(constants && scaled):
		return 0
	case negated && !constants && !scaled:
		return 1
	case !negated && !(constants && scaled):
		return 2
	default:
		return 3
	}
}

// curved looks through all small polynomials for laws of type I: first with few
// inputs, then in earnest.
func (e *equalities) curved(ctx context.Context) ([]mapping, error) {
	p := e.eval.program
	if !e.options.wants(TypeI) || p.In != 1 || p.Out != 1 {
		return nil, nil
	}
	id := identity(1)
	all := suitable(smallPolynomials(), p)
	if err := e.eval.prepare(ctx, e.quick, append([]mapping{id}, all...)); err != nil {
		return nil, err
	}
	var promising []mapping
	for _, g := range all {
		rows, err := e.eval.variables(ctx, e.quick, []mapping{id, g})
		if err != nil {
			return nil, err
		}
		data, _ := dataMatrix(rows, monomials(2, 1))
		if len(data) >= 5 && deficient(data) {
			promising = append(promising, g)
		}
	}
	return promising, nil
}

// classes are candidates of which none has outputs that are an affine function
// of another's: relations of one are relations of the other.
func (e *equalities) classes(ctx context.Context, candidates []mapping) ([]mapping, error) {
	reps := []mapping{identity(e.eval.program.In)}
	if err := e.eval.prepare(ctx, e.sample, candidates); err != nil {
		return nil, err
	}
next:
	for _, g := range candidates {
		if len(reps) > 40 {
			break
		}
		for _, r := range reps {
			rows, err := e.eval.variables(ctx, e.sample, []mapping{r, g})
			if err != nil {
				return nil, err
			}
			if affineImage(rows, e.eval.program.Out) {
				continue next
			}
		}
		reps = append(reps, g)
	}
	return reps[1:], nil
}

// affineImage reports whether every element of the second output is an affine
// function of the first output.
func affineImage(rows [][]float64, outputs int) bool {
	for i := range outputs {
		part := make([][]float64, len(rows))
		for k, row := range rows {
			if row != nil {
				part[k] = append(append([]float64(nil), row[:outputs]...), row[outputs+i])
			}
		}
		data, scale := dataMatrix(part, monomials(outputs+1, 1))
		if len(data) < 2*outputs+8 {
			return true // hardly any outputs: of no use
		}
		basis, _ := nullSpace(data, scale)
		last := false
		for _, b := range basis {
			last = last || b[len(b)-1] > 1e-5 || b[len(b)-1] < -1e-5
		}
		if !last {
			return false
		}
	}
	return true
}

// threeInputs finds the relations of type IV and returns the mappings whose
// outputs are no linear combination of simpler ones: others follow from those by
// substitution.
func (e *equalities) threeInputs(ctx context.Context, candidates, classes []mapping) (independent []mapping, err error) {
	p := e.eval.program
	if !e.options.wants(TypeIV) || !e.wide(3, 1) {
		return classes, nil
	}
	id := identity(p.In)
	system := newLinearSystem()
	teach := func(l law) {
		if l.degree != 1 {
			return
		}
		places := append([]mapping{id}, classes[:min(len(classes), 16)]...)
		for _, g := range l.group[1:] {
			if inv, ok := g.inverse(); ok {
				places = append(places, inv)
			}
		}
		for _, g := range places {
			if row, ok := lawAt(l, g, p.Out); ok {
				system.add(row)
			}
		}
	}
	for _, l := range e.laws {
		teach(l)
	}
	dependent := map[string]bool{}
	for j, b := range classes {
		for _, a := range classes[:j] {
			group := []mapping{id, a, b}
			likely, err := e.dependent(ctx, e.sample, group, 1)
			if err != nil {
				return nil, err
			}
			if !likely {
				continue
			}
			if dependent[a.key] && dependent[b.key] {
				// Both are combinations of simpler ones already, so this is too.
				e.found[TypeIV]++
				continue
			}
			laws, all, err := e.search(ctx, TypeIV, group, 1)
			if err != nil {
				return nil, err
			}
			e.found[TypeIV] += all
			for _, l := range laws {
				dependent[b.key] = true
				row, ok := lawAt(l, id, p.Out)
				if ok && system.implies(row) {
					continue
				}
				e.keep(l)
				teach(l)
			}
		}
	}
	if err := e.countOthers(ctx, TypeIV, 1, candidates, classes); err != nil {
		return nil, err
	}
	for _, g := range classes {
		if !dependent[g.key] {
			independent = append(independent, g)
		}
	}
	return independent, nil
}

// countOthers counts the relations of groups of three that have an input whose
// outputs are those of a simpler input in disguise. All of them are redundant;
// the count is what a search without that knowledge would have to cleanse.
func (e *equalities) countOthers(ctx context.Context, typ Type, degree int, candidates, classes []mapping) error {
	class := map[string]bool{}
	for _, g := range classes {
		class[g.key] = true
	}
	id := identity(e.eval.program.In)
	checked := 0
	for j, b := range candidates {
		for _, a := range candidates[:j] {
			if class[a.key] && class[b.key] {
				continue
			}
			if checked++; checked > 400 {
				return nil
			}
			group := []mapping{id, a, b}
			known := &span{}
			for _, k := range e.consequences(group, degree, monomials(3*e.eval.program.Out, degree)) {
				known.add(k)
			}
			e.found[typ] += len(known.rows)
			if err := ctx.Err(); err != nil {
				return fmt.Errorf("counting relations of type %s: %w", typ, err)
			}
		}
	}
	return nil
}

// powers finds the relations of types II and III.
func (e *equalities) powers(ctx context.Context, typ Type, degree int, candidates, independent []mapping) error {
	p := e.eval.program
	if !e.options.wants(typ) || !e.wide(2, degree) {
		return nil
	}
	id := identity(p.In)
	if err := e.eval.prepare(ctx, e.sample, independent); err != nil {
		return err
	}
	own := map[string]bool{}
	for _, g := range independent {
		own[g.key] = true
		likely, err := e.dependent(ctx, e.sample, []mapping{id, g}, degree)
		if err != nil {
			return err
		}
		if !likely {
			continue
		}
		laws, all, err := e.search(ctx, typ, []mapping{id, g}, degree)
		if err != nil {
			return err
		}
		e.keepNew(laws)
		e.found[typ] += all
	}
	for _, g := range candidates {
		if own[g.key] {
			continue
		}
		known := &span{}
		for _, k := range e.consequences([]mapping{id, g}, degree, monomials(2*p.Out, degree)) {
			known.add(k)
		}
		e.found[typ] += len(known.rows)
	}
	return nil
}

// products finds the relations of type V.
func (e *equalities) products(ctx context.Context, candidates, independent []mapping) error {
	p := e.eval.program
	if !e.options.wants(TypeV) || !e.wide(3, 2) {
		return nil
	}
	id := identity(p.In)
	for j, b := range independent[:min(len(independent), 16)] {
		for _, a := range independent[:j] {
			group := []mapping{id, a, b}
			likely, err := e.dependent(ctx, e.sample, group, 2)
			if err != nil {
				return err
			}
			if !likely {
				continue
			}
			laws, all, err := e.search(ctx, TypeV, group, 2)
			if err != nil {
				return err
			}
			e.keepNew(laws)
			e.found[TypeV] += all
		}
	}
	return e.countOthers(ctx, TypeV, 2, candidates, independent)
}

package automr

import (
	"math"
	"sort"
)

// generators leaves out laws of type I that others of their kind generate, be
// they simpler or not: f(x+1) = f(x) once f(x+½) = f(x) is kept. Of scalings of
// the same elements those by 2 and by 3, or any two of which no powers are the
// same, generate all: their products come as close to any number as one likes, so
// only a program with jumps could obey them and break another; the first two stay,
// and a negative scaling follows from a positive one and parity. Laws of other
// kinds stay though shorter ones generate them: f(x+2π) = f(x) says more to a
// reader than f(x+π) = −f(x) does.
func generators(laws []law, p Program) []law {
	words := make([]*word, len(laws))
	for i, l := range laws {
		if len(l.group) != 2 || l.typ != TypeI {
			continue
		}
		if w, ok := asWord(l.group[1], lawsOf(laws, l.group[1]), p.Out); ok {
			words[i] = &w
		}
	}
	drop := make([]bool, len(laws))
	for i := len(laws) - 1; i >= 0; i-- {
		if words[i] == nil {
			continue
		}
		c := newClosure(p.In, p.Out)
		for j, l := range laws {
			if !drop[j] && words[j] != nil && l.group[1].key != laws[i].group[1].key && sameRegions(l.region, laws[i].region) && helps(*words[j], *words[i]) {
				c.add(*words[j])
			}
		}
		drop[i] = c.composes(*words[i])
	}
	withoutGenerated(laws, words, drop)
	var kept []law
	for i, l := range laws {
		if !drop[i] {
			kept = append(kept, l)
		}
	}
	return kept
}

// withoutGenerated drops scalings that two others generate, laws with plain
// constants being kept first: log10(10x) = log10(x) + 1.
func withoutGenerated(laws []law, words []*word, drop []bool) {
	var scalings []scaling
	for i, l := range laws {
		if drop[i] || words[i] == nil {
			continue
		}
		if s, ok := asScaling(*words[i], l.region); ok {
			s.law = i
			for _, c := range l.b {
				s.cost += recognise(c).complexity
			}
			scalings = append(scalings, s)
		}
	}
	sort.SliceStable(scalings, func(i, j int) bool { return scalings[i].cost < scalings[j].cost })
	var kept []scaling
	for _, s := range scalings {
		if s.generated(kept) {
			drop[s.law] = true
			continue
		}
		kept = append(kept, s)
	}
}

// composes reports whether the word is implied by words of twice the steps that the
// closure lists: whether one after it is another.
func (c *closure) composes(w word) bool {
	if c.implies(w) {
		return true
	}
	for _, key := range sortedKeys(c.all) {
		for _, u := range c.all[key] {
			if u.g.degree > 1 {
				continue
			}
			// u after w = v says what w is if u can be undone.
			if _, ok := u.inverse(); !ok {
				continue
			}
			if v, ok := u.after(w); ok && c.implies(v) {
				return true
			}
		}
	}
	return false
}

// lawsOf are the laws of type I of one mapping.
func lawsOf(laws []law, g mapping) []law {
	var all []law
	for _, l := range laws {
		if len(l.group) == 2 && l.typ == TypeI && l.group[1].key == g.key {
			all = append(all, l)
		}
	}
	return all
}

// helps reports whether v may be a reason to leave w out: a law of the same kind, or
// for a scaling one that scales, negates or permutes.
func helps(v, w word) bool {
	if w.g.degree > 1 || v.g.degree > 1 {
		return false
	}
	shift, negate, scale, mixed := w.g.shape()
	vShift, vNegate, vScale, vMixed := v.g.shape()
	if scale && !shift && !mixed {
		return !vShift && (!vMixed || v.g.rearranges())
	}
	return shift && !negate && !scale && !mixed && vShift && !vNegate && !vScale && !vMixed && w.kept() && v.kept()
}

// rearranges reports whether a mapping only permutes and negates elements.
func (m mapping) rearranges() bool {
	for _, row := range m.a {
		others := 0
		for _, c := range row {
			if c != 0 && math.Abs(c) != 1 {
				return false
			}
			if c != 0 {
				others++
			}
		}
		if row[0] != 0 || others != 1 {
			return false
		}
	}
	return true
}

// kept reports whether the outputs stay what they are but for constants.
func (w word) kept() bool {
	for i, row := range w.m {
		for j, c := range row {
			if c != 0 && i != j || i == j && c != 1 {
				return false
			}
		}
	}
	return true
}

// A scaling multiplies some elements by the same number and leaves the others;
// each output is multiplied by a power of that number, and gains its logarithm.
type scaling struct {
	elements string
	by       float64
	powers   []float64
	logs     []float64
	region   []Interval
	law      int     // index
	cost     float64 // of its constants
}

func asScaling(w word, region []Interval) (scaling, bool) {
	s := scaling{by: 1, region: region}
	if w.g.degree > 1 {
		return s, false
	}
	for i, row := range w.g.a {
		for j, c := range row {
			if j != i+1 && c != 0 {
				return s, false
			}
		}
		c := row[i+1]
		if c == 1 {
			s.elements += "-"
			continue
		}
		if s.by != 1 && s.by != c || c <= 0 {
			return s, false
		}
		s.elements, s.by = s.elements+"x", c
	}
	if s.by == 1 {
		return s, false
	}
	for i, row := range w.m {
		for j, c := range row {
			if i != j && c != 0 || i == j && c <= 0 {
				return s, false
			}
		}
		s.powers = append(s.powers, math.Log(row[i])/math.Log(s.by))
		s.logs = append(s.logs, w.c[i]/math.Log(s.by))
	}
	return s, true
}

// generated reports whether two of the others, of the same elements and powers,
// generate this.
func (s scaling) generated(others []scaling) bool {
	var like []scaling
	for _, o := range others {
		if o.by != s.by && o.elements == s.elements && sameRegions(o.region, s.region) && near(o.powers, s.powers) && near(o.logs, s.logs) {
			like = append(like, o)
		}
	}
	for i, a := range like {
		for _, b := range like[:i] {
			if !commensurable(math.Log(a.by) / math.Log(b.by)) {
				return true
			}
		}
	}
	return false
}

func near(a, b []float64) bool {
	for i := range a {
		if math.Abs(a[i]-b[i]) > 1e-9*(1+math.Abs(a[i])) {
			return false
		}
	}
	return true
}

// commensurable reports whether v is a ratio of small whole numbers.
func commensurable(v float64) bool {
	for n := 1.0; n <= 12; n++ {
		if math.Abs(v*n-math.Round(v*n)) < 1e-9 {
			return true
		}
	}
	return false
}

package calls

import "math"

// discovery estimates how much more there is to see, from how often each behaviour
// was seen so far: what most calls show was seen often, and what is hidden is as rare
// as what was seen once. It is the estimate of species in ecology, which Böhme took to
// testing (STADS: Software Testing as Species Discovery, TOSEM 2018).
//
// A behaviour is a pair of sets of branches, those that one sequence of calls took on
// base and on head. Only sequences that executed a function of Δ are counted.
//
// They are no independent samples, since sequences that showed something new are varied,
// so the estimate is too low (Böhme, Liyanage and Wüstholz call that adaptive bias, 2021):
// over thirteen real commits the second half of a minute's calls showed 1.6 to 8 times as
// many new behaviours as the first half let expect, twice as many in the median. What is
// told is corrected by that.
type discovery struct {
	sequences int
	seen      map[[2]uint64]uint8 // how often, up to 3
	once      int                 // behaviours seen once
	twice     int
}

// see books what a sequence did.
func (d *discovery) see(behaviour [2]uint64) {
	if d.seen == nil {
		d.seen = map[[2]uint64]uint8{}
	}
	d.sequences++
	n := d.seen[behaviour]
	switch n {
	case 0:
		d.once++
	case 1:
		d.once--
		d.twice++
	case 2:
		d.twice--
	default:
		return
	}
	d.seen[behaviour] = n + 1
}

// expected returns how many new behaviours so many more sequences show on average, by
// Chao's estimate of how many were not seen and its extrapolation (Chao 1984, Colwell
// and others 2012), for which rare behaviours count.
func (d *discovery) expected(more int) float64 {
	if d.once == 0 {
		return 0
	}
	f1, f2 := float64(d.once), math.Max(float64(d.twice), 1)
	unseen := f1 * f1 / (2 * f2)
	chance := f1 / (float64(d.sequences)*unseen + f1)
	return unseen * (1 - math.Pow(1-chance, float64(more)))
}

// bias is how many times what the estimate says comes in practice: a median, see
// docs/evaluation.md.
const bias = 2

// enough is how many sequences there are at least before an estimate ends the calls; a
// guess: so many take some seconds.
const enough = 60000

// done reports whether as many sequences again would most likely show nothing new.
func (d *discovery) done() bool { return d.sequences >= enough && bias*d.expected(d.sequences) < 0.02 }

//go:build go1.21

package harness

import (
	"math"

	"github.com/isodelta/isodelta/runner/calls/wire"
	probe "github.com/isodelta/isodelta/runner/probe"
)

// slope says by how much a difference of operands changes when a knob moves by one.
type slope struct {
	k  *knob
	by float64
}

// maxProbed bounds the knobs whose slopes are read.
const maxProbed = 80

// affine takes the difference of the operands for an affine function of the numbers in
// the input: it moves each by one, reads the slopes, and solves (as Eclipser does: Choi
// et al., "Grey-box Concolic Testing on Binary Code", ICSE 2019). What one number leaves
// over, another one is given. It reports whether that came closer.
func (e *effort) affine() bool {
	at := e.parting()
	if len(at.operands) == 0 {
		return false
	}
	o := at.operands[len(at.operands)-1]
	if o.Kind == probe.Texts {
		return false
	}
	f := difference(o)
	slopes, over := e.slopes(at.condition, f)
	if over {
		return e.best != nil
	}
	for _, want := range offsets(asWanted(o.How, at.wanted)) {
		for _, s := range slopes {
			if e.solve(s, (want-f)/s.by, slopes, want-f) {
				return e.best != nil
			}
		}
	}
	return false
}

// slopes reads those of all knobs; over says that the effort is.
func (e *effort) slopes(condition int, f float64) (out []slope, over bool) {
	watched := e.a.sight.watch
	e.a.sight.watch = condition
	defer func() { e.a.sight.watch = watched }()
	knobs := e.a.knobs(e.t.p)
	for i := range knobs {
		k := &knobs[i]
		if i > maxProbed {
			break
		}
		if k.kind == knobTruth || e.frozen[k.name()] {
			continue
		}
		for _, move := range []float64{1, -1} {
			p, ok := e.a.set(e.t.p, *k, k.get(e.t.p)+move)
			if !ok {
				continue
			}
			x, done := e.look(p)
			if done {
				return out, true
			}
			if x == nil || len(x.watched) == 0 {
				continue
			}
			if by := (difference(x.watched[len(x.watched)-1]) - f) * move; by != 0 && !math.IsNaN(by) && !math.IsInf(by, 0) {
				out = append(out, slope{k, by})
			}
			break
		}
	}
	return out, false
}

// solve moves a knob by what the slope says, and gives what is left over to another. It
// reports whether the effort is over.
func (e *effort) solve(s slope, move float64, all []slope, missing float64) bool {
	v := s.k.get(e.t.p)
	if move == 0 {
		return false
	}
	if !s.k.integral() || move == math.Trunc(move) {
		if e.follow(s.k, v+move) {
			return true
		}
	}
	for _, whole := range []float64{math.Trunc(move), math.Floor(move), math.Ceil(move)} {
		p, ok := e.a.set(e.t.p, *s.k, v+whole)
		if !ok {
			continue
		}
		if whole != move && e.try(p, true) {
			return true
		}
		if e.share(p, s, missing-whole*s.by, all) {
			return true
		}
	}
	return false
}

// share gives a remainder to other knobs, and reports whether the effort is over.
func (e *effort) share(p wire.Sequence, taken slope, rest float64, all []slope) bool {
	if rest == 0 {
		return false
	}
	for n, s := range all {
		if n > 12 || s.k == taken.k || overlap(s.k, taken.k) {
			continue
		}
		move := rest / s.by
		if s.k.integral() && move != math.Trunc(move) {
			continue
		}
		q, ok := e.a.set(p, *s.k, s.k.get(e.t.p)+move)
		if e.try(q, ok) {
			return true
		}
	}
	return false
}

// overlap reports whether two knobs are of one text.
func overlap(a, b *knob) bool {
	if a.step != b.step || len(a.path) != len(b.path) || a.kind == knobLetter && b.kind == knobLetter && a.at != b.at || a.kind == knobDate {
		return false
	}
	for i := range a.path {
		if a.path[i] != b.path[i] {
			return false
		}
	}
	return true
}

// alternate moves one number after the other as long as that comes closer, in steps
// that double (the alternating variable method: Korel, "Automated Software Test Data
// Generation", 1990), and flips single bits. It reports whether that came to another
// decision.
func (e *effort) alternate() bool {
	for round := 0; round < maxRounds; round++ {
		before := e.t
		knobs := e.a.knobs(e.t.p)
		for i := range knobs {
			k := &knobs[i]
			if e.frozen[k.name()] || k.kind == knobTruth {
				continue
			}
			for _, unit := range unitsOf(k, e.t.p) {
				for _, way := range []float64{1, -1} {
					if e.climb(k, way*unit) {
						return e.best != nil
					}
				}
			}
			if e.t != before && (k.kind == knobLength || k.kind == knobSpelled) {
				break // other knobs are not where they were
			}
		}
		if e.t == before {
			return e.bits(knobs)
		}
	}
	return false
}

// maxRounds is how often all numbers are moved.
const maxRounds = 12

// unitsOf are the steps in which a knob is moved at first.
func unitsOf(k *knob, p wire.Sequence) []float64 {
	if k.kind != knobFloat {
		return []float64{1}
	}
	v := math.Abs(k.get(p))
	return []float64{1, math.Max(v, 1) / 16, math.Max(v, 1) / 4096, math.Max(v, 1) / (1 << 24)}
}

// climb moves a knob in steps that double, while that comes closer. It reports whether the
// effort is over.
func (e *effort) climb(k *knob, step float64) bool {
	begin := step
	for {
		p, ok := e.a.set(e.t.p, *k, k.get(e.t.p)+step)
		if !ok {
			return false
		}
		if _, over := e.look(p); over {
			return true
		}
		if e.advance() {
			step *= 2
			continue
		}
		if step == begin {
			return false
		}
		step = begin // it went too far
	}
}

// bits flips single bits of numbers, and gives one number to another. It reports whether
// that came to another decision.
func (e *effort) bits(knobs []knob) bool {
	for i := range knobs {
		k := &knobs[i]
		if e.frozen[k.name()] {
			continue
		}
		v := k.get(e.t.p)
		switch k.kind {
		case knobNumber:
			for n := 1; n < 63 && n < 2*widthOf(v)+8; n++ {
				p, ok := e.a.set(e.t.p, *k, float64(int64(v)^1<<n))
				if e.try(p, ok) {
					return e.best != nil
				}
			}
		case knobTruth:
			p, ok := e.a.set(e.t.p, *k, 1-v)
			if e.try(p, ok) {
				return e.best != nil
			}
		}
		for j := range knobs {
			if o := &knobs[j]; i != j && o.kind == k.kind && (k.kind == knobNumber || k.kind == knobFloat) {
				p, ok := e.a.set(e.t.p, *k, o.get(e.t.p))
				if e.try(p, ok) {
					return e.best != nil
				}
			}
		}
	}
	return false
}

func widthOf(v float64) int {
	n := 0
	for v = math.Abs(v); v >= 1; v /= 2 {
		n++
	}
	return n
}

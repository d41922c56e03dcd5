//go:build go1.21

package harness

import (
	"math"
	"strings"

	probe "github.com/isodelta/isodelta/runner/probe"
)

// An objective says how many decisions lie between each outcome of a condition and a
// branch that is wanted.
type objective struct {
	ahead []int32 // false and true by turns; -1 where it does not lead there
	// one is a condition that alone is wanted to go another way; ahead is nil then.
	one     int
	outcome bool
}

// ways returns what lies ahead of both outcomes of a condition; -1 for what does not
// lead to the branch.
func (o *objective) ways(i int) (no, yes int32) {
	if o.ahead != nil {
		if 2*i+1 >= len(o.ahead) {
			return -1, -1
		}
		return o.ahead[2*i], o.ahead[2*i+1]
	}
	switch {
	case i != o.one:
		return -1, -1
	case o.outcome:
		return -1, 0
	}
	return 0, -1
}

// far is more decisions than any program has ahead.
const far = math.MaxInt32

// A nearness says how close an execution came to an objective: the decisions that were
// ahead where it went another way (the approach level), how often it went the right way
// there before, and how far the operands were from deciding otherwise.
type nearness struct {
	level    int32
	passes   int
	distance float64
}

func (n nearness) better(than nearness) bool {
	switch {
	case n.level != than.level:
		return n.level < than.level
	case n.level == far:
		return false
	case n.passes != than.passes:
		return n.passes > than.passes
	}
	return n.distance < than.distance
}

// A parting is where an execution went another way than towards an objective.
type parting struct {
	nearness
	condition int  // -1 where nothing that leads there was executed
	wanted    bool // outcome
	operands  []probe.Operands
	at        int // number of the decision
}

// A decision is one of an execution's.
type decision struct {
	condition int32
	outcome   bool
}

const (
	maxDecisions = 4096 // kept of an execution
	maxPasses    = 64
)

// A sight watches one execution.
type sight struct {
	goal objective
	sub  *objective // nil for none
	main parting
	part parting // from sub
	path []decision
	// count is how often execution went the right way at a condition; touched are those
	// to set back.
	count   []uint16
	touched []int
	// watch is a condition of which operands are wanted whatever its outcome, -1 for none.
	watch   int
	watched []probe.Operands
}

func (s *sight) reset() {
	s.main = parting{nearness: nearness{level: far, distance: math.MaxFloat64}, condition: -1}
	s.part = s.main
	s.path, s.watched = s.path[:0], nil
	for _, i := range s.touched {
		s.count[i] = 0
	}
	s.touched = s.touched[:0]
}

// decided is a probe.Tracer.
func (s *sight) decided(i int, outcome bool, operands []probe.Operands) {
	if len(s.path) < maxDecisions {
		s.path = append(s.path, decision{int32(i), outcome})
	}
	if i == s.watch && len(operands) > 0 && s.watched == nil {
		s.watched = append([]probe.Operands(nil), operands...)
	}
	s.look(&s.goal, &s.main, i, outcome, operands)
	if s.sub != nil {
		s.look(s.sub, &s.part, i, outcome, operands)
	}
}

func (s *sight) look(o *objective, best *parting, i int, outcome bool, operands []probe.Operands) {
	no, yes := o.ways(i)
	if no < 0 && yes < 0 {
		return
	}
	wanted, level := false, no
	if no < 0 || yes >= 0 && yes < no {
		wanted, level = true, yes
	}
	if outcome == wanted || no == yes {
		if i < len(s.count) && s.count[i] < maxPasses {
			if s.count[i]++; s.count[i] == 1 {
				s.touched = append(s.touched, i)
			}
		}
		return
	}
	n := nearness{level: level, distance: distanceOf(operands, wanted)}
	if i < len(s.count) {
		n.passes = int(s.count[i])
	}
	if n.better(best.nearness) {
		*best = parting{n, i, wanted, append([]probe.Operands(nil), operands...), len(s.path)}
	}
}

// distanceOf says how far operands are from deciding as wanted.
func distanceOf(list []probe.Operands, wanted bool) float64 {
	if len(list) == 0 {
		return 1
	}
	last := list[len(list)-1]
	d := distance(last, wanted)
	if last.How == probe.Key {
		for _, o := range list {
			if o.How == probe.Key {
				d = math.Min(d, distance(o, wanted))
			}
		}
	}
	return d
}

// asWanted is how operands have to compare.
func asWanted(how int, wanted bool) int {
	if wanted || how > probe.GreaterEqual {
		return how
	}
	return [...]int{probe.NotEqual, probe.Equal, probe.GreaterEqual, probe.Greater, probe.LessEqual, probe.Less}[how]
}

// difference is A-B as a number, of numbers.
func difference(o probe.Operands) float64 {
	switch o.Kind {
	case probe.Floats:
		return o.X - o.Y
	case probe.Unsigned:
		if uint64(o.A) >= uint64(o.B) {
			return float64(uint64(o.A) - uint64(o.B))
		}
		return -float64(uint64(o.B) - uint64(o.A))
	}
	if d := o.A - o.B; (d < 0) == (o.A < o.B) {
		return float64(d)
	}
	return float64(o.A) - float64(o.B)
}

// distance is the branch distance of Tracey and McMinn.
func distance(o probe.Operands, wanted bool) float64 {
	how := asWanted(o.How, wanted)
	if o.Kind == probe.Texts {
		return textDistance(o, how, wanted)
	}
	f := difference(o)
	if math.IsNaN(f) {
		return math.MaxFloat64 / 4
	}
	step := 1.0
	if o.Kind == probe.Floats {
		step = 1e-9
	}
	switch how {
	case probe.Equal, probe.Key:
		return math.Abs(f)
	case probe.Less:
		return math.Max(0, f+step)
	case probe.LessEqual:
		return math.Max(0, f)
	case probe.Greater:
		return math.Max(0, step-f)
	case probe.GreaterEqual:
		return math.Max(0, -f)
	}
	return 1
}

func textDistance(o probe.Operands, how int, wanted bool) float64 {
	if !wanted && how > probe.GreaterEqual {
		return 1
	}
	s, t := o.S, o.T
	switch how {
	case probe.Fold:
		return textApart(strings.ToLower(s), strings.ToLower(t))
	case probe.Prefix:
		if len(s) > len(t) {
			s = s[:len(t)]
		}
	case probe.Suffix:
		if len(s) > len(t) {
			s = s[len(s)-len(t):]
		}
	case probe.Within:
		best := textApart(s, t)
		for i := 0; i+len(t) <= len(s) && i < 256; i++ {
			best = math.Min(best, textApart(s[i:i+len(t)], t))
		}
		return best
	case probe.NotEqual, probe.OneOf:
		return 1
	}
	return textApart(s, t)
}

// textApart adds how far two texts are from each other, byte by byte.
func textApart(s, t string) float64 {
	d := 0.0
	for i := 0; i < len(s) && i < len(t); i++ {
		d += math.Abs(float64(s[i]) - float64(t[i]))
	}
	return d + 256*math.Abs(float64(len(s)-len(t)))
}

package symbolic

import (
	"context"
	"slices"
	"time"

	"github.com/go-air/gini"
	"github.com/go-air/gini/logic"
	"github.com/go-air/gini/z"
)

// Bits turns terms into circuits, and asks a solver of propositional formulas (gini).
type Bits struct {
	// Limit bounds one question.
	Limit time.Duration
}

// maxGates bounds a circuit: a division of 64 bits takes some sixty thousand gates.
const maxGates = 600_000

// scopes are how many bits of unknowns are free at first where terms have products or
// quotients of unknowns; the sign is repeated above. Small solutions are found soon that
// way. That there is none of these says nothing.
var scopes = []int{9, 16}

// Solve is Unknown where the circuit would be too large, or the time is over.
func (s Bits) Solve(ctx context.Context, conditions []*Term) (Model, Verdict) {
	until := time.Now().Add(s.Limit)
	if d, ok := ctx.Deadline(); ok && d.Before(until) {
		until = d
	}
	if products(conditions) {
		for _, bits := range scopes {
			if m, v := s.within(ctx, conditions, bits, time.Now().Add(time.Until(until)/4)); v == Sat {
				return m, Sat
			}
		}
	}
	return s.within(ctx, conditions, 64, until)
}

// within answers for unknowns of so many bits.
func (s Bits) within(ctx context.Context, conditions []*Term, free int, until time.Time) (Model, Verdict) {
	c := circuit{C: logic.NewC(), free: free, done: map[*Term][]z.Lit{}}
	var roots []z.Lit
	for _, t := range conditions {
		r := c.of(t)
		if r == nil || ctx.Err() != nil {
			return nil, Unknown
		}
		roots = append(roots, r[0])
	}
	root := c.Ands(roots...)
	if root == c.F {
		return nil, Unsat
	}
	g := gini.New()
	c.ToCnfFrom(g, root)
	g.Add(root)
	g.Add(z.LitNull)
	limit := time.Until(until)
	if limit <= 0 {
		return nil, Unknown
	}
	switch g.Try(limit) {
	case -1:
		return nil, Unsat
	case 1:
		m := Model{}
		for _, v := range Vars(conditions) {
			m[v.Name] = c.value(g, v)
		}
		return m, Sat
	}
	return nil, Unknown
}

// products reports whether terms multiply or divide unknowns.
func products(conditions []*Term) bool {
	seen := map[*Term]bool{}
	var visit func(*Term) bool
	visit = func(t *Term) bool {
		if t == nil || seen[t] {
			return false
		}
		seen[t] = true
		switch t.Op {
		case Mul, UDiv, SDiv, URem, SRem:
			if t.Args[1].Op != Const {
				return true
			}
		}
		return slices.ContainsFunc(t.Args[:], visit)
	}
	return slices.ContainsFunc(conditions, visit)
}

// circuit has the bits of terms, the lowest first.
type circuit struct {
	*logic.C
	free int // bits of an unknown; those above repeat the last one
	done map[*Term][]z.Lit
}

func (c circuit) value(g *gini.Gini, t *Term) uint64 {
	var v uint64
	for i, l := range c.done[t] {
		if l.Var() <= g.MaxVar() && g.Value(l) {
			v |= 1 << i
		}
	}
	return v
}

// of returns the bits of a term; nil where there are too many gates.
func (c circuit) of(t *Term) []z.Lit {
	if l, ok := c.done[t]; ok {
		return l
	}
	var args [3][]z.Lit
	for i, a := range t.Args {
		if a == nil {
			continue
		}
		if args[i] = c.of(a); args[i] == nil {
			return nil
		}
	}
	if c.Len() > maxGates {
		return nil
	}
	out := c.build(t, args[0], args[1], args[2])
	c.done[t] = out
	return out
}

func (c circuit) build(t *Term, a, b, e []z.Lit) []z.Lit {
	switch t.Op {
	case Const:
		return c.number(t.Width, t.Value)
	case Var:
		var sign z.Lit
		return c.each(t.Width, func(i int) z.Lit {
			if i < c.free {
				sign = c.Lit()
			}
			return sign
		})
	case Add:
		sum, _ := c.sum(a, b, c.F)
		return sum
	case Mul:
		if t.Args[1].Op == Const {
			return c.multiple(a, t.Args[1].Value)
		}
		return c.product(a, b)
	case UDiv:
		q, _ := c.divide(a, b)
		return q
	case URem:
		_, r := c.divide(a, b)
		return r
	case SDiv:
		return c.signedDivide(a, b)
	case SRem:
		_, r := c.divide(c.abs(a), c.abs(b))
		return c.choose(last(a), c.negate(r), r)
	case And:
		return c.each(t.Width, func(i int) z.Lit { return c.And(a[i], b[i]) })
	case Or:
		return c.each(t.Width, func(i int) z.Lit { return c.Or(a[i], b[i]) })
	case Xor:
		return c.each(t.Width, func(i int) z.Lit { return c.Xor(a[i], b[i]) })
	case Not:
		return c.each(t.Width, func(i int) z.Lit { return a[i].Not() })
	case Shl:
		return reversed(c.shiftRight(reversed(a), b, c.F))
	case LShr:
		return c.shiftRight(a, b, c.F)
	case AShr:
		return c.shiftRight(a, b, last(a))
	case Eq:
		return []z.Lit{c.Ands(c.each(len(a), func(i int) z.Lit { return c.Xor(a[i], b[i]).Not() })...)}
	case ULt:
		return []z.Lit{c.less(a, b)}
	case SLt:
		// The other way round of the signs, it is the order of unsigned numbers.
		return []z.Lit{c.less(flipped(a), flipped(b))}
	case Ite:
		return c.choose(a[0], b, e)
	case ZExt, SExt, Trunc:
		return c.each(t.Width, func(i int) z.Lit {
			switch {
			case i < len(a):
				return a[i]
			case t.Op == SExt:
				return last(a)
			}
			return c.F
		})
	}
	return nil
}

func (c circuit) each(width int, bit func(i int) z.Lit) []z.Lit {
	out := make([]z.Lit, width)
	for i := range out {
		out[i] = bit(i)
	}
	return out
}

func (c circuit) number(width int, v uint64) []z.Lit {
	return c.each(width, func(i int) z.Lit {
		if v>>i&1 == 1 {
			return c.T
		}
		return c.F
	})
}

func last(a []z.Lit) z.Lit { return a[len(a)-1] }

func reversed(a []z.Lit) []z.Lit {
	out := make([]z.Lit, len(a))
	for i := range a {
		out[len(a)-1-i] = a[i]
	}
	return out
}

// flipped turns the sign round.
func flipped(a []z.Lit) []z.Lit {
	out := append([]z.Lit(nil), a...)
	out[len(out)-1] = last(a).Not()
	return out
}

func (c circuit) choose(cond z.Lit, a, b []z.Lit) []z.Lit {
	return c.each(len(a), func(i int) z.Lit { return c.pick(cond, a[i], b[i]) })
}

// pick is a where cond holds, else b.
func (c circuit) pick(cond, a, b z.Lit) z.Lit {
	switch {
	case cond == c.T || a == b:
		return a
	case cond == c.F:
		return b
	}
	return c.Or(c.And(cond, a), c.And(cond.Not(), b))
}

// sum adds, with what is carried in and out.
func (c circuit) sum(a, b []z.Lit, carry z.Lit) ([]z.Lit, z.Lit) {
	out := make([]z.Lit, len(a))
	for i := range a {
		x := c.Xor(a[i], b[i])
		out[i] = c.Xor(x, carry)
		carry = c.Or(c.And(a[i], b[i]), c.And(x, carry))
	}
	return out, carry
}

func (c circuit) negate(a []z.Lit) []z.Lit {
	out, _ := c.sum(c.each(len(a), func(i int) z.Lit { return a[i].Not() }), c.number(len(a), 0), c.T)
	return out
}

func (c circuit) abs(a []z.Lit) []z.Lit { return c.choose(last(a), c.negate(a), a) }

func (c circuit) product(a, b []z.Lit) []z.Lit {
	out := c.number(len(a), 0)
	for i := range b {
		if b[i] == c.F {
			continue
		}
		row := c.each(len(a), func(k int) z.Lit {
			if k < i {
				return c.F
			}
			return c.And(a[k-i], b[i])
		})
		out, _ = c.sum(out, row, c.F)
	}
	return out
}

// multiple multiplies by a number, with as few additions and subtractions as its
// non-adjacent form has digits: minus one needs one subtraction, where ones need an
// addition each.
func (c circuit) multiple(a []z.Lit, v uint64) []z.Lit {
	out := c.number(len(a), 0)
	for i := 0; i < len(a) && v != 0; i, v = i+1, v>>1 {
		if v&1 == 0 {
			continue
		}
		row := c.each(len(a), func(k int) z.Lit {
			if k < i {
				return c.F
			}
			return a[k-i]
		})
		if v&3 == 3 {
			row = c.each(len(a), func(k int) z.Lit { return row[k].Not() })
			out, _ = c.sum(out, row, c.T)
			v++ // 2^64 is cut off like everything above the width
		} else {
			out, _ = c.sum(out, row, c.F)
		}
	}
	return out
}

// less compares unsigned numbers: a-b borrows.
func (c circuit) less(a, b []z.Lit) z.Lit {
	out := c.F
	for i := range a {
		out = c.pick(c.Xor(a[i], b[i]), b[i], out)
	}
	return out
}

// divide divides unsigned numbers as on paper. By zero it gives ones, and a is left, which
// is what SMT-LIB wants.
func (c circuit) divide(a, b []z.Lit) (quotient, rest []z.Lit) {
	n := len(a)
	wide := append(append([]z.Lit(nil), b...), c.F)
	minus := c.each(n+1, func(i int) z.Lit { return wide[i].Not() })
	rest = c.number(n+1, 0)
	quotient = make([]z.Lit, n)
	for i := n - 1; i >= 0; i-- {
		rest = append([]z.Lit{a[i]}, rest[:n]...)
		less, fits := c.sum(rest, minus, c.T)
		quotient[i] = fits
		rest = c.choose(fits, less, rest)
	}
	return quotient, rest[:n]
}

func (c circuit) signedDivide(a, b []z.Lit) []z.Lit {
	q, _ := c.divide(c.abs(a), c.abs(b))
	return c.choose(c.Xor(last(a), last(b)), c.negate(q), q)
}

// shiftRight shifts in steps of powers of two; fill comes in from above.
func (c circuit) shiftRight(a, count []z.Lit, fill z.Lit) []z.Lit {
	out, over := a, c.F
	for k, bit := range count {
		if k >= 7 || 1<<k >= len(a) {
			over = c.Or(over, bit)
			continue
		}
		out = c.choose(bit, c.each(len(a), func(i int) z.Lit {
			if i+1<<k < len(a) {
				return out[i+1<<k]
			}
			return fill
		}), out)
	}
	return c.choose(over, c.each(len(a), func(int) z.Lit { return fill }), out)
}

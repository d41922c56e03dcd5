package symbolic

import (
	"fmt"
	"strings"
)

// Op is what a Term does with its operands.
type Op byte

// The operators have the meaning that SMT-LIB gives to those of bit-vectors. Where Go
// panics (division by zero, negative shifts) whoever builds the term adds the condition.
const (
	Const Op = iota
	Var
	Add
	Mul
	UDiv
	SDiv
	URem
	SRem
	And
	Or
	Xor
	Not
	Shl
	LShr
	AShr
	Eq
	ULt
	SLt
	Ite
	ZExt
	SExt
	Trunc
)

// Term is a bit-vector of 1 to 64 bits; one bit is a boolean. Terms of one Terms are
// equal if they are the same.
type Term struct {
	Op    Op
	Width int
	Value uint64 // of a Const
	Name  string // of a Var
	Args  [3]*Term
	id    int // in the order of making
}

// Terms makes terms, each once, and as simple as it gets without looking far.
type Terms struct {
	made map[termKey]*Term
}

type termKey struct {
	op      Op
	width   int
	value   uint64
	name    string
	a, b, c *Term
}

// NewTerms has no terms yet.
func NewTerms() *Terms { return &Terms{made: map[termKey]*Term{}} }

func (ts *Terms) make(k termKey) *Term {
	if t := ts.made[k]; t != nil {
		return t
	}
	t := &Term{Op: k.op, Width: k.width, Value: k.value, Name: k.name, Args: [3]*Term{k.a, k.b, k.c}, id: len(ts.made)}
	ts.made[k] = t
	return t
}

// Const returns a number; what does not fit the width is cut off.
func (ts *Terms) Const(width int, v uint64) *Term {
	return ts.make(termKey{op: Const, width: width, value: v & mask(width)})
}

// Bool returns a truth value.
func (ts *Terms) Bool(v bool) *Term {
	if v {
		return ts.Const(1, 1)
	}
	return ts.Const(1, 0)
}

// Var returns the unknown of a name.
func (ts *Terms) Var(width int, name string) *Term {
	return ts.make(termKey{op: Var, width: width, name: name})
}

func mask(width int) uint64 { return ^uint64(0) >> (64 - width) }

// signed returns v, of so many bits, with its sign.
func signed(width int, v uint64) int64 { return int64(v<<(64-width)) >> (64 - width) }

// isConst reports whether t is a given number.
func (t *Term) isConst(v uint64) bool { return t.Op == Const && t.Value == v&mask(t.Width) }

// Not returns t with every bit the other way.
func (ts *Terms) Not(t *Term) *Term {
	switch t.Op {
	case Const:
		return ts.Const(t.Width, ^t.Value)
	case Not:
		return t.Args[0]
	}
	return ts.make(termKey{op: Not, width: t.Width, a: t})
}

// Sub returns a-b.
func (ts *Terms) Sub(a, b *Term) *Term { return ts.Binary(Add, a, ts.Neg(b)) }

// Neg returns -a.
func (ts *Terms) Neg(a *Term) *Term {
	if a.Op == Const {
		return ts.Const(a.Width, -a.Value)
	}
	return ts.Binary(Mul, a, ts.Const(a.Width, mask(a.Width)))
}

// All returns whether all of list hold; true if there are none.
func (ts *Terms) All(list ...*Term) *Term {
	out := ts.Bool(true)
	for _, t := range list {
		out = ts.Binary(And, out, t)
	}
	return out
}

// commutes reports whether operands of op may change places.
func commutes(op Op) bool {
	switch op {
	case Add, Mul, And, Or, Xor, Eq:
		return true
	}
	return false
}

// resultWidth is how wide op's result is for operands of a width.
func resultWidth(op Op, width int) int {
	switch op {
	case Eq, ULt, SLt:
		return 1
	}
	return width
}

// Binary applies an operator to two terms of one width.
func (ts *Terms) Binary(op Op, a, b *Term) *Term {
	if a.Width != b.Width {
		panic(fmt.Sprintf("operator %d has operands of %d and %d bits", op, a.Width, b.Width))
	}
	width := resultWidth(op, a.Width)
	if a.Op == Const && b.Op == Const {
		return ts.Const(width, apply(op, a.Width, a.Value, b.Value))
	}
	if commutes(op) && (a.Op == Const || b.Op != Const && a.id > b.id) {
		a, b = b, a
	}
	if t := ts.simpler(op, a, b); t != nil {
		return t
	}
	return ts.make(termKey{op: op, width: width, a: a, b: b})
}

// simpler returns what op comes to where that shows at a glance, else nil. A constant
// operand of an operator that commutes is b.
func (ts *Terms) simpler(op Op, a, b *Term) *Term {
	zero, ones := b.isConst(0), b.isConst(mask(b.Width))
	same := a == b
	switch op {
	case Add:
		if zero {
			return a
		}
		if a.Op == Add && b.Op == Const && a.Args[1].Op == Const {
			return ts.Binary(Add, a.Args[0], ts.Const(b.Width, b.Value+a.Args[1].Value))
		}
	case Mul:
		if zero {
			return b
		}
		if b.isConst(1) {
			return a
		}
		if a.Op == Mul && b.Op == Const && a.Args[1].Op == Const {
			return ts.Binary(Mul, a.Args[0], ts.Const(b.Width, b.Value*a.Args[1].Value))
		}
	case UDiv:
		if b.isConst(1) {
			return a
		}
	case SDiv:
		if b.isConst(1) && b.Width > 1 {
			return a
		}
	case URem:
		if b.isConst(1) {
			return ts.Const(a.Width, 0)
		}
	case And:
		if zero {
			return b
		}
		if ones || same {
			return a
		}
		if a == ts.Not(b) {
			return ts.Const(a.Width, 0)
		}
	case Or:
		if ones {
			return b
		}
		if zero || same {
			return a
		}
		if a == ts.Not(b) {
			return ts.Const(a.Width, mask(a.Width))
		}
	case Xor:
		if zero {
			return a
		}
		if same {
			return ts.Const(a.Width, 0)
		}
		if ones {
			return ts.Not(a)
		}
	case Shl, LShr, AShr:
		if zero {
			return a
		}
	case Eq:
		return ts.simplerEq(a, b)
	case ULt:
		if zero || same || a.isConst(mask(a.Width)) {
			return ts.Bool(false)
		}
	case SLt:
		if same {
			return ts.Bool(false)
		}
	}
	return nil
}

func (ts *Terms) simplerEq(a, b *Term) *Term {
	switch {
	case a == b:
		return ts.Bool(true)
	case a.Width == 1 && b.isConst(1):
		return a
	case a.Width == 1 && b.isConst(0):
		return ts.Not(a)
	case a.Op == Add && a.Args[1].Op == Const && b.Op == Const:
		return ts.Binary(Eq, a.Args[0], ts.Const(b.Width, b.Value-a.Args[1].Value))
	case a.Op == ZExt && b.Op == Const:
		if b.Value > mask(a.Args[0].Width) {
			return ts.Bool(false)
		}
		return ts.Binary(Eq, a.Args[0], ts.Const(a.Args[0].Width, b.Value))
	case a.Op == Ite && b.Op == Const && a.Args[1].Op == Const && a.Args[2].Op == Const:
		return ts.Ite(a.Args[0], ts.Bool(a.Args[1] == b), ts.Bool(a.Args[2] == b))
	}
	return nil
}

// Ite is a where c holds, else b.
func (ts *Terms) Ite(c, a, b *Term) *Term {
	switch {
	case c.isConst(1) || a == b:
		return a
	case c.isConst(0):
		return b
	case a.isConst(1) && b.isConst(0) && a.Width == 1:
		return c
	case a.isConst(0) && b.isConst(1) && a.Width == 1:
		return ts.Not(c)
	}
	return ts.make(termKey{op: Ite, width: a.Width, a: c, b: a, c: b})
}

// Resize makes a term wider or narrower, as Go converts integers: a wider one repeats the
// sign where there is one.
func (ts *Terms) Resize(a *Term, width int, sign bool) *Term {
	switch {
	case a.Width == width:
		return a
	case a.Op == Const && sign:
		return ts.Const(width, uint64(signed(a.Width, a.Value)))
	case a.Op == Const:
		return ts.Const(width, a.Value)
	case width < a.Width:
		if (a.Op == ZExt || a.Op == SExt) && a.Args[0].Width >= width {
			return ts.Resize(a.Args[0], width, false)
		}
		return ts.make(termKey{op: Trunc, width: width, a: a})
	case sign:
		return ts.make(termKey{op: SExt, width: width, a: a})
	}
	return ts.make(termKey{op: ZExt, width: width, a: a})
}

// Shift shifts as Go does, by an unsigned count of any width.
func (ts *Terms) Shift(op Op, a, count *Term) *Term {
	if count.Width > a.Width {
		w := ts.Const(count.Width, uint64(a.Width))
		over := ts.Not(ts.Binary(ULt, count, w))
		// A count that is the width is as good as one above it, and fits.
		count = ts.Ite(over, ts.Resize(w, a.Width, false), ts.Resize(count, a.Width, false))
	} else {
		count = ts.Resize(count, a.Width, false)
	}
	return ts.Binary(op, a, count)
}

// apply computes an operator of two numbers of a width.
func apply(op Op, width int, a, b uint64) uint64 {
	var v uint64
	sa, sb := signed(width, a), signed(width, b)
	switch op {
	case Add:
		v = a + b
	case Mul:
		v = a * b
	case UDiv:
		v = ^uint64(0)
		if b != 0 {
			v = a / b
		}
	case URem:
		v = a
		if b != 0 {
			v = a % b
		}
	case SDiv:
		switch {
		case b != 0:
			v = uint64(sa / sb)
		case sa < 0:
			v = 1
		default:
			v = ^uint64(0)
		}
	case SRem:
		v = a
		if b != 0 {
			v = uint64(sa % sb)
		}
	case And:
		v = a & b
	case Or:
		v = a | b
	case Xor:
		v = a ^ b
	case Shl:
		if b < uint64(width) {
			v = a << b
		}
	case LShr:
		if b < uint64(width) {
			v = a >> b
		}
	case AShr:
		v = uint64(sa >> min(b, 63))
	case Eq:
		v = bit(a == b)
	case ULt:
		v = bit(a < b)
	case SLt:
		v = bit(sa < sb)
	}
	return v & mask(resultWidth(op, width))
}

func bit(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

// Model gives unknowns their values, by name; 0 to those that are missing.
type Model map[string]uint64

// Eval computes a term.
func (m Model) Eval(t *Term) uint64 { return evaluation{m, map[*Term]uint64{}}.of(t) }

// Holds reports whether all of list are true.
func (m Model) Holds(list []*Term) bool {
	e := evaluation{m, map[*Term]uint64{}}
	for _, t := range list {
		if e.of(t) != 1 {
			return false
		}
	}
	return true
}

// evaluation computes every term once.
type evaluation struct {
	m    Model
	done map[*Term]uint64
}

func (e evaluation) of(t *Term) uint64 {
	switch t.Op {
	case Const:
		return t.Value
	case Var:
		return e.m[t.Name] & mask(t.Width)
	}
	if v, ok := e.done[t]; ok {
		return v
	}
	var v uint64
	a := t.Args[0]
	switch t.Op {
	case Not:
		v = ^e.of(a)
	case Ite:
		if e.of(a) == 1 {
			v = e.of(t.Args[1])
		} else {
			v = e.of(t.Args[2])
		}
	case ZExt, Trunc:
		v = e.of(a)
	case SExt:
		v = uint64(signed(a.Width, e.of(a)))
	default:
		v = apply(t.Op, a.Width, e.of(a), e.of(t.Args[1]))
	}
	v &= mask(t.Width)
	e.done[t] = v
	return v
}

// Vars are the unknowns in terms, each once, in the order in which they are met.
func Vars(list []*Term) []*Term {
	var out []*Term
	seen := map[*Term]bool{}
	var visit func(*Term)
	visit = func(t *Term) {
		if t == nil || seen[t] {
			return
		}
		seen[t] = true
		if t.Op == Var {
			out = append(out, t)
		}
		for _, a := range t.Args {
			visit(a)
		}
	}
	for _, t := range list {
		visit(t)
	}
	return out
}

// String writes a term for people, and for tests.
func (t *Term) String() string {
	switch t.Op {
	case Const:
		return fmt.Sprint(signed(t.Width, t.Value))
	case Var:
		return t.Name
	}
	var b strings.Builder
	fmt.Fprintf(&b, "(%s", opNames[t.Op])
	for _, a := range t.Args {
		if a != nil {
			b.WriteString(" " + a.String())
		}
	}
	return b.String() + ")"
}

// opNames are SMT-LIB's, as far as it has one.
var opNames = map[Op]string{
	Add: "bvadd", Mul: "bvmul", UDiv: "bvudiv", SDiv: "bvsdiv", URem: "bvurem", SRem: "bvsrem", And: "bvand", Or: "bvor", Xor: "bvxor", Not: "bvnot",
	Shl: "bvshl", LShr: "bvlshr", AShr: "bvashr", Eq: "=", ULt: "bvult", SLt: "bvslt", Ite: "ite", ZExt: "zext", SExt: "sext", Trunc: "trunc",
}

// size is how many different terms are in list, as far as most.
func size(list []*Term, most int) int {
	seen := map[*Term]bool{}
	var visit func(*Term)
	visit = func(t *Term) {
		if t == nil || seen[t] || len(seen) > most {
			return
		}
		seen[t] = true
		for _, a := range t.Args {
			visit(a)
		}
	}
	for _, t := range list {
		visit(t)
	}
	return len(seen)
}

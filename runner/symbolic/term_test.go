package symbolic

import (
	"context"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// number draws small numbers and the edges of a width as often as any others.
func number(t *rapid.T, width int, label string) uint64 {
	return rapid.OneOf(rapid.Uint64Range(0, 9), rapid.SampledFrom([]uint64{^uint64(0), 1 << (width - 1), 1<<(width-1) - 1, ^uint64(1)}), rapid.Uint64()).
		Draw(t, label) & mask(width)
}

// Terms compute what Go's own operators do, folded at once or evaluated later.
func TestTermsAreGo(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		a, b := number(t, 64, "a"), number(t, 64, "b")
		for _, c := range []struct {
			name  string
			op    Op
			width int
			want  uint64
			skip  bool
		}{
			{"int8 +", Add, 8, uint64(uint8(int8(a) + int8(b))), false},
			{"uint16 +", Add, 16, uint64(uint16(a) + uint16(b)), false},
			{"int32 *", Mul, 32, uint64(uint32(int32(a) * int32(b))), false},
			{"int64 *", Mul, 64, uint64(int64(a) * int64(b)), false},
			{"int8 /", SDiv, 8, uint64(uint8(safe(int8(a), int8(b), func(x, y int8) int8 { return x / y }))), int8(b) == 0},
			{"int64 /", SDiv, 64, uint64(safe(int64(a), int64(b), func(x, y int64) int64 { return x / y })), b == 0},
			{"int64 %", SRem, 64, uint64(safe(int64(a), int64(b), func(x, y int64) int64 { return x % y })), b == 0},
			{"int16 %", SRem, 16, uint64(uint16(safe(int16(a), int16(b), func(x, y int16) int16 { return x % y }))), int16(b) == 0},
			{"uint64 /", UDiv, 64, safe(a, b, func(x, y uint64) uint64 { return x / y }), b == 0},
			{"uint32 %", URem, 32, uint64(safe(uint32(a), uint32(b), func(x, y uint32) uint32 { return x % y })), uint32(b) == 0},
			{"int8 <<", Shl, 8, uint64(uint8(int8(a) << (b & 0xff))), false},
			{"int8 >>", AShr, 8, uint64(uint8(int8(a) >> (b & 0xff))), false},
			{"uint8 >>", LShr, 8, uint64(uint8(a) >> (b & 0xff)), false},
			{"int64 >>", AShr, 64, uint64(int64(a) >> b), false},
			{"uint64 <<", Shl, 64, a << b, false},
			{"int8 <", SLt, 8, bit(int8(a) < int8(b)), false},
			{"int64 <", SLt, 64, bit(int64(a) < int64(b)), false},
			{"uint16 <", ULt, 16, bit(uint16(a) < uint16(b)), false},
			{"uint32 ==", Eq, 32, bit(uint32(a) == uint32(b)), false},
			{"uint64 ^", Xor, 64, a ^ b, false},
			{"uint64 &", And, 64, a & b, false},
			{"uint64 |", Or, 64, a | b, false},
		} {
			if c.skip {
				continue
			}
			ts := NewTerms()
			x, y := ts.Var(c.width, "x"), ts.Var(c.width, "y")
			m := Model{"x": a, "y": b}
			folded := ts.Binary(c.op, ts.Const(c.width, a), ts.Const(c.width, b))
			left := ts.Binary(c.op, ts.Const(c.width, a), y)
			right := ts.Binary(c.op, x, ts.Const(c.width, b))
			for _, term := range []*Term{folded, left, right, ts.Binary(c.op, x, y)} {
				if got := m.Eval(term); got != c.want {
					t.Fatalf("%s of %d and %d: %s is %d, want %d", c.name, a, b, term, got, c.want)
				}
			}
		}
	})
}

func safe[T int8 | int16 | int64 | uint32 | uint64](a, b T, f func(a, b T) T) T {
	if b == 0 {
		return 0
	}
	return f(a, b)
}

// Conversions, and shifts by counts of other widths, are Go's.
func TestConversionsAreGo(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		a, n := number(t, 64, "a"), number(t, 64, "n")
		ts := NewTerms()
		m := Model{"x": a, "n": n}
		for _, c := range []struct {
			name string
			term *Term
			want uint64
		}{
			{"int64(int8)", ts.Resize(ts.Var(8, "x"), 64, true), uint64(int64(int8(a)))},
			{"int64(uint8)", ts.Resize(ts.Var(8, "x"), 64, false), uint64(int64(uint8(a)))},
			{"uint8(uint64)", ts.Resize(ts.Var(64, "x"), 8, false), uint64(uint8(a))},
			{"uint8(int64(int16))", ts.Resize(ts.Resize(ts.Var(16, "x"), 64, true), 8, true), uint64(uint8(int64(int16(a))))},
			{"uint32(int16)", ts.Resize(ts.Var(16, "x"), 32, true), uint64(uint32(int16(a)))},
			{"uint8 << uint64", ts.Shift(Shl, ts.Var(8, "x"), ts.Var(64, "n")), uint64(uint8(a) << n)},
			{"int16 >> uint64", ts.Shift(AShr, ts.Var(16, "x"), ts.Var(64, "n")), uint64(uint16(int16(a) >> n))},
			{"uint64 >> uint8", ts.Shift(LShr, ts.Var(64, "x"), ts.Var(8, "n")), a >> uint8(n)},
			{"-int8", ts.Neg(ts.Var(8, "x")), uint64(uint8(-int8(a)))},
			{"^uint16", ts.Not(ts.Var(16, "x")), uint64(^uint16(a))},
		} {
			if got := m.Eval(c.term); got != c.want {
				t.Fatalf("%s of %d, %d: %s is %d, want %d", c.name, a, n, c.term, got, c.want)
			}
		}
	})
}

// drawn is a term of a width over two unknowns.
func drawn(t *rapid.T, ts *Terms, width, depth int) *Term {
	kind := rapid.IntRange(0, 9).Draw(t, "kind")
	if depth == 0 || kind < 2 {
		switch {
		case rapid.Bool().Draw(t, "constant"):
			return ts.Const(width, number(t, width, "number"))
		default:
			return ts.Resize(ts.Var(8, rapid.SampledFrom([]string{"x", "y"}).Draw(t, "name")), width, rapid.Bool().Draw(t, "sign"))
		}
	}
	other := rapid.SampledFrom([]int{1, 3, 8, 12}).Draw(t, "width")
	switch kind {
	case 2:
		return ts.Not(drawn(t, ts, width, depth-1))
	case 3:
		return ts.Ite(drawn(t, ts, 1, depth-1), drawn(t, ts, width, depth-1), drawn(t, ts, width, depth-1))
	case 4:
		return ts.Resize(drawn(t, ts, other, depth-1), width, rapid.Bool().Draw(t, "sign"))
	case 5:
		op := rapid.SampledFrom([]Op{Shl, LShr, AShr}).Draw(t, "shift")
		return ts.Shift(op, drawn(t, ts, width, depth-1), drawn(t, ts, other, depth-1))
	case 6:
		op := rapid.SampledFrom([]Op{Eq, ULt, SLt}).Draw(t, "comparison")
		return ts.Resize(ts.Binary(op, drawn(t, ts, other, depth-1), drawn(t, ts, other, depth-1)), width, false)
	}
	op := rapid.SampledFrom([]Op{Add, Mul, UDiv, SDiv, URem, SRem, And, Or, Xor}).Draw(t, "operator")
	return ts.Binary(op, drawn(t, ts, width, depth-1), drawn(t, ts, width, depth-1))
}

// The circuit and the evaluator agree on whether there are values, by trying them all.
func TestBitsAgreeWithAllValues(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		ts := NewTerms()
		conditions := []*Term{drawn(t, ts, 1, 3), drawn(t, ts, 1, 3)}
		want := Unsat
		for i := 0; i < 1<<16 && want == Unsat; i++ {
			if (Model{"x": uint64(i & 0xff), "y": uint64(i >> 8)}).Holds(conditions) {
				want = Sat
			}
		}
		m, got := Bits{Limit: time.Minute}.Solve(context.Background(), conditions)
		if got != want {
			t.Fatalf("%v: %d, want %d", conditions, got, want)
		}
		if got == Sat && !m.Holds(conditions) {
			t.Fatalf("%v: %v is no model", conditions, m)
		}
	})
}

// Circuits of all widths compute what the evaluator does.
func TestBitsComputeAsTerms(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		width := rapid.SampledFrom([]int{1, 2, 7, 16, 32, 64}).Draw(t, "width")
		op := rapid.SampledFrom([]Op{Add, Mul, UDiv, SDiv, URem, SRem, And, Or, Xor, Shl, LShr, AShr, Eq, ULt, SLt}).Draw(t, "op")
		a, b := number(t, width, "a"), number(t, width, "b")
		ts := NewTerms()
		x, y := ts.Var(width, "x"), ts.Var(width, "y")
		is := func(t *Term, v uint64) *Term { return ts.Binary(Eq, t, ts.Const(t.Width, v)) }
		given := []*Term{is(x, a), is(y, b)}
		s := Bits{Limit: time.Minute}
		for _, result := range []*Term{ts.Binary(op, x, y), ts.Binary(op, x, ts.Const(width, b))} {
			want := Model{"x": a, "y": b}.Eval(result)
			if _, v := s.Solve(context.Background(), append(given, is(result, want))); v != Sat {
				t.Errorf("%s with %d, %d cannot be %d", result, a, b, want)
			}
			if _, v := s.Solve(context.Background(), append(given, ts.Not(is(result, want)))); v != Unsat {
				t.Errorf("%s with %d, %d can be other than %d", result, a, b, want)
			}
		}
	})
}

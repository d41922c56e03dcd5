//go:build go1.21

package probe

import "sync/atomic"

// What follows is called by code that was rewritten to tell its operands, see package
// instrument. The ordinary rewriting calls nothing of it.

// How two operands are compared. Those up to GreaterEqual are Go's operators.
const (
	Equal = iota
	NotEqual
	Less
	LessEqual
	Greater
	GreaterEqual
	Prefix    // whether A begins with B
	Suffix    // whether A ends with B
	Within    // B is looked for in A
	Fold      // whether they are equal but for upper and lower case
	OneOf     // a letter of B is looked for in A
	Unrelated // both go into a function that says more than a truth
	Key       // A is looked for among the keys of a map, B is one of them
)

// Kinds of operands.
const (
	Integers = iota
	Unsigned
	Floats
	Texts
)

// Operands are two values that code compared.
type Operands struct {
	How, Kind int
	A, B      int64 // of Integers; of Unsigned their bits
	X, Y      float64
	S, T      string
}

// Tracer is told each decision, with the operands compared since the one before.
type Tracer func(condition int, outcome bool, operands []Operands)

// maxPending is how many comparisons are kept for the next decision: those nearest to it.
const maxPending = 6

// maxTold bounds a text that is told, in bytes.
const maxTold = 1 << 12

var tracing struct {
	to      Tracer
	busy    int32 // 1 while a goroutine is at it; what others do meanwhile is not told
	pending [maxPending]Operands
	n       int
}

// Trace tells decisions to f, until it is called with nil.
func Trace(f Tracer) { tracing.to, tracing.n = f, 0 }

// D reports whether v holds, or its negation, as B does, and tells.
func D(i int, v bool) bool {
	v = B(i, v)
	if tracing.to != nil && atomic.CompareAndSwapInt32(&tracing.busy, 0, 1) {
		n := tracing.n
		tracing.n = 0
		tracing.to(i, v, tracing.pending[:n])
		atomic.StoreInt32(&tracing.busy, 0)
	}
	return v
}

// DN is D for named boolean types.
func DN[T ~bool](i int, v T) T { return T(D(i, bool(v))) }

func tell(o Operands) {
	if !atomic.CompareAndSwapInt32(&tracing.busy, 0, 1) {
		return
	}
	if tracing.n == maxPending {
		copy(tracing.pending[:], tracing.pending[1:])
		tracing.n--
	}
	tracing.pending[tracing.n] = o
	tracing.n++
	atomic.StoreInt32(&tracing.busy, 0)
}

type (
	integer interface {
		~int | ~int8 | ~int16 | ~int32 | ~int64
	}
	unsigned interface {
		~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~uintptr
	}
	ordered interface {
		integer | unsigned | ~float32 | ~float64 | ~string
	}
)

func compare[T ordered](how int, a, b T) bool {
	switch how {
	case Equal:
		return a == b
	case NotEqual:
		return a != b
	case Less:
		return a < b
	case LessEqual:
		return a <= b
	case Greater:
		return a > b
	}
	return a >= b
}

// OI reports whether two integers compare as how says, and tells.
func OI[T integer](how int, a, b T) bool {
	if tracing.to != nil {
		tell(Operands{How: how, Kind: Integers, A: int64(a), B: int64(b)})
	}
	return compare(how, a, b)
}

// OU reports whether two unsigned integers compare as how says, and tells.
func OU[T unsigned](how int, a, b T) bool {
	if tracing.to != nil {
		tell(Operands{How: how, Kind: Unsigned, A: int64(a), B: int64(b)})
	}
	return compare(how, a, b)
}

// OF reports whether two floating-point numbers compare as how says, and tells.
func OF[T ~float32 | ~float64](how int, a, b T) bool {
	if tracing.to != nil {
		tell(Operands{How: how, Kind: Floats, X: float64(a), Y: float64(b)})
	}
	return compare(how, a, b)
}

// OS reports whether two texts compare as how says, and tells.
func OS[T ~string](how int, a, b T) bool {
	if tracing.to != nil {
		tell(Operands{How: how, Kind: Texts, S: cut(string(a)), T: cut(string(b))})
	}
	return compare(how, a, b)
}

// PS returns a function of two texts that tells its arguments.
func PS[R any](how int, f func(a, b string) R) func(a, b string) R {
	if tracing.to == nil {
		return f
	}
	return func(a, b string) R {
		tell(Operands{How: how, Kind: Texts, S: cut(a), T: cut(b)})
		return f(a, b)
	}
}

// PB is PS for slices of bytes.
func PB[R any](how int, f func(a, b []byte) R) func(a, b []byte) R {
	if tracing.to == nil {
		return f
	}
	return func(a, b []byte) R {
		tell(Operands{How: how, Kind: Texts, S: string(head(a)), T: string(head(b))})
		return f(a, b)
	}
}

// maxKeys is how many keys of a map are told where one is not in it.
const maxKeys = 4

// KS returns a key that a map is asked for, and tells it and some of the map's.
func KS[M ~map[K]V, K ~string, V any](m M, k K) K {
	if tracing.to != nil {
		n := 0
		for other := range m {
			if n++; n > maxKeys {
				break
			}
			tell(Operands{How: Key, Kind: Texts, S: cut(string(k)), T: cut(string(other))})
		}
		if n == 0 {
			tell(Operands{How: Key, Kind: Texts, S: cut(string(k))}) // there is no other
		}
	}
	return k
}

// KI is KS for integers.
func KI[M ~map[K]V, K integer | unsigned, V any](m M, k K) K {
	if tracing.to != nil {
		n := 0
		for other := range m {
			if n++; n > maxKeys {
				break
			}
			tell(Operands{How: Key, Kind: Integers, A: int64(k), B: int64(other)})
		}
	}
	return k
}

func cut(s string) string {
	if len(s) > maxTold {
		return s[:maxTold]
	}
	return s
}

func head(b []byte) []byte {
	if len(b) > maxTold {
		return b[:maxTold]
	}
	return b
}

package wire_test

import (
	"bytes"
	"reflect"
	"testing"

	"github.com/isodelta/isodelta/runner/calls/wire"
	"github.com/isodelta/isodelta/runner/calls/wire/wiretest"
	"pgregory.net/rapid"
)

// What one process writes down, another reads as it was, also where several
// sequences stand behind one another.
func TestSequencesComeThrough(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p, q := wiretest.AnySequence(t, 8), wiretest.AnySequence(t, 3)
		b := q.Encode(p.Encode(nil))
		gotP, rest, err := wire.Decode(b)
		if err != nil {
			t.Fatal(err)
		}
		gotQ, rest, err := wire.Decode(rest)
		if err != nil || len(rest) > 0 {
			t.Fatalf("%v, %d bytes left", err, len(rest))
		}
		if !wiretest.Same(p, gotP) || !wiretest.Same(q, gotQ) {
			t.Fatalf("%v\n%v\ncame back as\n%v\n%v", p, q, gotP, gotQ)
		}
		if len(p) > 0 && !reflect.DeepEqual(p, gotP) {
			t.Fatalf("%#v came back as %#v", p, gotP)
		}
		if p.Hash() != gotP.Hash() {
			t.Fatal("another hash")
		}
		if len(b) > 1 {
			if _, rest, err := wire.Decode(b[:rapid.IntRange(0, len(b)-1).Draw(t, "cut")]); err == nil && len(rest) > 0 && len(q) == 0 {
				t.Fatal("cut off, and something left")
			}
		}
	})
}

// A damaged sequence is an error or another sequence, never a panic, and never
// more than what its bytes can stand for.
func FuzzDecode(f *testing.F) {
	f.Add([]byte{})
	f.Add([]byte{1, 5, 1, byte(wire.Text), 200})
	f.Add([]byte{255, 255, 255, 255, 255, 255, 255, 255, 255, 1})
	f.Add(bytes.Repeat([]byte{byte(wire.Pointer), 1}, 200))
	f.Add(append([]byte{1, 1, 1}, bytes.Repeat([]byte{byte(wire.Pointer), 1}, 200)...))
	f.Add(wire.Sequence{
		{Op: wire.OpLet, Args: []wire.Lit{{Form: wire.Dynamic, T: 3, E: []wire.Lit{{Form: wire.Seq, E: []wire.Lit{{Form: wire.Int, N: -1}}}}}}},
		{Op: 7, Args: []wire.Lit{wire.RefTo(0, 0), {Form: wire.Special, S: wire.SpecialTime, E: []wire.Lit{{Form: wire.Int, N: 1 << 40}}}, wire.FloatLit(0.5), {Form: wire.Hole}}},
	}.Encode(nil))
	f.Fuzz(func(t *testing.T, b []byte) {
		p, rest, err := wire.Decode(b)
		if err != nil {
			return
		}
		if len(p) > wire.MaxSteps || len(rest) > len(b) {
			t.Fatalf("%d steps, %d of %d bytes left", len(p), len(rest), len(b))
		}
		n := 0
		p.Walk(func(int, *wire.Lit) { n++ })
		if n > len(b) {
			t.Fatalf("%d literals of %d bytes", n, len(b))
		}
		again, rest, err := wire.Decode(p.Encode(nil))
		if err != nil || len(rest) > 0 || !wiretest.Same(p, again) {
			t.Fatalf("%v: %v comes back as %v", err, p, again)
		}
	})
}

// Cutting out steps keeps all that they need and nothing else, and what they
// need stands before them.
func TestSliceKeepsWhatIsNeeded(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := wiretest.AnySequence(t, 10)
		if len(p) == 0 {
			return
		}
		before := p.Clone()
		keep := rapid.SliceOfN(rapid.IntRange(0, len(p)-1), 1, 3).Draw(t, "keep")
		q, at := p.Slice(keep...)
		if !reflect.DeepEqual(p, before) {
			t.Fatal("slicing changed the sequence")
		}
		if wiretest.Forward(q) {
			t.Fatalf("%v keeping %v: %v refers forward", p, keep, q)
		}
		needed := map[int]bool{}
		var need func(i int)
		need = func(i int) {
			if needed[i] {
				return
			}
			needed[i] = true
			wire.Sequence{p[i]}.Walk(func(_ int, l *wire.Lit) {
				if l.Form == wire.Ref {
					need(int(l.N))
				}
			})
		}
		for _, k := range keep {
			need(k)
		}
		n := 0
		for i := range p {
			if needed[i] != (at[i] >= 0) {
				t.Fatalf("step %d: needed %t, new number %d", i, needed[i], at[i])
			}
			if at[i] < 0 {
				continue
			}
			if at[i] != n || q[n].Op != p[i].Op || len(q[n].Args) != len(p[i].Args) {
				t.Fatalf("step %d became %d: %v", i, at[i], q)
			}
			n++
			// The same step again, with its references followed back.
			back := wire.Sequence{q[at[i]]}.Clone()
			back.Walk(func(_ int, l *wire.Lit) {
				if l.Form == wire.Ref {
					for old, new := range at {
						if int64(new) == l.N {
							l.N = int64(old)
							return
						}
					}
				}
			})
			if !wiretest.Same(back, wire.Sequence{p[i]}) {
				t.Fatalf("step %d was %v and is %v", i, p[i], back)
			}
		}
		if n != len(q) {
			t.Fatalf("%d steps, want %d", len(q), n)
		}
		whole, _ := p.Slice(len(p) - 1)
		if twice, _ := whole.Slice(len(whole) - 1); !wiretest.Same(whole, twice) {
			t.Fatal("slicing twice is not slicing once")
		}
	})
}

// Sequences behind one another do what each did: references move along, and
// neither part shares memory with what it came from.
func TestAppendMovesReferences(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p, q := wiretest.AnySequence(t, 6), wiretest.AnySequence(t, 6)
		kept := q.Clone()
		both := p.Clone().Append(q)
		if !wiretest.Same(q, kept) {
			t.Fatal("appending changed what was appended")
		}
		if len(both) != len(p)+len(q) || wiretest.Forward(both) || !wiretest.Same(both[:len(p)], p) {
			t.Fatalf("%v and %v: %v", p, q, both)
		}
		if len(q) == 0 {
			return
		}
		// Cut out again, the tail is what it was.
		steps := make([]int, len(q))
		for i := range steps {
			steps[i] = len(p) + i
		}
		if tail, _ := both.Slice(steps...); !wiretest.Same(tail, q) {
			t.Fatalf("%v came out as %v", q, tail)
		}
		both.Walk(func(_ int, l *wire.Lit) { l.N, l.S = 77, "scribbled" })
		if !wiretest.Same(q, kept) {
			t.Fatal("the appended sequence shares memory with its origin")
		}
	})
}

package harness

import (
	"bytes"
	"reflect"
	"testing"

	"pgregory.net/rapid"
)

// anyLit draws a literal of any form; references are to steps before step.
func anyLit(t *rapid.T, step, depth int) Lit {
	last := int(forms) - 1
	if depth > 3 {
		last = int(Float)
	}
	l := Lit{Form: Form(rapid.IntRange(0, last).Draw(t, "form"))}
	elements := func(most int) {
		for range rapid.IntRange(0, most).Draw(t, "elements") {
			l.E = append(l.E, anyLit(t, step, depth+1))
		}
	}
	switch l.Form {
	case Bool, Int, Uint, Float:
		l.N = rapid.Int64().Draw(t, "number")
	case Text:
		l.S = string(rapid.SliceOfN(rapid.Byte(), 0, 20).Draw(t, "text"))
	case Ref:
		if step == 0 {
			return Lit{}
		}
		l.N, l.U = int64(rapid.IntRange(0, step-1).Draw(t, "to")), rapid.IntRange(0, 3).Draw(t, "result")
	case Dynamic:
		l.T = rapid.IntRange(0, 300).Draw(t, "type")
		elements(2)
	case Special:
		l.S = rapid.SampledFrom([]string{specialReader, specialHashFunc, specialChan, specialTime, "", "no such thing"}).Draw(t, "name")
		elements(2)
	case Complex, Seq, Map, Struct, Pointer:
		elements(3)
	}
	return l
}

func anyProgram(t *rapid.T, most int) Program {
	var p Program
	for i := range rapid.IntRange(0, most).Draw(t, "steps") {
		s := Step{Op: rapid.IntRange(0, 40).Draw(t, "op")}
		for range rapid.IntRange(0, 3).Draw(t, "arguments") {
			s.Args = append(s.Args, anyLit(t, i, 0))
		}
		p = append(p, s)
	}
	return p
}

// same compares programs that have been through the wire, which knows no
// difference between nil and empty.
func same(p, q Program) bool { return bytes.Equal(p.Encode(nil), q.Encode(nil)) }

// What one process writes down, another reads as it was, also where several
// programs stand behind one another.
func TestProgramsComeThrough(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p, q := anyProgram(t, 8), anyProgram(t, 3)
		b := q.Encode(p.Encode(nil))
		gotP, rest, err := Decode(b)
		if err != nil {
			t.Fatal(err)
		}
		gotQ, rest, err := Decode(rest)
		if err != nil || len(rest) > 0 {
			t.Fatalf("%v, %d bytes left", err, len(rest))
		}
		if !same(p, gotP) || !same(q, gotQ) {
			t.Fatalf("%v\n%v\ncame back as\n%v\n%v", p, q, gotP, gotQ)
		}
		if len(p) > 0 && !reflect.DeepEqual(p, gotP) {
			t.Fatalf("%#v came back as %#v", p, gotP)
		}
		if p.Hash() != gotP.Hash() {
			t.Fatal("another hash")
		}
		if len(b) > 1 {
			if _, rest, err := Decode(b[:rapid.IntRange(0, len(b)-1).Draw(t, "cut")]); err == nil && len(rest) > 0 && len(q) == 0 {
				t.Fatal("cut off, and something left")
			}
		}
	})
}

// A damaged program is an error or another program, never a panic, and never
// more than what its bytes can stand for.
func FuzzDecode(f *testing.F) {
	f.Add([]byte{})
	f.Add([]byte{1, 5, 1, byte(Text), 200})
	f.Add([]byte{255, 255, 255, 255, 255, 255, 255, 255, 255, 1})
	f.Add(bytes.Repeat([]byte{byte(Pointer), 1}, 200))
	f.Add(append([]byte{1, 1, 1}, bytes.Repeat([]byte{byte(Pointer), 1}, 200)...))
	f.Add(Program{
		{OpLet, []Lit{{Form: Dynamic, T: 3, E: []Lit{{Form: Seq, E: []Lit{{Form: Int, N: -1}}}}}}},
		{7, []Lit{RefTo(0, 0), {Form: Special, S: specialTime, E: []Lit{{Form: Int, N: 1 << 40}}}, FloatLit(0.5), {Form: Hole}}},
	}.Encode(nil))
	f.Fuzz(func(t *testing.T, b []byte) {
		p, rest, err := Decode(b)
		if err != nil {
			return
		}
		if len(p) > maxSteps || len(rest) > len(b) {
			t.Fatalf("%d steps, %d of %d bytes left", len(p), len(rest), len(b))
		}
		n := 0
		p.Walk(func(int, *Lit) { n++ })
		if n > len(b) {
			t.Fatalf("%d literals of %d bytes", n, len(b))
		}
		again, rest, err := Decode(p.Encode(nil))
		if err != nil || len(rest) > 0 || !same(p, again) {
			t.Fatalf("%v: %v comes back as %v", err, p, again)
		}
	})
}

// forward reports whether a literal refers to its own step, a later one, or none.
func forward(p Program) bool {
	bad := false
	p.Walk(func(step int, l *Lit) {
		if l.Form == Ref && (l.N < 0 || int(l.N) >= step) {
			bad = true
		}
	})
	return bad
}

// Cutting out steps keeps all that they need and nothing else, and what they
// need stands before them.
func TestSliceKeepsWhatIsNeeded(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := anyProgram(t, 10)
		if len(p) == 0 {
			return
		}
		before := p.Clone()
		keep := rapid.SliceOfN(rapid.IntRange(0, len(p)-1), 1, 3).Draw(t, "keep")
		q, at := p.Slice(keep...)
		if !reflect.DeepEqual(p, before) {
			t.Fatal("slicing changed the program")
		}
		if forward(q) {
			t.Fatalf("%v keeping %v: %v refers forward", p, keep, q)
		}
		needed := map[int]bool{}
		var need func(i int)
		need = func(i int) {
			if needed[i] {
				return
			}
			needed[i] = true
			Program{p[i]}.Walk(func(_ int, l *Lit) {
				if l.Form == Ref {
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
			back := Program{q[at[i]]}.Clone()
			back.Walk(func(_ int, l *Lit) {
				if l.Form == Ref {
					for old, new := range at {
						if int64(new) == l.N {
							l.N = int64(old)
							return
						}
					}
				}
			})
			if !same(back, Program{p[i]}) {
				t.Fatalf("step %d was %v and is %v", i, p[i], back)
			}
		}
		if n != len(q) {
			t.Fatalf("%d steps, want %d", len(q), n)
		}
		whole, _ := p.Slice(len(p) - 1)
		if twice, _ := whole.Slice(len(whole) - 1); !same(whole, twice) {
			t.Fatal("slicing twice is not slicing once")
		}
	})
}

// Programs behind one another do what each did: references move along, and
// neither part shares memory with what it came from.
func TestAppendMovesReferences(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p, q := anyProgram(t, 6), anyProgram(t, 6)
		kept := q.Clone()
		both := p.Clone().Append(q)
		if !same(q, kept) {
			t.Fatal("appending changed what was appended")
		}
		if len(both) != len(p)+len(q) || forward(both) || !same(both[:len(p)], p) {
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
		if tail, _ := both.Slice(steps...); !same(tail, q) {
			t.Fatalf("%v came out as %v", q, tail)
		}
		both.Walk(func(_ int, l *Lit) { l.N, l.S = 77, "scribbled" })
		if !same(q, kept) {
			t.Fatal("the appended program shares memory with its origin")
		}
	})
}

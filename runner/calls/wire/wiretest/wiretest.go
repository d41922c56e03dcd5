package wiretest

import (
	"bytes"

	"pgregory.net/rapid"

	"github.com/isodelta/isodelta/runner/calls/wire"
)

// AnyLit draws a literal of any form; references are to steps before step.
func AnyLit(t *rapid.T, step, depth int) wire.Lit {
	last := int(wire.Hidden)
	if depth > 3 {
		last = int(wire.Float)
	}
	l := wire.Lit{Form: wire.Form(rapid.IntRange(0, last).Draw(t, "form"))}
	elements := func(most int) {
		for range rapid.IntRange(0, most).Draw(t, "elements") {
			l.E = append(l.E, AnyLit(t, step, depth+1))
		}
	}
	switch l.Form {
	case wire.Bool, wire.Int, wire.Uint, wire.Float:
		l.N = rapid.Int64().Draw(t, "number")
	case wire.Text:
		l.S = string(rapid.SliceOfN(rapid.Byte(), 0, 20).Draw(t, "text"))
	case wire.Ref:
		if step == 0 {
			return wire.Lit{}
		}
		l.N, l.U = int64(rapid.IntRange(0, step-1).Draw(t, "to")), rapid.IntRange(0, 3).Draw(t, "result")
	case wire.Dynamic:
		l.T = rapid.IntRange(0, 300).Draw(t, "type")
		elements(2)
	case wire.Special:
		l.S = rapid.SampledFrom([]string{wire.SpecialReader, wire.SpecialHashFunc, wire.SpecialChan, wire.SpecialTime, "", "no such thing"}).Draw(t, "name")
		elements(2)
	case wire.Complex, wire.Seq, wire.Map, wire.Struct, wire.Pointer, wire.Hidden:
		elements(3)
	}
	return l
}

// AnySequence draws a sequence; its references are to earlier steps.
func AnySequence(t *rapid.T, most int) wire.Sequence {
	var p wire.Sequence
	for i := range rapid.IntRange(0, most).Draw(t, "steps") {
		s := wire.Step{Op: wire.Op(rapid.IntRange(0, 40).Draw(t, "op"))}
		for range rapid.IntRange(0, 3).Draw(t, "arguments") {
			s.Args = append(s.Args, AnyLit(t, i, 0))
		}
		p = append(p, s)
	}
	return p
}

// Same reports whether two sequences are the same: it compares sequences that have been through the wire, which knows no
// difference between nil and empty.
func Same(p, q wire.Sequence) bool { return bytes.Equal(p.Encode(nil), q.Encode(nil)) }

// Forward reports whether a literal refers to its own step, a later one, or none.
func Forward(p wire.Sequence) bool {
	bad := false
	p.Walk(func(step int, l *wire.Lit) {
		if l.Form == wire.Ref && (l.N < 0 || int(l.N) >= step) {
			bad = true
		}
	})
	return bad
}

// AnyValue draws a literal of a shape that a process writes values in.
func AnyValue(t *rapid.T, depth int) wire.Lit {
	forms := []wire.Form{wire.Zero, wire.Hole, wire.Bool, wire.Int, wire.Uint, wire.Float, wire.Complex, wire.Text, wire.Special}
	if depth < 3 {
		forms = append(forms, wire.Seq, wire.Map, wire.Struct, wire.Pointer, wire.Dynamic)
	}
	l := wire.Lit{Form: rapid.SampledFrom(forms).Draw(t, "form")}
	elements := func(n int) {
		for range n {
			l.E = append(l.E, AnyValue(t, depth+1))
		}
	}
	number := func(form wire.Form) wire.Lit { return wire.Lit{Form: form, N: rapid.Int64().Draw(t, "number")} }
	switch l.Form {
	case wire.Bool:
		l.N = int64(rapid.IntRange(0, 1).Draw(t, "truth"))
	case wire.Int, wire.Uint, wire.Float:
		l = number(l.Form)
	case wire.Complex:
		l.E = []wire.Lit{number(wire.Float), number(wire.Float)}
	case wire.Text:
		l.S = string(rapid.SliceOfN(rapid.Byte(), 0, 20).Draw(t, "text"))
	case wire.Special:
		l.S, l.E = wire.SpecialTime, []wire.Lit{number(wire.Int), number(wire.Int)}
	case wire.Seq, wire.Struct:
		elements(rapid.IntRange(0, 3).Draw(t, "elements"))
	case wire.Map:
		elements(2 * rapid.IntRange(0, 2).Draw(t, "entries"))
	case wire.Pointer, wire.Dynamic:
		elements(1)
	}
	return l
}

package wire_test

import (
	"bytes"
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/isodelta/isodelta/runner/calls/wire"
	"github.com/isodelta/isodelta/runner/calls/wire/wiretest"
	"github.com/isodelta/isodelta/runner/probe"
)

func anyValued(t *rapid.T) wire.Valued {
	v := wire.Valued{Ran: rapid.Bool().Draw(t, "ran")}
	if !v.Ran {
		return v
	}
	v.Ending = probe.Ending(rapid.IntRange(0, 2).Draw(t, "ending"))
	v.Drew = rapid.Bool().Draw(t, "drew")
	v.Branches = rapid.SliceOfNDistinct(rapid.IntRange(0, 3<<20-1), 0, 6, rapid.ID).Draw(t, "branches")
	slices.Sort(v.Branches)
	list := func(name string) (out []wire.Lit) {
		for range rapid.IntRange(0, 4).Draw(t, name) {
			out = append(out, wiretest.AnyValue(t, 0))
		}
		return out
	}
	v.Args, v.Results = list("arguments"), list("results")
	return v
}

// same compares what was sent with what came, which knows no difference between nil and
// empty.
func same(a, b wire.Valued) bool { return bytes.Equal(a.Encode(nil), b.Encode(nil)) }

// Questions and answers come through as they were, and what is cut off is refused or
// shorter.
func TestValuesComeThrough(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := wire.Values{Negate: rapid.SliceOfN(rapid.IntRange(0, 1<<20), 0, 3).Draw(t, "negate")}
		var rows []wire.Valued
		var b []byte
		for range rapid.IntRange(0, 4).Draw(t, "sequences") {
			want.Sequences = append(want.Sequences, wiretest.AnySequence(t, 3))
			v := anyValued(t)
			rows, b = append(rows, v), v.Encode(b)
		}
		got, err := wire.DecodeValues(want.Encode())
		if err != nil || !slices.Equal(got.Negate, want.Negate) || !slices.EqualFunc(got.Sequences, want.Sequences, wiretest.Same) {
			t.Fatalf("%v: %+v came back as %+v", err, want, got)
		}
		answer, err := wire.DecodeValued(b)
		if err != nil || !slices.EqualFunc(answer, rows, same) {
			t.Fatalf("%v: %+v came back as %+v", err, rows, answer)
		}
		for i, v := range answer {
			if v.Ran != rows[i].Ran || v.Ending != rows[i].Ending || v.Drew != rows[i].Drew || !slices.Equal(v.Branches, rows[i].Branches) || len(v.Args) != len(rows[i].Args) {
				t.Fatalf("%+v came back as %+v", rows[i], v)
			}
		}
		if len(b) > 0 {
			part, err := wire.DecodeValued(b[:rapid.IntRange(0, len(b)-1).Draw(t, "cut")])
			if err == nil && len(part) >= len(rows) {
				t.Fatalf("%d rows of %d, cut off", len(part), len(rows))
			}
		}
	})
}

// What no process writes is refused, so a reader of a value can rely on its shape.
func TestShapesOfValues(t *testing.T) {
	number, text := wire.Lit{Form: wire.Int, N: 1}, wire.Lit{Form: wire.Text, S: "a"}
	for name, l := range map[string]wire.Lit{
		"reference":        wire.RefTo(0, 0),
		"reference within": {Form: wire.Seq, E: []wire.Lit{{Form: wire.Pointer, E: []wire.Lit{wire.RefTo(0, 0)}}}},
		"neither":          {Form: wire.Bool, N: 2},
		"empty pointer":    {Form: wire.Pointer},
		"two pointers":     {Form: wire.Pointer, E: []wire.Lit{number, number}},
		"empty interface":  {Form: wire.Dynamic, T: 1},
		"key alone":        {Form: wire.Map, E: []wire.Lit{number}},
		"half a number":    {Form: wire.Complex, E: []wire.Lit{wire.FloatLit(1)}},
		"integers":         {Form: wire.Complex, E: []wire.Lit{number, number}},
		"seconds alone":    {Form: wire.Special, S: wire.SpecialTime, E: []wire.Lit{number}},
		"no instant":       {Form: wire.Special, S: wire.SpecialTime, E: []wire.Lit{number, text}},
		"no buffer":        {Form: wire.Special, S: wire.SpecialBuffer, E: []wire.Lit{number}},
		"a closure":        {Form: wire.Special, S: wire.SpecialFunc},
	} {
		v := wire.Valued{Ran: true, Results: []wire.Lit{l}}
		if got, err := wire.DecodeValued(v.Encode(nil)); err == nil {
			t.Errorf("%s came through: %+v", name, got)
		}
	}
	for name, b := range map[string][]byte{
		"no such ending":      {4, 0, 0, 0},
		"a branch twice":      {1, 2, 1, 0, 0, 0},
		"too many branches":   {1, 200, 1},
		"too many results":    {1, 0, 0, 65},
		"a form out of range": {1, 0, 0, 1, 200},
	} {
		if got, err := wire.DecodeValued(b); err == nil {
			t.Errorf("%s came through: %+v", name, got)
		}
	}
}

// Whatever comes as an answer with values is refused, or decoded in memory that is no
// more than a multiple of what came, holds what its forms say, and comes through again.
func FuzzValued(f *testing.F) {
	value := wire.Lit{Form: wire.Struct, E: []wire.Lit{{}, {Form: wire.Pointer, E: []wire.Lit{{Form: wire.Text, S: "x"}}}, {Form: wire.Hole},
		{Form: wire.Map, E: []wire.Lit{{Form: wire.Int, N: -1}, wire.FloatLit(0.5)}}}}
	v := wire.Valued{Ran: true, Branches: []int{1, 4, 90}, Args: []wire.Lit{{Form: wire.Hole}}, Results: []wire.Lit{value}}
	f.Add([]byte{})
	f.Add([]byte{0, 0, 0})
	f.Add(v.Encode(v.Encode(nil)))
	f.Add((&wire.Valued{Ran: true, Ending: probe.Exhausted}).Encode(nil))
	f.Add(append([]byte{1, 0, 0, 1}, bytes.Repeat([]byte{byte(wire.Seq), 100}, 200)...))
	f.Add(append([]byte{1, 255, 255, 3}, bytes.Repeat([]byte{1}, 300)...))
	f.Add(wire.Values{Negate: []int{3, 1}, Sequences: []wire.Sequence{{{Op: 4, Args: []wire.Lit{value}}}, {}}}.Encode())
	f.Fuzz(func(t *testing.T, b []byte) {
		bounded(t, len(b), func() { decodeValued(t, b) })
		bounded(t, len(b), func() { decodeValuesQuestion(t, b) })
	})
}

func decodeValued(t *testing.T, b []byte) {
	rows, err := wire.DecodeValued(b)
	if err != nil {
		return
	}
	var encoded []byte
	for _, v := range rows {
		if !slices.IsSorted(v.Branches) || len(v.Args) > wire.MaxArgs || len(v.Results) > wire.MaxArgs {
			t.Fatalf("%+v", v)
		}
		wire.Sequence{{Args: v.Args}, {Args: v.Results}}.Walk(func(_ int, l *wire.Lit) {
			if l.Form == wire.Ref || l.Form == wire.Pointer && len(l.E) != 1 || l.Form == wire.Map && len(l.E)%2 != 0 {
				t.Fatalf("%+v", l)
			}
		})
		encoded = v.Encode(encoded)
	}
	if again, err := wire.DecodeValued(encoded); err != nil || !reflect.DeepEqual(again, rows) {
		t.Fatalf("%v: %+v became %+v", err, rows, again)
	}
}

func decodeValuesQuestion(t *testing.T, b []byte) {
	if q, err := wire.DecodeValues(b); err == nil {
		if again, err := wire.DecodeValues(q.Encode()); err != nil || !slices.Equal(again.Negate, q.Negate) || !slices.EqualFunc(again.Sequences, q.Sequences, wiretest.Same) {
			t.Fatalf("%v: %+v became %+v", err, q, again)
		}
	}
}

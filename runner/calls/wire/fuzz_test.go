package wire_test

import (
	"bytes"
	"math"
	"reflect"
	"runtime"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/isodelta/isodelta/runner/calls/wire"
	"github.com/isodelta/isodelta/runner/calls/wire/wiretest"
	"github.com/isodelta/isodelta/runner/probe"
)

// grown bounds how much larger than what it is decoded from anything may be, in
// bytes allocated: an empty literal takes one byte there and 80 here, in a slice
// that has grown to twice its length.
const grown = 600

// bounded fails if f allocates more than what so many bytes can stand for.
func bounded(t testing.TB, encoded int, f func()) {
	t.Helper()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	if n := after.TotalAlloc - before.TotalAlloc; n > uint64(64<<10+grown*encoded) {
		t.Errorf("%d bytes are decoded with %d", encoded, n)
	}
}

// Whatever comes from a test process is decoded or refused, in memory that is no
// more than a multiple of what came; and what has been decoded is written down
// and decoded as it was.
func FuzzDecoders(f *testing.F) {
	sequence := wire.Sequence{
		{Op: wire.OpLet, Args: []wire.Lit{{Form: wire.Dynamic, T: 3, E: []wire.Lit{{Form: wire.Map, E: []wire.Lit{{Form: wire.Text, S: "k"}, {Form: wire.Int, N: -1}}}}}}},
		{Op: wire.OpAt(4), Args: []wire.Lit{wire.RefTo(0, 0), {Form: wire.Special, S: wire.SpecialTime, E: []wire.Lit{{Form: wire.Int, N: 1 << 40}}}, wire.FloatLit(0.5), {Form: wire.Hole}}},
	}
	trace := wire.Trace{Entered: true, Fresh: 1, Hidden: 7, After: []wire.Component{{Visible: 1, Hidden: 2}},
		Steps: []wire.StepTrace{{}, {Ending: probe.Panicked, Components: []wire.Component{{Visible: 3, Hidden: 4}}}}}
	f.Add([]byte{})
	f.Add(bytes.Repeat([]byte{255}, 40))
	// Lists within lists that all claim to be long.
	f.Add(append([]byte{1}, bytes.Repeat([]byte{byte(wire.Seq), 100}, 200)...))
	f.Add(sequence.Encode(nil))
	f.Add(wire.AppendExecuted(wire.AppendExecuted(nil, sequence.Encode(nil), &trace), nil, &wire.Trace{Invalid: true}))
	f.Add(wire.Sweep{Count: 80, Step: 1, Component: 2, Sequence: sequence}.Encode())
	f.Add(wire.Numbers{Adapter: 2, Unseeded: true, In: []float64{1, math.Inf(-1), math.NaN()}}.Encode())
	f.Add(wire.EncodeRecords([]wire.Record{{Hook: 1, Args: sequence[0].Args}}))
	f.Add(wire.EncodeCalls([]wire.Call{{Hook: 1, Key: 2, Components: trace.After}}, []wire.Ineligible{{Hook: 1, Reason: "a", Count: 2}}))
	f.Fuzz(func(t *testing.T, b []byte) {
		bounded(t, len(b), func() { decodeSequence(t, b) })
		bounded(t, len(b), func() { decodeBatch(t, b) })
		bounded(t, len(b), func() { decodeQuestions(t, b) })
		bounded(t, len(b), func() { decodeBlobs(t, b) })
	})
}

func decodeSequence(t *testing.T, b []byte) {
	p, rest, err := wire.Decode(b)
	if err != nil {
		return
	}
	literals := 0
	p.Walk(func(int, *wire.Lit) { literals++ })
	if len(p) > wire.MaxSteps || len(rest) > len(b) || literals > len(b) {
		t.Fatalf("%d steps, %d literals, %d of %d bytes left", len(p), literals, len(rest), len(b))
	}
	again, rest, err := wire.Decode(p.Encode(nil))
	if err != nil || len(rest) > 0 || !wiretest.Same(p, again) {
		t.Fatalf("%v: %v comes back as %v", err, p, again)
	}
}

func decodeBatch(t *testing.T, b []byte) {
	batch, err := wire.DecodeBatch(b)
	if err != nil {
		return
	}
	var encoded []byte
	for _, e := range batch {
		trace := e.Trace()
		if e.Fresh {
			trace.Fresh = 1
		}
		encoded = wire.AppendExecuted(encoded, e.Sequence, &trace)
	}
	again, err := wire.DecodeBatch(encoded)
	if err != nil || len(again) != len(batch) {
		t.Fatalf("%d became %d: %v", len(batch), len(again), err)
	}
	for i, e := range batch {
		if !bytes.Equal(e.Sequence, again[i].Sequence) || !reflect.DeepEqual(e.Trace(), again[i].Trace()) || e.Fresh != again[i].Fresh {
			t.Fatalf("%+v became %+v", e, again[i])
		}
	}
}

func decodeQuestions(t *testing.T, b []byte) {
	if s, err := wire.DecodeSweep(b); err == nil {
		again, err := wire.DecodeSweep(s.Encode())
		if err != nil || again.Count != s.Count || again.Step != s.Step || again.Component != s.Component || !wiretest.Same(again.Sequence, s.Sequence) {
			t.Fatalf("%v: %+v became %+v", err, s, again)
		}
	}
	if n, err := wire.DecodeNumbers(b); err == nil {
		again, err := wire.DecodeNumbers(n.Encode())
		if err != nil || again.Adapter != n.Adapter || again.Unseeded != n.Unseeded || !sameFloats(again.In, n.In) {
			t.Fatalf("%v: %+v became %+v", err, n, again)
		}
	}
}

// sameFloats compares bits: not a number is a value like others here.
func sameFloats(a, b []float64) bool {
	return slices.EqualFunc(a, b, func(x, y float64) bool { return math.Float64bits(x) == math.Float64bits(y) })
}

func decodeBlobs(t *testing.T, b []byte) {
	if records, err := wire.DecodeRecords(b); err == nil {
		if again, err := wire.DecodeRecords(wire.EncodeRecords(records)); err != nil || !reflect.DeepEqual(again, records) {
			t.Fatalf("%v became %v: %v", records, again, err)
		}
	}
	if calls, left, err := wire.DecodeCalls(b); err == nil {
		c, l, err := wire.DecodeCalls(wire.EncodeCalls(calls, left))
		if err != nil || !reflect.DeepEqual(c, calls) || !reflect.DeepEqual(l, left) {
			t.Fatalf("%v %v became %v %v: %v", calls, left, c, l, err)
		}
	}
	if args, _, err := (wire.Explained{Args: b}).Literals(); err == nil {
		again, _, err := wire.Explained{Args: wire.AppendArgs(nil, args)}.Literals()
		if err != nil || !reflect.DeepEqual(again, args) {
			t.Fatalf("%v became %v: %v", args, again, err)
		}
	}
	_, _ = wire.DecodeExplained(b)
}

// What a process did comes through as it was.
func TestTracesComeThrough(t *testing.T) {
	component := rapid.Custom(func(t *rapid.T) wire.Component {
		return wire.Component{Visible: rapid.Uint32().Draw(t, "visible"), Hidden: rapid.Uint32().Draw(t, "hidden")}
	})
	rapid.Check(t, func(t *rapid.T) {
		want := wire.Trace{Hidden: rapid.Uint32().Draw(t, "hidden"), Entered: rapid.Bool().Draw(t, "entered"), Invalid: rapid.Bool().Draw(t, "invalid"),
			Ran: rapid.Uint32().Draw(t, "ran"), Way: rapid.Uint32().Draw(t, "way"), After: rapid.SliceOfN(component, 0, 3).Draw(t, "after")}
		for range rapid.IntRange(0, wire.MaxSteps).Draw(t, "steps") {
			want.Steps = append(want.Steps, wire.StepTrace{Ending: probe.Ending(rapid.IntRange(0, 2).Draw(t, "ending")), Failed: rapid.Bool().Draw(t, "failed"),
				Components: rapid.SliceOfN(component, 0, 3).Draw(t, "components")})
		}
		p := wiretest.AnySequence(t, 4).Encode(nil)
		batch, err := wire.DecodeBatch(wire.AppendExecuted(nil, p, &want))
		if err != nil || len(batch) != 1 || !bytes.Equal(batch[0].Sequence, p) {
			t.Fatalf("%v: %v", err, batch)
		}
		if got := batch[0].Trace(); !reflect.DeepEqual(got, want) {
			t.Fatalf("%+v became %+v", want, got)
		}
	})
}

// The number of a basic type says which one it is.
func TestBasicTypes(t *testing.T) {
	list := wire.BasicTypes()
	for i, typ := range list {
		if n, ok := wire.BasicType(typ); !ok || n != i {
			t.Errorf("%s is number %d, and is found as %d", typ, i, n)
		}
	}
	if n, ok := wire.BasicType(reflect.TypeFor[wire.Sequence]()); ok {
		t.Errorf("a sequence is basic type %d", n)
	}
}

// Operations of the registering file are numbered behind those of every process.
func TestOpNumbers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		i := rapid.IntRange(0, 1<<16).Draw(t, "index")
		if op := wire.OpAt(i); op.Index() != i || op.Builtin() {
			t.Fatalf("operation %d has number %d, of index %d", i, op, op.Index())
		}
	})
	for op := wire.OpLet; op < wire.Builtins; op++ {
		if !op.Builtin() || op.Index() >= 0 {
			t.Errorf("operation %d has index %d", op, op.Index())
		}
	}
}

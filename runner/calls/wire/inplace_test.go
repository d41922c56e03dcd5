package wire_test

import (
	"reflect"
	"testing"

	"pgregory.net/rapid"

	"github.com/isodelta/isodelta/runner/calls/wire"
	probe "github.com/isodelta/isodelta/runner/probe"
)

func someLit(depth int) *rapid.Generator[wire.Lit] {
	return rapid.Custom(func(t *rapid.T) wire.Lit {
		l := wire.Lit{Form: wire.Form(rapid.IntRange(0, int(wire.Hole)).Draw(t, "form"))}
		switch l.Form {
		case wire.Bool, wire.Int, wire.Uint, wire.Float:
			l.N = rapid.Int64().Draw(t, "n")
		case wire.Ref:
			l.N, l.U = rapid.Int64().Draw(t, "n"), rapid.IntRange(0, wire.MaxArgs).Draw(t, "u")
		case wire.Text:
			l.S = rapid.String().Draw(t, "s")
		case wire.Zero, wire.Hole:
		default:
			if l.Form == wire.Special {
				l.S = rapid.String().Draw(t, "s")
			}
			if l.Form == wire.Dynamic {
				l.T = rapid.IntRange(0, 1000).Draw(t, "t")
			}
			if depth > 0 {
				l.E = rapid.SliceOfN(someLit(depth-1), 1, 3).Draw(t, "e")
			}
		}
		return l
	})
}

func TestBlobsComeThrough(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		records := rapid.SliceOf(rapid.Custom(func(t *rapid.T) wire.Record {
			return wire.Record{Hook: rapid.IntRange(0, 1<<20).Draw(t, "hook"), Args: rapid.SliceOfN(someLit(3), 1, 4).Draw(t, "args")}
		})).Draw(t, "records")
		got, err := wire.DecodeRecords(wire.EncodeRecords(records))
		if err != nil || len(got) != len(records) || len(got) > 0 && !reflect.DeepEqual(got, records) {
			t.Fatalf("%v: got %v", err, got)
		}
		calls := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) wire.Call {
			c := wire.Call{Hook: rapid.IntRange(0, 1<<20).Draw(t, "hook"), Key: rapid.Uint64().Draw(t, "key"), Base: rapid.Uint64().Draw(t, "base"),
				Mutation: rapid.IntRange(0, 100).Draw(t, "m"), Ending: probe.Ending(rapid.IntRange(0, 2).Draw(t, "ending")), Components: []wire.Component{}}
			for range rapid.IntRange(0, 3).Draw(t, "components") {
				c.Components = append(c.Components, wire.Component{Visible: rapid.Uint32().Draw(t, "v"), Hidden: rapid.Uint32().Draw(t, "h")})
			}
			return c
		}), 1, 5).Draw(t, "calls")
		left := []wire.Ineligible{{Hook: 1, Reason: "channel", Count: 3}}
		c, l, err := wire.DecodeCalls(wire.EncodeCalls(calls, left))
		if err != nil || !reflect.DeepEqual(c, calls) || !reflect.DeepEqual(l, left) {
			t.Fatalf("%v: got %v %v", err, c, l)
		}
	})
}

// What comes from a process that runs code in unforeseen states may be
// anything: it is decoded or refused.
func FuzzBlobs(f *testing.F) {
	f.Add(wire.EncodeRecords([]wire.Record{{Hook: 1, Args: []wire.Lit{{Form: wire.Text, S: "a"}, {Form: wire.Seq, E: []wire.Lit{{Form: wire.Int, N: 1}}}}}}))
	f.Add(wire.EncodeCalls([]wire.Call{{Hook: 1, Key: 2, Components: []wire.Component{{Visible: 1, Hidden: 2}}}}, []wire.Ineligible{{Hook: 1, Reason: "a", Count: 2}}))
	f.Fuzz(func(t *testing.T, b []byte) {
		if records, err := wire.DecodeRecords(b); err == nil {
			if again, err := wire.DecodeRecords(wire.EncodeRecords(records)); err != nil || !reflect.DeepEqual(again, records) {
				t.Errorf("%v became %v: %v", records, again, err)
			}
		}
		if calls, left, err := wire.DecodeCalls(b); err == nil {
			c, l, err := wire.DecodeCalls(wire.EncodeCalls(calls, left))
			if err != nil || !reflect.DeepEqual(c, calls) || !reflect.DeepEqual(l, left) {
				t.Errorf("%v %v became %v %v: %v", calls, left, c, l, err)
			}
		}
		_, _ = wire.DecodeExplained(b)
		_, _, _ = wire.Explained{Args: b}.Literals()
	})
}

package harness

import (
	"reflect"
	"testing"

	"pgregory.net/rapid"

	probe "github.com/isodelta/isodelta/runner/probe"
)

func someLit(depth int) *rapid.Generator[Lit] {
	return rapid.Custom(func(t *rapid.T) Lit {
		l := Lit{Form: Form(rapid.IntRange(0, int(forms)-1).Draw(t, "form"))}
		switch l.Form {
		case Bool, Int, Uint, Float:
			l.N = rapid.Int64().Draw(t, "n")
		case Ref:
			l.N, l.U = rapid.Int64().Draw(t, "n"), rapid.IntRange(0, maxArgs).Draw(t, "u")
		case Text:
			l.S = rapid.String().Draw(t, "s")
		case Zero, Hole:
		default:
			if l.Form == Special {
				l.S = rapid.String().Draw(t, "s")
			}
			if l.Form == Dynamic {
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
		records := rapid.SliceOf(rapid.Custom(func(t *rapid.T) Record {
			return Record{rapid.IntRange(0, 1<<20).Draw(t, "hook"), rapid.SliceOfN(someLit(3), 1, 4).Draw(t, "args")}
		})).Draw(t, "records")
		got, err := DecodeRecords(EncodeRecords(records))
		if err != nil || len(got) != len(records) || len(got) > 0 && !reflect.DeepEqual(got, records) {
			t.Fatalf("%v: got %v", err, got)
		}
		calls := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) Call {
			c := Call{Hook: rapid.IntRange(0, 1<<20).Draw(t, "hook"), Key: rapid.Uint64().Draw(t, "key"), Base: rapid.Uint64().Draw(t, "base"),
				Mutation: rapid.IntRange(0, 100).Draw(t, "m"), Ending: probe.Ending(rapid.IntRange(0, 2).Draw(t, "ending")), Components: []Component{}}
			for range rapid.IntRange(0, 3).Draw(t, "components") {
				c.Components = append(c.Components, Component{rapid.Uint32().Draw(t, "v"), rapid.Uint32().Draw(t, "h")})
			}
			return c
		}), 1, 5).Draw(t, "calls")
		left := []Ineligible{{1, "channel", 3}}
		c, l, err := DecodeCalls(EncodeCalls(calls, left))
		if err != nil || !reflect.DeepEqual(c, calls) || !reflect.DeepEqual(l, left) {
			t.Fatalf("%v: got %v %v", err, c, l)
		}
	})
}

// What comes from a process that runs code in unforeseen states may be
// anything: it is decoded or refused.
func FuzzBlobs(f *testing.F) {
	f.Add(EncodeRecords([]Record{{1, []Lit{{Form: Text, S: "a"}, {Form: Seq, E: []Lit{{Form: Int, N: 1}}}}}}))
	f.Add(EncodeCalls([]Call{{Hook: 1, Key: 2, Components: []Component{{1, 2}}}}, []Ineligible{{1, "a", 2}}))
	f.Fuzz(func(t *testing.T, b []byte) {
		if records, err := DecodeRecords(b); err == nil {
			if again, err := DecodeRecords(EncodeRecords(records)); err != nil || !reflect.DeepEqual(again, records) {
				t.Errorf("%v became %v: %v", records, again, err)
			}
		}
		if calls, left, err := DecodeCalls(b); err == nil {
			c, l, err := DecodeCalls(EncodeCalls(calls, left))
			if err != nil || !reflect.DeepEqual(c, calls) || !reflect.DeepEqual(l, left) {
				t.Errorf("%v %v became %v %v: %v", calls, left, c, l, err)
			}
		}
		_, _ = DecodeExplained(b)
		_, _, _ = Explained{Args: b}.Literals()
	})
}

package calls

import (
	"context"
	"errors"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/isodelta/isodelta/runner/calls/harness"
	"github.com/isodelta/isodelta/runner/calls/wire"
)

// drawLit makes a literal of any form, with references to steps before step.
func drawLit(t *rapid.T, step, depth int) wire.Lit {
	forms := []wire.Form{wire.Bool, wire.Int, wire.Uint, wire.Float, wire.Text, wire.Zero}
	if step > 0 {
		forms = append(forms, wire.Ref, wire.Ref)
	}
	if depth < 3 {
		forms = append(forms, wire.Seq, wire.Map, wire.Struct, wire.Pointer, wire.Dynamic, wire.Special, wire.Complex)
	}
	l := wire.Lit{Form: rapid.SampledFrom(forms).Draw(t, "form")}
	elements := func(n int) {
		for range n {
			l.E = append(l.E, drawLit(t, step, depth+1))
		}
	}
	switch l.Form {
	case wire.Bool:
		l.N = int64(rapid.IntRange(0, 1).Draw(t, "truth"))
	case wire.Int, wire.Uint:
		l.N = rapid.Int64().Draw(t, "number")
	case wire.Float:
		l = wire.FloatLit(rapid.Float64().Draw(t, "float"))
	case wire.Text:
		l.S = rapid.String().Draw(t, "text")
	case wire.Ref:
		l = wire.RefTo(rapid.IntRange(0, step-1).Draw(t, "step"), 0)
	case wire.Seq, wire.Struct:
		elements(rapid.IntRange(0, 4).Draw(t, "elements"))
	case wire.Map:
		elements(2 * rapid.IntRange(0, 2).Draw(t, "entries"))
	case wire.Pointer, wire.Dynamic:
		elements(1)
	case wire.Complex:
		l.E = []wire.Lit{wire.FloatLit(1.5), wire.FloatLit(-2)}
	case wire.Special:
		l.S = rapid.SampledFrom([]string{"onebyte", "canceled", "hashfunc", "chan", "time"}).Draw(t, "special")
		elements(1)
	}
	return l
}

func drawSequence(t *rapid.T) wire.Sequence {
	var p wire.Sequence
	for i := range rapid.IntRange(1, 6).Draw(t, "steps") {
		s := wire.Step{Op: wire.Op(rapid.IntRange(0, 6).Draw(t, "op"))}
		for range rapid.IntRange(0, 3).Draw(t, "arguments") {
			s.Args = append(s.Args, drawLit(t, i, 0))
		}
		p = append(p, s)
	}
	return p
}

// nils counts what is nil or may be.
func nils(p wire.Sequence) int {
	n := 0
	for _, s := range p {
		for _, a := range s.Args {
			if a.Form == wire.Zero {
				n++
			}
		}
	}
	return n
}

// Whatever the condition: the result satisfies it, is no larger, is a sequence
// whose references are sound, and takes no more questions than the budget.
func TestShrinkKeepsWhatHolds(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		p := drawSequence(t)
		budget := rapid.IntRange(0, 400).Draw(t, "budget")
		salt := rapid.Uint64().Draw(t, "salt")
		// A condition without sense, but one that always gives the same answer.
		still := func(q wire.Sequence) bool {
			h := salt
			for _, b := range q.Encode(nil) {
				h = (h ^ uint64(b)) * 1099511628211
			}
			return h>>33%3 == 0
		}
		asked := 0
		got, err := Shrink(context.Background(), p, budget, func(_ context.Context, list []wire.Sequence) ([]bool, error) {
			if len(list) == 0 || len(list) > 64 {
				t.Fatalf("a batch of %d", len(list))
			}
			asked += len(list)
			out := make([]bool, len(list))
			for i, q := range list {
				if q.Size() > p.Size() {
					t.Fatalf("a candidate of size %d for %d", q.Size(), p.Size())
				}
				for k := range q {
					q[k : k+1].Walk(func(_ int, l *wire.Lit) {
						if l.Form == wire.Ref && (l.N < 0 || int(l.N) >= k) {
							t.Fatalf("step %d refers to step %d", k, l.N)
						}
					})
				}
				if nils(q) > nils(p) {
					t.Fatalf("a nil that was none: %v", q)
				}
				out[i] = still(q)
			}
			return out, nil
		})
		if err != nil {
			t.Fatal(err)
		}
		if asked > budget {
			t.Fatalf("%d questions of %d", asked, budget)
		}
		if !reflect.DeepEqual(got, p) && !still(got) {
			t.Fatal("the result does not hold")
		}
	})
}

// A second time finds nothing more, if the first had the budget to end.
func TestShrinkComesToAnEnd(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		p := drawSequence(t)
		want := p[len(p)-1].Op
		still := func(_ context.Context, list []wire.Sequence) ([]bool, error) {
			out := make([]bool, len(list))
			for i, q := range list {
				out[i] = q[len(q)-1].Op == want && len(q[len(q)-1].Args) == len(p[len(p)-1].Args)
			}
			return out, nil
		}
		once, err := Shrink(context.Background(), p, 1<<20, still)
		if err != nil {
			t.Fatal(err)
		}
		twice, err := Shrink(context.Background(), once, 1<<20, still)
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(once, twice) {
			t.Fatalf("%v shrinks to %v", once, twice)
		}
	})
}

// What people should get to see.
func TestShrinkFindsTheSmallest(t *testing.T) {
	t.Parallel()
	text := func(s string) wire.Lit { return wire.Lit{Form: wire.Text, S: s} }
	number := func(n int64) wire.Lit { return wire.Lit{Form: wire.Int, N: n} }
	dynamic := func(v any, l wire.Lit) wire.Lit {
		n, _ := wire.BasicType(reflect.TypeOf(v))
		return wire.Lit{Form: wire.Dynamic, T: n, E: []wire.Lit{l}}
	}
	special := func(name string, e ...wire.Lit) wire.Lit {
		return wire.Lit{Form: wire.Special, S: name, E: e}
	}
	const op, other = 10, 11
	last := func(p wire.Sequence) wire.Step { return p[len(p)-1] }
	noise := strings.Repeat("Ünicode \x00", 200)
	for _, c := range []struct {
		name string
		from wire.Sequence
		hold func(p wire.Sequence) bool
		want wire.Sequence
	}{
		{
			"a character in a long text",
			wire.Sequence{{Op: op, Args: []wire.Lit{text(noise + "%" + noise)}}},
			func(p wire.Sequence) bool { return strings.Contains(last(p).Args[0].S, "%") },
			wire.Sequence{{Op: op, Args: []wire.Lit{text("%")}}},
		},
		{
			"a text that may be anything of a length",
			wire.Sequence{{Op: op, Args: []wire.Lit{text("Öl & \xff\x01Essig")}}},
			func(p wire.Sequence) bool { return len(last(p).Args[0].S) >= 4 },
			wire.Sequence{{Op: op, Args: []wire.Lit{text("aaaa")}}},
		},
		{
			"a bound of a number",
			wire.Sequence{{Op: op, Args: []wire.Lit{number(8_713_201)}}},
			func(p wire.Sequence) bool { return last(p).Args[0].N > 100 },
			wire.Sequence{{Op: op, Args: []wire.Lit{number(101)}}},
		},
		{
			"steps that do not matter, and the last of several",
			wire.Sequence{
				{Op: other, Args: []wire.Lit{text("x")}},
				{Op: other, Args: []wire.Lit{text("y")}},
				{Op: op, Args: []wire.Lit{wire.RefTo(0, 0), wire.RefTo(1, 0)}},
				{Op: other, Args: []wire.Lit{wire.RefTo(2, 0)}},
				{Op: op, Args: []wire.Lit{wire.RefTo(1, 0), wire.RefTo(3, 0)}},
			},
			func(p wire.Sequence) bool { return last(p).Op == op && len(last(p).Args) == 2 },
			wire.Sequence{
				{Op: other, Args: []wire.Lit{text("")}},
				{Op: op, Args: []wire.Lit{wire.RefTo(0, 0), wire.RefTo(0, 0)}},
			},
		},
		{
			"a let becomes an argument",
			wire.Sequence{
				{Op: wire.OpLet, Args: []wire.Lit{dynamic("", text("abc"))}},
				{Op: op, Args: []wire.Lit{wire.RefTo(0, 0)}},
			},
			func(p wire.Sequence) bool {
				if len(p) == 1 {
					return last(p).Op == op && last(p).Args[0].S != ""
				}
				return last(p).Op == op && p[0].Args[0].E[0].S != ""
			},
			wire.Sequence{{Op: op, Args: []wire.Lit{text("a")}}},
		},
		{
			"plain readers, contexts and values",
			wire.Sequence{{Op: op, Args: []wire.Lit{
				special("onebyte", text("hello")), special("canceled"),
				dynamic([]string(nil), wire.Lit{Form: wire.Seq, E: []wire.Lit{text("a"), text("b")}}),
			}}},
			func(p wire.Sequence) bool {
				a := last(p).Args
				return len(a) == 3 && a[0].Form == wire.Special && a[1].Form == wire.Special && a[2].Form == wire.Dynamic
			},
			wire.Sequence{{Op: op, Args: []wire.Lit{special("reader"), special("context"),
				dynamic(true, wire.Lit{Form: wire.Bool})}}},
		},
		{
			"a key in two places",
			wire.Sequence{{Op: other, Args: []wire.Lit{text("/" + noise)}}, {Op: op, Args: []wire.Lit{number(300), text("/" + noise)}}},
			func(p wire.Sequence) bool {
				return len(p) == 2 && strings.HasPrefix(p[0].Args[0].S, "/") && p[0].Args[0].S == last(p).Args[1].S
			},
			wire.Sequence{{Op: other, Args: []wire.Lit{text("/")}}, {Op: op, Args: []wire.Lit{number(0), text("/")}}},
		},
		{
			"fields and elements, no nil",
			wire.Sequence{{Op: op, Args: []wire.Lit{
				{Form: wire.Pointer, E: []wire.Lit{{Form: wire.Struct, E: []wire.Lit{
					number(7), text("x"), {Form: wire.Pointer, E: []wire.Lit{number(5)}}, {Form: wire.Seq, E: []wire.Lit{number(1), number(2)}},
				}}}},
				{Form: wire.Seq, E: []wire.Lit{number(5), number(77), number(9)}},
			}}},
			func(p wire.Sequence) bool {
				for _, e := range last(p).Args[1].E {
					if e.N == 77 {
						return true
					}
				}
				return false
			},
			wire.Sequence{{Op: op, Args: []wire.Lit{
				{Form: wire.Pointer, E: []wire.Lit{{Form: wire.Struct, E: []wire.Lit{
					{}, {}, {Form: wire.Pointer, E: []wire.Lit{number(0)}}, {},
				}}}},
				{Form: wire.Seq, E: []wire.Lit{number(77)}},
			}}},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			asked := 0
			got, err := Shrink(context.Background(), c.from, 1200, func(_ context.Context, list []wire.Sequence) ([]bool, error) {
				asked += len(list)
				out := make([]bool, len(list))
				for i, p := range list {
					if len(last(p).Args) == len(last(c.from).Args) {
						out[i] = c.hold(p)
					}
				}
				return out, nil
			})
			if err != nil {
				t.Fatal(err)
			}
			if string(got.Encode(nil)) != string(c.want.Encode(nil)) {
				t.Errorf("after %d questions:\n got %v\nwant %v", asked, got, c.want)
			}
		})
	}
}

// An error ends it, with what was found until then.
func TestShrinkGivesUpOnErrors(t *testing.T) {
	t.Parallel()
	p := wire.Sequence{{Op: 10, Args: []wire.Lit{{Form: wire.Text, S: strings.Repeat("x", 1000)}}}}
	broken := errors.New("process ended")
	calls := 0
	got, err := Shrink(context.Background(), p, 1000, func(_ context.Context, list []wire.Sequence) ([]bool, error) {
		if calls++; calls == 2 {
			return nil, broken
		}
		out := make([]bool, len(list))
		out[len(out)-1] = true
		return out, nil
	})
	if !errors.Is(err, broken) || got.Size() >= p.Size() {
		t.Errorf("size %d of %d, error %v", got.Size(), p.Size(), err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Shrink(ctx, p, 1000, func(context.Context, []wire.Sequence) ([]bool, error) {
		t.Error("asked without time")
		return nil, nil
	}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

// A file goes with its content, and when files were changed stays in its place.
func TestFewerFiles(t *testing.T) {
	t.Parallel()
	text := func(s string) wire.Lit { return wire.Lit{Form: wire.Text, S: s} }
	l := wire.Lit{Form: wire.Special, S: wire.SpecialFiles, E: []wire.Lit{{Form: wire.Int, N: 5}, text("a"), text("b"), text("c"), text("d")}}
	got := map[string]bool{}
	for _, s := range specials(l) {
		if _, _, ok := harness.FilesOf(s); !ok {
			t.Errorf("%v are no files", s)
		}
		got[string(s.Encode(nil))] = true
	}
	for _, want := range [][]wire.Lit{l.E[:1], l.E[:3], {l.E[0], l.E[3], l.E[4]}} {
		if !got[string(wire.Lit{Form: wire.Special, S: wire.SpecialFiles, E: want}.Encode(nil))] {
			t.Errorf("%v is not tried", want)
		}
	}
}

package harness

import (
	"encoding/json"
	"errors"
	"io"
	"reflect"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/isodelta/isodelta/runner/calls/wire"
	"github.com/isodelta/isodelta/runner/probe"
)

// searcher makes a server that knows some functions, the first of which is searched.
func searcher(functions ...any) *server {
	old := registry
	registry = newRegistry()
	defer func() { registry = old }()
	for _, fn := range functions {
		Func(Operation{Name: "F", Expr: "F", Exported: true, Hook: -1, Role: wire.Changed}, fn)
	}
	registry.seal()
	s := &server{m: NewMachine(registry)}
	s.g = newGenerator(s.m, NewPlain(), 1)
	return s
}

// fataler is what tests and properties have in common.
type fataler interface {
	Helper()
	Fatal(...any)
}

// aimed searches for an input of a function that takes a branch; ahead is as in wire.Aim.
func aimed(t fataler, s *server, ahead map[int][2]int, goal, most int) (a wire.Aimed, p wire.Sequence) {
	t.Helper()
	q, err := json.Marshal(wire.Aim{Goals: []int{goal}, Ahead: ahead, Ops: []wire.Op{wire.OpAt(0)}, Most: most, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	var taken []wire.Taken
	for !a.Done {
		s.buf = s.buf[:0]
		s.aim(q)
		a = wire.Aimed{}
		if err := json.Unmarshal(s.buf, &a); err != nil {
			t.Fatal(err)
		}
		taken = append(taken, a.Taken...)
		q = []byte(`{"More":true}`)
	}
	if a.Failed != "" {
		t.Fatal(a.Failed)
	}
	if a.Taken = taken; len(taken) == 0 {
		return a, nil
	}
	if p, _, err = wire.Decode(taken[0].Sequence); err != nil {
		t.Fatal(err)
	}
	return a, p
}

// TestAim searches functions written as the rewriting writes them. The goal is the last
// condition's outcome true.
func TestAim(t *testing.T) {
	type config struct {
		Name   string
		Strict bool
		Most   *int
	}
	both := func(n int) map[int][2]int { // each condition has to be true
		ahead := map[int][2]int{}
		for i := range n {
			ahead[i] = [2]int{-1, n - 1 - i}
		}
		return ahead
	}
	for _, c := range []struct {
		name       string
		f          any
		conditions int
		most       int
	}{
		{"sum of products, then a bound", func(a, b int) {
			_ = probe.D(0, probe.OI(probe.Equal, a*3+b, 70007)) && probe.D(1, probe.OI(probe.Greater, b, 41))
		}, 2, 200},
		{"square", func(x int64) { probe.D(0, probe.OI(probe.Equal, x*x, 1522756)) }, 1, 200},
		{"unsigned", func(x uint8, y uint32) {
			_ = probe.D(0, probe.OU(probe.Equal, x, 201)) && probe.D(1, probe.OU(probe.Less, y, 3))
		}, 2, 100},
		{"floating-point", func(x float64) {
			_ = probe.D(0, probe.OF(probe.Greater, x*1.5, 40.25)) && probe.D(1, probe.OF(probe.Less, x, 27))
		}, 2, 400},
		{"text", func(s string) {
			_ = probe.D(0, probe.PS(probe.Prefix, strings.HasPrefix)(s, "key=")) &&
				probe.D(1, probe.OS(probe.Equal, s[4:], "other"))
		}, 2, 200},
		{"letters", func(s string) {
			_ = probe.D(0, probe.OI(probe.Equal, len(s), 3)) && probe.D(1, probe.OU(probe.Equal, s[0], 'q')) &&
				probe.D(2, probe.OU(probe.Equal, s[2], 'z'))
		}, 3, 300},
		{"case", func(s string) { probe.D(0, probe.OS(probe.Equal, strings.ToUpper(s), "EUR")) }, 1, 60},
		{"field of a configuration", func(c config) {
			_ = probe.D(0, c.Strict) && probe.D(1, c.Most != nil) && probe.D(2, probe.OI(probe.Equal, *c.Most, 1234))
		}, 3, 400},
		{"key of a map", func(m map[string]int) {
			n, ok := m[probe.KS(m, "wanted")]
			_ = probe.D(0, ok) && probe.D(1, probe.OI(probe.Equal, n, 99))
		}, 2, 300},
		{"reader", func(r io.Reader) {
			var b [4]byte
			n, err := io.ReadFull(r, b[:])
			_ = probe.D(0, probe.OI(probe.Equal, n, 2)) && probe.D(1, errors.Is(err, ErrRead))
		}, 2, 400},
		// A leap year is met by chance.
		{"date", func(at time.Time) {
			_ = probe.D(0, probe.OI(probe.Equal, at.Month(), time.February)) && probe.D(1, probe.OI(probe.Equal, at.Day(), 29))
		}, 2, 400},
		{"dynamic type", func(x any) {
			n, ok := x.(int64)
			_ = probe.D(0, ok) && probe.D(1, probe.OI(probe.Greater, n, 1000))
		}, 2, 500},
	} {
		t.Run(c.name, func(t *testing.T) {
			a, p := aimed(t, searcher(c.f), both(c.conditions), 2*c.conditions-1, c.most)
			if p == nil {
				t.Errorf("not within %d executions; nearest %+v", a.Runs, a.Nearest)
			}
			again, _ := aimed(t, searcher(c.f), both(c.conditions), 2*c.conditions-1, c.most)
			if again.Runs != a.Runs {
				t.Errorf("%d executions the first time, %d the second", a.Runs, again.Runs)
			}
		})
	}
}

// What no input takes ends with the number of executions, and says how near it came.
func TestAimGivesUp(t *testing.T) {
	a, p := aimed(t, searcher(func(x int) { probe.D(0, probe.OI(probe.Equal, 2*x, 7)) }), map[int][2]int{0: {-1, 0}}, 1, 500)
	if p != nil || a.Runs != 500 || a.Nearest == nil || a.Nearest.Condition != 0 || a.Nearest.Operands == "" {
		t.Errorf("%+v, nearest %+v", a, a.Nearest)
	}
	a, _ = aimed(t, searcher(func(bool) {}), map[int][2]int{0: {-1, 0}}, 1, 500)
	if a.Nearest != nil {
		t.Errorf("%+v came near something", a.Nearest)
	}
	if a.Nearest != nil || a.Runs > 500 {
		t.Errorf("%+v, nearest %+v", a, a.Nearest)
	}
}

// What decides nothing on the way to the goal is changed all the same: nil is given.
func TestAimWithoutDecisions(t *testing.T) {
	f := func(x any) {
		if x == nil {
			probe.A(0)
		}
	}
	if a, p := aimed(t, searcher(f), nil, 2*64, 400); p == nil {
		t.Errorf("not within %d executions", a.Runs)
	}
}

// A second question ends the search that is under way.
func TestAimAnew(t *testing.T) {
	s := searcher(func(x int) { probe.D(0, probe.OI(probe.Equal, x, 77)) })
	if _, p := aimed(t, s, map[int][2]int{0: {-1, 0}}, 1, 300); p == nil {
		t.Error("not found")
	}
	if _, p := aimed(t, s, map[int][2]int{0: {0, -1}}, 0, 300); p == nil {
		t.Error("not found the second time")
	}
}

// An affine condition with a coefficient of one can always be solved, and is within few
// executions, wherever the numbers lie.
func TestAimSolvesAffineConditions(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		k := rapid.Int64Range(-50, 50).Draw(t, "k")
		c := rapid.Int64Range(-1e12, 1e12).Draw(t, "c")
		f := func(a, b int64) { probe.D(0, probe.OI(probe.Equal, k*a+b, c)) }
		a, p := aimed(t, searcher(f), map[int][2]int{0: {-1, 0}}, 1, 120)
		if p == nil {
			t.Fatal("not found:", a.Nearest.Operands)
		}
	})
}

// What is set is there, and nothing else has changed.
func TestKnobs(t *testing.T) {
	type inner struct {
		N int8
		F float32
	}
	s := searcher(func(int, []byte, string, []string, time.Time, inner, bool) {})
	a := s.begin(wire.Aim{})
	p := wire.Sequence{{Op: wire.OpAt(0), Args: []wire.Lit{{Form: wire.Int, N: 5}, {Form: wire.Text, S: "ab"}, {Form: wire.Text, S: "x042é"},
		{Form: wire.Seq, E: []wire.Lit{{Form: wire.Text, S: "q"}}}, {Form: wire.Special, S: wire.SpecialTime, E: []wire.Lit{{Form: wire.Int, N: 1e9}}},
		{Form: wire.Struct, E: make([]wire.Lit, 2)}, {}}}}
	p = a.spelledOut(p)
	list := a.knobs(p)
	if len(list) < 18 {
		t.Errorf("%d knobs", len(list))
	}
	before := p.Clone()
	for _, k := range list {
		for _, to := range []float64{0, 1, 2, 7, 12, 28, 100, 300, 233, -1, 1e6} {
			q, ok := a.set(p, k, to)
			if !ok {
				continue
			}
			if got := k.get(q); got != to && k.kind != knobDate && (k.kind != knobSpelled || to < 1000) {
				t.Errorf("%+v: set to %v, is %v", k, to, got)
			}
			if _, err := s.m.Build(q[0].Args[0], reflect.TypeOf(0)); err != nil {
				t.Errorf("%+v: %v", k, err)
			}
		}
	}
	if !reflect.DeepEqual(before, p) {
		t.Error("what was given has changed")
	}
}

func TestDistance(t *testing.T) {
	ints := func(how int, a, b int64) probe.Operands { return probe.Operands{How: how, A: a, B: b} }
	texts := func(how int, a, b string) probe.Operands {
		return probe.Operands{How: how, Kind: probe.Texts, S: a, T: b}
	}
	for _, c := range []struct {
		o      probe.Operands
		wanted bool
		want   float64
	}{
		{ints(probe.Equal, 3, 10), true, 7},
		{ints(probe.Equal, 3, 3), false, 1},
		{ints(probe.NotEqual, 3, 10), false, 7},
		{ints(probe.Less, 10, 3), true, 8},
		{ints(probe.Less, 1, 3), false, 2},
		{ints(probe.GreaterEqual, 1, 3), true, 2},
		{ints(probe.Greater, 9, 3), false, 6},
		{probe.Operands{Kind: probe.Unsigned, A: -1, B: 0}, true, 1<<64 - 1},
		{ints(probe.Equal, -1<<63, 1<<63-1), true, 1<<64 - 1},
		{probe.Operands{How: probe.Equal, Kind: probe.Floats, X: 2.5, Y: 2}, true, 0.5},
		{texts(probe.Equal, "abc", "abd"), true, 1},
		{texts(probe.Equal, "ab", "abd"), true, 256},
		{texts(probe.Prefix, "acbt", "acct"), true, 1 * ('c' - 'b')},
		{texts(probe.Within, "xxab", "ac"), true, 1},
		{texts(probe.Fold, "AB", "ac"), true, 1},
		{texts(probe.Prefix, "acct", "acct"), false, 1},
	} {
		if got := distance(c.o, c.wanted); got != c.want {
			t.Errorf("%+v %t: %v, want %v", c.o, c.wanted, got, c.want)
		}
	}
}

// What the parent has found by equations runs first; what cannot be decoded or called is
// left out.
func TestAimSeeds(t *testing.T) {
	hash := func(x uint32, y []string) {
		_ = probe.D(0, probe.OU(probe.Equal, x*2654435761>>16, 0x7ab)) && probe.D(1, y != nil)
	}
	s := searcher(hash)
	seed := func(args ...wire.Lit) []byte { return wire.Sequence{{Op: wire.OpAt(0), Args: args}}.Encode(nil) }
	var x uint32
	for x*2654435761>>16 != 0x7ab {
		x++
	}
	q, err := json.Marshal(wire.Aim{Goals: []int{2*0 + 0, 2*0 + 1}, Ahead: map[int][2]int{0: {-1, 0}}, Ops: []wire.Op{wire.OpAt(0)}, Most: 1, Seed: 1,
		Seeds: [][]byte{{1, 2}, seed(), seed(wire.Lit{Form: wire.Uint, N: int64(x)}, wire.Lit{Form: wire.Hole})}})
	if err != nil {
		t.Fatal(err)
	}
	s.aim(q)
	var a wire.Aimed
	if err := json.Unmarshal(s.buf, &a); err != nil {
		t.Fatal(err)
	}
	if len(a.Taken) == 0 || a.Runs != 1 {
		t.Errorf("%+v", a)
	}
}

// The nearer parting is that of fewer decisions ahead; then the one that went the right
// way more often, then that of the smaller distance.
func TestNearness(t *testing.T) {
	order := []nearness{{0, 0, 9}, {1, 3, 50}, {1, 2, 1}, {1, 2, 4}, {5, 0, 0}, {far, 0, 0}}
	for i, a := range order {
		for j, b := range order {
			if got := a.better(b); got != (i < j) {
				t.Errorf("%+v better than %+v: %t", a, b, got)
			}
		}
	}
}

// A text that was compared for equality is found again with the other one in its place.
func TestSpliced(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		word := rapid.StringMatching(`[a-z]{1,6}`)
		before, from, after, to := rapid.StringMatching(`[0-9 ]{0,5}`).Draw(t, "before"), word.Draw(t, "from"), rapid.StringMatching(`[0-9 ]{0,5}`).Draw(t, "after"), word.Draw(t, "to")
		list := spliced(before+from+after, probe.Operands{How: probe.Equal, Kind: probe.Texts, S: from, T: to}, true)
		found := from == to
		for _, s := range list {
			found = found || s == before+to+after
		}
		if !found {
			t.Fatalf("%q is not among %q", before+to+after, list)
		}
		if len(list) > maxSpliced {
			t.Fatalf("%d texts", len(list))
		}
	})
}

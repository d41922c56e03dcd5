package harness

import (
	"errors"
	"math"
	"reflect"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"github.com/isodelta/isodelta/runner/calls/wire"
)

// reversed is a follow-up call's input.
func reversed(s []int) []int {
	out := make([]int, 0, len(s))
	for i := len(s); i > 0; i-- {
		out = append(out, s[i-1])
	}
	return out
}

// relating registers a closure as the only relation of an operation.
func (b *bed) relating(op string, closure any) wire.RelateQuestion {
	b.relations = map[string]relationEntry{"r": {b.op[op], reflect.ValueOf(closure)}}
	return wire.RelateQuestion{Relations: []string{"r"}, Calls: true, FollowUps: true}
}

func TestGroupVerdicts(t *testing.T) {
	for _, c := range []struct {
		name    string
		closure any
		verdict byte
	}{
		{"holds", func(g *Group, s []int) {
			g.Begin()
			a := window(s)
			g.End([]any{s}, []any{a})
			g.Begin()
			b := window(reversed(s))
			g.End([]any{reversed(s)}, []any{b})
			g.Holds(len(a) == len(b))
		}, wire.GroupHolds},
		{"fails", func(g *Group, s []int) { g.Begin(); g.End([]any{s}, nil); g.Holds(false) }, wire.GroupFails},
		{"the follow-up call is the source call", func(g *Group, s []int) {
			for range 2 {
				g.Begin()
				g.End([]any{s}, nil)
			}
			g.Holds(true)
		}, wire.GroupTrivial},
		{"says nothing of this input", func(g *Group, s []int) { g.Skip("too short") }, wire.GroupSkipped},
		{"a call panics", func(g *Group, s []int) { g.Begin(); panic("no") }, wire.GroupPanics},
		{"an expression panics", func(g *Group, s []int) { g.Begin(); g.End(nil, nil); _ = s[99] }, wire.GroupSkipped},
		{"cannot be copied", func(g *Group, s []int) { Copy(make(chan int)); g.Holds(true) }, wire.GroupSkipped},
		{"forgets to say", func(g *Group, s []int) {}, wire.GroupSkipped},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := newBed()
			q := b.relating("window", c.closure)
			row := b.relate(b.sequence("window", wire.Lit{Form: wire.Seq, E: []wire.Lit{{Form: wire.Int, N: 1}, {Form: wire.Int, N: 2}}}), q)
			if !row.Ended || row.Verdicts != string(c.verdict) {
				t.Errorf("%+v, want verdict %c", row, c.verdict)
			}
		})
	}
}

// sequence calls one operation.
func (b *bed) sequence(op string, args ...wire.Lit) wire.Sequence {
	return wire.Sequence{{Op: b.op[op], Args: args}}
}

func TestFollowUpsAreSequencesOfTheirOwn(t *testing.T) {
	b := newBed()
	q := b.relating("window", func(g *Group, s []int) {
		for _, x := range [][]int{s, reversed(s)} {
			g.Begin()
			g.End([]any{x}, []any{window(x)})
		}
		g.Holds(true)
	})
	row := b.relate(b.sequence("window", wire.Lit{Form: wire.Seq, E: []wire.Lit{{Form: wire.Int, N: 1}, {Form: wire.Int, N: 2}}}), q)
	if len(row.FollowUps) != 1 || len(row.Calls) != 1 || len(row.Calls[0]) != 2 {
		t.Fatalf("%+v", row)
	}
	p, _, err := wire.Decode(row.FollowUps[0])
	if err != nil {
		t.Fatal(err)
	}
	if got := b.Run(p); got.Invalid || p[0].Args[0].E[0].N != 2 {
		t.Errorf("the follow-up call is %v", p)
	}
	if text := row.Calls[0][1].Args[0]; text != "[2 1]" {
		t.Errorf("it is told as %s", text)
	}
}

// A source call that panics, or that the closure is not about, says nothing.
func TestSilentSources(t *testing.T) {
	b := newBed()
	q := b.relating("window", func(g *Group, s []int) { g.Holds(true) })
	for _, p := range []wire.Sequence{b.sequence("crash", wire.Lit{Form: wire.Int, N: 1}), b.sequence("row", wire.Lit{Form: wire.Int, N: 1}), {}} {
		if len(p) == 0 {
			continue
		}
		if row := b.relate(p, q); row.Verdicts != string(wire.GroupSkipped) {
			t.Errorf("%v: %+v", p, row)
		}
	}
}

func TestCopyIsDeep(t *testing.T) {
	type node struct {
		list []int
		next *node
		m    map[string]*node
	}
	rapid.Check(t, func(t *rapid.T) {
		n := &node{list: rapid.SliceOf(rapid.Int()).Draw(t, "list"), m: map[string]*node{}}
		n.next, n.m["self"] = n, n
		c := Copy(n)
		if !reflect.DeepEqual(c.list, n.list) || c == n || c.next != c || c.m["self"] != c {
			t.Fatalf("%+v is a copy of %+v", c, n)
		}
		if len(n.list) > 0 {
			c.list[0]++
			if c.list[0] == n.list[0] {
				t.Fatal("the copy shares the list")
			}
		}
	})
	var none error
	if Copy(none) != nil || Copy("text") != "text" || Copy[any](nil) != nil {
		t.Error("what holds nothing is copied as it is")
	}
}

func TestEqual(t *testing.T) {
	type point struct{ X, y float64 }
	var lock sync.Mutex
	for _, c := range []struct {
		a, b any
		want bool
	}{
		{1.0, 1 + 1e-12, true}, {1.0, 1.001, false}, {math.NaN(), math.NaN(), true}, {math.Inf(1), math.MaxFloat64, false},
		{math.Inf(1), math.Inf(1), true}, {0.0, math.Copysign(0, -1), true}, {1e300, -1e300, false},
		{[]int(nil), []int{}, true}, {map[string]int(nil), map[string]int{}, true}, {[]int{1}, []int{1, 2}, false}, {[]int{1, 2}, []int{2, 1}, false},
		{point{1, 2}, point{1, 2 + 1e-13}, true}, {point{1, 2}, point{1, 3}, false}, {&point{1, 2}, &point{1, 2}, true},
		{errors.New("a"), errors.New("b"), true}, {errors.New("a"), nil, false}, {nil, nil, true},
		{1, int64(1), false}, {"a", "a", true}, {[]any{1, "a"}, []any{1, "a"}, true}, {[]any{1}, []any{1.0}, false},
		{&lock, &lock, true}, {complex(1, 2), complex(1, 2), true}, {map[string]int{"a": 1}, map[string]int{"b": 1}, false},
	} {
		if Equal(c.a, c.b, 1e-9) != c.want || Equal(c.b, c.a, 1e-9) != c.want {
			t.Errorf("Equal(%v, %v) is not %t", c.a, c.b, c.want)
		}
	}
}

func TestWhole(t *testing.T) {
	for _, x := range []float64{0.5, 300, -1, math.NaN(), math.Inf(1)} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%v became a byte", x)
				}
			}()
			Whole(x, 0, 255)
		}()
	}
	if Whole(255, 0, 255) != 255 {
		t.Error("255 is a byte")
	}
}

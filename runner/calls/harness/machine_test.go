package harness

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/isodelta/isodelta/runner/calls/wire"
	"github.com/isodelta/isodelta/runner/calls/wire/wiretest"
	probe "github.com/isodelta/isodelta/runner/probe"
)

// Code under test, for looking at what the machine sees of it.

type counter struct {
	N      int
	hidden int
}

func (c *counter) Add(n int) int { c.N += n; return c.N }
func (c *counter) Hide(n int)    { c.hidden += n }
func (c counter) Copy() counter  { return c }

type talker struct{ n int }

func (t *talker) String() string {
	for i := 0; probe.B(4, i != t.n); i++ {
	}
	return fmt.Sprint(t.n)
}

// row panics where memory would run out.
func row(n int) [][]int {
	if n > 1<<20 {
		panic("too long")
	}
	return [][]int{make([]int, n, n+2), {9}}
}
func first(s [][]int) []int                         { return s[0] }
func window(s []int) []int                          { return s[:min(2, len(s))] }
func apart(s []int) []int                           { return slices.Clone(window(s)) }
func fail(n int) (int, error)                       { return n, fmt.Errorf("failed with %d", n) }
func two(n int, s string) (int, string)             { return n, s }
func crash(n int) int                               { panic(fmt.Sprintf("crash %d", n)) }
func takes(a any, s []string, m map[string]int)     {}
func variadic(sep string, more ...string) string    { return strings.Join(more, sep) }
func setKey(m map[string]int, k string) []string    { m[k] = 1; return nil }
func consume(r io.Reader) (int, error)              { b, err := io.ReadAll(r); return len(b), err }
func newTalker(n int) *talker                       { return &talker{n} }
func valueOf(c counter, p *counter) (counter, bool) { return *p, c == *p }

var shared = []int{1, 2, 3}

type bed struct {
	*Machine
	op map[string]wire.Op
}

// newBed has one operation for each function. Its calls go through the probe. A
// process has only one probe, so tests that use a bed must not run in parallel.
func newBed() *bed {
	r := newRegistry()
	b := &bed{op: map[string]wire.Op{"let": wire.OpLet, "write": wire.OpWrite, "extend": wire.OpExtend}}
	for _, f := range []struct {
		name   string
		method bool
		fn     any
	}{
		{"row", false, row}, {"first", false, first}, {"window", false, window}, {"apart", false, apart}, {"fail", false, fail},
		{"two", false, two}, {"crash", false, crash}, {"takes", false, takes}, {"variadic", false, variadic}, {"setKey", false, setKey},
		{"consume", false, consume}, {"newTalker", false, newTalker}, {"valueOf", false, valueOf}, {"endless", false, endless},
		{"Add", true, (*counter).Add}, {"Hide", true, (*counter).Hide}, {"Copy", true, counter.Copy}, {"String", true, (*talker).String},
		{"newCounter", false, func() *counter { return &counter{} }},
	} {
		b.op[f.name] = r.register(Operation{Name: f.name, Method: f.method}, f.fn)
	}
	v := reflect.ValueOf(&shared)
	r.Ops = append(r.Ops, Operation{Name: "shared", Variable: true, Hook: -1, Fn: v, Out: []reflect.Type{v.Type().Elem()}})
	b.op["shared"] = r.end() - 1
	for _, t := range []reflect.Type{reflect.TypeFor[counter](), reflect.TypeFor[*counter](), reflect.TypeFor[[][]int]()} {
		r.addType(t)
	}
	r.seal()
	b.Machine = NewMachine(r)
	return b
}

func (b *bed) step(name string, args ...wire.Lit) wire.Step {
	return wire.Step{Op: b.op[name], Args: args}
}

func (b *bed) let(t reflect.Type, l wire.Lit) wire.Step {
	return wire.Step{Op: wire.OpLet, Args: []wire.Lit{{Form: wire.Dynamic, T: b.byType[t], E: []wire.Lit{l}}}}
}

func number(n int64) wire.Lit { return wire.Lit{Form: wire.Int, N: n} }
func text(s string) wire.Lit  { return wire.Lit{Form: wire.Text, S: s} }
func numbers(list ...int64) wire.Lit {
	l := wire.Lit{Form: wire.Seq}
	for _, n := range list {
		l.E = append(l.E, number(n))
	}
	return l
}

// Components stand for results first, then for arguments that a call can
// change, and are named for people; a Trace holds exactly those.
func TestComponentsAreNamed(t *testing.T) {
	b := newBed()
	for _, c := range []struct {
		step wire.Step
		want []string
	}{
		{b.step("two", number(1), text("x")), []string{"result 1", "result 2"}},
		{b.step("fail", number(1)), []string{"result", "error"}},
		{b.step("takes", wire.Lit{}, wire.Lit{}, wire.Lit{}), []string{"argument 1", "argument 2", "argument 3"}},
		{b.step("variadic", text(","), wire.Lit{Form: wire.Seq, E: []wire.Lit{text("a")}}), []string{"result", "argument 2"}},
		{b.step("Add", wire.Lit{Form: wire.Pointer, E: []wire.Lit{{Form: wire.Struct}}}, number(2)), []string{"result", "receiver"}},
		{b.step("Hide", wire.Lit{Form: wire.Pointer, E: []wire.Lit{{Form: wire.Struct}}}, number(2)), []string{"receiver"}},
		{b.step("Copy", wire.Lit{Form: wire.Struct}), []string{"result"}},
		{b.step("setKey", wire.Lit{Form: wire.Map}, text("k")), []string{"result", "argument 1"}},
		{b.step("valueOf", wire.Lit{Form: wire.Struct}, wire.Lit{Form: wire.Pointer, E: []wire.Lit{{Form: wire.Struct}}}), []string{"result 1", "result 2", "argument 2"}},
		{b.step("shared"), []string{"result"}},
	} {
		trace := b.Run(wire.Sequence{c.step})
		op := &b.Ops[c.step.Op]
		if trace.Invalid || len(trace.Steps) != 1 {
			t.Fatalf("%s: %+v", op.Name, trace)
		}
		var got []string
		for i := range trace.Steps[0].Components {
			name, result, arg := op.ComponentName(i)
			got = append(got, name)
			if op.Stream(i) >= 0 {
				got = got[:len(got)-1] // printed last, whatever the call
			} else if result < 0 == (arg < 0) {
				t.Errorf("%s, %s: result %d and argument %d", op.Name, name, result, arg)
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", op.Name, got, c.want)
		}
		all := len(trace.Steps[0].Components)
		if all != len(got)+probe.Streams && !op.Variable {
			t.Errorf("%s: %d components, %d of them named", op.Name, all, len(got))
		}
		// One more is there where a call ends the process.
		if name, _, _ := op.ComponentName(all); name != "exit status" && !op.Variable {
			t.Errorf("%s: component %d is %s", op.Name, all, name)
		}
		if name, _, _ := op.ComponentName(all + 1); name != "?" {
			t.Errorf("%s: component %d is %s", op.Name, all+1, name)
		}
	}
}

func visible(c []wire.Component) (out []uint32) {
	for _, x := range c {
		out = append(out, x.Visible)
	}
	return out
}

// Whether a result shares memory with what it was made of shows when the
// sequence writes to it or appends to it, and only then.
func TestSharedMemoryShowsAfterwards(t *testing.T) {
	b := newBed()
	list := reflect.TypeFor[[]int]()
	sequence := func(f string, op string) wire.Sequence {
		return wire.Sequence{b.let(list, numbers(1, 2, 3)), b.step(f, wire.RefTo(0, 0)), b.step(op, wire.RefTo(1, 0), number(7))}
	}
	look := func(p wire.Sequence) wire.Trace {
		t.Helper()
		trace := b.Run(p)
		if trace.Invalid || len(trace.After) == 0 {
			t.Fatalf("%v: %+v", p, trace)
		}
		return trace
	}
	for _, op := range []string{"write", "extend"} {
		one, other := look(sequence("window", op)), look(sequence("apart", op))
		if !slices.Equal(visible(one.Steps[1].Components), visible(other.Steps[1].Components)) {
			t.Errorf("%s: differs before anything is written", op)
		}
		// After[0] is the list, After[1] the part of it.
		if one.After[0].Visible == other.After[0].Visible {
			t.Errorf("%s: that memory is shared does not show in the list", op)
		}
		if op == "write" && one.After[1].Visible != other.After[1].Visible {
			t.Error("write: the part itself differs")
		}
	}
	if a, c := look(sequence("window", "write")[:2]), look(sequence("apart", "write")[:2]); a.After[0].Visible != c.After[0].Visible {
		t.Error("shows although nothing was written")
	}
	// In a slice of slices it is the first row that is written to.
	rows := wire.Sequence{b.step("row", number(2)), b.step("first", wire.RefTo(0, 0)), b.step("write", wire.RefTo(0, 0), number(5)), b.step("apart", wire.RefTo(1, 0))}
	trace := look(rows)
	again := look(slices.Concat(rows[:2], wire.Sequence{b.let(list, numbers(5, 0)), b.step("apart", wire.RefTo(2, 0))}))
	if trace.Steps[3].Components[0] != again.Steps[3].Components[0] {
		t.Error("writing to rows did not reach the first one")
	}
	for i, want := range [][2]int{{0, 0}, {1, 0}} {
		if step, result := b.AfterOf(rows, i); step != want[0] || result != want[1] {
			t.Errorf("value %d afterwards is result %d of step %d", i, result, step)
		}
	}
}

// The same pointer as receiver and argument is one value, and a step's result
// is what a later step changed it to.
func TestReferencesAreTheSameValue(t *testing.T) {
	b := newBed()
	p := wire.Sequence{b.step("newCounter"), b.step("Add", wire.RefTo(0, 0), number(2)), b.step("Add", wire.RefTo(0, 0), number(3)),
		b.step("valueOf", wire.Lit{Form: wire.Struct, E: []wire.Lit{number(5)}}, wire.RefTo(0, 0))}
	trace := b.Run(p)
	if trace.Invalid || b.Vars[2][0].Int() != 5 || !b.Vars[3][1].Bool() {
		t.Errorf("%+v", trace)
	}
	if len(trace.After) != 1 {
		t.Errorf("%d values afterwards, want the counter alone", len(trace.After))
	}
	// A method of values is called on what a pointer points to, and works on a copy of that.
	p = wire.Sequence{b.step("newCounter"), b.step("Add", wire.RefTo(0, 0), number(2)), b.step("Copy", wire.RefTo(0, 0)),
		b.step("Add", wire.RefTo(0, 0), number(4)), b.step("Add", wire.RefTo(2, 0), number(1))}
	if trace := b.Run(p); trace.Invalid || b.Vars[3][0].Int() != 6 || b.Vars[4][0].Int() != 3 {
		t.Errorf("%+v", trace)
	}
	// Elsewhere what has hidden state is not copied from behind its pointer.
	p = wire.Sequence{b.step("newCounter"), b.step("valueOf", wire.RefTo(0, 0), wire.RefTo(0, 0))}
	if trace := b.Run(p); !trace.Invalid {
		t.Errorf("%+v", trace)
	}
	// What only unexported fields tell is hidden.
	hide := func(n int64) wire.Component {
		return b.Run(wire.Sequence{b.step("newCounter"), b.step("Hide", wire.RefTo(0, 0), number(n))}).Steps[1].Components[0]
	}
	if x, y := hide(1), hide(2); x.Visible != y.Visible || x.Hidden == y.Hidden {
		t.Errorf("%v and %v", x, y)
	}
}

type plainCopies struct{ hidden []int }

func (p plainCopies) Sum() int { return len(p.hidden) }

type both struct{ hidden []int }

func (b both) Sum() int { return len(b.hidden) }

func (*both) Add(int) {}

type methodless struct{ hidden []int }

func sum(m methodless) int { return len(m.hidden) }

// What a pointer points to is given where a value is wanted, unless its type has methods of pointers, too. As the receiver
// of a method it is given wherever there is such a method.
func TestValuesFromBehindPointers(t *testing.T) {
	_ = sum(methodless{})
	for of, want := range map[reflect.Type]bool{reflect.TypeFor[plainCopies](): true, reflect.TypeFor[both](): false,
		reflect.TypeFor[methodless](): false, reflect.TypeFor[time.Time](): false, reflect.TypeFor[struct{ N int }](): true} {
		if got := fits(of, reflect.PointerTo(of)); got != want {
			t.Errorf("%s from behind a pointer: %t", of, got)
		}
		if got := receives(of, reflect.PointerTo(of)); got != (of.NumMethod() > 0) {
			t.Errorf("%s as a receiver from behind a pointer: %t", of, got)
		}
	}
}

// A sequence ends with the call that panics or does not end; what came before
// is told, and the next sequence runs as ever.
// Numbers that may be addresses name nothing: another binary has something else there.
func TestNoAddresses(t *testing.T) {
	t.Parallel()
	m := NewMachine(&Registry{Ops: make([]Operation, wire.Builtins)})
	for n, want := range map[int64]uintptr{0: 0, 7: 7, 6545059: 6545059 % firstAddress} {
		v, err := m.Build(wire.Lit{Form: wire.Uint, N: n}, reflect.TypeOf(uintptr(0)))
		if err != nil || v.Interface() != want {
			t.Errorf("%d: %v, %v, want %d", n, v, err, want)
		}
	}
}

func TestEndings(t *testing.T) {
	b := newBed()
	before := b.Run(wire.Sequence{b.step("two", number(1), text("x"))})
	for _, c := range []struct {
		step   wire.Step
		ending probe.Ending
		says   string
	}{
		{b.step("crash", number(3)), probe.Panicked, "crash 3"},
		{b.step("first", wire.Lit{}), probe.Panicked, "index out of range"},
		{b.step("setKey", wire.Lit{}, text("k")), probe.Panicked, "nil map"},
		{b.step("endless", number(-1)), probe.Exhausted, ""},
		{b.step("endless", number(100)), probe.Returned, ""},
	} {
		trace := b.Run(wire.Sequence{b.step("row", number(1)), c.step, b.step("window", wire.Lit{})})
		want := 2
		if c.ending == probe.Returned {
			want = 3
		}
		if trace.Invalid || len(trace.Steps) != want {
			t.Fatalf("%+v", trace)
		}
		last := trace.Steps[1]
		if last.Ending != c.ending || !strings.Contains(last.Message, c.says) || c.ending != probe.Returned && (len(last.Components) > 0 || len(trace.After) > 0) {
			t.Errorf("%+v, want %v with %q", last, c.ending, c.says)
		}
	}
	// String never ends: the call that gives such a value returns all the same.
	trace := b.Run(wire.Sequence{b.step("newTalker", number(-1))})
	if trace.Invalid || trace.Steps[0].Ending != probe.Returned || trace.Steps[0].Components[0].Visible != uint32(probe.Exhausted) {
		t.Errorf("%+v", trace)
	}
	if after := b.Run(wire.Sequence{b.step("two", number(1), text("x"))}); !reflect.DeepEqual(before.Steps, after.Steps) {
		t.Errorf("before %+v, after %+v", before, after)
	}
}

// What does not fit is invalid, which says nothing about the code under test.
func TestInvalidSequences(t *testing.T) {
	b := newBed()
	for name, p := range map[string]wire.Sequence{
		"no such operation":      {{Op: 4000}},
		"negative operation":     {{Op: -1}},
		"too few arguments":      {b.step("two", number(1))},
		"too many arguments":     {b.step("crash", number(1), number(2))},
		"text for a list":        {b.step("window", text("x"))},
		"list for text":          {b.step("two", number(1), numbers(1))},
		"reference to itself":    {b.step("window", wire.RefTo(0, 0))},
		"reference to no result": {b.step("row", number(1)), b.step("window", wire.RefTo(0, 3))},
		"another type":           {b.step("newTalker", number(1)), b.step("window", wire.RefTo(0, 0))},
		"no such type":           {{Op: wire.OpLet, Args: []wire.Lit{{Form: wire.Dynamic, T: 1 << 19, E: []wire.Lit{{}}}}}},
		"let of nothing":         {{Op: wire.OpLet, Args: []wire.Lit{{Form: wire.Dynamic}}}},
		"write to nothing":       {b.step("write", wire.RefTo(0, 0), number(1))},
		"write to an empty list": {b.let(reflect.TypeFor[[]int](), wire.Lit{Form: wire.Seq}), b.step("write", wire.RefTo(0, 0), number(1))},
		"write to a number":      {b.step("two", number(1), text("")), b.step("write", wire.RefTo(0, 0), number(1))},
		"no such special":        {b.step("consume", wire.Lit{Form: wire.Special, S: "nothing"})},
		"unhashable key":         {{Op: wire.OpLet, Args: []wire.Lit{{Form: wire.Dynamic, T: b.byType[reflect.TypeFor[map[any]any]()], E: []wire.Lit{{Form: wire.Map, E: []wire.Lit{{Form: wire.Dynamic, T: b.byType[reflect.TypeFor[[]int]()], E: []wire.Lit{numbers(1)}}, {}}}}}}}},
		"a hole":                 {b.step("window", wire.Lit{Form: wire.Hole})},
	} {
		if trace := b.Run(p); !trace.Invalid {
			t.Errorf("%s: %+v", name, trace)
		}
	}
}

// Readers read as io.Reader allows: the same bytes, in other portions, with or
// without an error at the end.
func TestOddReaders(t *testing.T) {
	b := newBed()
	const long = "some text that is longer than one portion"
	for kind, ends := range map[string]string{wire.SpecialReader: "<nil>", wire.SpecialOneByte: "<nil>", wire.SpecialShort: "<nil>", wire.SpecialDataEOF: "<nil>", wire.SpecialFailing: ErrRead.Error()} {
		trace := b.Run(wire.Sequence{b.step("consume", wire.Lit{Form: wire.Special, S: kind, E: []wire.Lit{text(long)}})})
		if trace.Invalid || b.Vars[0][0].Int() != int64(len(long)) || fmt.Sprint(b.Vars[0][1].Interface()) != ends {
			t.Errorf("%s: %v", kind, b.Vars)
		}
	}
}

// Whatever a sequence holds, the machine itself neither panics nor goes on for
// ever, and does the same the second time.
func TestMachineTakesAnything(t *testing.T) {
	b := newBed()
	rapid.Check(t, func(t *rapid.T) {
		p := wiretest.AnySequence(t, 6)
		p = slices.DeleteFunc(p, func(s wire.Step) bool { return !b.Has(s.Op) })
		one := b.Run(p)
		two := b.Run(p)
		if shared[0] = 1; !one.Invalid && !slices.ContainsFunc(p, func(s wire.Step) bool { return s.Op == b.op["shared"] }) && one.Hidden != two.Hidden {
			t.Fatalf("%v: %+v, then %+v", p, one, two)
		}
		if one.Invalid != two.Invalid || len(one.Steps) > len(p) {
			t.Fatalf("%v: %+v, then %+v", p, one, two)
		}
	})
}

// The same of sequences that were whole until something else was put into one
// place: they get much further.
func TestMachineTakesDamagedSequences(t *testing.T) {
	m := NewMachine(distributionRegistry())
	g := newGenerator(m, dictionaryOfTests(), 11)
	valid, invalid := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		for range 20 {
			p := g.next()
			trace := m.Run(p)
			g.learn(p, &trace)
			var places []*wire.Lit
			var steps []int
			p = p.Clone()
			p.Walk(func(step int, l *wire.Lit) { places, steps = append(places, l), append(steps, step) })
			if len(places) == 0 {
				continue
			}
			i := rapid.IntRange(0, len(places)-1).Draw(t, "place")
			*places[i] = wiretest.AnyLit(t, steps[i], 2)
			if m.Run(p).Invalid {
				invalid++
			} else {
				valid++
			}
		}
	})
	if valid < 50 || invalid < 50 {
		t.Errorf("%d could still be built, %d not: one of the two is not tested", valid, invalid)
	}
}

// Traces come through to the parent, and equal ones are equal there.
func TestTracesComeThrough(t *testing.T) {
	b := newBed()
	var payload []byte
	sequences := []wire.Sequence{
		{b.step("row", number(1)), b.step("write", wire.RefTo(0, 0), number(1)), b.step("first", wire.RefTo(0, 0))},
		{b.step("crash", number(1))},
		{b.step("window", text("x"))},
		{b.step("newCounter"), b.step("Hide", wire.RefTo(0, 0), number(1))},
		{b.step("newCounter"), b.step("Hide", wire.RefTo(0, 0), number(2))},
	}
	s := &server{m: b.Machine}
	for _, p := range sequences {
		s.execute(p)
	}
	payload = s.buf
	batch, err := wire.DecodeBatch(payload)
	if err != nil || len(batch) != len(sequences) {
		t.Fatalf("%d, %v", len(batch), err)
	}
	for i, e := range batch {
		p, rest, err := wire.Decode(e.Sequence)
		if err != nil || len(rest) > 0 || !wiretest.Same(p, sequences[i]) {
			t.Fatalf("%v: %v", err, p)
		}
		want := b.Run(p)
		got := e.Trace()
		if got.Invalid != want.Invalid || len(got.Steps) != len(want.Steps) || !slices.Equal(got.After, want.After) || e.Hidden != want.Hidden {
			t.Errorf("%+v, want %+v", got, want)
		}
		for k := range got.Steps {
			if got.Steps[k].Ending != want.Steps[k].Ending || !slices.Equal(got.Steps[k].Components, want.Steps[k].Components) {
				t.Errorf("step %d: %+v, want %+v", k, got.Steps[k], want.Steps[k])
			}
		}
		if !e.SameAs(e) {
			t.Error("not the same as itself")
		}
	}
	if batch[3].SameAs(batch[4]) {
		t.Error("a hidden difference is lost")
	}
	for cut := range payload {
		wire.DecodeBatch(payload[:cut]) // damaged: no panic
	}
}

// A batch ends with its processor time, and never before its first sequence: what ran
// is answered, and those that all take long are not mistaken for one that never ends.
func TestBatchesEndWithTheirTime(t *testing.T) {
	b := newBed()
	var payload []byte
	const n = 2000
	for i := range n {
		payload = wire.Sequence{b.step("row", number(int64(i)))}.Encode(payload)
	}
	for _, c := range []struct {
		batch       time.Duration
		least, most int
	}{{0, n, n}, {time.Hour, n, n}, {time.Nanosecond, 1, n - 1}} {
		s := &server{m: b.Machine, batch: c.batch}
		s.follow(payload)
		batch, err := wire.DecodeBatch(s.buf)
		if err != nil || len(batch) < c.least || len(batch) > c.most {
			t.Errorf("%s: %d sequences of %d, %v", c.batch, len(batch), n, err)
		}
	}
}

// What was executed is sent in parts, in the order of execution, and the rest is left for the answer.
func TestAnswersComeInParts(t *testing.T) {
	b := newBed()
	var payload []byte
	const n = 3*perPart + 1
	for i := range n {
		payload = wire.Sequence{b.step("row", number(int64(i)))}.Encode(payload)
	}
	var sent bytes.Buffer
	s := &server{m: b.Machine, out: bufio.NewWriter(&sent)}
	s.follow(payload)
	var all []byte
	for parts := 0; sent.Len() > 0; parts++ {
		head := sent.Next(5)
		if head[4] != wire.FramePart || parts > 2 {
			t.Fatalf("frame %d: %q", parts, head)
		}
		all = append(all, sent.Next(int(binary.LittleEndian.Uint32(head))-1)...)
	}
	batch, err := wire.DecodeBatch(append(all, s.buf...))
	if err != nil || len(batch) != n || s.unsent != 1 {
		t.Errorf("%d sequences of %d, %d of them not sent, %v", len(batch), n, s.unsent, err)
	}
	for i, e := range batch {
		if want := (wire.Sequence{b.step("row", number(int64(i)))}).Encode(nil); string(e.Sequence) != string(want) {
			t.Errorf("sequence %d is another one", i)
		}
	}
}

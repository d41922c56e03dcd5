package harness

import (
	"bytes"
	"container/list"
	"errors"
	"html"
	"io"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"text/tabwriter"
	"unicode/utf8"

	"github.com/isodelta/isodelta/runner/calls/wire"
	"github.com/isodelta/isodelta/runner/calls/wire/wiretest"
	probe "github.com/isodelta/isodelta/runner/probe"
)

// What follows is code under test, instrumented by hand. variant chooses the
// version where there are two.

// pile is a stack whose head version loses what lies under the top once three
// have been pushed and one was popped.
type pile struct {
	items  []int
	popped bool
	head   bool
}

func (s *pile) Push(x int) {
	if probe.B(0, s.head && s.popped && len(s.items) >= 2) {
		s.items = s.items[:1]
	}
	s.items = append(s.items, x)
}

func (s *pile) Pop() (int, error) {
	if probe.B(1, len(s.items) == 0) {
		return 0, errors.New("empty")
	}
	x := s.items[len(s.items)-1]
	s.items = s.items[:len(s.items)-1]
	s.popped = probe.B(2, s.popped || len(s.items) == 2)
	return x, nil
}

// Size is how many there are.
func (s *pile) Size() int { return len(s.items) }

// endless takes as long as it is told.
func endless(n int) int {
	for i := 0; probe.B(3, i != n); i++ {
	}
	return n
}

func index(s []int, i int) int { return s[i] }

type option func(*options)
type options struct{ Name string }

func withName(n string) option { return func(o *options) { o.Name = n } }
func describe(opts ...option) string {
	var o options
	for _, f := range opts {
		f(&o)
	}
	return o.Name
}

// register is Func for a registry of the test's own.
func (r *Registry) register(o Operation, fn any) wire.Op {
	o.Fn, o.Exported, o.Hook = reflect.ValueOf(fn), true, -1
	t := o.Fn.Type()
	for i := range t.NumIn() {
		o.In = append(o.In, t.In(i))
	}
	for i := range t.NumOut() {
		o.Out = append(o.Out, t.Out(i))
	}
	o.Variadic = t.IsVariadic()
	r.Ops = append(r.Ops, o)
	return r.end() - 1
}

// stackRegistry holds the stack of one version alone.
func stackRegistry(head bool) *Registry {
	r := newRegistry()
	r.register(Operation{Name: "newPile"}, func() *pile { return &pile{head: head} })
	r.register(Operation{Name: "Push", Method: true, Role: wire.Changed}, (*pile).Push)
	r.register(Operation{Name: "Pop", Method: true}, (*pile).Pop)
	r.register(Operation{Name: "Size", Method: true}, (*pile).Size)
	r.seal()
	return r
}

// distributionRegistry holds a dozen functions of the distribution and the
// test's own.
func distributionRegistry() *Registry {
	r := stackRegistry(false)
	for _, f := range []struct {
		name string
		fn   any
	}{
		{"Fields", strings.Fields}, {"Split", strings.Split}, {"Map", strings.Map}, {"NewReplacer", strings.NewReplacer},
		{"Quote", strconv.Quote}, {"Atoi", strconv.Atoi}, {"AppendInt", strconv.AppendInt}, {"EscapeString", html.EscapeString},
		{"DecodeRune", utf8.DecodeRune}, {"Compare", bytes.Compare}, {"NewBuffer", bytes.NewBuffer}, {"NewList", list.New},
		{"NewWriter", tabwriter.NewWriter}, {"endless", endless}, {"index", index}, {"withName", withName}, {"describe", describe},
		{"SortFunc", func(list []string, less func(a, b string) int) []string {
			out := slices.Clone(list)
			slices.SortStableFunc(out, less)
			return out
		}},
	} {
		r.register(Operation{Name: f.name, Role: wire.Caller}, f.fn)
	}
	for _, m := range []struct {
		name string
		fn   any
	}{
		{"Replace", (*strings.Replacer).Replace}, {"PushBack", (*list.List).PushBack}, {"PushFrontList", (*list.List).PushFrontList},
		{"Remove", (*list.List).Remove}, {"Front", (*list.List).Front}, {"Next", (*list.Element).Next}, {"Len", (*list.List).Len},
		{"Write", (*bytes.Buffer).Write}, {"String", (*bytes.Buffer).String}, {"Flush", (*tabwriter.Writer).Flush},
	} {
		r.register(Operation{Name: m.name, Method: true, Role: wire.Consumer}, m.fn)
	}
	r.addType(reflect.TypeFor[options]())
	r.seal()
	return r
}

func dictionaryOfTests() *Plain {
	p := NewPlain()
	for _, s := range []string{"a, b", "x=1;y=22", "", "<p>q</p>", "-12"} {
		p.AddText(wire.NearTests, s)
	}
	for _, n := range []int64{0, 3, -1, 100} {
		p.AddNumber(wire.NearCode, n)
	}
	return p
}

// What is generated can nearly always be built and run, refers to what stands
// before it, stays short, and is the same for a seed.
func TestGeneratedSequences(t *testing.T) {
	count := 20_000
	if testing.Short() {
		count = 3000
	}
	run := func(seed uint64, count int, look func(p wire.Sequence, trace wire.Trace)) {
		m := NewMachine(distributionRegistry())
		g := newGenerator(m, dictionaryOfTests(), seed)
		for range count {
			p := g.next()
			if p == nil {
				look(nil, wire.Trace{})
				continue
			}
			before := p.Hash()
			trace := m.Run(p)
			if p.Hash() != before {
				t.Fatalf("running changed %v", p)
			}
			look(p, trace)
			g.learn(p, &trace)
		}
	}
	invalid, none, panics, exhausted := 0, 0, 0, 0
	different := map[uint64]bool{}
	var hashes []uint64
	ran := map[wire.Op]int{}
	run(5, count, func(p wire.Sequence, trace wire.Trace) {
		if p == nil {
			none++
			return
		}
		hashes = append(hashes, p.Hash())
		different[p.Hash()] = true
		if len(p) > longest+8 || len(p) > wire.MaxSteps || wiretest.Forward(p) {
			t.Fatalf("%d steps, or a reference forward: %v", len(p), p)
		}
		p.Walk(func(_ int, l *wire.Lit) {
			if l.Form == wire.Hole {
				t.Fatalf("a hole: %v", p)
			}
		})
		if trace.Invalid {
			invalid++
			return
		}
		for i, s := range trace.Steps {
			ran[p[i].Op]++
			switch s.Ending {
			case probe.Panicked:
				panics++
			case probe.Exhausted:
				exhausted++
			}
		}
		if again, rest, err := wire.Decode(p.Encode(nil)); err != nil || len(rest) > 0 || again.Hash() != p.Hash() {
			t.Fatalf("%v does not come through: %v", p, err)
		}
	})
	if invalid > count/20 || none > count/50 || len(different) < count*6/10 {
		t.Errorf("of %d: %d cannot be built, %d times no idea, %d different", count, invalid, none, len(different))
	}
	if panics == 0 || exhausted == 0 {
		t.Errorf("%d panics, %d without end: the registry offers both", panics, exhausted)
	}
	r := distributionRegistry()
	for i := wire.Builtins; i < r.end(); i++ {
		if ran[i] < count/1000 {
			t.Errorf("%s was called %d times", r.Ops[i].Name, ran[i])
		}
	}
	for _, i := range []wire.Op{wire.OpLet, wire.OpWrite, wire.OpExtend} {
		if ran[i] == 0 {
			t.Errorf("%s was never used", r.Ops[i].Name)
		}
	}
	i := 0
	run(5, count/10, func(p wire.Sequence, _ wire.Trace) {
		if p == nil {
			return
		}
		if p.Hash() != hashes[i] {
			t.Fatalf("sequence %d differs between two runs with one seed", i)
		}
		i++
	})
	alike := 0
	i = 0
	run(6, 500, func(p wire.Sequence, _ wire.Trace) {
		if p != nil && i < len(hashes) && p.Hash() == hashes[i] {
			alike++
		}
		i++
	})
	if alike > 50 {
		t.Errorf("%d of 500 sequences are the same for another seed", alike)
	}
}

// A difference that needs three pushes, a pop and more is found by sequences
// that keep what took new branches and go on from there.
func TestGeneratorReachesDeepStates(t *testing.T) {
	for seed := range uint64(8) {
		base, head := NewMachine(stackRegistry(false)), NewMachine(stackRegistry(true))
		g := newGenerator(head, dictionaryOfTests(), seed)
		found := -1
		for n := range 12_000 {
			p := g.next()
			if p == nil {
				continue
			}
			b := base.Run(p)
			h := head.Run(p)
			g.learn(p, &h)
			if b.Invalid != h.Invalid || len(b.Steps) != len(h.Steps) {
				t.Fatalf("%v: %v and %v", p, b, h)
			}
			differ := false
			for k := range b.Steps {
				if b.Steps[k].Ending != h.Steps[k].Ending || !slices.EqualFunc(b.Steps[k].Components, h.Steps[k].Components,
					func(x, y wire.Component) bool { return x.Visible == y.Visible }) {
					differ = true
				}
			}
			if differ {
				found = n
				break
			}
		}
		if found < 0 {
			t.Errorf("seed %d: not found", seed)
		}
		t.Logf("seed %d: sequence %d", seed, found)
	}
}

// What is banned or excluded is not made again.
func TestGeneratorLeavesOut(t *testing.T) {
	r := distributionRegistry()
	for i := range r.Ops {
		r.Ops[i].excluded = r.Ops[i].Name == "PushBack" || r.Ops[i].Name == "endless"
	}
	m := NewMachine(r)
	g := newGenerator(m, dictionaryOfTests(), 1)
	for n := range 4000 {
		p := g.next()
		if p == nil {
			continue
		}
		if g.banned[p.Hash()] {
			t.Fatalf("%v is banned", p)
		}
		for _, s := range p {
			if r.Ops[s.Op].excluded {
				t.Fatalf("%s is excluded", r.Ops[s.Op].Name)
			}
		}
		trace := m.Run(p)
		g.learn(p, &trace)
		if n%3 == 0 {
			g.banned[p.Hash()] = true
		}
	}
	if len(g.banned) < 500 {
		t.Fatalf("only %d were banned", len(g.banned))
	}
}

// An operation that took long gets smaller numbers from then on.
func TestSlowOperationsGetSmallNumbers(t *testing.T) {
	most, tried := int64(0), 0
	for seed := range uint64(4) {
		m := NewMachine(distributionRegistry())
		g := newGenerator(m, dictionaryOfTests(), seed)
		slow := wire.Op(slices.IndexFunc(m.Ops, func(o Operation) bool { return o.Name == "endless" }))
		for range 6 {
			g.slow(wire.Sequence{{Op: slow, Args: []wire.Lit{{Form: wire.Int, N: 1 << 50}}}})
		}
		for range 1000 {
			p := g.next()
			for _, s := range p {
				if s.Op == slow && s.Args[0].Form == wire.Int {
					tried++
					most = max(most, s.Args[0].N, -s.Args[0].N)
				}
			}
			trace := m.Run(p)
			g.learn(p, &trace)
		}
	}
	if tried < 10 || most > 64 {
		t.Errorf("%d calls, with numbers up to %d", tried, most)
	}
}

// Sequences from elsewhere have holes; each is filled with a value that fits,
// the newest of the sequence where there is one.
func TestHolesAreFilled(t *testing.T) {
	m := NewMachine(distributionRegistry())
	g := newGenerator(m, dictionaryOfTests(), 1)
	op := map[string]wire.Op{}
	for i, o := range m.Ops {
		op[o.Name] = wire.Op(i)
	}
	hole := wire.Lit{Form: wire.Hole}
	p := g.seed(wire.Sequence{
		{Op: op["newPile"], Args: nil},
		{Op: op["newPile"], Args: nil},
		{Op: op["Push"], Args: []wire.Lit{hole, {Form: wire.Int, N: 4}}},
		{Op: op["index"], Args: []wire.Lit{{Form: wire.Seq, E: []wire.Lit{hole, {Form: wire.Int, N: 1}}}, {Form: wire.Int}}},
		{Op: 9999, Args: nil},                                // not there
		{Op: op["Pop"], Args: nil},                           // too few arguments
		{Op: op["Size"], Args: []wire.Lit{wire.RefTo(9, 0)}}, // of nothing
		{Op: op["NewWriter"], Args: []wire.Lit{hole, hole, hole, hole, hole, hole}},
		{Op: op["Flush"], Args: []wire.Lit{wire.RefTo(7, 0)}},
	})
	if wiretest.Forward(p) {
		t.Fatalf("refers forward: %v", p)
	}
	p.Walk(func(step int, l *wire.Lit) {
		if l.Form == wire.Hole {
			t.Errorf("step %d has a hole", step)
		}
	})
	var names []string
	for _, s := range p {
		names = append(names, m.Ops[s.Op].Name)
	}
	for _, want := range []string{"Push", "index", "Size", "NewWriter", "Flush"} {
		if !slices.Contains(names, want) {
			t.Errorf("%s is lost: %v", want, names)
		}
	}
	if slices.Contains(names, "Pop") {
		t.Errorf("a call with too few arguments was taken: %v", names)
	}
	for _, s := range p {
		if s.Op == op["Push"] && !reflect.DeepEqual(s.Args[0], wire.RefTo(1, 0)) {
			t.Errorf("pushed to %v, want the newest stack", s.Args[0])
		}
	}
	if trace := m.Run(p); trace.Invalid {
		t.Errorf("%v cannot be built", p)
	}
}

// tally is ready as it is: it has no constructor, and its state takes two calls
// on one value.
type tally struct {
	words map[string]int
}

func (t *tally) Add(w string) {
	if probe.B(5, t.words == nil) {
		t.words = map[string]int{}
	}
	t.words[w]++
}
func (t *tally) Size() int { return len(t.words) }

// A type without constructors gets a place of its own, to which several calls
// go.
func TestGeneratorGivesValuesAPlace(t *testing.T) {
	r := newRegistry()
	add := r.register(Operation{Name: "Add", Method: true, Role: wire.Changed}, (*tally).Add)
	size := r.register(Operation{Name: "Size", Method: true}, (*tally).Size)
	r.addType(reflect.TypeFor[tally]())
	r.addType(reflect.TypeFor[*tally]())
	r.seal()
	m := NewMachine(r)
	g := newGenerator(m, dictionaryOfTests(), 3)
	most := int64(0)
	for range 2000 {
		p := g.next()
		trace := m.Run(p)
		g.learn(p, &trace)
		for i, s := range p {
			if s.Op == size && i < len(m.Vars) && trace.Steps[i].Ending == probe.Returned {
				most = max(most, m.Vars[i][0].Int())
			}
		}
	}
	if most < 3 {
		t.Errorf("no tally got more than %d words by %s", most, m.Ops[add].Name)
	}
}

// stamper writes to another's writer, as encoders do. What it writes twice is
// seen only by who looks at that writer later, and an error only with a writer
// that fails.
type stamper struct {
	w      io.Writer
	closed bool
	head   bool
}

func (s *stamper) Close() error {
	if probe.B(6, s.closed && !s.head) {
		return nil
	}
	s.closed = true
	_, err := s.w.Write([]byte("."))
	if probe.B(7, err != nil && s.head) {
		return nil
	}
	return err
}

func stamperRegistry(head bool) *Registry {
	r := newRegistry()
	r.register(Operation{Name: "newStamper"}, func(w io.Writer) *stamper { return &stamper{w: w, head: head} })
	r.register(Operation{Name: "Close", Method: true, Role: wire.Changed}, (*stamper).Close)
	r.seal()
	return r
}

func TestGeneratorLooksAtWhatWasWritten(t *testing.T) {
	base, head := NewMachine(stamperRegistry(false)), NewMachine(stamperRegistry(true))
	g := newGenerator(head, dictionaryOfTests(), 1)
	twice, swallowed := false, false
	for range 3000 {
		p := g.next()
		b, h := base.Run(p), head.Run(p)
		g.learn(p, &h)
		twice = twice || !slices.EqualFunc(b.After, h.After, func(x, y wire.Component) bool { return x.Visible == y.Visible })
		for i := range min(len(b.Steps), len(h.Steps)) {
			x, y := b.Steps[i].Components, h.Steps[i].Components
			swallowed = swallowed || p[i].Op == wire.Builtins+1 && len(x) > 0 && len(y) > 0 && x[0].Visible != y[0].Visible
		}
	}
	if !twice || !swallowed {
		t.Errorf("seen: what is written twice %t, the error that is swallowed %t", twice, swallowed)
	}
}

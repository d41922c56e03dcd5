//go:build go1.21

package harness

import (
	"encoding/json"
	"os"
	"reflect"
	"runtime"
	"runtime/debug"
	"slices"
	"sort"

	"github.com/isodelta/isodelta/runner/calls/wire"
	probe "github.com/isodelta/isodelta/runner/probe"
)

// Limits of amplifying, for one iteration.
const (
	usualCalls     = 20_000
	hookInputs     = 60        // different ones, of one function
	hookEntries    = 3000      // looked at, of one function
	hookIneligible = 200       // in a row, before a function is given up
	mutations      = 8         // of one input at least, the unchanged one counted; see share
	hookExhausted  = 20        // calls that did not end, before a function is given up
	maxStack       = 64 << 20  // bytes, in a call
	maxWork        = 200 << 20 // rounds of loops and calls, in all calls: some seconds
	hookNodes      = 300_000   // looked at or copied, of one function
	maxNodes       = 3_000_000 // likewise, of all functions
	learnedTexts   = 500       // from what tests give
)

// amplifier calls hooked functions again, on copies.
type amplifier struct {
	*Registry
	order     probe.Order
	maxCalls  int
	skip      map[uint64]bool // banned
	wanted    map[uint64]bool // to be explained; nil where calls are recorded
	hooks     map[int]*hookCalls
	done      map[uint64]bool
	made      int
	work      int64 // rounds of loops and calls
	nodes     int   // looked at
	calls     []wire.Call
	explained []wire.Explained
	stock     stock
	plain     *Plain
	learned   map[string]bool
	file      *os.File
}

// hookCalls is what has been done for one function.
type hookCalls struct {
	entries, inputs   int
	nodes             int
	inARow, exhausted int
	over              bool
	seen              map[uint64]bool
	ineligible        map[string]int
}

func newAmplifier(r *Registry, o probe.Order, file *os.File) *amplifier {
	a := &amplifier{
		Registry: r, order: o, maxCalls: o.Most, skip: map[uint64]bool{}, hooks: map[int]*hookCalls{},
		done: map[uint64]bool{}, stock: newStock(), plain: dictionary.plain(), learned: map[string]bool{}, file: file,
	}
	if a.maxCalls <= 0 {
		a.maxCalls = usualCalls
	}
	for _, k := range o.Ban {
		a.skip[k] = true
	}
	if o.Mode == wire.ModeExplain {
		a.wanted = map[uint64]bool{}
		for _, k := range o.Keys {
			a.wanted[k] = true
		}
	}
	return a
}

// underWay notes the key and the function of the call that begins, 0 when all
// are through.
func (a *amplifier) underWay(key uint64, hook int) {
	if a.file != nil {
		wire.NoteCall(a.file, key, hook)
	}
}

// share is how many calls the latest input gets: the first inputs more, since
// most tests give few.
func (h *hookCalls) share() int {
	switch {
	case h.inputs <= 4:
		return 6 * mutations
	case h.inputs <= 16:
		return 3 * mutations
	}
	return mutations
}

func (a *amplifier) hook(n int) *hookCalls {
	h := a.hooks[n]
	if h == nil {
		h = &hookCalls{seen: map[uint64]bool{}, ineligible: map[string]int{}, over: a.skip[wire.HookKey(n)]}
		a.hooks[n] = h
	}
	return h
}

// wants reports whether another entry of the function would be looked at.
func (a *amplifier) wants(hook int) bool {
	h := a.hook(hook)
	return !h.over && !a.spent() && h.nodes < hookNodes && h.inputs < hookInputs && h.entries < hookEntries
}

// spent reports whether the iteration's budget is used up. It is counted, not
// timed, so that it ends at the same call each time.
func (a *amplifier) spent() bool {
	return a.made >= a.maxCalls || a.work >= maxWork || a.nodes >= maxNodes
}

// enter copies what a hooked function was given and calls the function on the
// copies. fromTest says that a test called it: both versions see such calls in
// the same order, so the dictionary may learn from them.
func (a *amplifier) enter(hook int, f any, args []any, fromTest bool) {
	h := a.hook(hook)
	h.entries++
	fn := reflect.ValueOf(f)
	if fn.Kind() != reflect.Func || fn.Type().NumIn() != len(args) || len(args) == 0 {
		h.over = true
		return
	}
	t := amplified{hook: hook, h: h, fn: fn}
	values := make([]reflect.Value, len(args))
	for i, x := range args {
		values[i] = reflect.ValueOf(x)
		t.in = append(t.in, fn.Type().In(i))
	}
	s := look(values, t.in)
	a.nodes += s.nodes
	h.nodes += s.nodes
	if s.reason != "" {
		h.ineligible[s.reason]++
		if h.inARow++; h.inARow >= hookIneligible {
			h.over = true
		}
		return
	}
	h.inARow = 0
	t.base = probe.Mix(uint64(hook)+1, probe.State(s.originals()...))
	if h.seen[t.base] {
		return
	}
	h.seen[t.base] = true
	h.inputs++
	restore := probe.Aside()
	defer restore()
	defer probe.StopClock()()
	defer probe.AllocateAtMost(largestAllocation)()
	// A recursion that its fuel does not end soon enough should not fill the
	// memory: the process ends, and the call is left out the next time.
	defer debug.SetMaxStack(debug.SetMaxStack(maxStack))
	if fromTest {
		a.learn(values)
	}
	for m := 0; m < h.share() && !a.spent() && !h.over; m++ {
		a.mutation(&t, s, m)
		if m == 0 && a.twice(&t) {
			a.mutation(&t, s, wire.Again)
		}
	}
	a.underWay(0, 0)
	a.stock.add(s)
}

// amplified is an entry that is being amplified.
type amplified struct {
	hook int
	h    *hookCalls
	fn   reflect.Value
	in   []reflect.Type
	base uint64
}

// originals are the values as they were surveyed.
func (s *survey) originals() []reflect.Value {
	out := make([]reflect.Value, len(s.roots))
	for i, r := range s.roots {
		out[i] = reflect.NewAt(r.t, r.at).Elem()
	}
	return out
}

// twice reports whether calling the function a second time on the same copies may show something else: where
// the first call can have left something there.
func (a *amplifier) twice(t *amplified) bool {
	return !t.h.over && !a.spent() && slices.ContainsFunc(t.in, refers)
}

// mutation makes the call with mutation number m, or makes it again.
func (a *amplifier) mutation(t *amplified, s *survey, m int) {
	in := s.copy()
	a.nodes += s.nodes
	t.h.nodes += s.nodes
	if m > 0 && m != wire.Again {
		w := mutator{
			r:     NewRand(probe.Mix(probe.Mix(a.order.Seed, t.base), uint64(m))),
			plain: a.plain, stock: a.stock, roots: in, lacks: probe.Lacks,
		}
		if !w.mutate() {
			return
		}
	}
	key := probe.Mix(uint64(t.hook)+1, probe.State(in...))
	if m == wire.Again {
		key = probe.Mix(key, wire.Again)
	}
	if a.done[key] || a.skip[key] {
		return
	}
	a.done[key] = true
	a.made++
	if a.wanted != nil && !a.wanted[key] {
		return
	}
	a.underWay(key, t.hook)
	probe.Reseed()
	if a.wanted != nil {
		a.explain(t, in, key, m)
		return
	}
	before, refused := runtime.NumGoroutine(), probe.Refused()
	if m == wire.Again {
		_, ending, _, used := t.call(in, CallFuel)
		if a.work += used; ending != probe.Returned {
			return
		}
	}
	out, ending, _, used := t.call(in, CallFuel)
	a.work += used
	if refused() {
		return
	}
	c := wire.Call{Hook: t.hook, Key: key, Base: t.base, Mutation: m, Ending: ending}
	if ending == probe.Returned {
		for _, v := range t.shown(out, in) {
			c.Components = append(c.Components, guardedComponent(v))
		}
	}
	a.calls = append(a.calls, c)
	if ending == probe.Exhausted {
		if t.h.exhausted++; t.h.exhausted >= hookExhausted {
			t.h.give("its calls do not end")
		}
	}
	if lasting(before) {
		t.h.give("starts goroutines that stay")
	}
}

func (h *hookCalls) give(reason string) {
	h.over = true
	h.ineligible[reason]++
}

// lasting reports whether there are more goroutines than before, after they had
// the time to end.
func lasting(before int) bool {
	for i := 0; i < 200; i++ {
		if runtime.NumGoroutine() <= before {
			return false
		}
		runtime.Gosched()
	}
	return true
}

func (t *amplified) call(in []reflect.Value, fuel int64) (out []reflect.Value, e probe.Ending, message string, used int64) {
	e, message, used = probe.Guard(fuel, func() {
		if t.fn.Type().IsVariadic() {
			out = t.fn.CallSlice(in)
		} else {
			out = t.fn.Call(in)
		}
	})
	return out, e, message, used
}

// shown are the values that are compared: see Machine.Step.
func (t *amplified) shown(out, in []reflect.Value) []reflect.Value {
	for i, v := range in {
		if changeable(t.in[i]) {
			out = append(out, v)
		}
	}
	return out
}

// guardedComponent looks at a value, whose methods may never end.
func guardedComponent(v reflect.Value) (c wire.Component) {
	probe.Guard(CallFuel, func() { c = component(v) })
	return c
}

func (a *amplifier) explain(t *amplified, in []reflect.Value, key uint64, m int) {
	x := wire.Explained{Hook: t.hook, Key: key, Mutation: m}
	var args []wire.Lit
	for i, v := range in {
		x.Input, x.Given = append(x.Input, guardedValue(v)), append(x.Given, ownLeavesOf(v))
		args = append(args, a.wholeLiteral(v.Interface(), t.in[i]))
	}
	x.Args, x.Held = wire.AppendArgs(nil, args), look(in, t.in).locked
	var out []reflect.Value
	probe.Clear()
	drew := probe.Drew()
	if m == wire.Again {
		if _, e, _, _ := t.call(in, wire.MuchFuel); e != probe.Returned {
			return
		}
	}
	out, x.Ending, x.Message, _ = t.call(in, wire.MuchFuel)
	x.Entered, x.Drew = probe.EnteredChanges(), drew()
	if x.Ending == probe.Returned {
		for _, v := range t.shown(out, in) {
			x.Output, x.Leaves = append(x.Output, guardedValue(v)), append(x.Leaves, leavesOf(v))
		}
	}
	a.explained = append(a.explained, x)
}

// guardedValue is explainValue for a value whose methods may never end.
func guardedValue(v reflect.Value) (x wire.ValueAnswer) {
	probe.Guard(CallFuel, func() { explainValue(&x, v) })
	return x
}

// learn takes texts and numbers that a test gave into the dictionary.
func (a *amplifier) learn(values []reflect.Value) {
	for _, v := range values {
		for v.IsValid() && v.Kind() == reflect.Interface {
			v = v.Elem()
		}
		if !v.IsValid() || len(a.learned) >= learnedTexts {
			continue
		}
		text := ""
		switch {
		case v.Kind() == reflect.String:
			text = v.String()
		case v.Kind() == reflect.Slice && v.Type().Elem().Kind() == reflect.Uint8:
			text = string(v.Bytes())
		case v.CanInt():
			a.plain.AddNumber(wire.NearTests, v.Int())
			continue
		}
		if text != "" && !a.learned[text] {
			a.learned[text] = true
			a.plain.AddText(wire.NearTests, text)
		}
	}
}

// dictionary holds what generated files register.
var dictionary literals

type literals struct {
	texts   [wire.Nears][]string
	numbers [wire.Nears][]int64
}

// Texts registers literals of the code, the tests or the change.
func Texts(near int, texts ...string) {
	dictionary.texts[near] = append(dictionary.texts[near], texts...)
}

// Numbers registers likewise.
func Numbers(near int, numbers ...int64) {
	dictionary.numbers[near] = append(dictionary.numbers[near], numbers...)
}

func (l *literals) plain() *Plain {
	p := NewPlain()
	for near := 0; near < wire.Nears; near++ {
		for _, s := range l.texts[near] {
			p.AddText(near, s)
		}
		for _, n := range l.numbers[near] {
			p.AddNumber(near, n)
		}
	}
	return p
}

// report is what the parent gets.
func (a *amplifier) report() []byte {
	if a.wanted != nil {
		b, _ := json.Marshal(a.explained)
		return b
	}
	return wire.EncodeCalls(a.calls, a.left())
}

func (a *amplifier) left() []wire.Ineligible {
	var out []wire.Ineligible
	for n, h := range a.hooks {
		for reason, count := range h.ineligible {
			out = append(out, wire.Ineligible{Hook: n, Reason: reason, Count: count})
		}
	}
	sort.Slice(out, func(i, j int) bool {
		if out[i].Hook != out[j].Hook {
			return out[i].Hook < out[j].Hook
		}
		return out[i].Reason < out[j].Reason
	})
	return out
}

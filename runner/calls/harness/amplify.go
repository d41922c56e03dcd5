//go:build go1.21

package harness

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"os"
	"reflect"
	"runtime"
	"runtime/debug"
	"sort"

	probe "github.com/isodelta/isodelta/runner/probe"
)

// A Call is one call of our own on copies of what a hooked function was given.
// Both versions make the same call where Hook and Key are the same.
type Call struct {
	Hook       int
	Key        uint64 // digest of function and input, as mutated
	Base       uint64 // digest of function and input, as the test gave it
	Mutation   int    // 0 is none
	Ending     probe.Ending
	Components []Component // results, then what the call may have changed; none unless it returned
}

// Ineligible counts entries of a function that could not be amplified.
type Ineligible struct {
	Hook   int
	Reason string
	Count  int
}

// Explained tells one call in words.
type Explained struct {
	Hook     int
	Key      uint64
	Mutation int
	Ending   probe.Ending
	Message  string // of a panic
	// Input has a text for each argument, the receiver first.
	Input []ValueAnswer
	// Args are the arguments as literals, with holes for what is none: see
	// Literals.
	Args []byte
	// Output has a text for each component.
	Output []ValueAnswer
}

// Literals decodes Args; whole says that there is no hole in them.
func (e Explained) Literals() (args []Lit, whole bool, err error) {
	r := reader{b: e.Args}
	for k := r.count(maxArgs); k > 0; k-- {
		args = append(args, r.lit(0))
	}
	if r.bad || len(r.b) > 0 {
		return nil, false, errCalls
	}
	whole = true
	for i := range args {
		Program{Step{Args: args[i : i+1]}}.Walk(func(_ int, l *Lit) { whole = whole && l.Form != Hole })
	}
	return args, whole, nil
}

// Limits of amplifying, for one iteration.
const (
	usualCalls     = 20_000
	hookInputs     = 60        // different ones, of one function
	hookEntries    = 3000      // looked at, of one function
	hookIneligible = 200       // in a row, before a function is given up
	mutations      = 8         // of one input at least, the unchanged one counted; see share
	hookExhausted  = 20        // calls that did not end, before a function is given up
	maxStack       = 64 << 20  // bytes, in a call
	maxWork        = 200 << 20 // conditions evaluated in all calls: a second or two
	hookNodes      = 300_000   // looked at or copied, of one function
	maxNodes       = 3_000_000 // likewise, of all functions
	learnedTexts   = 500       // from what tests give
	maxCalls       = 1 << 20   // decoded
)

// amplifier calls hooked functions again, on copies.
type amplifier struct {
	*Registry
	order   probe.Order
	most    int
	skip    map[uint64]bool // banned
	wanted  map[uint64]bool // to be explained; nil where calls are recorded
	hooks   map[int]*hookCalls
	done    map[uint64]bool
	made    int
	work    int64 // conditions evaluated
	nodes   int   // looked at
	calls   []Call
	told    []Explained
	stock   stock
	plain   *Plain
	learned map[string]bool
	file    *os.File
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
		Registry: r, order: o, most: o.Most, skip: map[uint64]bool{}, hooks: map[int]*hookCalls{},
		done: map[uint64]bool{}, stock: newStock(), plain: dictionary.plain(), learned: map[string]bool{}, file: file,
	}
	if a.most <= 0 {
		a.most = usualCalls
	}
	for _, k := range o.Ban {
		a.skip[k] = true
	}
	if o.Mode == modeExplain {
		a.wanted = map[uint64]bool{}
		for _, k := range o.Keys {
			a.wanted[k] = true
		}
	}
	return a
}

// HookKey is the key to ban for a function that is not to be called at all.
func HookKey(hook int) uint64 { return probe.Mix(0x686f6f6b, uint64(hook)) }

// underWay notes the key and the function of the call that begins, 0 when all
// are through.
func (a *amplifier) underWay(key uint64, hook int) {
	if a.file != nil {
		var b [16]byte
		binary.LittleEndian.PutUint64(b[:], key)
		binary.LittleEndian.PutUint64(b[8:], uint64(hook))
		a.file.WriteAt(b[:], 0)
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
		h = &hookCalls{seen: map[uint64]bool{}, ineligible: map[string]int{}, over: a.skip[HookKey(n)]}
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
	return a.made >= a.most || a.work >= maxWork || a.nodes >= maxNodes
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
	// A recursion that its fuel does not end soon enough should not fill the
	// memory: the process ends, and the call is left out the next time.
	defer debug.SetMaxStack(debug.SetMaxStack(maxStack))
	if fromTest {
		a.learn(values)
	}
	for m := 0; m < h.share() && !a.spent() && !h.over; m++ {
		a.mutation(&t, s, m)
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

// mutation makes the call with mutation number m.
func (a *amplifier) mutation(t *amplified, s *survey, m int) {
	in := s.copy()
	a.nodes += s.nodes
	t.h.nodes += s.nodes
	if m > 0 {
		w := mutator{
			r:     NewRand(probe.Mix(probe.Mix(a.order.Seed, t.base), uint64(m))),
			plain: a.plain, stock: a.stock, roots: in,
		}
		if !w.mutate() {
			return
		}
	}
	key := probe.Mix(uint64(t.hook)+1, probe.State(in...))
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
	before := runtime.NumGoroutine()
	out, ending, _, used := t.call(in)
	a.work += used
	c := Call{Hook: t.hook, Key: key, Base: t.base, Mutation: m, Ending: ending}
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

func (t *amplified) call(in []reflect.Value) (out []reflect.Value, e probe.Ending, message string, used int64) {
	e, message, used = probe.Guard(callFuel, func() {
		if t.fn.Type().IsVariadic() {
			out = t.fn.CallSlice(in)
		} else {
			out = t.fn.Call(in)
		}
	})
	return out, e, message, used
}

// shown are the values that are compared: see machine.step.
func (t *amplified) shown(out, in []reflect.Value) []reflect.Value {
	for i, v := range in {
		if changeable(t.in[i]) {
			out = append(out, v)
		}
	}
	return out
}

// guardedComponent looks at a value, whose methods may never end.
func guardedComponent(v reflect.Value) (c Component) {
	probe.Guard(callFuel, func() { c = component(v) })
	return c
}

func (a *amplifier) explain(t *amplified, in []reflect.Value, key uint64, m int) {
	x := Explained{Hook: t.hook, Key: key, Mutation: m}
	var args []Lit
	for i, v := range in {
		x.Input = append(x.Input, tell(v))
		args = append(args, a.literal(v.Interface(), t.in[i]))
	}
	x.Args = encodeArgs(nil, args)
	var out []reflect.Value
	out, x.Ending, x.Message, _ = t.call(in)
	if x.Ending == probe.Returned {
		for _, v := range t.shown(out, in) {
			x.Output = append(x.Output, tell(v))
		}
	}
	a.told = append(a.told, x)
}

func tell(v reflect.Value) (x ValueAnswer) {
	probe.Guard(callFuel, func() { x.tell(v) })
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
			a.plain.AddNumber(NearTests, v.Int())
			continue
		}
		if text != "" && !a.learned[text] {
			a.learned[text] = true
			a.plain.AddText(NearTests, text)
		}
	}
}

// dictionary holds what generated files register.
var dictionary literals

type literals struct {
	texts   [nears][]string
	numbers [nears][]int64
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
	for near := 0; near < nears; near++ {
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
		b, _ := json.Marshal(a.told)
		return b
	}
	return EncodeCalls(a.calls, a.left())
}

func (a *amplifier) left() []Ineligible {
	var out []Ineligible
	for n, h := range a.hooks {
		for reason, count := range h.ineligible {
			out = append(out, Ineligible{n, reason, count})
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

// EncodeCalls writes calls, and what could not be called, for the parent.
func EncodeCalls(calls []Call, left []Ineligible) []byte {
	b := binary.AppendUvarint(nil, uint64(len(calls)))
	for _, c := range calls {
		b = binary.AppendUvarint(b, uint64(c.Hook))
		b = binary.LittleEndian.AppendUint64(b, c.Key)
		b = binary.LittleEndian.AppendUint64(b, c.Base)
		b = binary.AppendUvarint(b, uint64(c.Mutation))
		b = append(b, byte(c.Ending))
		b = appendComponents(b, c.Components)
	}
	b = binary.AppendUvarint(b, uint64(len(left)))
	for _, x := range left {
		b = binary.AppendUvarint(b, uint64(x.Hook))
		b = binary.AppendUvarint(b, uint64(len(x.Reason)))
		b = append(b, x.Reason...)
		b = binary.AppendUvarint(b, uint64(x.Count))
	}
	return b
}

var errCalls = errors.New("damaged calls from the test process")

// DecodeCalls reads what EncodeCalls wrote.
func DecodeCalls(b []byte) ([]Call, []Ineligible, error) {
	r := reader{b: b}
	var calls []Call
	for n := r.count(maxCalls); n > 0 && !r.bad; n-- {
		c := Call{Hook: r.count(maxRecordHook)}
		c.Key, c.Base = r.u64(), r.u64()
		c.Mutation, c.Ending = r.count(1<<16), probe.Ending(r.byte())
		c.Components = r.components()
		calls = append(calls, c)
	}
	var left []Ineligible
	for n := r.count(maxCalls); n > 0 && !r.bad; n-- {
		left = append(left, Ineligible{r.count(maxRecordHook), r.str(), r.count(1 << 30)})
	}
	if r.bad || len(r.b) > 0 {
		return nil, nil, errCalls
	}
	return calls, left, nil
}

func (r *reader) u64() uint64 {
	low := uint64(r.u32())
	return low | uint64(r.u32())<<32
}

// DecodeExplained reads the answer to an order to explain.
func DecodeExplained(b []byte) ([]Explained, error) {
	var out []Explained
	if err := json.Unmarshal(b, &out); err != nil {
		return nil, errCalls
	}
	return out, nil
}

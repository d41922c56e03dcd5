//go:build go1.21

package harness

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"runtime/debug"
	"sort"
	"time"

	probe "github.com/isodelta/isodelta/runner/probe"
)

// Frames that the parent sends. A frame is its length (four bytes, little
// endian, the kind counted), its kind, and its payload.
const (
	FrameSetup   = 'S' // JSON of Setup; answered by FrameReady
	FrameLead    = 'L' // number of programs (uvarint): make and run them
	FrameFollow  = 'F' // programs: run them
	FrameSweep   = 'W' // number, step and component (uvarints), then a program: make that many that look at this value
	FrameSeeds   = 'R' // programs, perhaps with holes: make them whole, run them
	FrameExplain = 'X' // JSON of Question; answered by JSON of Answer
	FrameStats   = 'Z' // answered by JSON of Stats
	FrameReady   = 'r'
	FrameTraces  = 't' // answer to the rest: see EncodeBatch
)

// Setup is what a process has to know first.
type Setup struct {
	Seed    uint64
	Texts   [3][]string
	Numbers [3][]int64
	Floats  []string // as strconv writes them
	Roles   map[int]Role
	Banned  []uint64      // hashes of programs that ended a process
	Caps    map[int]int64 // largest number for an operation
	// Exclude are operations never to be called.
	Exclude []int
	// BadTexts are not to be used, nor numbers larger than Most (0: any).
	BadTexts []string
	// Fuel is how many conditions one call may evaluate; 0 for the usual number.
	Fuel int64
	Most int64
}

// Ready tells what the process can name.
type Ready struct {
	Ops   []string
	Types []string
}

// Stats tells what the process has done so far.
type Stats struct {
	Entered []int // programs by the member of Δ that they executed
}

// Question asks for one program in detail; where Place is given, also for the
// program as Go source and for the ways to look at the place.
type Question struct {
	Program []byte
	Place   *Place
}

// Answer tells what it did.
type Answer struct {
	Invalid bool
	Steps   []StepAnswer
	After   []ValueAnswer
	Entered []int // members of Δ
	// Branches taken, and Code and Views, answer a question with a place;
	// NoCode says why there is none.
	Branches []int
	Code     Code
	Views    Views
	NoCode   string
}

// StepAnswer is one step.
type StepAnswer struct {
	Op         string
	Ending     int
	Message    string
	NilArgs    bool // see StepTrace
	Components []ValueAnswer
}

// ValueAnswer is one component.
type ValueAnswer struct {
	Name         string
	Step, Result int // where it can be found again: a result of a step, or
	Arg          int // an argument of it; -1 for none
	Text         string
	Category     string // e: an error, n: nil, z: empty, v: any other value
	Type         string
}

// Serve answers the parent until it has no more to ask, and then ends the
// process. It returns at once where there is no parent.
func Serve() {
	if !probe.Connected() {
		return
	}
	in, out := probe.Wire()
	s := &server{in: in, out: bufio.NewWriterSize(out, 1<<16), m: &machine{Registry: registry}}
	registry.seal()
	// A recursion without end is told early, and without filling the memory.
	debug.SetMaxStack(stackLimit)
	if dir := os.Getenv("TMPDIR"); dir != "" {
		s.note, _ = os.Create(filepath.Join(dir, underWay))
	}
	for s.answer() {
	}
	os.Exit(0)
}

const stackLimit = 96 << 20

// underWay names the file that holds the program being run, should it end the
// process.
const underWay = "isodelta-program"

type server struct {
	in   io.Reader
	out  *bufio.Writer
	note *os.File
	m    *machine
	g    *generator
	buf  []byte
	enc  []byte
}

const mostFrame = 64 << 20

func (s *server) answer() bool {
	var head [5]byte
	if _, err := io.ReadFull(s.in, head[:]); err != nil {
		return false
	}
	n := binary.LittleEndian.Uint32(head[:4])
	if n < 1 || n > mostFrame {
		return false
	}
	payload := make([]byte, n-1)
	if _, err := io.ReadFull(s.in, payload); err != nil {
		return false
	}
	s.buf = s.buf[:0]
	kind := byte(FrameTraces)
	switch head[4] {
	case FrameSetup:
		kind = FrameReady
		s.setup(payload)
	case FrameLead:
		n, _ := binary.Uvarint(payload)
		s.lead(int(n))
	case FrameFollow:
		s.follow(payload)
	case FrameSeeds:
		s.seeds(payload)
	case FrameSweep:
		s.sweep(payload)
	case FrameStats:
		kind = FrameStats
		s.json(Stats{Entered: s.m.entered})
	case FrameExplain:
		kind = FrameExplain
		s.explain(payload)
	default:
		return false
	}
	binary.LittleEndian.PutUint32(head[:4], uint32(len(s.buf)+1))
	head[4] = kind
	s.out.Write(head[:])
	s.out.Write(s.buf)
	return s.out.Flush() == nil
}

func (s *server) json(v any) {
	b, err := json.Marshal(v)
	if err != nil {
		b = []byte("{}")
	}
	s.buf = append(s.buf, b...)
}

func (s *server) setup(payload []byte) {
	var c Setup
	if err := json.Unmarshal(payload, &c); err != nil {
		s.json(Ready{})
		return
	}
	for i, r := range c.Roles {
		if i >= 0 && i < len(registry.Ops) {
			registry.Ops[i].Role = r
		}
	}
	plain := NewPlain()
	for near := range c.Texts {
		for _, t := range c.Texts[near] {
			plain.AddText(near, t)
		}
		for _, n := range c.Numbers[near] {
			plain.AddNumber(near, n)
		}
	}
	for _, f := range c.Floats {
		plain.addFloat(f)
	}
	for _, i := range c.Exclude {
		if i >= Builtins && i < len(registry.Ops) {
			registry.Ops[i].excluded = true
		}
	}
	s.m.fuel = c.Fuel
	s.g = newGenerator(s.m, plain, c.Seed)
	for _, h := range c.Banned {
		s.g.banned[h] = true
	}
	s.g.bad, s.g.most = map[string]bool{}, c.Most
	for _, t := range c.BadTexts {
		s.g.bad[t] = true
	}
	for op, most := range c.Caps {
		s.g.caps[op] = most
	}
	r := Ready{}
	for _, op := range registry.Ops {
		r.Ops = append(r.Ops, op.Name)
	}
	for _, t := range registry.Types {
		r.Types = append(r.Types, t.String())
	}
	s.json(r)
}

// execute runs a program and appends it and its trace to the answer.
func (s *server) execute(p Program) {
	s.enc = p.Encode(s.enc[:0])
	if s.note != nil {
		var size [4]byte
		binary.LittleEndian.PutUint32(size[:], uint32(len(s.enc)))
		s.note.WriteAt(append(size[:], s.enc...), 0)
	}
	begin := time.Now()
	t := s.m.run(p)
	if s.g != nil {
		s.g.learn(p, &t)
		if time.Since(begin) > slowProgram {
			s.g.slow(p)
		}
	}
	s.buf = binary.AppendUvarint(s.buf, uint64(len(s.enc)))
	s.buf = append(s.buf, s.enc...)
	s.buf = t.encode(s.buf)
}

// slowProgram is how long a program may take before its operations get smaller
// numbers: work in code that is not instrumented has no other limit.
const slowProgram = 20 * time.Millisecond

func (s *server) lead(n int) {
	if s.g == nil {
		return
	}
	for i := 0; i < n; i++ {
		if p := s.g.next(); p != nil {
			s.execute(p)
		}
	}
}

func (s *server) follow(payload []byte) {
	for len(payload) > 0 {
		p, rest, err := Decode(payload)
		if err != nil {
			return
		}
		payload = rest
		s.execute(p)
	}
}

func (s *server) seeds(payload []byte) {
	done := map[uint64]bool{}
	try := func(p Program) {
		h := p.Hash()
		if len(p) == 0 || len(p) > mostSteps || done[h] || s.g.banned[h] {
			return
		}
		done[h] = true
		s.execute(p)
		s.g.remember(p)
	}
	for len(payload) > 0 {
		p, rest, err := Decode(payload)
		if err != nil {
			return
		}
		payload = rest
		p = s.g.seed(p)
		// Each call with what it needs, and all of them one after the other:
		// the first is the better beginning, the second leads to more states.
		for i := range p {
			q, _ := p.Slice(i)
			try(q)
		}
		try(p)
	}
}

// sweep makes programs that look at one value: its hidden state differs, so
// something visible may.
func (s *server) sweep(payload []byte) {
	r := reader{b: payload}
	n, step, component := r.count(1000), r.count(mostSteps), r.count(mostArgs)
	p, _, err := Decode(r.b)
	if err != nil || r.bad || s.g == nil || step >= len(p) || p[step].Op >= len(s.m.Ops) {
		return
	}
	_, result, arg := s.m.Ops[p[step].Op].componentName(component)
	at := RefTo(step, result)
	if arg >= 0 && arg < len(p[step].Args) {
		at = p[step].Args[arg]
	}
	if at.Form != Ref || at.N < 0 || int(at.N) >= len(p) {
		return
	}
	outs := s.m.outs(p[at.N])
	if at.U < 0 || at.U >= len(outs) {
		return
	}
	users := append([]maker(nil), s.g.users(outs[at.U])...)
	if len(users) == 0 {
		return
	}
	// Those that only look come first.
	sort.SliceStable(users, func(i, j int) bool {
		return len(s.m.Ops[users[i].op].In) < len(s.m.Ops[users[j].op].In)
	})
	for i := 0; i < n; i++ {
		u := users[i%len(users)]
		b := s.g.builder(p.Clone())
		if !b.callWith(u.op, u.result, at) {
			continue
		}
		if i >= len(users) && s.g.r.Chance(50) {
			b.further()
		}
		if len(b.p) <= mostSteps && !s.g.banned[b.p.Hash()] {
			s.execute(b.p)
		}
	}
}

func (s *server) explain(payload []byte) {
	var q Question
	var a Answer
	if json.Unmarshal(payload, &q) != nil {
		s.json(a)
		return
	}
	p, _, err := Decode(q.Program)
	if err != nil {
		a.Invalid = true
		s.json(a)
		return
	}
	var branches []int
	if q.Place != nil {
		s.m.run(p)
		branches = probe.CoveredBranches()
	}
	a = s.m.explain(p)
	a.Branches = branches
	if q.Place != nil {
		a.describe(s.m.Registry, p, *q.Place)
	}
	s.json(a)
}

func (a *Answer) describe(r *Registry, p Program, at Place) {
	defer func() {
		if e := recover(); e != nil {
			a.NoCode = fmt.Sprint(e)
		}
	}()
	var err error
	if a.Code, err = r.Source(p, at); err == nil {
		a.Views, err = r.Views(p, at)
	}
	if err != nil {
		a.NoCode = err.Error()
	}
}

// explain runs a program and tells what each step showed.
func (m *machine) explain(p Program) Answer {
	t := m.run(p)
	a := Answer{Invalid: t.Invalid}
	entered := probe.EnteredChanges()
	// Values are looked at now, when all steps are through: what a later step
	// changed shows as it is then. So the steps are told one by one.
	for n := range t.Steps {
		m.run(p[:n+1])
		st := t.Steps[n]
		sa := StepAnswer{Op: m.Ops[p[n].Op].Name, Ending: int(st.Ending), Message: st.Message, NilArgs: st.NilArgs}
		op := &m.Ops[p[n].Op]
		if st.Ending == probe.Returned {
			for i := range st.Components {
				name, result, arg := op.componentName(i)
				v := ValueAnswer{Name: name, Step: n, Result: result, Arg: arg}
				switch {
				case result >= 0 && result < len(m.vars[n]):
					v.tell(m.vars[n][result])
				case arg >= 0 && arg < len(m.aside[n]):
					v.tell(m.aside[n][arg])
				}
				sa.Components = append(sa.Components, v)
			}
		}
		a.Steps = append(a.Steps, sa)
	}
	a.Entered = entered
	for i := range t.After {
		step, result := m.afterOf(p, i)
		v := ValueAnswer{Name: "value", Step: step, Result: result, Arg: -1}
		if step >= 0 {
			v.tell(m.vars[step][result])
		}
		a.After = append(a.After, v)
	}
	return a
}

func (v *ValueAnswer) tell(x reflect.Value) {
	text, category := probe.Render(x)
	v.Text, v.Category = text, string(category)
	if x.IsValid() {
		v.Type = x.Type().String()
	}
}

// encode appends a trace: flags, then the bytes that decide whether two
// versions agree, with their length.
func (t *Trace) encode(b []byte) []byte {
	flags := byte(0)
	if t.Invalid {
		flags |= 1
	}
	if t.Entered {
		flags |= 2
	}
	if t.Fresh > 0 {
		flags |= 4
	}
	b = append(b, flags)
	b = binary.LittleEndian.AppendUint32(b, t.Hidden)
	at := len(b)
	b = append(b, 0, 0, 0, 0)
	b = binary.AppendUvarint(b, uint64(len(t.Steps)))
	for _, s := range t.Steps {
		b = append(b, byte(s.Ending))
		b = appendComponents(b, s.Components)
	}
	b = appendComponents(b, t.After)
	binary.LittleEndian.PutUint32(b[at:], uint32(len(b)-at-4))
	return b
}

func appendComponents(b []byte, cs []Component) []byte {
	b = binary.AppendUvarint(b, uint64(len(cs)))
	for _, c := range cs {
		b = binary.LittleEndian.AppendUint32(b, c.Visible)
		b = binary.LittleEndian.AppendUint32(b, c.Hidden)
	}
	return b
}

// Executed is one program of a batch with what it did. Visible and hidden
// parts are compared apart: see Trace.
type Executed struct {
	Program []byte
	Entered bool
	Fresh   bool
	Invalid bool
	trace   []byte
	Hidden  uint32
}

// SameAs says whether all components agree, hidden ones included.
func (e Executed) SameAs(o Executed) bool {
	return e.Invalid == o.Invalid && bytes.Equal(e.trace, o.trace)
}

// Trace decodes what was done.
func (e Executed) Trace() Trace {
	r := reader{b: e.trace}
	t := Trace{Invalid: e.Invalid, Entered: e.Entered, Hidden: e.Hidden}
	for n := r.count(mostSteps); n > 0; n-- {
		s := StepTrace{Ending: probe.Ending(r.byte())}
		s.Components = r.components()
		t.Steps = append(t.Steps, s)
	}
	t.After = r.components()
	return t
}

func (r *reader) byte() byte {
	if len(r.b) == 0 {
		r.bad = true
		return 0
	}
	c := r.b[0]
	r.b = r.b[1:]
	return c
}

func (r *reader) u32() uint32 {
	if len(r.b) < 4 {
		r.b, r.bad = nil, true
		return 0
	}
	n := binary.LittleEndian.Uint32(r.b)
	r.b = r.b[4:]
	return n
}

func (r *reader) components() []Component {
	n := r.count(len(r.b))
	out := make([]Component, 0, n)
	for i := 0; i < n && !r.bad; i++ {
		out = append(out, Component{r.u32(), r.u32()})
	}
	return out
}

// DecodeBatch reads the payload of a FrameTraces.
func DecodeBatch(b []byte) ([]Executed, error) {
	r := reader{b: b}
	var out []Executed
	for len(r.b) > 0 {
		var e Executed
		e.Program = []byte(r.str())
		flags := r.byte()
		e.Invalid, e.Entered, e.Fresh = flags&1 != 0, flags&2 != 0, flags&4 != 0
		e.Hidden = r.u32()
		n := int(r.u32())
		if r.bad || n > len(r.b) {
			return nil, errProgram
		}
		e.trace, r.b = r.b[:n:n], r.b[n:]
		out = append(out, e)
	}
	return out, nil
}

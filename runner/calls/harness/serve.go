//go:build go1.21

package harness

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"io"
	"os"
	"runtime/debug"
	"sort"
	"time"

	"github.com/isodelta/isodelta/runner/calls/wire"
	probe "github.com/isodelta/isodelta/runner/probe"
)

// A Describer writes a sequence down as Go source up to a place, and tells how to
// look at that place, in the Code, Views and NoCode of an answer.
type Describer func(r *Registry, p wire.Sequence, at wire.Place, a *wire.Answer)

// Serve answers the parent until it has no more to ask, and then ends the
// process. It returns at once where there is no parent. Source is written by
// describe, package gosource's, which the registering file hands over: what runs
// sequences knows nothing of writing them.
func Serve(describe Describer) {
	if !probe.Connected() {
		return
	}
	in, out := probe.Wire()
	s := &server{in: in, out: bufio.NewWriterSize(out, 1<<16), note: probe.Note(), m: NewMachine(registry), describe: describe}
	if s.note != nil {
		s.m.calls = func(step int) { wire.NoteStep(s.note, step) }
	}
	registry.seal()
	for _, begin := range registers.begin {
		begin()
	}
	os.Args = os.Args[:1] // how the process was started is nothing that code should see
	if registry.prints {
		registry.outputs = probe.NewOutputs()
	}
	// A recursion without end is told early, and without filling the memory.
	debug.SetMaxStack(stackLimit)
	debug.SetGCPercent(gcPercent)
	debug.SetMemoryLimit(fullMemory / 2)
	probe.StopClock()
	probe.AllocateAtMost(largestAllocation)
	s.usage.after()
	for s.answer() {
	}
	os.Exit(0)
}

const stackLimit = 96 << 20

// gcPercent has garbage be collected less often than elsewhere: what the process holds is little mostly, and most of
// what sequences allocate lies there for one of them.
const gcPercent = 400

type server struct {
	in   io.Reader
	out  *bufio.Writer
	note *os.File
	m    *Machine
	g    *generator
	buf  []byte
	enc  []byte
	// unsent is how many executed sequences buf holds.
	unsent int

	batch    time.Duration // see wire.Setup
	usage    usage
	describe Describer
	aiming   *aim
	// passed are the branches that sequences to begin with took, by how they are encoded.
	passed map[string][]int
}

func (s *server) answer() bool {
	var head [5]byte
	if _, err := io.ReadFull(s.in, head[:]); err != nil {
		return false
	}
	n := binary.LittleEndian.Uint32(head[:4])
	if n < 1 || n > wire.MaxFrame {
		return false
	}
	payload := make([]byte, n-1)
	if _, err := io.ReadFull(s.in, payload); err != nil {
		return false
	}
	s.buf = s.buf[:0]
	kind := byte(wire.FrameTraces)
	switch head[4] {
	case wire.FrameSetup:
		kind = wire.FrameReady
		s.setup(payload)
	case wire.FrameLead:
		n, _ := binary.Uvarint(payload)
		s.lead(int(n))
	case wire.FrameFollow:
		s.follow(payload)
	case wire.FrameSeeds:
		s.seeds(payload)
	case wire.FrameSweep:
		s.sweep(payload)
	case wire.FrameStats:
		kind = wire.FrameStats
		st := wire.Stats{Entered: s.m.entered}
		if s.m.cover != nil {
			st.Branches, st.Times = s.m.cover.Branches()
		}
		s.json(st)
	case wire.FrameSources:
		s.sources(payload)
	case wire.FrameRelate:
		kind = wire.FrameRelate
		s.relate(payload)
	case wire.FrameNumbers:
		kind = wire.FrameNumbers
		s.numbers(payload)
	case wire.FrameValues:
		kind = wire.FrameValues
		s.values(payload)
	case wire.FrameAim:
		kind = wire.FrameAim
		s.aim(payload)
	case wire.FrameExplain:
		kind = wire.FrameExplain
		s.explain(payload)
	default:
		return false
	}
	return s.send(kind) == nil
}

// send sends what the buffer holds.
func (s *server) send(kind byte) error {
	var head [5]byte
	binary.LittleEndian.PutUint32(head[:4], uint32(len(s.buf)+1))
	head[4] = kind
	s.out.Write(head[:])
	s.out.Write(s.buf)
	s.buf, s.unsent = s.buf[:0], 0
	return s.out.Flush()
}

func (s *server) json(v any) {
	b, err := json.Marshal(v)
	if err != nil {
		b = []byte("{}")
	}
	s.buf = append(s.buf, b...)
}

func (s *server) setup(payload []byte) {
	var c wire.Setup
	if err := json.Unmarshal(payload, &c); err != nil {
		s.json(wire.Ready{})
		return
	}
	for i, r := range c.Roles {
		if registry.Has(i) {
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
	plain.telling, plain.tried, plain.hosts, plain.read = c.Telling, c.Tried, c.Hosts, c.Files
	plain.kinds = c.Kinds
	if len(c.Tried) > 0 {
		// The other version's process begins with another one.
		plain.turn = int(c.Seed % uint64(len(c.Tried)) * 7919)
	}
	for _, i := range c.Exclude {
		if registry.Has(i) && !i.Builtin() {
			registry.Ops[i].excluded = true
		}
	}
	for _, i := range c.Careful {
		if registry.Has(i) && !i.Builtin() {
			registry.Ops[i].careful = true
		}
	}
	for _, i := range c.Waiting {
		if registry.Has(i) && !i.Builtin() {
			registry.Ops[i].waiting = true
		}
	}
	move(c.Moved)
	s.m.near = c.Near
	s.m.fuel, s.m.short, s.batch = c.Fuel, c.Short, time.Duration(c.Batch)
	s.g = newGenerator(s.m, plain, c.Seed)
	s.g.leads = newLeads(s.m, c.Leads)
	for op, cost := range c.Costs {
		s.g.costs[op] = cost
	}
	for _, h := range c.Banned {
		s.g.banned[h] = true
	}
	s.g.bad, s.g.maxNumber = map[string]bool{}, c.Most
	for _, t := range c.BadTexts {
		s.g.bad[t] = true
	}
	for op, most := range c.Caps {
		s.g.caps[op] = most
	}
	r := wire.Ready{}
	for _, op := range registry.Ops {
		r.Ops = append(r.Ops, op.Name)
	}
	for _, t := range registry.Types {
		r.Types = append(r.Types, t.String())
	}
	for id := range registry.relations {
		r.Relations = append(r.Relations, id)
	}
	sort.Strings(r.Relations)
	for _, a := range registry.adapters {
		r.Adapters = append(r.Adapters, a.Adapter)
	}
	s.json(r)
}

// execute runs a sequence and appends it and its trace to the answer.
func (s *server) execute(p wire.Sequence) {
	s.noteDown(p)
	begin := cpuTime()
	t := s.m.Run(p)
	allocated := s.usage.after()
	t.Full = s.usage.full
	if s.g != nil {
		s.g.learn(p, &t)
		took := cpuTime() - begin
		if s.batch > 0 {
			s.g.costs.Learn(p, took)
			t.Took = uint32(took / time.Microsecond)
		}
		if took > slowSequence || allocated > largeSequence || s.m.greedy {
			s.g.slow(p)
			t.Slow = s.batch > 0
		}
	}
	s.buf = wire.AppendExecuted(s.buf, s.enc, &t)
	if s.unsent++; s.unsent == perPart && s.out != nil {
		_ = s.send(wire.FramePart) // the rest of the answer fails, too, then
	}
}

// perPart is how many sequences are sent at once: a process that ends takes no more with it.
const perPart = 8

// noteDown keeps the sequence that is run next where the parent finds it, should
// it end the process.
func (s *server) noteDown(p wire.Sequence) {
	s.enc = p.Encode(s.enc[:0])
	if s.note != nil {
		wire.NoteSequence(s.note, s.enc)
	}
}

// slowSequence is how much processor time a sequence may take before its operations get smaller
// numbers: work in code that is not instrumented has no other limit.
const slowSequence = 20 * time.Millisecond

// batchOver is timeOver for the processor time that the parent gives a batch. One that has such a limit ends,
// too, where the process holds too much memory.
func (s *server) batchOver() func() bool {
	over := timeOver(s.batch)
	return func() bool { return over() || s.batch > 0 && s.usage.full }
}

// timeOver returns what reports whether so much processor time has passed from now on;
// 0 is any amount. It is asked before each sequence, and lets the first one pass.
func timeOver(limit time.Duration) func() bool {
	end, begun := cpuTime()+limit, false
	return func() bool {
		over := begun && limit > 0 && cpuTime() > end
		begun = true
		return over
	}
}

func (s *server) lead(n int) {
	if s.g == nil {
		return
	}
	over := s.batchOver()
	next := s.g.next
	if s.batch > 0 {
		next = s.g.affordable
	}
	for i := 0; i < n && !over(); i++ {
		if p := next(); p != nil {
			s.execute(p)
		}
	}
}

func (s *server) follow(payload []byte) {
	for over := s.batchOver(); len(payload) > 0 && !over(); {
		p, rest, err := wire.Decode(payload)
		if err != nil {
			return
		}
		payload = rest
		s.execute(p)
	}
}

func (s *server) seeds(payload []byte) {
	done := map[uint64]bool{}
	try := func(p wire.Sequence) {
		h := p.Hash()
		if len(p) == 0 || len(p) > wire.MaxSteps || done[h] || s.g.banned[h] {
			return
		}
		done[h] = true
		s.execute(p)
		s.g.remember(p)
	}
	for over := s.batchOver(); len(payload) > 0 && !over(); {
		p, rest, err := wire.Decode(payload)
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

// sweep makes sequences that look at one value: its hidden state differs, so
// something visible may.
func (s *server) sweep(payload []byte) {
	q, err := wire.DecodeSweep(payload)
	p, step := q.Sequence, q.Step
	if err != nil || s.g == nil || !s.m.Has(p[step].Op) {
		return
	}
	_, result, arg := s.m.Ops[p[step].Op].ComponentName(q.Component)
	at := wire.RefTo(step, result)
	if arg >= 0 && arg < len(p[step].Args) {
		at = p[step].Args[arg]
	}
	if at.Form != wire.Ref || at.N < 0 || int(at.N) >= len(p) {
		return
	}
	outs := s.m.Outs(p[at.N])
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
	over := s.batchOver()
	for i := 0; i < q.Count && !over(); i++ {
		u := users[i%len(users)]
		b := s.g.builder(p.Clone())
		if !b.callWith(u.op, u.result, at) {
			continue
		}
		if i >= len(users) && s.g.r.Chance(50) {
			b.further()
		}
		if len(b.p) <= wire.MaxSteps && !s.g.banned[b.p.Hash()] {
			s.execute(b.p)
		}
	}
}

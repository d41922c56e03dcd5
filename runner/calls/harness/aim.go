//go:build go1.21

package harness

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/isodelta/isodelta/runner/calls/wire"
	probe "github.com/isodelta/isodelta/runner/probe"
)

// aim searches for a sequence that takes a branch. It is led by where executions part
// from the way to the branch, and by what was compared there.
type aim struct {
	*server
	m     *Machine
	q     wire.Aim
	sight sight
	goals map[int]bool // those not taken yet
	done  bool         // the first one is taken often enough
	// takers take the first goal: the one that the search found, and what was made of it.
	takers []*attempt
	runs   int
	tried  map[uint64]bool
	pool   []*attempt
	blind  map[wire.Op]int // attempts in it that are near nothing, by the last call
	paths  map[uint64]bool // partings with the path that led there

	answer wire.Aimed
	turn   chan bool // true: go on; to be received where the search waits
	wait   chan bool // receives where the search has given way, or has ended
	slice  int64     // processor time at which it is to give way
}

// attempt is a sequence that was run, with how close it came.
type attempt struct {
	p    wire.Sequence // spelled out
	main parting
	part parting // from a lesser objective, if there was one
	path []decision
	// watched are the operands at a condition that was watched.
	watched []probe.Operands
	visits  int
}

const (
	// aimSlice is how much processor time one answer may take.
	aimSlice = 200 * time.Millisecond
	// aimFuel is the work that one call may do: a search makes many, and few need much.
	aimFuel = 40_000
	// maxPool bounds the attempts that are kept.
	maxPool = 96
	// maxBlind bounds those of one operation that came near nothing.
	maxBlind = 2
)

// aim answers a question about a goal: it goes on with the search, or begins one.
func (s *server) aim(payload []byte) {
	var q wire.Aim
	if json.Unmarshal(payload, &q) != nil || s.g == nil {
		s.json(wire.Aimed{Done: true, Failed: "not understood"})
		return
	}
	if !q.More {
		if s.aiming != nil && !s.aiming.answer.Done {
			s.aiming.turn <- false
			<-s.aiming.wait
		}
		s.aiming = s.begin(q)
	}
	a := s.aiming
	if a == nil {
		s.json(wire.Aimed{Done: true, Failed: "no search to go on with"})
		return
	}
	if !a.answer.Done {
		a.slice = int64(cpuTime() + aimSlice)
		a.turn <- true
		<-a.wait
	}
	a.answer.Runs = a.runs
	a.answer.Nearest = a.nearest()
	s.json(a.answer)
	a.answer.Taken = nil
}

func (s *server) begin(q wire.Aim) *aim {
	a := &aim{server: s, m: s.m, q: q, goals: map[int]bool{}, tried: map[uint64]bool{}, paths: map[uint64]bool{}, blind: map[wire.Op]int{},
		turn: make(chan bool), wait: make(chan bool)}
	if s.passed == nil {
		s.passed = map[string][]int{}
	}
	for _, g := range q.Goals {
		a.goals[g] = true
	}
	most := 0
	for i := range q.Ahead {
		most = max(most, i+1)
	}
	a.sight.goal.ahead = make([]int32, 2*most)
	a.sight.count = make([]uint16, most)
	for i := range a.sight.goal.ahead {
		a.sight.goal.ahead[i] = -1
	}
	for i, ways := range q.Ahead {
		a.sight.goal.ahead[2*i], a.sight.goal.ahead[2*i+1] = int32(ways[0]), int32(ways[1])
	}
	a.sight.watch = -1
	s.g.r = NewRand(q.Seed)
	// The search waits in the middle of what it does until the parent asks for more, so
	// it has a goroutine of its own. Only one of the two runs at a time.
	go func() {
		if <-a.turn {
			a.guarded()
		}
		a.answer.Done = true
		a.wait <- true
	}()
	return a
}

type aimOver struct{}

// guarded searches until the goal is taken or enough was tried.
func (a *aim) guarded() {
	defer func() {
		probe.Trace(nil)
		switch r := recover().(type) {
		case nil, aimOver:
		default:
			a.answer.Failed = fmt.Sprint(r)
		}
	}()
	a.search()
}

// perWitness bounds the executions for each further sequence that takes the goal.
const perWitness = 25

// witnesses changes what takes the goal, for more that does. Inputs that are alike differ
// in what follows the branch.
func (a *aim) witnesses() {
	most := a.runs + perWitness*a.q.Witnesses
	for a.runs < most {
		before := a.runs
		for i := 0; i < 8; i++ {
			a.mutant(a.takers[a.server.g.r.Intn(len(a.takers))])
		}
		if a.runs == before {
			most-- // nothing new came of it
		}
	}
}

// run executes a sequence, unless it was tried before; nil then.
func (a *aim) run(p wire.Sequence) *attempt {
	if len(p) == 0 || len(p) > wire.MaxSteps {
		return nil
	}
	h := p.Hash()
	if a.tried[h] || a.server.g.banned[h] {
		return nil
	}
	if len(a.tried) > maxRan {
		clear(a.tried)
	}
	a.tried[h] = true
	if a.done || a.runs >= a.q.Most {
		panic(aimOver{})
	}
	a.runs++
	if a.runs%16 == 0 && int64(cpuTime()) > a.slice {
		a.wait <- true
		if !<-a.turn {
			panic(aimOver{})
		}
	}
	a.noteDown(p)
	a.sight.reset()
	ran := a.execute(p)
	if ran < 0 {
		return nil
	}
	t := &attempt{p: p, main: a.sight.main, part: a.sight.part, path: append([]decision(nil), a.sight.path...), watched: a.sight.watched}
	a.keep(t)
	return t
}

// execute runs the steps and looks after each for goals that were taken. It returns how
// many steps ran, -1 where the sequence cannot be built.
func (a *aim) execute(p wire.Sequence) int {
	ran := -1
	a.m.InTest(p, func() { ran = a.executeIn(p) })
	return ran
}

func (a *aim) executeIn(p wire.Sequence) int {
	m := a.m
	probe.Clear()
	Restore()
	m.RemoveFolders()
	m.stopWaiting()
	m.Vars, m.Args = m.Vars[:0], m.Args[:0]
	fuel := m.fuel
	m.fuel = aimFuel
	probe.Trace(a.sight.decided)
	defer func() {
		probe.Trace(nil)
		m.fuel = fuel
	}()
	before := len(a.takers)
	for i, s := range p {
		st, err := m.invoke(s)
		if err != nil {
			return -1
		}
		for k, g := range a.q.Goals {
			again := k == 0 && len(a.takers) > before // by an earlier step
			if a.goals[g] && !again && probe.Took(g) {
				a.took(g, p, i)
			}
		}
		if st.Ending != probe.Returned {
			return i + 1
		}
	}
	return len(p)
}

// took notes a goal down that step i takes.
func (a *aim) took(goal int, p wire.Sequence, i int) {
	// What earlier steps left behind in values counts, too.
	a.answer.Taken = append(a.answer.Taken, wire.Taken{Goal: goal, Runs: a.runs, Sequence: p[:i+1].Encode(nil)})
	if goal == a.q.Goals[0] {
		a.takers = append(a.takers, &attempt{p: p[:i+1].Clone()})
		if a.done = len(a.takers) > a.q.Witnesses; !a.done {
			return
		}
	}
	delete(a.goals, goal)
}

// keep keeps an attempt that came closer than others, or there by another way.
func (a *aim) keep(t *attempt) {
	if t.main.level == far {
		// Nothing that leads there was decided on. A few calls are changed all the same.
		if op := t.p[len(t.p)-1].Op; a.blind[op] < maxBlind && len(a.pool) < maxPool {
			a.blind[op]++
			a.pool = append(a.pool, t)
		}
		return
	}
	h := probe.Mix(uint64(t.main.condition), uint64(t.main.level))
	for i, d := range t.path {
		if i >= t.main.at || i >= 256 {
			break
		}
		h = probe.Mix(h, uint64(d.condition)<<1|uint64(bit(d.outcome)))
	}
	at := len(a.pool)
	for at > 0 && t.main.better(a.pool[at-1].main.nearness) {
		at--
	}
	if a.paths[h] && at > 2 || at >= maxPool {
		return
	}
	a.paths[h] = true
	a.pool = append(a.pool, nil)
	copy(a.pool[at+1:], a.pool[at:])
	a.pool[at] = t
	if len(a.pool) > maxPool {
		a.pool = a.pool[:maxPool]
	}
}

func bit(b bool) int {
	if b {
		return 1
	}
	return 0
}

// nearest tells what came closest.
func (a *aim) nearest() *wire.Approach {
	if len(a.pool) == 0 || a.pool[0].main.level == far {
		return nil
	}
	t := a.pool[0]
	n := &wire.Approach{Ahead: int(t.main.level), Condition: t.main.condition, Outcome: !t.main.wanted, Sequence: t.p.Encode(nil)}
	if k := len(t.main.operands); k > 0 {
		n.Operands = operandsText(t.main.operands[k-1])
	}
	return n
}

func operandsText(o probe.Operands) string {
	switch o.Kind {
	case probe.Texts:
		return fmt.Sprintf("%.40q and %.40q", o.S, o.T)
	case probe.Floats:
		return fmt.Sprintf("%v and %v", o.X, o.Y)
	case probe.Unsigned:
		return fmt.Sprintf("%d and %d", uint64(o.A), uint64(o.B))
	}
	return fmt.Sprintf("%d and %d", o.A, o.B)
}

const (
	perOp      = 6  // sequences made of an operation at first
	perBurst   = 48 // made at random, in between
	perMutants = 40 // changed at random, of one attempt
	maxVisits  = 12
)

// search goes from attempt to attempt, the nearest first, and makes new ones at random
// in between.
func (a *aim) search() {
	a.seeds()
	for n := 0; n < perOp; n++ {
		for _, op := range a.q.Ops {
			a.fresh(op)
		}
	}
	for round := 0; ; round++ {
		if len(a.takers) > 0 {
			a.witnesses()
			return
		}
		if t := a.choose(); t != nil {
			t.visits++
			if t.visits == 1 {
				if a.improve(t) {
					continue
				}
			} else {
				a.mutants(t)
			}
		}
		a.burst(round)
	}
}

// choose takes the nearest attempt that was not looked at yet, else one of the nearest
// in turn.
func (a *aim) choose() *attempt {
	best := (*attempt)(nil)
	for i, t := range a.pool {
		if t.visits == 0 && i < 12 {
			return t
		}
		if t.visits <= maxVisits && (best == nil || t.visits < best.visits) && i < 24 {
			best = t
		}
	}
	return best
}

// fresh makes a call of an operation.
func (a *aim) fresh(op wire.Op) {
	if p := a.server.g.source(op); p != nil && a.server.g.tame(p) && !a.server.g.wrapped(p) {
		a.run(a.spelledOut(p))
	}
}

// burst makes sequences at random, from scratch and of the nearest.
func (a *aim) burst(round int) {
	ops, r := a.q.Ops, a.server.g.r
	if len(ops) == 0 && len(a.pool) == 0 {
		panic(aimOver{})
	}
	before := a.runs
	for i := 0; i < perBurst; i++ {
		if len(ops) > 0 && (len(a.pool) == 0 || i%2 == 0) {
			// The nearer operations more often.
			a.fresh(ops[r.Intn(1+r.Intn(len(ops)))])
			continue
		}
		if len(a.pool) > 0 {
			a.mutant(a.pool[r.Intn(1+r.Intn(len(a.pool)))])
		}
	}
	if a.runs == before && round > 2000 {
		panic(aimOver{}) // nothing new can be made
	}
}

func (a *aim) mutants(t *attempt) {
	for i := 0; i < perMutants; i++ {
		if x := a.mutant(t); x != nil && x.main.better(t.main.nearness) {
			return
		}
	}
}

// mutant changes a few literals of an attempt, or calls something before its last step.
func (a *aim) mutant(t *attempt) (made *attempt) {
	g := a.server.g
	var p wire.Sequence
	func() {
		defer func() {
			if r := recover(); r != nil {
				p = nil
			}
		}()
		b := g.builder(t.p.Clone())
		if last := len(t.p) - 1; g.r.Chance(15) && last > 0 && last < longest {
			b = g.builder(t.p[:last].Clone())
			b.further()
			b.add(t.p[last : last+1].Clone()[0])
		}
		for n := 1 + g.r.few(3); n > 0; n-- {
			b.mutate()
		}
		p = b.p
	}()
	if len(p) == 0 {
		return nil
	}
	return a.run(a.spelledOut(p))
}

package calls

import (
	"context"
	"encoding/binary"
	"fmt"
	"go/types"
	"slices"
	"strings"
	"time"

	"github.com/isodelta/isodelta/report/event"
	"github.com/isodelta/isodelta/runner/calls/surface"
	"github.com/isodelta/isodelta/runner/calls/wire"
	"github.com/isodelta/isodelta/runner/execute"
	"github.com/isodelta/isodelta/runner/execute/sandbox"
)

// Search makes calls on both versions of one package and compares them. Each
// version's process makes sequences of its own, led by the branches they take
// there, and runs the other's.
type Search struct {
	API  *surface.API
	Ops  []string // as the processes name them, builtin ones included
	Lab  *execute.Lab
	Base execute.Target
	Head execute.Target

	// Near are the branches of Δ's functions on base and on head, sorted, as package probe
	// numbers them.
	Near [2][]int

	// Leads are the operations that may lead to a member of Δ, by its number, the nearest first.
	Leads [][]wire.Op

	// TakesNil reports whether somebody gives a function nil as its kth argument, or the function asks for that. It may
	// be nil, for functions of which that is not known.
	TakesNil func(f *types.Func, k int) bool

	// Several: the change has several effects by its nature, as an upgrade of a dependency has. Twice as many
	// differences are confirmed.
	Several bool

	// Repeatable: a busy machine must not change what is called.
	Repeatable bool

	setup         wire.Setup
	restricted    bool             // a sandbox restricts what is called
	widened       map[wire.Op]bool // see Widen
	sides         [2]*side
	negating      [2]*side // run with conditions negated, nil until wanted; see Values
	kept          [][]byte // sequences that took new branches, for a process that replaces another
	differing     [][]byte // sequences of confirmed differences
	discrepancies map[Discrepancy]*discrepancyState
	order         []Discrepancy
	closer        map[string]int // by the calls that made the value, and component
	closers       []closer
	perOp         map[doing]int      // confirmed discrepancies
	perSpot       map[spot]int       // the same, by spot
	known         map[spot][]way     // of the same
	apart         [apartnesses]apart // confirmed beside some that were known at their spots
	failedAt      map[spot]bool      // a confirmation failed there
	failures      map[wire.Op]int    // failed confirmations by operation
	unstable      map[wire.Op]bool
	fatal         map[wire.Op]int // processes that the run time ended, by the operation under way

	// Sequences and Calls count what both versions ran alike.
	Sequences, Calls int
	// Reaching counts the sequences that executed a member of Δ, on either version.
	Reaching int
	// ByOp counts compared calls by operation.
	ByOp []int
	with map[wire.Op]int // sequences by the operations that they call
	// Entered counts sequences, on either version, by the member of Δ that they
	// executed.
	Entered []int
	// Branches counts the sequences that took each on base and on head, as package probe
	// numbers them.
	Branches [2]map[int]int
	// Deaths are sequences that ended a process, by the operation that ran last.
	Deaths       map[wire.Op]int
	banned       map[wire.Op][]string
	failedInARow int // examinations in a row that did not repeat
	hangs        int
	quiet        int  // rounds without new branches
	size         int  // of batches, see batchSize
	lostBatch    bool // a part of the last one was lost
	outdated     bool // a process runs that does not know what was excluded since it was started
	rounds       int  // since both processes were started
	discovery    discovery
	told         telling
}

const (
	perBatch    = 100
	perSeed     = 25   // each is run call by call, too
	maxReplaced = 1500 // sequences given to a replacing process
	maxQuiet    = 800  // rounds without a new branch
	maxDeaths   = 150  // of one version's processes
	fewRounds   = 5    // after which a process is full again: what it was given to begin with fills it
)

// NewSearch prepares calls on a package; roles say how closely its
// operations show the change.
func NewSearch(lab *execute.Lab, base, head execute.Target, api *surface.API, lits surface.Literals, roles map[wire.Op]wire.Role, seed uint64) *Search {
	c := &Search{API: api, Lab: lab, Base: base, Head: head, discrepancies: map[Discrepancy]*discrepancyState{}, closer: map[string]int{}, perOp: map[doing]int{}, perSpot: map[spot]int{}, known: map[spot][]way{}, failedAt: map[spot]bool{}, with: map[wire.Op]int{}, failures: map[wire.Op]int{}, unstable: map[wire.Op]bool{}, widened: map[wire.Op]bool{}, fatal: map[wire.Op]int{}, Deaths: map[wire.Op]int{}, banned: map[wire.Op][]string{}}
	c.setup = wire.Setup{Seed: seed, Texts: lits.Texts, Numbers: lits.Numbers, Floats: lits.Floats, Tried: lits.Tried, Kinds: lits.Kinds, Hosts: lits.Hosts, Files: lits.Files, Roles: roles, Short: map[wire.Op]int64{}, Costs: wire.Costs{}}
	c.restricted = lab != nil && lab.Level != sandbox.None
	c.setup.Exclude = api.LeftOut(roles, c.restricted)
	return c
}

// Open starts both processes.
func (c *Search) Open(ctx context.Context) error {
	first := c.Ops == nil
	for i, t := range []execute.Target{c.Base, c.Head} {
		if first {
			setup := c.setup
			setup.Caps = map[wire.Op]int64{}
			if !c.Repeatable {
				setup.Batch = int64(batchTime)
			}
			c.sides[i] = newSide(c.Lab, t, &setup)
			setup.Near, setup.Leads = c.Near[i], c.Leads
			c.sides[i].repeatable = c.Repeatable
		}
		c.sides[i].setup.Telling = c.told.texts
		c.sides[i].setup.Seed = c.setup.Seed + uint64(2*c.Sequences+i)
	}
	var errs [2]error
	both(func(i int) { errs[i] = c.sides[i].open(ctx, c.kept) })
	for i, err := range errs {
		if len(c.kept) > 0 {
			err = c.settle(ctx, i, err) // one of them may end a process that runs it again
		}
		if err != nil {
			return err
		}
	}
	if !first {
		return nil
	}
	b, h := c.sides[0].ready, c.sides[1].ready
	if !slices.Equal(b.Ops, h.Ops) || !slices.Equal(b.Types, h.Types) || len(b.Ops) == 0 {
		return fmt.Errorf("the versions do not offer the same operations: %d and %d", len(b.Ops), len(h.Ops))
	}
	c.Ops = b.Ops
	c.ByOp = make([]int, len(c.Ops))
	return nil
}

// TypeName names a type of what a Let makes as package reflect does; "" before the
// processes have told.
func (c *Search) TypeName(t int) string {
	if c.sides[0] == nil || t < 0 || t >= len(c.sides[0].ready.Types) {
		return ""
	}
	return c.sides[0].ready.Types[t]
}

// Close ends the processes, after asking them which members of Δ were executed.
func (c *Search) Close() {
	for i, s := range c.sides {
		if s == nil || !s.dialog.Running() {
			continue
		}
		st := s.stats()
		if c.Branches[i] == nil {
			c.Branches[i] = map[int]int{}
		}
		for k, b := range st.Branches {
			if k < len(st.Times) {
				c.Branches[i][b] += st.Times[k]
			}
		}
		for k, n := range st.Entered {
			for len(c.Entered) <= k {
				c.Entered = append(c.Entered, 0)
			}
			c.Entered[k] += n
		}
	}
	for _, s := range slices.Concat(c.sides[:], c.negating[:]) {
		if s != nil {
			s.close()
		}
	}
	c.negating = [2]*side{}
}

// Starting is the longest time that one of the processes took before it was ready.
func (c *Search) Starting() (longest time.Duration) {
	for _, s := range c.sides {
		if s != nil {
			longest = max(longest, s.starting)
		}
	}
	return longest
}

// Reset replaces both processes: what sequences left behind in one of them may
// not be what they left in the other.
func (c *Search) Reset(ctx context.Context) error {
	c.Close()
	return c.Open(ctx)
}

// Seed returns both versions sequences to start from.
func (c *Search) Seed(ctx context.Context, sequences []wire.Sequence) error {
	for len(sequences) > 0 {
		n := min(len(sequences), perSeed)
		var payload []byte
		for _, p := range sequences[:n] {
			payload = p.Encode(payload)
		}
		sequences = sequences[n:]
		// One version fills the holes; the other runs what came out.
		made, err := c.sides[1].batch(ctx, wire.FrameSeeds, payload)
		for range retries {
			if e, dead := ended(err); !dead || e.Outcome != event.Died {
				break
			}
			// Of the others nothing is known yet; what ended the process is left out.
			if err := c.settle(ctx, 1, err); err != nil {
				return err
			}
			made, err = c.sides[1].batch(ctx, wire.FrameSeeds, payload)
		}
		if err := c.settle(ctx, 1, err); err != nil {
			return err
		}
		if err := c.follow(ctx, 0, made); err != nil {
			return err
		}
	}
	return nil
}

// Round makes and compares a batch on each version. It reports whether it is
// worth going on: the end is where more would most likely show nothing new, and after
// a long time without new branches.
func (c *Search) Round(ctx context.Context) (bool, error) {
	var made [2][]wire.Executed
	var errs [2]error
	n := binary.AppendUvarint(nil, c.batchSize())
	both(func(i int) { made[i], errs[i] = c.sides[i].batch(ctx, wire.FrameLead, n) })
	c.lostBatch = false
	for i := range errs {
		if err := c.settle(ctx, i, errs[i]); err != nil {
			return false, err
		}
	}
	if err := c.relieve(ctx); err != nil {
		return false, err
	}
	var ferrs [2]error
	var results [2][]wire.Executed
	both(func(i int) { results[i], ferrs[i] = c.sides[i].batch(ctx, wire.FrameFollow, sequences(made[1-i])) })
	for i := range ferrs {
		var err error
		if results[i], made[1-i], err = c.without(ctx, i, results[i], made[1-i], ferrs[i]); err != nil {
			return false, err
		}
	}
	fresh := c.compare(results[0], made[1])
	fresh = c.compare(made[0], results[1]) || fresh
	if err := c.lookCloser(ctx); err != nil {
		return false, err
	}
	if err := c.keepUp(ctx); err != nil {
		return false, err
	}
	if fresh {
		c.quiet = 0
	} else {
		c.quiet++
	}
	return c.quiet < maxQuiet && !c.discovery.done(), nil
}

// keepUp replaces both processes after a round, where there is something that those that run should know, or
// one is full.
func (c *Search) keepUp(ctx context.Context) error {
	c.rounds++
	if c.told.due() || c.outdated {
		c.outdated, c.rounds = false, 0
		return c.Reset(ctx)
	}
	return c.relieve(ctx)
}

// relieve replaces both processes where one holds so much memory that it would soon end in the midst of a call
// that has nothing to do with it.
func (c *Search) relieve(ctx context.Context) error {
	if !c.sides[0].full && !c.sides[1].full {
		return nil
	}
	if c.rounds < fewRounds {
		c.kept = c.kept[len(c.kept)/2:]
	}
	c.rounds = 0
	return c.Reset(ctx)
}

// Discovery tells how many behaviours were seen, and how many new ones as many
// sequences again would show on average.
func (c *Search) Discovery() (behaviours int, expected float64) {
	return len(c.discovery.seen), bias * c.discovery.expected(c.discovery.sequences)
}

func both(f func(i int)) {
	done := make(chan struct{})
	go func() {
		f(0)
		close(done)
	}()
	f(1)
	<-done
}

func sequences(batch []wire.Executed) []byte {
	var payload []byte
	for _, e := range batch {
		payload = append(payload, e.Sequence...)
	}
	return payload
}

// follow lets version i run what the other has made and run.
func (c *Search) follow(ctx context.Context, i int, made []wire.Executed) error {
	ran, err := c.sides[i].batch(ctx, wire.FrameFollow, sequences(made))
	if ran, made, err = c.without(ctx, i, ran, made, err); err != nil {
		return err
	}
	if i == 0 {
		c.compare(ran, made)
	} else {
		c.compare(made, ran)
	}
	return nil
}

// settle replaces a process that ended; what it was running is banned.
func (c *Search) settle(ctx context.Context, i int, err error) error {
	e, ok := ended(err)
	if err == nil || !ok {
		return err
	}
	for ok {
		s := c.sides[i]
		s.deaths++
		if s.deaths > maxDeaths {
			return fmt.Errorf("the process making calls ended %d times, at last: %s", s.deaths, e.Message)
		}
		c.ban(i, e)
		err = s.open(ctx, c.kept)
		if err == nil {
			return nil
		}
		e, ok = ended(err)
		c.kept = c.kept[len(c.kept)/2:] // one of them may be the reason
	}
	return err
}

// Kept returns the sequences that took new branches, encoded.
func (c *Search) Kept() [][]byte { return c.kept }

// Unstable reports whether an operation varies by itself, or with what ran before it.
func (c *Search) Unstable(op wire.Op) bool { return c.unstable[op] }

// LeavesOut reports whether an operation is left alone because others reach the
// change.
func (c *Search) LeavesOut(op wire.Op) bool { return slices.Contains(c.setup.Exclude, op) }

// Banned tells which values of an operation ended a process.
func (c *Search) Banned(op wire.Op) []string { return c.banned[op] }

// ban leaves out the sequence that ended version i's process, and keeps numbers for the
// operation small from now on.
func (c *Search) ban(i int, e *execute.EndedError) {
	p, _, err := wire.Decode(e.Note)
	if err != nil || len(p) == 0 {
		return
	}
	c.observeDeath(i, e, p)
	under := p[len(p)-1]
	if e.Outcome == event.Hung && e.Step >= 0 && e.Step < len(p) && !p[e.Step].Op.Builtin() {
		under = p[e.Step]
	}
	last := under.Op
	if op, ok := killer(e, p); ok {
		last, _ = c.starter(e, p, op)
	}
	// Of what is given a context that never ends, the first time counts for little: it is given others then.
	waited := e.Outcome == event.Hung && waits(under) && !slices.Contains(c.sides[0].setup.Waiting, last)
	c.Deaths[last]++
	if e.Outcome == event.Hung && !waited {
		c.Deaths[last] += 3 // each costs seconds
	}
	if n := len(c.banned[last]); n < 5 {
		c.banned[last] = append(c.banned[last], fmt.Sprintf("a sequence of %d calls: %s", len(p), e.Message))
	}
	careful := c.toCareful(last)
	exclude := c.toExclude(last, e)
	if e.Outcome == event.Hung && !waited {
		c.hangs++
		c.shorten(last)
	}
	texts := longRunners(p)
	if !waited {
		c.lower(p)
	}
	for _, s := range c.sides {
		s.setup.Banned = append(s.setup.Banned, p.Hash())
		if waited {
			s.setup.Waiting = append(s.setup.Waiting, last)
		} else if e.Outcome == event.Hung {
			s.setup.BadTexts = append(s.setup.BadTexts, texts...)
			s.setup.Most = maxNumber(c.hangs)
		}
		s.setup.Exclude = append(s.setup.Exclude, exclude...)
		s.setup.Careful = append(s.setup.Careful, careful...)
	}
	c.outdated = c.outdated || len(exclude)+len(careful) > 0 || waited
	h := string(e.Note)
	c.kept = slices.DeleteFunc(c.kept, func(b []byte) bool { return string(b) == h })
}

// lower gives the operations of a sequence smaller numbers in processes that replace
// those that run now.
func (c *Search) lower(p wire.Sequence) {
	for _, s := range c.sides {
		for _, st := range p {
			wire.Lower(s.setup.Caps, st.Op)
		}
	}
}

// waits reports whether a call is given a context that never ends: what serves until then does not return, whatever
// its other arguments are.
func waits(s wire.Step) bool {
	return slices.ContainsFunc(s.Args, func(l wire.Lit) bool { return l.Form == wire.Special && l.S == wire.SpecialContext })
}

// longRunners are the texts of a sequence that did not end: one of them may be
// the reason, as a number with a huge exponent is.
func longRunners(p wire.Sequence) []string {
	var out []string
	p.Walk(func(_ int, l *wire.Lit) {
		if l.Form == wire.Text && len(l.S) > 2 && len(out) < 8 {
			out = append(out, l.S)
		}
	})
	return out
}

// maxNumber is the largest number to be used after so many hangs, 0 for any:
// a module in which large numbers take long is not asked for more of them.
func maxNumber(hangs int) int64 {
	switch {
	case hangs < 2:
		return 0
	case hangs < 4:
		return 1 << 16
	}
	return 1 << 10
}

// fewDeaths of an operation, and it is given nothing new; as many more, and it is not called any more.
const fewDeaths = 5

// toCareful names the operation that ended processes where it is to be given nothing new from now on, and has it start
// again with that: what ends processes is often one of its arguments, and a constructor leads to much that nothing else does.
func (c *Search) toCareful(last wire.Op) []wire.Op {
	if c.Deaths[last] <= fewDeaths || c.setup.Roles[last] >= wire.Changed || slices.Contains(c.sides[0].setup.Careful, last) {
		return nil
	}
	c.Deaths[last], c.fatal[last] = 0, 0
	return []wire.Op{last}
}

// toExclude names operations that are not to be called any more: one that has
// ended too many processes, unless it is changed or nothing else leads to what is, and after a panic on a
// goroutine of the code's own all that start goroutines, since it may have been
// any of them, and those that call what started this one. The process catches panics of the calls themselves.
func (c *Search) toExclude(last wire.Op, e *execute.EndedError) []wire.Op {
	var out []wire.Op
	if c.Deaths[last] > fewDeaths && c.setup.Roles[last] < wire.Changed && !c.onlyWay(last) || c.fatal[last] >= manyDeaths {
		out = append(out, last)
	}
	if !strings.HasPrefix(e.Message, "panic: ") {
		return out
	}
	for n, o := range c.API.All() {
		if (o.Spawns || o.Starts(e.Creator)) && c.setup.Roles[n] < wire.Changed && !slices.Contains(c.sides[0].setup.Exclude, n) {
			out = append(out, n)
		}
	}
	return out
}

// onlyWay reports whether an operation may lead to a member of Δ to which no other one leads that is still called.
func (c *Search) onlyWay(op wire.Op) bool {
	if c.setup.Roles[op] < wire.Caller {
		return false
	}
	other := func(o wire.Op) bool { return o != op && !slices.Contains(c.sides[0].setup.Exclude, o) }
	for _, list := range c.Leads {
		if slices.Contains(list, op) && !slices.ContainsFunc(list, other) {
			return true
		}
	}
	if len(c.Leads) > 0 {
		return false
	}
	for o, role := range c.setup.Roles {
		if role >= wire.Caller && other(o) {
			return false
		}
	}
	return true
}

// compare compares what both versions did with the same sequences, and reports
// whether any took a new branch.
func (c *Search) compare(base, head []wire.Executed) bool {
	fresh := false
	n := min(len(base), len(head))
	for i := range n {
		b, h := base[i], head[i]
		if b.Invalid || h.Invalid {
			continue
		}
		c.Sequences++
		p, _, err := wire.Decode(b.Sequence)
		if err != nil {
			continue
		}
		for _, s := range p {
			if int(s.Op) < len(c.ByOp) {
				c.ByOp[s.Op]++
			}
		}
		c.Calls += len(p)
		c.countWith(p)
		if b.Entered || h.Entered {
			c.Reaching++
			c.discovery.see([2]uint64{b.Branch, h.Branch})
		}
		if took := min(b.Took, h.Took); took > 0 {
			c.setup.Costs.Learn(p, time.Duration(took)*time.Microsecond)
		}
		if b.Slow || h.Slow {
			c.lower(p)
			c.shortenEndless(p, b.Trace().Steps, h.Trace().Steps)
		}
		if b.Fresh || h.Fresh {
			fresh = true
			if len(c.kept) < maxReplaced && !b.Slow && !h.Slow {
				c.kept = append(c.kept, b.Sequence)
			}
		}
		if !b.SameAs(h) {
			c.differ(p, b.Trace(), h.Trace())
		}
	}
	return fresh
}

//go:build go1.21

package harness

import (
	"reflect"
	"slices"

	"github.com/isodelta/isodelta/runner/calls/wire"
	probe "github.com/isodelta/isodelta/runner/probe"
)

// generator makes sequences, led by what earlier ones did: those that took new
// branches are kept, extended and changed (Pacheco et al., "Feedback-Directed
// Random Test Generation", with literals changed as a fuzzer does).
type generator struct {
	m            *Machine
	r            *Rand
	plain        *Plain
	traces       map[uint64]bool
	kept         []wire.Sequence
	close        []int // of kept: those that executed something of Δ
	ways         ways  // of the same
	scant        scant // of the same
	known        map[uint64]bool
	pool         map[reflect.Type][]source
	seen         map[spot][]wire.Lit
	accepted     map[spot][]int // types that gave no error
	makers       map[reflect.Type][]maker
	methods      map[reflect.Type][]wire.Op // that a function of a type can call: see callable
	holding      map[reflect.Type][]maker   // see holders
	ran          map[uint64]bool
	given        []string    // texts given to calls
	fields       [][2]string // header fields of requests given to calls
	calls        []int       // by operation
	reached      []int       // those of calls that were the last of a sequence which executed something of Δ
	banned       map[uint64]bool
	caps         map[wire.Op]int64           // largest number for an operation that died of large ones
	aimed        [wire.Changed + 1][]wire.Op // operations by role
	leads        leads                       // to members of Δ
	bad          map[string]bool             // texts not to be used
	maxNumber    int64                       // largest number, 0 for any
	names        map[reflect.Type][]string   // of fields, by type
	named        map[reflect.Type][]wire.Op  // functions that are given as they are, by type
	filed        bool                        // file systems were made
	written      wire.Op                     // tells of files, -1 for none
	documented   []document                  // see documents
	paired       bool                        // pairs are known
	pairs        []codec
	around       []wire.Op // operations that change what surrounds calls
	wanting      []wanting
	answered     wire.Op                   // has servers answered, -1 for none
	unanswered   []wire.Sequence           // which ask servers, see answering
	telling      []string                  // see tellers; nil before they are known
	saying       map[reflect.Type][]string // see sayers
	plainly      []wire.Op                 // functions that can be called back, see functions
	costs        wire.Costs
	yields       yields
	implementing map[reflect.Type][]int   // see implementers
	preparing    map[reflect.Type][]maker // see preparers
	cheap        [2]cheap                 // sequences: any ones, and those that may reach the change
}

// source is a value that a kept sequence makes.
type source struct{ kept, step, result int }

// spot is an argument of an operation.
type spot struct {
	op  wire.Op
	arg int
}

// maker is a result of an operation.
type maker struct {
	op     wire.Op
	result int
}

const (
	maxKept     = 6000
	maxRan      = 1 << 19 // sequences remembered, not to be run again
	maxOfType   = 48      // values kept of one type
	maxSeen     = 200     // literals kept for one place
	longest     = 12      // steps of a sequence
	deepest     = 4       // constructors within constructors
	maxElements = 6
	shareNearby = 14 // of a hundred sequences, see nearby
)

func newGenerator(m *Machine, plain *Plain, seed uint64) *generator {
	m.cover = new(probe.Coverage)
	g := &generator{m: m, r: NewRand(seed), plain: plain, traces: map[uint64]bool{}, known: map[uint64]bool{},
		pool: map[reflect.Type][]source{}, seen: map[spot][]wire.Lit{}, accepted: map[spot][]int{}, makers: map[reflect.Type][]maker{}, methods: map[reflect.Type][]wire.Op{}, holding: map[reflect.Type][]maker{},
		calls: make([]int, len(m.Ops)), reached: make([]int, len(m.Ops)), ran: map[uint64]bool{}, banned: map[uint64]bool{}, caps: map[wire.Op]int64{},
		names: map[reflect.Type][]string{}, named: map[reflect.Type][]wire.Op{}, written: -1, answered: -1, costs: wire.Costs{}, yields: yields{}, saying: map[reflect.Type][]string{}, implementing: map[reflect.Type][]int{}, preparing: map[reflect.Type][]maker{}}
	for i := wire.Builtins; i < m.end(); i++ {
		op := &m.Ops[i]
		switch {
		case op.Name == Written:
			g.written = i
		case op.Name == Answered:
			g.answered = i
		case op.Variable || op.Selector || op.Inner || op.Credential || op.excluded:
		case Surrounds(op):
			g.around = append(g.around, i)
			m.asks = m.asks || op.Name == setenvName
		default:
			g.aimed[op.Role] = append(g.aimed[op.Role], i)
		}
	}
	return g
}

// target picks an operation to call, seldom one that is hopeless.
func (g *generator) target() wire.Op {
	op := g.anyTarget()
	if op >= 0 && g.yields.hopeless(op) && g.r.Chance(redrawn) {
		return g.anyTarget()
	}
	return op
}

// anyTarget picks an operation to call: one that shows the change directly in
// half of the cases; of three, the one called least, or the one that led to the change
// most often: what may call it, going by types, hardly ever does in a framework. Where the change has
// several members, one of them may be chosen before, see leads.
func (g *generator) anyTarget() wire.Op {
	if len(g.leads) > 0 && g.r.Chance(shareLed) {
		return g.leads.draw(g.r, g.calls)
	}
	role := wire.Other
	switch x := g.r.Intn(100); {
	case x < 50:
		role = wire.Changed
	case x < 80:
		role = wire.Caller
	case x < 96:
		role = wire.Consumer
	}
	list := g.aimed[role]
	for r := wire.Changed; len(list) == 0 && r >= wire.Other; r-- {
		list = g.aimed[r]
	}
	if len(list) == 0 {
		return -1
	}
	return bestOfThree(g.r, g.calls, func(op wire.Op) int { return g.reached[op] }, func() wire.Op { return list[g.r.Intn(len(list))] })
}

// bestOfThree draws three operations and returns the one that is called least, or the one that led where it should
// most often for its calls.
func bestOfThree(r *Rand, calls []int, led func(wire.Op) int, draw func() wire.Op) wire.Op {
	better := func(a, b wire.Op) bool { return calls[a] < calls[b] }
	if r.Chance(50) {
		better = func(a, b wire.Op) bool { return (led(a)+1)*(calls[b]+1) > (led(b)+1)*(calls[a]+1) }
	}
	best := draw()
	for i := 0; i < 2; i++ {
		if o := draw(); better(o, best) {
			best = o
		}
	}
	return best
}

// next makes a sequence; nil if it has no idea.
func (g *generator) next() (made wire.Sequence) {
	defer func() {
		// Types of other people's making hold surprises; one idea is lost.
		if recover() != nil {
			made = nil
		}
	}()
	for try := 0; try < 20; try++ {
		var p wire.Sequence
		switch x := g.r.Intn(100); {
		case len(g.close) > 0 && g.r.Chance(shareNearby):
			p = g.nearby()
		case len(g.wanting) > 0 && g.r.Chance(shareAsking):
			p = g.environed()
		case len(g.unanswered) > 0 && g.r.Chance(shareAnswering):
			p = g.answering()
		case x < 28 || len(g.kept) == 0:
			p = g.called()
		case x < 32:
			p = g.returned()
		case x < 48-shareGrown:
			p = g.extended()
		case x < 48:
			if p = g.grown(); p == nil {
				p = g.extended()
			}
		case x < 90-shareReentrant-shareAnew:
			p = g.changed()
		case x < 90-shareReentrant:
			if p = g.anew(); p == nil {
				p = g.changed()
			}
		case x < 90:
			if p = g.reentrant(); p == nil {
				p = g.changed()
			}
		default:
			p = g.shared()
		}
		p = g.looked(p)
		g.wait(p)
		if len(p) > 0 && len(p) <= wire.MaxSteps && !g.wrapped(p) && g.tame(p) {
			// What was run, or ended a process, is not run again.
			if h := p.Hash(); !g.banned[h] && !g.ran[h] {
				if len(g.ran) > maxRan {
					clear(g.ran)
				}
				g.ran[h] = true
				return p
			}
		}
	}
	return nil
}

// tame makes large numbers small where they take too long, and reports whether a
// sequence is free of texts that do.
func (g *generator) tame(p wire.Sequence) bool {
	if g.maxNumber == 0 && len(g.bad) == 0 {
		return true
	}
	ok := true
	p.Walk(func(_ int, l *wire.Lit) {
		switch l.Form {
		case wire.Text:
			ok = ok && !g.bad[l.S]
		case wire.Int, wire.Uint:
			if g.maxNumber > 0 && (l.N > g.maxNumber || l.N < -g.maxNumber) {
				l.N %= g.maxNumber
			}
		}
	})
	return ok
}

// called is a target with arguments from scratch, and a few calls behind it.
func (g *generator) called() wire.Sequence {
	b := g.builder(nil)
	t := g.target()
	if t < 0 || !b.call(t, 0) {
		return nil
	}
	last := len(b.p) - 1
	b.p, _ = b.p.Slice(withEvents(b.p, last)...)
	b = g.builder(b.p)
	b.surround()
	for n := g.r.few(2); n > 0; n-- {
		b.further()
	}
	return b.p
}

// extended is a kept sequence with further calls.
func (g *generator) extended() wire.Sequence {
	p := g.pick()
	if len(p) > longest {
		return nil
	}
	b := g.builder(p.Clone())
	b.surround()
	for n := 1 + g.r.few(2); n > 0; n-- {
		b.further()
	}
	return b.p
}

// changed is a kept sequence with other literals.
func (g *generator) changed() wire.Sequence {
	b := g.builder(g.pick().Clone())
	for n := 1 + g.r.few(2); n > 0; n-- {
		b.mutate()
	}
	if g.r.Chance(20) && len(b.p) < longest {
		b.further()
	}
	return b.p
}

// shared is a kept sequence, then writing to what it made.
func (g *generator) shared() wire.Sequence {
	b := g.builder(g.pick().Clone())
	if !b.scribble() {
		return g.changed()
	}
	if g.r.Chance(40) {
		b.further()
	}
	return b.p
}

// pick chooses a kept sequence: those near the change and late ones more often.
func (g *generator) pick() wire.Sequence {
	n := len(g.kept)
	switch x := g.r.Intn(100); {
	case x < 60 && len(g.close) > 0:
		if k, ok := g.scant.draw(g.r); ok && g.r.Chance(shareScant) {
			return g.kept[k]
		}
		if k, ok := g.ways.draw(g.r); ok && g.r.Chance(shareRare) {
			return g.kept[k]
		}
		if k := len(g.close); g.r.Chance(50) && k > 32 {
			return g.kept[g.close[k-1-g.r.Intn(32)]]
		}
		return g.kept[g.close[g.r.Intn(len(g.close))]]
	case x < 80 && n > 64:
		return g.kept[g.worthier(n-1-g.r.Intn(64), n-1-g.r.Intn(64))]
	}
	return g.kept[g.worthier(g.r.Intn(n), g.r.Intn(n))]
}

// learn keeps what a sequence that was run taught.
func (g *generator) learn(p wire.Sequence, t *wire.Trace) {
	if t.Invalid || len(t.Steps) == 0 {
		return
	}
	for i := range t.Steps {
		g.calls[p[i].Op]++
		g.yields.note(p[i].Op, t.Steps[i].Ending == probe.Returned, slices.ContainsFunc(g.m.Vars[i], worthKeeping))
	}
	if t.Entered {
		last := p[len(t.Steps)-1].Op
		g.reached[last]++
		g.leads.note(g.m.ran, last)
	}
	at := -1
	fresh := !g.traces[t.Branch]
	if fresh && len(g.traces) < 1<<16 {
		g.traces[t.Branch] = true
	}
	defer func() { g.scant.note(g.m.took, at) }()
	returned := t.Steps[len(t.Steps)-1].Ending == probe.Returned
	otherWay := t.Entered && returned && !g.ways.known(t.Way)
	keep := t.Fresh > 0 || fresh && t.Entered && returned || otherWay
	put := func() int {
		if at < 0 && len(g.kept) < maxKept {
			at = len(g.kept)
			g.kept = append(g.kept, p)
			if t.Entered {
				g.close = append(g.close, at)
				g.ways.add(t.Ran, t.Way, at)
			}
		}
		return at
	}
	if keep {
		put()
		g.remember(p)
	}
	if keep || t.Entered {
		g.want(p)
		g.wantAnswers(p)
	}
	if !returned {
		return
	}
	// Values that are new feed later calls.
	for i := range p {
		g.accept(p, i)
		for j := range g.m.Vars[i] {
			v := g.m.Vars[i][j]
			if !worthKeeping(v) || g.m.Ops[p[i].Op].Name == Served {
				continue
			}
			ty := v.Type()
			hidden := uint64(component(v).Hidden)
			key := probe.Mix(hidden, uint64(len(ty.String())))
			if g.known[key] || len(g.pool[ty]) >= maxOfType && !g.r.Chance(10) {
				continue
			}
			g.known[key] = true
			if put() < 0 {
				return
			}
			s := source{at, i, j}
			if list := g.pool[ty]; len(list) >= maxOfType {
				list[g.r.Intn(len(list))] = s
			} else {
				g.pool[ty] = append(list, s)
			}
		}
	}
}

// wrapped reports whether a sequence wraps a value in an interface twice by the same
// operation, as NewWriter(NewWriter(w)) does. There is no end to it: each such
// value is new, and costs more than the one within, and hardly tells more.
func (g *generator) wrapped(p wire.Sequence) bool {
	within := make([]map[wire.Op]bool, len(p)) // wrapping operations, by step
	for i, s := range p {
		within[i] = map[wire.Op]bool{}
		for _, a := range s.Args {
			for _, k := range refs(a, nil) {
				if k < i {
					for op := range within[k] {
						within[i][op] = true
					}
				}
			}
		}
		op := &g.m.Ops[s.Op]
		if len(op.Out) == 0 || op.Out[0].Kind() != reflect.Interface || op.Out[0] == errorType {
			continue
		}
		if within[i][s.Op] {
			return true
		}
		within[i][s.Op] = true
	}
	return false
}

// refs are the steps that a literal refers to.
func refs(l wire.Lit, out []int) []int {
	if l.Form == wire.Ref {
		out = append(out, int(l.N))
	}
	for _, e := range l.E {
		out = refs(e, out)
	}
	return out
}

// slow returns the operations of a sequence smaller numbers from now on.
func (g *generator) slow(p wire.Sequence) {
	for _, s := range p {
		wire.Lower(g.caps, s.Op)
	}
	g.banned[p.Hash()] = true
}

// worthKeeping reports whether a value may feed other calls: not nil, not an
// error, and more than a literal could say.
func worthKeeping(v reflect.Value) bool {
	if !v.IsValid() || v.Type() == errorType {
		return false
	}
	switch v.Kind() {
	case reflect.Pointer, reflect.Map, reflect.Func, reflect.Interface, reflect.Slice, reflect.Chan:
		return !v.IsNil()
	case reflect.Struct, reflect.Array:
		return true
	}
	return false
}

// remember keeps the literals of a sequence for the places they stand at.
func (g *generator) remember(p wire.Sequence) {
	for _, s := range p {
		for i, a := range s.Args {
			if !self(a) {
				continue
			}
			if a.Form == wire.Text && len(a.S) > 1 && len(g.given) < maxKept {
				g.given = append(g.given, a.S)
			}
			if a.Form == wire.Special && a.S == wire.SpecialRequest {
				g.rememberFields(a)
			}
			at := spot{s.Op, i}
			if list := g.seen[at]; len(list) < maxSeen {
				g.seen[at] = append(list, a)
			} else {
				list[g.r.Intn(len(list))] = a
			}
		}
	}
}

// self reports whether a literal refers to nothing.
func self(l wire.Lit) bool {
	if l.Form == wire.Ref || l.Form == wire.Hole {
		return false
	}
	for _, e := range l.E {
		if !self(e) {
			return false
		}
	}
	return true
}

// seed takes in a sequence from elsewhere, with holes: recorded from a test, or
// kept by an earlier process.
func (g *generator) seed(p wire.Sequence) wire.Sequence {
	b := g.builder(nil)
	at := make([]int, len(p))
	for i, s := range p {
		at[i] = -1
		if !g.m.Has(s.Op) {
			continue
		}
		in := g.m.Ops[s.Op].In
		if !s.Op.Builtin() && len(s.Args) != len(in) {
			continue
		}
		args := wire.CloneLits(s.Args)
		ok := true
		b.taken = b.taken[:0]
		for k := len(args) - 1; k >= 0; k-- { // the newest value was made for what comes last
			if s.Op.Builtin() {
				break
			}
			if !b.fit(&args[k], in[k], spot{s.Op, k}, at) {
				ok = false
				break
			}
		}
		if !ok {
			continue
		}
		at[i] = len(b.p)
		b.add(wire.Step{Op: s.Op, Args: args})
	}
	return b.p
}

// fit fills the holes of a literal and moves its references. It reports whether
// every hole could be filled.
func (b *builder) fit(l *wire.Lit, t reflect.Type, at spot, moved []int) bool {
	switch l.Form {
	case wire.Hole:
		x, ok := b.untaken(t)
		if !ok {
			x, ok = b.read(t)
		}
		if !ok && b.g.r.Chance(70) {
			x, ok = b.freshNamed(t)
		}
		if !ok {
			if x, ok = b.fresh(t, at, 1); !ok {
				return false
			}
		}
		*l = x
		return true
	case wire.Ref:
		if l.N < 0 || int(l.N) >= len(moved) || moved[l.N] < 0 {
			*l = wire.Lit{Form: wire.Hole}
			return b.fit(l, t, at, moved)
		}
		l.N = int64(moved[l.N])
		return true
	}
	for i := len(l.E) - 1; i >= 0; i-- {
		et := elementType(b.g.m.Registry, l, t, i)
		if et == nil {
			continue
		}
		if !b.fit(&l.E[i], et, at, moved) {
			return false
		}
	}
	return true
}

//go:build go1.21

package harness

import (
	"reflect"
	"slices"

	"github.com/isodelta/isodelta/runner/calls/wire"
)

// builder puts one sequence together.
type builder struct {
	g    *generator
	p    wire.Sequence
	vars []variable
	// effort counts values and calls made: types that need one another would
	// otherwise be gone round for ever.
	effort int
	// changing is the step that is changed, counted from 1, which can refer to earlier ones
	// only; 0 where the sequence is extended.
	changing int
	// taken are the values that holes of the step have been filled with.
	taken []wire.Lit
	// told counts the functions made that tell of their calls.
	told int
	// fileNames are the names of the files that were made.
	fileNames []string
	// receiver is that of the call that is being put together; Zero without one.
	receiver wire.Lit
	// about is what functions that are made are to call back: see reenter. It is Zero without one.
	about wire.Lit
	// prepares says that a value is being prepared: see prepare.
	prepares bool
}

const maxEffort = 400

// tired reports whether enough has been tried.
func (b *builder) tired() bool {
	b.effort++
	return b.effort > maxEffort
}

// variable is a result that later steps may use.
type variable struct {
	step, result int
	t            reflect.Type
}

func (g *generator) builder(p wire.Sequence) *builder {
	b := &builder{g: g}
	for _, s := range p {
		b.add(s)
	}
	if g.filed {
		b.fileNames = b.filesGiven()
	}
	return b
}

func (b *builder) add(s wire.Step) {
	b.p = append(b.p, s)
	if b.g.m.isList(s) || b.g.m.Ops[s.Op].Name == Served {
		return // it is there to be looked at, and for nothing else
	}
	for j, t := range b.g.m.Outs(s) {
		if t != errorType {
			b.vars = append(b.vars, variable{len(b.p) - 1, j, t})
		}
	}
}

// call appends a call of an operation, and before it what its arguments need. It
// reports whether that could be made.
func (b *builder) call(op wire.Op, depth int) bool {
	o := &b.g.m.Ops[op]
	if b.tired() || len(b.p) > longest || op.Builtin() || o.excluded {
		return false
	}
	args := make([]wire.Lit, len(o.In))
	defer b.within(wire.Lit{})()
	for i, t := range o.In {
		if o.Method && i == 1 {
			b.receiver = args[0]
		}
		if o.Variadic && !o.CommandLine && i == len(o.In)-1 && (o.careful || b.g.r.Chance(40)) && len(b.g.seen[spot{op, i}]) == 0 {
			args[i] = wire.Lit{Form: wire.Seq} // none
			continue
		}
		l, ok := b.value(t, spot{op, i}, depth)
		if !ok {
			return false
		}
		args[i] = l
	}
	if o.Name == Served && !b.needsConnection(args) {
		return false
	}
	b.addCall(op, args)
	return true
}

// addCall appends a call, with small numbers where the function wants them.
func (b *builder) addCall(op wire.Op, args []wire.Lit) {
	b.add(wire.Step{Op: op, Args: args})
	if b.g.r.Chance(30) {
		b.name(len(b.p) - 1)
	}
	if b.g.r.Chance(measuredNew) {
		b.measure(len(b.p) - 1)
	}
	if most, ok := b.g.caps[op]; ok {
		b.cap(len(b.p)-1, most)
	}
}

// cap keeps the numbers of a step small.
func (b *builder) cap(step int, most int64) {
	(b.p[step : step+1]).Walk(func(_ int, l *wire.Lit) {
		if l.Form == wire.Int || l.Form == wire.Uint {
			l.N %= most
		}
	})
}

// further appends a call that uses a value the sequence has made.
func (b *builder) further() {
	g := b.g
	if len(b.p) > longest {
		return
	}
	if len(b.vars) > 0 {
		for try := 0; try < 6; try++ {
			v := b.vars[g.r.Intn(len(b.vars))]
			if g.r.Chance(20) {
				b.set(wire.RefTo(v.step, v.result), v.t)
			}
			if b.use(v) {
				return
			}
		}
	}
	if t := g.target(); t >= 0 {
		b.call(t, 1)
	}
}

// callWith is call with one argument given, and reports whether the call could
// be made.
func (b *builder) callWith(op wire.Op, arg int, given wire.Lit) bool {
	o := &b.g.m.Ops[op]
	if o.excluded {
		return false
	}
	args := make([]wire.Lit, len(o.In))
	defer b.within(wire.Lit{})()
	for i, t := range o.In {
		if o.Method && i == 1 {
			b.receiver = args[0]
		}
		if i == arg {
			args[i] = given
			continue
		}
		if o.Variadic && i == len(o.In)-1 && b.g.r.Chance(b.returning(30, 5)) {
			args[i] = wire.Lit{Form: wire.Seq}
			continue
		}
		l, ok := b.value(t, spot{op, i}, 1)
		if !ok {
			return false
		}
		args[i] = l
	}
	if o.Name == Served && !b.needsConnection(args) {
		return false
	}
	b.addCall(op, args)
	return true
}

// within lets values be made for a call on this receiver, until restore is called.
func (b *builder) within(receiver wire.Lit) (restore func()) {
	before := b.receiver
	b.receiver = receiver
	return func() { b.receiver = before }
}

// users are the arguments that take a value of type t; of a variadic one only
// methods of it and plain parameters.
func (g *generator) users(t reflect.Type) []maker {
	key := t
	if list, ok := g.userCache()[key]; ok {
		return list
	}
	var list []maker
	for i := wire.Builtins; i < g.m.end(); i++ {
		for k, in := range g.m.Ops[i].In {
			if in.Kind() == reflect.Interface && in.NumMethod() == 0 {
				continue // takes anything
			}
			if o := &g.m.Ops[i]; o.excluded || o.Inner || o.inFront() {
				continue
			}
			if fits(in, t) || k == 0 && g.m.Ops[i].Method && receives(in, t) {
				list = append(list, maker{i, k})
			}
		}
	}
	g.userCache()[key] = list
	return list
}

func (g *generator) userCache() map[reflect.Type][]maker {
	if g.m.users == nil {
		g.m.users = map[reflect.Type][]maker{}
	}
	return g.m.users
}

// makersOf are the results that can stand for a value of type t.
func (g *generator) makersOf(t reflect.Type) []maker {
	if list, ok := g.makers[t]; ok {
		return list
	}
	var list []maker
	for i := wire.Builtins; i < g.m.end(); i++ {
		op := &g.m.Ops[i]
		for j, out := range op.Out {
			if op.Inner || op.Name == Served || out == errorType && !op.Variable || out.Kind() == reflect.Interface && out.NumMethod() == 0 {
				continue
			}
			if fits(t, out) {
				list = append(list, maker{i, j})
				break
			}
		}
	}
	g.makers[t] = list
	return list
}

// SpelledOut registers, by a nil pointer to a struct type, one that users write down, field by field, though functions
// give such values, too.
func SpelledOut(pointer any) { registry.spelledOut[reflect.TypeOf(pointer).Elem()] = true }

// alsoCalled is how often, of 100, a value that users write down is made by a call all the same.
const alsoCalled = 40

// byCall reports whether a value of type t, a struct or a pointer to one, is made by a call now: always where only that
// makes one, else as often, of 100, as usual.
func (b *builder) byCall(t, named reflect.Type, usually int) bool {
	if len(b.g.makersOf(t)) == 0 {
		return false
	}
	if b.g.m.spelledOut[named] {
		return b.g.r.Chance(alsoCalled)
	}
	return opaque(named) && b.g.constructed(t) || b.g.r.Chance(usually)
}

// constructed reports whether users of the module get values of type t from a function: from an
// exported one that does not want such a value itself. Where there is none they write them down.
func (g *generator) constructed(t reflect.Type) bool {
	return slices.ContainsFunc(g.makersOf(t), func(mk maker) bool {
		op := &g.m.Ops[mk.op]
		wants := func(in reflect.Type) bool { return in.Kind() != reflect.Interface && (fits(in, t) || fits(t, in)) }
		return op.Exported && !op.Variable && !slices.ContainsFunc(op.In, wants)
	})
}

func basic(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Bool, reflect.String, reflect.Float32, reflect.Float64, reflect.Complex64, reflect.Complex128:
		return true
	}
	return t.Kind() >= reflect.Int && t.Kind() <= reflect.Uintptr
}

// value returns a literal for an argument: one of the sequence's own values, one
// seen at this place, or a new one.
func (b *builder) value(t reflect.Type, at spot, depth int) (wire.Lit, bool) {
	r := b.g.r
	own := 40
	if basic(t) {
		own = 8
	}
	if b.about.Form == wire.Ref && b.g.holds(t, 0) {
		return b.fresh(t, at, depth)
	}
	if r.Chance(own) {
		if l, ok := b.live(t); ok {
			return l, true
		}
	}
	if l, ok := b.repeated(t, at.arg); ok {
		return l, true
	}
	careful := b.g.careful(at.op)
	if list := b.g.seen[at]; len(list) > 0 && (careful || r.Chance(60)) {
		x := wire.CloneLits([]wire.Lit{list[r.Intn(len(list))]})[0]
		if !careful && r.Chance(55) {
			b.mutateLit(&x, t, at)
		}
		return x, true
	}
	return b.fresh(t, at, depth)
}

// careful reports whether an operation is not given anything new: see wire.Setup.
func (g *generator) careful(op wire.Op) bool {
	return op >= wire.Builtins && g.m.Has(op) && g.m.Ops[op].careful
}

// live is a reference to a value that the sequence has made.
func (b *builder) live(t reflect.Type) (wire.Lit, bool) {
	n := len(b.vars)
	if n == 0 {
		return wire.Lit{}, false
	}
	from := b.g.r.Intn(n)
	for i := 0; i < n; i++ {
		v := b.vars[(from+i)%n]
		if t.Kind() == reflect.Interface && t.NumMethod() == 0 && (reveals(v.t) || !b.g.r.Chance(30)) {
			continue
		}
		if fits(t, v.t) {
			return wire.RefTo(v.step, v.result), true
		}
	}
	return wire.Lit{}, false
}

// latest is the newest value that fits.
func (b *builder) latest(t reflect.Type) (wire.Lit, bool) {
	return b.newest(t, func(wire.Lit) bool { return true })
}

// untaken is the newest value that fits and that no other hole of the step has got, or else the newest.
func (b *builder) untaken(t reflect.Type) (wire.Lit, bool) {
	x, ok := b.newest(t, func(l wire.Lit) bool {
		return !slices.ContainsFunc(b.taken, func(o wire.Lit) bool { return o.N == l.N && o.U == l.U })
	})
	if !ok {
		x, ok = b.latest(t)
	}
	if ok {
		b.taken = append(b.taken, x)
	}
	return x, ok
}

func (b *builder) newest(t reflect.Type, wanted func(wire.Lit) bool) (wire.Lit, bool) {
	for i := len(b.vars) - 1; i >= 0; i-- {
		if l := wire.RefTo(b.vars[i].step, b.vars[i].result); fits(t, b.vars[i].t) && wanted(l) {
			return l, true
		}
	}
	return wire.Lit{}, false
}

//go:build go1.21

package harness

import (
	"math"
	"reflect"
	"unicode/utf8"
)

// builder puts one program together.
type builder struct {
	g    *generator
	p    Program
	vars []variable
	// effort counts values and calls made: types that need one another would
	// otherwise be gone round for ever.
	effort int
}

const mostEffort = 400

// tired says that enough has been tried.
func (b *builder) tired() bool {
	b.effort++
	return b.effort > mostEffort
}

// variable is a result that later steps may use.
type variable struct {
	step, result int
	t            reflect.Type
}

func (g *generator) builder(p Program) *builder {
	b := &builder{g: g}
	for _, s := range p {
		b.add(s)
	}
	return b
}

func (b *builder) add(s Step) {
	b.p = append(b.p, s)
	for j, t := range b.g.m.outs(s) {
		if t != errorType {
			b.vars = append(b.vars, variable{len(b.p) - 1, j, t})
		}
	}
}

// call appends a call of an operation, and before it what its arguments need.
func (b *builder) call(op, depth int) bool {
	o := &b.g.m.Ops[op]
	if b.tired() || len(b.p) > longest || o.builtin != none || o.excluded {
		return false
	}
	args := make([]Lit, len(o.In))
	for i, t := range o.In {
		if o.Variadic && i == len(o.In)-1 && b.g.r.Chance(40) && len(b.g.seen[spot{op, i}]) == 0 {
			args[i] = Lit{Form: Seq} // none
			continue
		}
		l, ok := b.value(t, spot{op, i}, depth)
		if !ok {
			return false
		}
		args[i] = l
	}
	b.add(Step{op, args})
	if most, ok := b.g.caps[op]; ok {
		b.cap(len(b.p)-1, most)
	}
	return true
}

// cap keeps the numbers of a step small.
func (b *builder) cap(step int, most int64) {
	(b.p[step : step+1]).Walk(func(_ int, l *Lit) {
		if l.Form == Int || l.Form == Uint {
			l.N %= most
		}
	})
}

// further appends a call that uses a value the program has made.
func (b *builder) further() {
	g := b.g
	if len(b.p) > longest {
		return
	}
	if len(b.vars) > 0 {
		for try := 0; try < 6; try++ {
			v := b.vars[g.r.Intn(len(b.vars))]
			users := g.users(v.t)
			if len(users) == 0 {
				continue
			}
			u := users[g.r.Intn(len(users))]
			for i := 0; i < 2; i++ {
				if o := users[g.r.Intn(len(users))]; g.m.Ops[o.op].Role > g.m.Ops[u.op].Role {
					u = o
				}
			}
			if b.callWith(u.op, u.result, RefTo(v.step, v.result)) {
				return
			}
		}
	}
	if t := g.target(); t >= 0 {
		b.call(t, 1)
	}
}

// callWith is call with one argument given.
func (b *builder) callWith(op, arg int, given Lit) bool {
	o := &b.g.m.Ops[op]
	if o.excluded {
		return false
	}
	args := make([]Lit, len(o.In))
	for i, t := range o.In {
		if i == arg {
			args[i] = given
			continue
		}
		if o.Variadic && i == len(o.In)-1 && b.g.r.Chance(30) {
			args[i] = Lit{Form: Seq}
			continue
		}
		l, ok := b.value(t, spot{op, i}, 1)
		if !ok {
			return false
		}
		args[i] = l
	}
	b.add(Step{op, args})
	if most, ok := b.g.caps[op]; ok {
		b.cap(len(b.p)-1, most)
	}
	return true
}

// users are the arguments that take a value of type t; of a variadic one only
// methods of it and plain parameters.
func (g *generator) users(t reflect.Type) []maker {
	key := t
	if list, ok := g.userCache()[key]; ok {
		return list
	}
	var list []maker
	for i := Builtins; i < len(g.m.Ops); i++ {
		for k, in := range g.m.Ops[i].In {
			if in.Kind() == reflect.Interface && in.NumMethod() == 0 {
				continue // takes anything
			}
			if g.m.Ops[i].excluded {
				continue
			}
			if fits(in, t) {
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
	for i := Builtins; i < len(g.m.Ops); i++ {
		op := &g.m.Ops[i]
		for j, out := range op.Out {
			if out == errorType || out.Kind() == reflect.Interface && out.NumMethod() == 0 {
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

func basic(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Bool, reflect.String, reflect.Float32, reflect.Float64, reflect.Complex64, reflect.Complex128:
		return true
	}
	return t.Kind() >= reflect.Int && t.Kind() <= reflect.Uintptr
}

// value gives a literal for an argument: one of the program's own values, one
// seen at this place, or a new one.
func (b *builder) value(t reflect.Type, at spot, depth int) (Lit, bool) {
	r := b.g.r
	own := 40
	if basic(t) {
		own = 8
	}
	if r.Chance(own) {
		if l, ok := b.live(t); ok {
			return l, true
		}
	}
	if list := b.g.seen[at]; len(list) > 0 && r.Chance(60) {
		x := cloneLits([]Lit{list[r.Intn(len(list))]})[0]
		if r.Chance(55) {
			b.mutateLit(&x, t, at)
		}
		return x, true
	}
	return b.fresh(t, at, depth)
}

// live is a reference to a value that the program has made.
func (b *builder) live(t reflect.Type) (Lit, bool) {
	n := len(b.vars)
	if n == 0 {
		return Lit{}, false
	}
	from := b.g.r.Intn(n)
	for i := 0; i < n; i++ {
		v := b.vars[(from+i)%n]
		if t.Kind() == reflect.Interface && t.NumMethod() == 0 && !b.g.r.Chance(30) {
			continue
		}
		if fits(t, v.t) {
			return RefTo(v.step, v.result), true
		}
	}
	return Lit{}, false
}

// latest is the newest value that fits.
func (b *builder) latest(t reflect.Type) (Lit, bool) {
	for i := len(b.vars) - 1; i >= 0; i-- {
		if fits(t, b.vars[i].t) {
			return RefTo(b.vars[i].step, b.vars[i].result), true
		}
	}
	return Lit{}, false
}

// fresh makes a new value of type t.
func (b *builder) fresh(t reflect.Type, at spot, depth int) (Lit, bool) {
	if b.tired() {
		return Lit{}, false
	}
	r, plain := b.g.r, b.g.plain
	if list := b.g.m.Constants[t]; len(list) > 0 && r.Chance(75) {
		return litOf(list[r.Intn(len(list))].Value), true
	}
	switch t {
	case timeType:
		return Lit{Form: Special, S: specialTime, E: []Lit{{Form: Int, N: someSecond(r, plain)}}}, true
	case locationType:
		return Lit{Form: Special, S: specialZone, E: []Lit{{Form: Int, N: int64(r.Intn(27)-12) * 1800}}}, true
	case errorType:
		return Lit{Form: Special, S: specialError, E: []Lit{{Form: Text, S: plain.known(r)}}}, true
	case contextType:
		if r.Chance(12) {
			return Lit{Form: Special, S: specialCanceled}, true
		}
		return Lit{Form: Special, S: specialContext}, true
	}
	switch t.Kind() {
	case reflect.Bool:
		return Lit{Form: Bool, N: int64(r.Intn(2))}, true
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return Lit{Form: Int, N: plain.Int(r, int64(r.Intn(10)), t.Bits())}, true
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		return Lit{Form: Uint, N: plain.Int(r, int64(r.Intn(10)), t.Bits())}, true
	case reflect.Float32, reflect.Float64:
		return FloatLit(plain.Float(r, float64(r.Intn(100)))), true
	case reflect.Complex64, reflect.Complex128:
		return Lit{Form: Complex, E: []Lit{FloatLit(plain.Float(r, 1)), FloatLit(plain.Float(r, 1))}}, true
	case reflect.String:
		return Lit{Form: Text, S: b.text(at)}, true
	case reflect.Interface:
		return b.freshInterface(t, at, depth)
	case reflect.Slice, reflect.Array, reflect.Map:
		return b.freshCollection(t, at, depth)
	case reflect.Func:
		return b.freshFunc(t, at, depth)
	case reflect.Chan:
		if l, ok := b.made(t, depth); ok {
			return l, true
		}
		l := Lit{Form: Special, S: specialChan}
		for n := r.few(3); n > 0; n-- {
			e, ok := b.fresh(t.Elem(), at, depth+1)
			if !ok {
				return Lit{}, false
			}
			l.E = append(l.E, e)
		}
		return l, t.ChanDir()&reflect.RecvDir != 0
	case reflect.Pointer:
		return b.freshPointer(t, at, depth)
	case reflect.Struct:
		return b.freshStruct(t, at, depth)
	}
	return Lit{}, false
}

func someSecond(r *Rand, plain *Plain) int64 {
	switch r.Intn(6) {
	case 0:
		return 0
	case 1:
		return plain.Int(r, 1_000_000_000, 40)
	case 2: // the ends of days, months and years, leap days
		days := []int64{19722, 19723, 19781, 19782, 11016, 10956, 0, -1, 47540, 20088}
		return days[r.Intn(len(days))]*86400 + []int64{0, -1, 86399, 43200}[r.Intn(4)]
	}
	return int64(r.Intn(2_000_000_000))
}

// text makes a string for a place.
func (b *builder) text(at spot) string {
	like := ""
	if list := b.g.seen[at]; len(list) > 0 {
		like = list[b.g.r.Intn(len(list))].S
	}
	if list := b.g.given; like == "" && len(list) > 0 && b.g.r.Chance(60) {
		// A reader, say: what was given as a text elsewhere has its shape.
		like = list[b.g.r.Intn(len(list))]
		if b.g.r.Chance(40) {
			return like
		}
	}
	return b.g.plain.String(b.g.r, like)
}

// made is a value of type t that a call makes: spliced in from a kept program,
// or called for now.
func (b *builder) made(t reflect.Type, depth int) (Lit, bool) {
	g := b.g
	if depth > deepest {
		return Lit{}, false
	}
	if g.r.Chance(60) {
		if l, ok := b.spliced(t); ok {
			return l, true
		}
	}
	list := g.makersOf(t)
	for try := 0; try < 4 && len(list) > 0; try++ {
		mk := list[g.r.Intn(len(list))]
		if o := list[g.r.Intn(len(list))]; len(g.m.Ops[o.op].In) < len(g.m.Ops[mk.op].In) && g.r.Chance(50) {
			mk = o // simpler ones more often
		}
		size, vars := len(b.p), len(b.vars)
		if b.call(mk.op, depth+1) {
			return RefTo(len(b.p)-1, mk.result), true
		}
		b.p, b.vars = b.p[:size], b.vars[:vars]
	}
	return b.spliced(t)
}

// spliced takes a value from the pool, with the steps that make it.
func (b *builder) spliced(t reflect.Type) (Lit, bool) {
	g := b.g
	list := g.pool[t]
	if len(list) == 0 || g.r.Chance(15) {
		if more := g.poolFor(t); len(more) > 0 {
			list = g.pool[more[g.r.Intn(len(more))]]
		}
	}
	if len(list) == 0 {
		return Lit{}, false
	}
	s := list[g.r.Intn(len(list))]
	q, at := g.kept[s.kept].Slice(s.step)
	if at[s.step] < 0 || len(b.p)+len(q) > longest {
		return Lit{}, false
	}
	by := len(b.p)
	for _, st := range (Program{}).Append(q) {
		(Program{st}).Walk(func(_ int, l *Lit) {
			if l.Form == Ref {
				l.N += int64(by)
			}
		})
		b.add(st)
	}
	return RefTo(by+at[s.step], s.result), true
}

// poolFor are the types in the pool that fit t, in the registry's order.
func (g *generator) poolFor(t reflect.Type) []reflect.Type {
	var out []reflect.Type
	for _, mk := range g.makersOf(t) {
		ty := g.m.Ops[mk.op].Out[mk.result]
		if len(g.pool[ty]) > 0 {
			out = append(out, ty)
		}
	}
	return out
}

func (b *builder) freshInterface(t reflect.Type, at spot, depth int) (Lit, bool) {
	r := b.g.r
	if t.NumMethod() == 0 {
		return b.freshAny(at, depth)
	}
	reads := reflect.TypeOf((*oddReader)(nil)).Implements(t)
	buffer := bytesBuffer.Implements(t)
	if reads || buffer && t.PkgPath() == "io" {
		if list := b.g.makersOf(t); len(list) > 0 && r.Chance(15) {
			if l, ok := b.made(t, depth); ok {
				return l, true
			}
		}
		kind := specialBuffer
		text := ""
		if reads {
			kind = []string{specialReader, specialReader, specialReader, specialOneByte, specialShort, specialFailing, specialDataEOF}[r.Intn(7)]
			text = b.text(at)
		} else if t.NumMethod() > 1 || !writerType.Implements(t) {
			text = b.text(at)
		}
		return Lit{Form: Special, S: kind, E: []Lit{{Form: Text, S: text}}}, true
	}
	if l, ok := b.made(t, depth); ok {
		return l, true
	}
	// Types that implement it, of the module and of its tests.
	var list []int
	for i, ty := range b.g.m.Types {
		if ty.Implements(t) {
			list = append(list, i)
		}
	}
	for try := 0; try < 3 && len(list) > 0 && depth <= deepest; try++ {
		k := list[r.Intn(len(list))]
		if l, ok := b.fresh(b.g.m.Types[k], at, depth+1); ok {
			if l.Form == Ref {
				return l, true
			}
			return Lit{Form: Dynamic, T: k, E: []Lit{l}}, true
		}
	}
	if buffer {
		return Lit{Form: Special, S: specialBuffer, E: []Lit{{Form: Text, S: b.text(at)}}}, true
	}
	return Lit{}, false
}

// freshAny is a value for a parameter that takes anything.
func (b *builder) freshAny(at spot, depth int) (Lit, bool) {
	r, m := b.g.r, b.g.m
	if depth > deepest {
		return Lit{Form: Dynamic, T: m.byType[reflect.TypeOf("")], E: []Lit{{Form: Text, S: b.text(at)}}}, true
	}
	for try := 0; try < 8; try++ {
		k := r.Intn(len(m.Types))
		if n := len(m.Types) - m.basic; n > 0 && r.Chance(30) {
			k = m.basic + r.Intn(n)
		} else if r.Chance(35) {
			k = m.byType[reflect.TypeOf("")]
		}
		t := m.Types[k]
		if t.Kind() == reflect.Pointer && r.Chance(20) {
			if l, ok := b.made(t, depth); ok {
				return l, true
			}
		}
		l, ok := b.fresh(t, at, depth+1)
		if !ok {
			continue
		}
		if l.Form == Ref {
			return l, true
		}
		return Lit{Form: Dynamic, T: k, E: []Lit{l}}, true
	}
	return Lit{}, false
}

func (b *builder) freshCollection(t reflect.Type, at spot, depth int) (Lit, bool) {
	r := b.g.r
	if t.Name() != "" && t.PkgPath() != "" && r.Chance(50) {
		if l, ok := b.made(t, depth); ok {
			return l, true
		}
	}
	if t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.Uint8 {
		return Lit{Form: Text, S: b.text(at)}, true
	}
	if t.Kind() != reflect.Array && r.Chance(4) {
		return Lit{}, true // nil
	}
	l := Lit{Form: Seq}
	n := r.few(mostElements)
	if r.Chance(10) {
		n += r.Intn(12)
	}
	if depth > deepest {
		n = 0
	}
	if t.Kind() == reflect.Map {
		l.Form = Map
		for ; n > 0; n-- {
			k, ok := b.fresh(t.Key(), spot{-1, -1}, depth+1)
			if !ok {
				return l, len(l.E) == 0
			}
			e, ok := b.elementValue(t.Elem(), depth+1)
			if !ok {
				return l, len(l.E) == 0
			}
			l.E = append(l.E, k, e)
		}
		return l, true
	}
	if t.Kind() == reflect.Array {
		if n = t.Len(); n > 64 {
			n = 64
		}
	}
	for ; n > 0; n-- {
		if len(l.E) > 0 && r.Chance(25) {
			l.E = append(l.E, cloneLits(l.E[r.Intn(len(l.E)):][:1])...)
			continue
		}
		e, ok := b.elementValue(t.Elem(), depth+1)
		if !ok {
			return l, t.Kind() == reflect.Slice
		}
		l.E = append(l.E, e)
	}
	return l, true
}

// elementValue is a value inside a collection: own values are rarely shared.
func (b *builder) elementValue(t reflect.Type, depth int) (Lit, bool) {
	if !basic(t) && b.g.r.Chance(30) {
		if l, ok := b.live(t); ok {
			return l, true
		}
	}
	return b.fresh(t, spot{-1, -1}, depth)
}

func (b *builder) freshFunc(t reflect.Type, at spot, depth int) (Lit, bool) {
	r := b.g.r
	if t.Name() != "" || r.Chance(20) {
		if l, ok := b.made(t, depth); ok { // functional options, say
			return l, true
		}
	}
	l := Lit{Form: Special, S: specialFunc}
	if r.Chance(65) {
		l.S = specialHashFunc
	}
	for i := 0; i < t.NumOut(); i++ {
		if t.Out(i) == errorType && !r.Chance(20) {
			l.E = append(l.E, Lit{})
			continue
		}
		e, ok := b.fresh(t.Out(i), spot{-1, -1}, depth+1)
		if !ok || !self(e) {
			e = Lit{}
		}
		l.E = append(l.E, e)
	}
	return l, true
}

func (b *builder) freshPointer(t reflect.Type, at spot, depth int) (Lit, bool) {
	r := b.g.r
	if r.Chance(2) {
		return Lit{}, true
	}
	if t.Elem().Kind() == reflect.Struct || t.Elem().Name() != "" && !basic(t.Elem()) {
		if len(b.g.makersOf(t)) > 0 && (opaque(t.Elem()) || r.Chance(70)) {
			return b.made(t, depth)
		}
	}
	if depth > deepest {
		return Lit{}, false
	}
	e, ok := b.fresh(t.Elem(), at, depth+1)
	if !ok || e.Form == Ref {
		return e, ok
	}
	l := Lit{Form: Pointer, E: []Lit{e}}
	// What a type without constructors needs to get into a state is a place of
	// its own, which later calls can use too.
	if k, ok := b.g.m.byType[t]; ok && t.Elem().Kind() == reflect.Struct && len(b.p) < longest && r.Chance(75) {
		b.add(Step{OpLet, []Lit{{Form: Dynamic, T: k, E: []Lit{l}}}})
		return RefTo(len(b.p)-1, 0), true
	}
	return l, true
}

func (b *builder) freshStruct(t reflect.Type, at spot, depth int) (Lit, bool) {
	r := b.g.r
	if len(b.g.makersOf(t)) > 0 && (opaque(t) || r.Chance(60)) {
		return b.made(t, depth)
	}
	l := Lit{Form: Struct, E: make([]Lit, b.g.m.fields(t))}
	if depth > deepest {
		return l, true
	}
	for i := range l.E {
		f := t.Field(b.g.m.field(t, i))
		if !f.IsExported() || r.Chance(20) {
			continue
		}
		e, ok := b.fresh(f.Type, spot{-1, -1}, depth+1)
		if !ok {
			e = Lit{}
		}
		l.E[i] = e
	}
	return l, true
}

// opaque says that a struct has fields that only its own package can set: its
// constructors know how.
func opaque(t reflect.Type) bool {
	if t.Kind() != reflect.Struct {
		return false
	}
	for i := 0; i < t.NumField(); i++ {
		if !t.Field(i).IsExported() {
			return true
		}
	}
	return false
}

// litOf writes a value of a basic kind down.
func litOf(v reflect.Value) Lit {
	switch {
	case v.Kind() == reflect.Bool:
		if v.Bool() {
			return Lit{Form: Bool, N: 1}
		}
		return Lit{Form: Bool}
	case v.CanInt():
		return Lit{Form: Int, N: v.Int()}
	case v.CanUint():
		return Lit{Form: Uint, N: int64(v.Uint())}
	case v.CanFloat():
		return FloatLit(v.Float())
	case v.Kind() == reflect.String:
		return Lit{Form: Text, S: v.String()}
	}
	return Lit{}
}

// node is a literal with its type.
type node struct {
	l *Lit
	t reflect.Type
}

// nodes lists the literals below l that can be changed.
func (b *builder) nodes(l *Lit, t reflect.Type, out []node) []node {
	if t == nil || len(out) > 200 {
		return out
	}
	if l.Form == Special {
		if len(l.E) > 0 && (l.E[0].Form == Text || l.E[0].Form == Int) && t.Kind() != reflect.Func && t.Kind() != reflect.Chan {
			return append(out, node{&l.E[0], nil})
		}
		return append(out, node{l, t})
	}
	out = append(out, node{l, t})
	for i := range l.E {
		out = b.nodes(&l.E[i], elementType(b.g.m.Registry, l, t, i), out)
	}
	return out
}

// mutate changes one literal of the program.
func (b *builder) mutate() {
	r := b.g.r
	if len(b.p) == 0 {
		return
	}
	for try := 0; try < 6; try++ {
		i := r.Intn(len(b.p))
		s := &b.p[i]
		if len(s.Args) == 0 || b.g.m.Ops[s.Op].Role < Caller && r.Chance(40) {
			continue
		}
		k := r.Intn(len(s.Args))
		if s.Op < Builtins {
			if s.Op == OpLet && s.Args[0].Form == Dynamic && s.Args[0].T < len(b.g.m.Types) && len(s.Args[0].E) == 1 {
				b.mutateAt(i, &s.Args[0].E[0], b.g.m.Types[s.Args[0].T], spot{-1, -1})
				return
			}
			continue
		}
		if k >= len(b.g.m.Ops[s.Op].In) || s.Args[k].Form == Ref && !r.Chance(10) {
			continue
		}
		b.mutateAt(i, &s.Args[k], b.g.m.Ops[s.Op].In[k], spot{s.Op, k})
		if most, ok := b.g.caps[s.Op]; ok {
			b.cap(i, most)
		}
		return
	}
}

// mutateAt changes a literal of step i; what is new may only refer to steps
// before it.
func (b *builder) mutateAt(i int, l *Lit, t reflect.Type, at spot) {
	whole := b.vars
	n := 0
	for n < len(whole) && whole[n].step < i {
		n++
	}
	size := len(b.p)
	b.vars = whole[:n:n]
	x := cloneLits([]Lit{*l})[0]
	b.mutateLit(&x, t, at)
	if len(b.p) == size {
		*l = x
	}
	// Steps added on the way would stand behind their use.
	b.p, b.vars = b.p[:size], whole
}

// mutateLit changes one part of a literal of type t.
func (b *builder) mutateLit(l *Lit, t reflect.Type, at spot) {
	r, plain := b.g.r, b.g.plain
	list := b.nodes(l, t, nil)
	if len(list) == 0 {
		return
	}
	n := list[r.Intn(len(list))]
	switch n.l.Form {
	case Bool:
		n.l.N ^= 1
	case Int, Uint:
		bits := 64
		if n.t != nil && basic(n.t) {
			bits = n.t.Bits()
			if list := b.g.m.Constants[n.t]; len(list) > 0 && r.Chance(70) {
				*n.l = litOf(list[r.Intn(len(list))].Value)
				return
			}
		}
		n.l.N = plain.Int(r, n.l.N, bits)
	case Float:
		n.l.N = int64(math.Float64bits(plain.Float(r, n.l.float())))
	case Text:
		n.l.S = plain.String(r, n.l.S)
		if r.Chance(5) && !utf8.ValidString(n.l.S) {
			n.l.S = plain.known(r)
		}
	case Seq:
		if n.t != nil && (n.t.Kind() == reflect.Slice || n.t.Kind() == reflect.Array) {
			b.mutateSeq(n, at)
		}
	case Map:
		if n.t == nil || n.t.Kind() != reflect.Map {
			return
		}
		if k := len(n.l.E) / 2; k > 0 && r.Chance(40) {
			i := 2 * r.Intn(k)
			n.l.E = append(n.l.E[:i:i], n.l.E[i+2:]...)
			return
		}
		key, ok := b.fresh(n.t.Key(), spot{-1, -1}, deepest-1)
		e, ok2 := b.fresh(n.t.Elem(), spot{-1, -1}, deepest-1)
		if ok && ok2 {
			n.l.E = append(n.l.E, key, e)
		}
	case Ref:
		if x, ok := b.live(n.t); ok {
			*n.l = x
		}
	default:
		if n.t != nil {
			if x, ok := b.fresh(n.t, at, 2); ok {
				*n.l = x
			}
		}
	}
}

func (b *builder) mutateSeq(n node, at spot) {
	r := b.g.r
	k := len(n.l.E)
	array := n.t.Kind() == reflect.Array
	switch x := r.Intn(6); {
	case k > 0 && x == 0 && !array: // drop
		i := r.Intn(k)
		n.l.E = append(n.l.E[:i:i], n.l.E[i+1:]...)
	case k > 0 && x == 1 && !array: // double
		i := r.Intn(k)
		n.l.E = append(n.l.E, cloneLits(n.l.E[i:i+1])...)
	case k > 1 && x == 2: // swap
		i, j := r.Intn(k), r.Intn(k)
		n.l.E[i], n.l.E[j] = n.l.E[j], n.l.E[i]
	case k > 0 && x == 3 && !array: // cut
		n.l.E = n.l.E[:r.Intn(k):k]
	case k > 0 && x == 4: // equal neighbours
		i, j := r.Intn(k), r.Intn(k)
		n.l.E[i] = cloneLits(n.l.E[j : j+1])[0]
	default:
		if array {
			return
		}
		for c := 1 + r.few(3); c > 0; c-- {
			if e, ok := b.fresh(n.t.Elem(), spot{-1, -1}, deepest-1); ok {
				n.l.E = append(n.l.E, e)
			}
		}
	}
}

// scribble gives a slice argument a place of its own where it has none, and
// writes to a slice that the program holds.
func (b *builder) scribble() bool {
	r := b.g.r
	// A literal slice argument becomes a variable, so that it can be looked at
	// and written to afterwards.
	for try := 0; try < 4 && len(b.p) > 0 && len(b.p) < longest; try++ {
		i := r.Intn(len(b.p))
		s := b.p[i]
		if s.Op < Builtins || len(s.Args) == 0 {
			continue
		}
		k := r.Intn(len(s.Args))
		t := b.g.m.Ops[s.Op].In[k]
		ti, ok := b.g.m.byType[t]
		if !ok || t.Kind() != reflect.Slice && t.Kind() != reflect.Map || !self(s.Args[k]) || s.Args[k].Form == Zero {
			continue
		}
		lit := Step{OpLet, []Lit{{Form: Dynamic, T: ti, E: []Lit{s.Args[k]}}}}
		q := Program{lit}.Append(b.p)
		q[i+1].Args[k] = RefTo(0, 0)
		*b = *b.g.builder(q)
		break
	}
	var at []variable
	for _, v := range b.vars {
		if t := v.t; t.Kind() == reflect.Slice {
			at = append(at, v)
		}
	}
	if len(at) == 0 || len(b.p) > longest {
		return false
	}
	v := at[r.Intn(len(at))]
	t := v.t
	for t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.Slice {
		t = t.Elem()
	}
	e, ok := b.fresh(t.Elem(), spot{-1, -1}, deepest)
	if !ok || !self(e) {
		return false
	}
	op := OpWrite
	if r.Chance(60) {
		op = OpExtend
	}
	b.add(Step{op, []Lit{RefTo(v.step, v.result), e}})
	return true
}

//go:build go1.21

package harness

import (
	"fmt"
	"reflect"

	"github.com/isodelta/isodelta/runner/calls/wire"
)

// fresh makes a new value of type t.
func (b *builder) fresh(t reflect.Type, at spot, depth int) (wire.Lit, bool) {
	if b.tired() {
		return wire.Lit{}, false
	}
	r, plain := b.g.r, b.g.plain
	if list := b.g.m.Constants[t]; len(list) > 0 && r.Chance(75) {
		return litOf(list[r.Intn(len(list))].Value), true
	}
	switch t {
	case timeType:
		zone := int64(0)
		if r.Chance(inZone) {
			zone = someZone(r)
		}
		return timeAt(someSecond(r, plain), zone), true
	case locationType:
		return wire.Lit{Form: wire.Special, S: wire.SpecialZone, E: []wire.Lit{{Form: wire.Int, N: someZone(r)}}}, true
	case errorType:
		if r.Chance(oddly) {
			if l, ok := b.askedFor(t, depth); ok {
				return l, true
			}
		}
		// Errors that the package names, and such beneath another one.
		if r.Chance(50) {
			if named, ok := b.variable(t); ok {
				if r.Chance(35) {
					named = wire.Lit{Form: wire.Special, S: wire.SpecialWrapped, E: []wire.Lit{named}}
				}
				return named, true
			}
		}
		// What a constructor gives that is an error of a type of its own.
		if r.Chance(20) && depth <= deepest {
			if l, ok := b.makerOf(t, func(op *Operation) bool { return !op.Variable }, depth+1); ok {
				return l, true
			}
		}
		return wire.Lit{Form: wire.Special, S: wire.SpecialError, E: []wire.Lit{{Form: wire.Text, S: plain.known(r)}}}, true
	case b.g.m.requestType:
		return b.freshRequest(at), true
	case b.g.m.answerType:
		if r.Chance(80) {
			return wire.Lit{Form: wire.Special, S: wire.SpecialReply, E: []wire.Lit{{Form: wire.Text, S: b.reply()}}}, true
		}
	case b.g.m.clientType:
		if r.Chance(4) {
			return wire.Lit{}, true // nil, which often means the usual one
		}
		return b.freshClient(t)
	case contextType:
		switch x := r.Intn(100); {
		case x < 12:
			return wire.Lit{Form: wire.Special, S: wire.SpecialCanceled}, true
		case x < 12+waiting:
			return timeout(r), true
		}
		return wire.Lit{Form: wire.Special, S: wire.SpecialContext}, true
	}
	switch t.Kind() {
	case reflect.Bool:
		return wire.Lit{Form: wire.Bool, N: int64(r.Intn(2))}, true
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return wire.Lit{Form: wire.Int, N: plain.Int(r, int64(r.Intn(10)), t.Bits())}, true
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		return wire.Lit{Form: wire.Uint, N: plain.Int(r, int64(r.Intn(10)), t.Bits())}, true
	case reflect.Float32, reflect.Float64:
		return wire.FloatLit(plain.Float(r, float64(r.Intn(100)))), true
	case reflect.Complex64, reflect.Complex128:
		return wire.Lit{Form: wire.Complex, E: []wire.Lit{wire.FloatLit(plain.Float(r, 1)), wire.FloatLit(plain.Float(r, 1))}}, true
	case reflect.String:
		if b.g.m.namesFile(at) {
			return b.pathFor(t, at), true
		}
		return wire.Lit{Form: wire.Text, S: b.text(at)}, true
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
		l := wire.Lit{Form: wire.Special, S: wire.SpecialChan}
		if t.ChanDir() == reflect.SendDir {
			return wire.Lit{Form: wire.Special, S: wire.SpecialOpenChan}, true
		}
		if r.Chance(waiting) {
			l.S = wire.SpecialLateChan
		}
		for n := r.few(3); n > 0; n-- {
			e, ok := b.fresh(t.Elem(), at, depth+1)
			if !ok {
				return wire.Lit{}, false
			}
			l.E = append(l.E, e)
		}
		return l, true
	case reflect.Pointer:
		return b.freshPointer(t, at, depth)
	case reflect.Struct:
		return b.freshStruct(t, at, depth)
	}
	return wire.Lit{}, false
}

// variable looks at a package-level variable of type t.
func (b *builder) variable(t reflect.Type) (wire.Lit, bool) {
	return b.makerOf(t, func(op *Operation) bool { return op.Variable && op.Out[0] == t }, deepest)
}

// makerOf calls one of the operations that make a t.
func (b *builder) makerOf(t reflect.Type, wanted func(*Operation) bool, depth int) (wire.Lit, bool) {
	var list []maker
	for _, mk := range b.g.makersOf(t) {
		if wanted(&b.g.m.Ops[mk.op]) {
			list = append(list, mk)
		}
	}
	if len(list) == 0 {
		return wire.Lit{}, false
	}
	mk := list[b.g.r.Intn(len(list))]
	size, vars := len(b.p), len(b.vars)
	if b.call(mk.op, depth) {
		return wire.RefTo(len(b.p)-1, mk.result), true
	}
	b.p, b.vars = b.p[:size], b.vars[:vars]
	return wire.Lit{}, false
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

// inZone is how often, of 100, a time is in another zone than UTC.
const inZone = 25

// someZone is a zone, from twelve hours behind UTC to fourteen ahead, in seconds.
func someZone(r *Rand) int64 { return int64(r.Intn(53)-24) * 1800 }

// text makes a string for a place.
func (b *builder) text(at spot) string {
	if len(b.fileNames) > 0 && b.g.r.Chance(30) {
		return b.fileNames[b.g.r.Intn(len(b.fileNames))]
	}
	if s := b.recoding(at); s != "" {
		return s
	}
	like := ""
	if list := b.g.seen[at]; len(list) > 0 {
		like = list[b.g.r.Intn(len(list))].S
	}
	if s := b.documentOr(like); s != "" {
		return s
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

// made is a value of type t that a call makes: spliced in from a kept sequence,
// or called for now.
func (b *builder) made(t reflect.Type, depth int) (wire.Lit, bool) {
	g := b.g
	if depth > deepest {
		return wire.Lit{}, false
	}
	if g.r.Chance(60) {
		if l, ok := b.spliced(t); ok {
			b.set(l, t)
			return l, true
		}
	}
	list := g.makersOf(t)
	for try := 0; try < 4 && len(list) > 0; try++ {
		mk := list[g.r.Intn(len(list))]
		if o := list[g.r.Intn(len(list))]; len(g.m.Ops[o.op].In) < len(g.m.Ops[mk.op].In) && g.r.Chance(50) {
			mk = o // simpler ones more often
		}
		if op := &g.m.Ops[mk.op]; op.Method && fits(op.In[0], t) && g.r.Chance(60) {
			mk = list[g.r.Intn(len(list))] // what needs such a value seldom comes to one
		}
		if g.yields.inVain(mk.op) && g.r.Chance(redrawn) {
			mk = list[g.r.Intn(len(list))]
		}
		size, vars := len(b.p), len(b.vars)
		if b.call(mk.op, depth+1) {
			l := wire.RefTo(len(b.p)-1, mk.result)
			b.set(l, g.m.Ops[mk.op].Out[mk.result])
			b.prepare(l, g.m.Ops[mk.op].Out[mk.result])
			return l, true
		}
		b.p, b.vars = b.p[:size], b.vars[:vars]
	}
	return b.spliced(t)
}

// spliced takes a value from the pool, with the steps that make it.
func (b *builder) spliced(t reflect.Type) (wire.Lit, bool) {
	g := b.g
	list := g.pool[t]
	if len(list) == 0 || g.r.Chance(15) {
		if more := g.poolFor(t); len(more) > 0 {
			list = g.pool[more[g.r.Intn(len(more))]]
		}
	}
	if len(list) == 0 {
		return wire.Lit{}, false
	}
	s := list[g.r.Intn(len(list))]
	keep := []int{s.step}
	if g.r.Chance(history) {
		keep = append(keep, events(g.kept[s.kept], s.step)...)
	}
	q, at := g.kept[s.kept].Slice(keep...)
	if at[s.step] < 0 || len(b.p)+len(q) > longest {
		return wire.Lit{}, false
	}
	by := len(b.p)
	for _, st := range (wire.Sequence{}).Append(q) {
		(wire.Sequence{st}).Walk(func(_ int, l *wire.Lit) {
			if l.Form == wire.Ref {
				l.N += int64(by)
			}
		})
		b.add(st)
	}
	return wire.RefTo(by+at[s.step], s.result), true
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

func (b *builder) freshInterface(t reflect.Type, at spot, depth int) (wire.Lit, bool) {
	r := b.g.r
	if t.NumMethod() == 0 {
		return b.freshAny(at, depth)
	}
	if b.g.m.ofFiles(t) && r.Chance(70) {
		return b.freshFiles(), true
	}
	reads := reflect.TypeOf((*oddReader)(nil)).Implements(t)
	buffer := bytesBuffer.Implements(t)
	if reads || buffer && t.PkgPath() == "io" {
		if list := b.g.makersOf(t); len(list) > 0 && r.Chance(15) {
			if l, ok := b.made(t, depth); ok {
				return l, true
			}
		}
		kind := wire.SpecialBuffer
		text := ""
		if reads {
			kind = wire.SpecialReader
			if r.Chance(60) {
				kind = readerKinds()[r.Intn(len(readerKinds()))]
			}
			text = b.text(at)
		} else if t.NumMethod() == 1 && writerType.Implements(t) && r.Chance(8) {
			if r.Chance(50) {
				return lateFull(int64(1 + r.Intn(40))), true
			}
			return wire.Lit{Form: wire.Special, S: wire.SpecialFull}, true
		} else if t.NumMethod() > 1 || !writerType.Implements(t) {
			text = b.text(at)
		}
		l := wire.Lit{Form: wire.Special, S: kind, E: []wire.Lit{{Form: wire.Text, S: text}}}
		if kind == wire.SpecialBuffer && writerType.Implements(t) && len(b.p) < longest {
			// What is written shows only in a place that can be looked at later.
			b.add(wire.Step{Op: wire.OpLet, Args: []wire.Lit{{Form: wire.Dynamic, T: b.g.m.byType[bytesBuffer], E: []wire.Lit{l}}}})
			return wire.RefTo(len(b.p)-1, 0), true
		}
		return l, true
	}
	if r.Chance(70) {
		if l, ok := b.freshTransport(t); ok {
			return l, true
		}
	}
	if k := b.g.m.stubOf(t); k >= 0 && !b.g.m.isPart(at) && r.Chance(b.returning(25, 75)) && depth <= deepest {
		if l, ok := b.fresh(b.g.m.Types[k], at, depth+1); ok && l.Form == wire.Struct {
			return wire.Lit{Form: wire.Dynamic, T: k, E: []wire.Lit{l}}, true
		}
	}
	if k := b.g.m.adapterOf(t); k >= 0 && r.Chance(50) && depth <= deepest {
		if l, ok := b.fresh(b.g.m.Types[k], at, depth+1); ok && l.Form != wire.Ref {
			return wire.Lit{Form: wire.Dynamic, T: k, E: []wire.Lit{l}}, true
		}
	}
	if r.Chance(b.g.preferred(t)) {
		if l, ok := b.implementer(t, at, depth); ok {
			return l, true
		}
	}
	if l, ok := b.made(t, depth); ok {
		return l, true
	}
	if l, ok := b.implementer(t, at, depth); ok {
		return l, true
	}
	if b.g.m.ofFiles(t) {
		return b.freshFiles(), true
	}
	if buffer {
		return wire.Lit{Form: wire.Special, S: wire.SpecialBuffer, E: []wire.Lit{{Form: wire.Text, S: b.text(at)}}}, true
	}
	return wire.Lit{}, false
}

func (b *builder) freshCollection(t reflect.Type, at spot, depth int) (wire.Lit, bool) {
	r := b.g.r
	if t.Name() != "" && t.PkgPath() != "" && r.Chance(50) {
		if l, ok := b.made(t, depth); ok {
			return l, true
		}
	}
	if t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.Uint8 {
		if r.Chance(buffers) {
			return wire.Lit{Form: wire.Text, S: b.g.buffer()}, true
		}
		return wire.Lit{Form: wire.Text, S: b.text(at)}, true
	}
	if t.Kind() != reflect.Array && r.Chance(4) {
		return wire.Lit{}, true // nil
	}
	l := wire.Lit{Form: wire.Seq}
	n := r.few(maxElements)
	if r.Chance(10) {
		n += r.Intn(12)
	}
	if depth > deepest {
		n = 0
	}
	if t.Kind() == reflect.Map {
		l.Form = wire.Map
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
			l.E = append(l.E, wire.CloneLits(l.E[r.Intn(len(l.E)):][:1])...)
			continue
		}
		e, ok := b.elementValue(t.Elem(), depth+1)
		if !ok {
			return l, t.Kind() == reflect.Slice
		}
		l.E = append(l.E, e)
	}
	if t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.String && r.Chance(b.commandLines(at)) {
		l.E = b.asWords(l.E)
	}
	return l, true
}

// elementValue is a value inside a collection: own values are rarely shared.
func (b *builder) elementValue(t reflect.Type, depth int) (wire.Lit, bool) {
	if !basic(t) && b.g.r.Chance(30) {
		if l, ok := b.live(t); ok {
			return l, true
		}
	}
	return b.fresh(t, spot{-1, -1}, depth)
}

func (b *builder) freshFunc(t reflect.Type, at spot, depth int) (wire.Lit, bool) {
	r := b.g.r
	back := backward
	if speaks(t) {
		back = speaking
	}
	if b.passesOn(t) {
		back = passing
	}
	back = b.returning(back, 60)
	if r.Chance(back) {
		if l, ok := b.freshBack(t, depth); ok {
			return l, true
		}
	}
	acts := b.g.m.answers(t) || len(b.g.callable(t)) > 0
	if t.Name() != "" && (!acts || r.Chance(50)) || r.Chance(20) {
		if l, ok := b.made(t, depth); ok { // functional options, say
			return l, true
		}
	}
	if r.Chance(20) {
		if l, ok := b.freshNamed(t); ok {
			return l, true
		}
	}
	if b.g.m.repliesTo(t) && r.Chance(80) {
		return b.freshReplies(), true
	}
	if b.g.m.answers(t) && r.Chance(90) {
		return b.freshAnswer(), true
	}
	if r.Chance(settingChance) {
		if l, ok := b.freshSetting(t, depth); ok {
			return l, true
		}
	}
	if r.Chance(50) {
		if l, ok := b.freshCalling(t, depth); ok {
			return l, true
		}
	}
	// Of a callback that is called on a goroutine, a panic would end the process.
	if speaks(t) && at.op < 0 && r.Chance(35) || !b.g.m.spawns && r.Chance(4) {
		return panicking(), true
	}
	l := wire.Lit{Form: wire.Special, S: wire.SpecialFunc}
	tells := r.Chance(40)
	if r.Chance(65) {
		l.S = wire.SpecialHashFunc
	}
	for i := 0; i < t.NumOut(); i++ {
		if t.Out(i) == errorType && !r.Chance(30) {
			l.E = append(l.E, wire.Lit{})
			continue
		}
		e, ok := b.fresh(t.Out(i), spot{-1, -1}, depth+1)
		if !ok || !self(e) && t.Out(i) != errorType { // an error may be one that an earlier step gave
			e = wire.Lit{}
		}
		l.E = append(l.E, e)
	}
	if tells {
		if x, ok := b.freshTelling(t, l.E); ok {
			return x, true
		}
	}
	return l, true
}

func (b *builder) freshPointer(t reflect.Type, at spot, depth int) (wire.Lit, bool) {
	r := b.g.r
	if r.Chance(2) {
		return wire.Lit{}, true
	}
	if t.Elem().Kind() == reflect.Struct || t.Elem().Name() != "" && !basic(t.Elem()) {
		if b.byCall(t, t.Elem(), 70) {
			return b.made(t, depth)
		}
	}
	if depth > deepest {
		return wire.Lit{}, false
	}
	e, ok := b.fresh(t.Elem(), at, depth+1)
	if !ok || e.Form == wire.Ref {
		return e, ok
	}
	l := wire.Lit{Form: wire.Pointer, E: []wire.Lit{e}}
	// What a type without constructors needs to get into a state is a place of
	// its own, which later calls can use too.
	if k, ok := b.g.m.byType[t]; ok && t.Elem().Kind() == reflect.Struct && len(b.p) < longest && r.Chance(75) {
		b.add(wire.Step{Op: wire.OpLet, Args: []wire.Lit{{Form: wire.Dynamic, T: k, E: []wire.Lit{l}}}})
		return wire.RefTo(len(b.p)-1, 0), true
	}
	return l, true
}

func (b *builder) freshStruct(t reflect.Type, at spot, depth int) (wire.Lit, bool) {
	r := b.g.r
	if b.byCall(t, t, 60) {
		return b.made(t, depth)
	}
	if IsConn(t) {
		return b.freshConn(t), true
	}
	l := wire.Lit{Form: wire.Struct, E: make([]wire.Lit, b.g.m.Fields(t))}
	if depth > deepest || IsTB(t) {
		return l, true
	}
	for i := range l.E {
		f := t.Field(b.g.m.Field(t, i))
		if !f.IsExported() || r.Chance(20) {
			continue
		}
		if b.g.m.pathFields[field{t, f.Name}] && f.Type.Kind() == reflect.String {
			l.E[i] = b.pathFor(f.Type, spot{-1, -1})
			continue
		}
		e, ok := b.fresh(f.Type, spot{-1, -1}, depth+1)
		if !ok {
			e = wire.Lit{}
		}
		l.E[i] = e
	}
	return l, true
}

// opaque reports whether a struct has fields that only its own package can set: its
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

// reveals reports whether package fmt would print a value's unexported fields: what
// takes anything may print it, and how a struct keeps its state is not what it
// does.
func reveals(t reflect.Type) bool {
	e := t
	if e.Kind() == reflect.Pointer {
		e = e.Elem()
	}
	return opaque(e) && !t.Implements(stringerType) && !t.Implements(errorType)
}

var stringerType = reflect.TypeOf((*fmt.Stringer)(nil)).Elem()

// litOf writes a value of a basic kind down.
func litOf(v reflect.Value) wire.Lit {
	switch {
	case v.Kind() == reflect.Bool:
		if v.Bool() {
			return wire.Lit{Form: wire.Bool, N: 1}
		}
		return wire.Lit{Form: wire.Bool}
	case v.CanInt():
		return wire.Lit{Form: wire.Int, N: v.Int()}
	case v.CanUint():
		return wire.Lit{Form: wire.Uint, N: int64(v.Uint())}
	case v.CanFloat():
		return wire.FloatLit(v.Float())
	case v.Kind() == reflect.String:
		return wire.Lit{Form: wire.Text, S: v.String()}
	}
	return wire.Lit{}
}

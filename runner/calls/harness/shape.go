//go:build go1.21

package harness

import (
	"reflect"
	"strings"

	"github.com/isodelta/isodelta/runner/calls/wire"
)

const (
	// perEffort bounds the executions of one way of coming closer to the goal.
	perEffort = 2500
	// perLesser bounds those for a condition on the way.
	perLesser  = 250
	maxLessers = 24
	// perPlace bounds what is put in one place.
	perPlace = 48
)

// improve tries all that there is to bring an attempt closer to the goal, the cheapest
// first. It reports whether that came closer.
func (a *aim) improve(t *attempt) bool {
	e := &effort{a: a, t: t, left: perEffort, want: func(x *attempt) *parting { return &x.main }}
	if e.push() {
		return true
	}
	e.advance()
	return a.lesser(e)
}

// push tries all that changes the input, and reports whether that came to another
// decision.
func (e *effort) push() bool {
	if e.toState() || e.affine() {
		return true
	}
	shaped := len(e.parting().operands) == 0 // a truth, or something that is nil
	if shaped && e.shapes() {
		return true
	}
	e.advance()
	return e.alternate() || !shaped && e.shapes()
}

// lesser has conditions on the way to the parting go another way, the last ones first: a
// condition without operands mostly depends on what a function called before it decided.
// It reports whether that came closer to the goal.
func (a *aim) lesser(e *effort) bool {
	t := e.t
	seen := map[decision]bool{}
	n := 0
	at := t.main.at
	if t.main.condition < 0 {
		at = len(t.path) // whatever was decided may be in the way
	}
	for i := min(at, len(t.path)) - 1; i >= 0 && n < maxLessers; i-- {
		d := t.path[i]
		if int(d.condition) == t.main.condition || seen[d] {
			continue
		}
		seen[d] = true
		n++
		if a.divert(t, &objective{one: int(d.condition), outcome: !d.outcome}) {
			return true
		}
	}
	return false
}

// divert tries to have a condition decide otherwise. It reports whether that came closer
// to the goal.
func (a *aim) divert(t *attempt, sub *objective) bool {
	a.sight.sub = sub
	defer func() { a.sight.sub = nil }()
	// The attempt has to be seen with the eyes of the new objective.
	a.sight.reset()
	if a.execute(t.p) < 0 {
		return false
	}
	a.runs++
	from := &attempt{p: t.p, main: t.main, part: a.sight.part, path: t.path}
	if from.part.condition < 0 {
		return false
	}
	closer := false
	e := &effort{a: a, t: from, left: perLesser}
	e.want = func(x *attempt) *parting {
		if x.main.better(t.main.nearness) {
			closer = true
		}
		if x.part.condition < 0 && tookOther(x, sub) {
			x.part.nearness = nearness{level: -1} // it went the other way
		}
		return &x.part
	}
	for e.left > 0 && !closer && e.push() && e.want(e.best).level >= 0 {
		e.t, e.best, e.closer = e.best, nil, nil
	}
	return closer
}

// tookOther reports whether an attempt went the way that a lesser objective wants.
func tookOther(x *attempt, sub *objective) bool {
	for _, d := range x.path {
		if int(d.condition) == sub.one && d.outcome == sub.outcome {
			return true
		}
	}
	return false
}

// shapes changes what is no number: nil and what is not, readers that fail, contexts that
// are over, dynamic types, constants, words, truths, and what is called before. It
// reports whether that came closer.
func (e *effort) shapes() bool {
	for _, x := range e.a.placesOf(e.t.p) {
		for i, l := range e.a.others(x) {
			if i == perPlace {
				break
			}
			q := e.t.p.Clone()
			*(&knob{step: x.step, path: x.path}).lit(q) = l
			if e.try(q, true) {
				return e.best != nil
			}
		}
	}
	return e.setters()
}

// others are literals to put in a place.
func (a *aim) others(x place) []wire.Lit {
	var out []wire.Lit
	g := a.server.g
	fresh := func(t reflect.Type, n int) {
		for ; n > 0; n-- {
			if l, ok := g.builder(nil).fresh(t, spot{-1, -1}, deepest-1); ok && self(l) {
				out = append(out, l)
			}
		}
	}
	switch x.l.Form {
	case wire.Bool:
		return []wire.Lit{{Form: wire.Bool, N: 1 - x.l.N}}
	case wire.Int, wire.Uint:
		if x.t != nil {
			for _, c := range a.m.Constants[x.t] {
				out = append(out, litOf(c.Value))
			}
		}
		for _, n := range []int64{0, 1, -1, 2, 10, 100, 1000} {
			if x.l.Form == wire.Int || n >= 0 {
				out = append(out, wire.Lit{Form: x.l.Form, N: n})
			}
		}
		return out
	case wire.Float:
		for _, f := range []float64{0, 1, -1, 0.5, 100} {
			out = append(out, wire.FloatLit(f))
		}
		return out
	case wire.Text:
		if x.t != nil {
			for _, c := range a.m.Constants[x.t] {
				out = append(out, litOf(c.Value))
			}
		}
		return append(out, a.words(x.l.S)...)
	case wire.Special:
		return a.otherSpecials(x)
	case wire.Seq, wire.Map:
		if x.t != nil && x.t.Kind() != reflect.Array {
			out = append(out, wire.Lit{}, wire.Lit{Form: x.l.Form})
			if n := len(x.l.E); n > 1 && x.l.Form == wire.Seq {
				out = append(out, wire.Lit{Form: wire.Seq, E: wire.CloneLits(x.l.E[:n-1])}, wire.Lit{Form: wire.Seq, E: wire.CloneLits(x.l.E[1:])})
			}
			fresh(x.t, 6)
		}
		return out
	}
	if x.t == nil {
		return nil
	}
	switch x.t.Kind() {
	case reflect.Pointer, reflect.Func, reflect.Chan:
		if x.l.Form != wire.Zero {
			out = append(out, wire.Lit{})
		}
		if x.t.Kind() == reflect.Pointer && x.l.Form == wire.Zero && !opaque(x.t.Elem()) {
			out = append(out, wire.Lit{Form: wire.Pointer, E: []wire.Lit{{}}})
		}
		fresh(x.t, 4)
	case reflect.Interface:
		if x.l.Form != wire.Zero {
			out = append(out, wire.Lit{})
		}
		if x.t == errorType {
			out = append(out, wire.Lit{Form: wire.Special, S: wire.SpecialError, E: []wire.Lit{{Form: wire.Text, S: "failed"}}})
		}
		if x.t == writerType {
			out = append(out, fullWriters()...)
		}
		if x.t.NumMethod() == 0 || x.l.Form == wire.Dynamic {
			out = append(out, a.dynamics(x.t)...)
		}
		fresh(x.t, 4)
	case reflect.Slice, reflect.Map:
		fresh(x.t, 6)
	}
	return out
}

// dynamics are values of all registered types that an interface may hold.
func (a *aim) dynamics(t reflect.Type) []wire.Lit {
	var out []wire.Lit
	for i, ty := range a.m.Types {
		if !ty.Implements(t) {
			continue
		}
		if l, ok := a.server.g.builder(nil).fresh(ty, spot{-1, -1}, deepest-1); ok && self(l) {
			out = append(out, wire.Lit{Form: wire.Dynamic, T: i, E: []wire.Lit{l}})
		}
	}
	return out
}

// fullWriters fail at once, or after some bytes: sizes of what encoders write at a time
// and a little more.
func fullWriters() []wire.Lit {
	out := []wire.Lit{{Form: wire.Special, S: wire.SpecialFull}}
	for _, n := range []int64{1, 2, 3, 4, 5, 6, 8, 9, 12, 13, 16, 17, 20, 24, 32, 64, 128} {
		out = append(out, lateFull(n))
	}
	return out
}

// lateFull is a writer that fails after so many bytes.
func lateFull(n int64) wire.Lit {
	return wire.Lit{Form: wire.Special, S: wire.SpecialLateFull, E: []wire.Lit{{Form: wire.Int, N: n}}}
}

func (a *aim) otherSpecials(x place) []wire.Lit {
	var out []wire.Lit
	as := func(name string, e ...wire.Lit) {
		if name != x.l.S {
			out = append(out, wire.Lit{Form: wire.Special, S: name, E: e})
		}
	}
	switch x.l.S {
	case wire.SpecialReader, wire.SpecialOneByte, wire.SpecialShort, wire.SpecialFailing, wire.SpecialDataEOF:
		for _, kind := range readerKinds() {
			as(kind, wire.CloneLits(x.l.E)...)
		}
	case wire.SpecialBuffer:
		if x.t != nil && oddReaderType.AssignableTo(x.t) {
			for _, kind := range readerKinds() {
				as(kind, wire.CloneLits(x.l.E)...)
			}
		}
		if x.t != nil && writerType.AssignableTo(x.t) && x.t.Kind() == reflect.Interface {
			out = append(out, fullWriters()...)
		}
	case wire.SpecialFull, wire.SpecialLateFull:
		out = append(out, fullWriters()...)
	case wire.SpecialContext, wire.SpecialCanceled, wire.SpecialTimeout:
		as(wire.SpecialContext)
		as(wire.SpecialCanceled)
		as(wire.SpecialTimeout, wire.Lit{Form: wire.Int, N: usualTimeout})
	case wire.SpecialError:
		out = append(out, wire.Lit{})
	case wire.SpecialFunc, wire.SpecialHashFunc, wire.SpecialTelling:
		if x.t == nil || x.t.Kind() != reflect.Func {
			break
		}
		out = append(out, wire.Lit{})
		for i := 0; i < x.t.NumOut() && i < len(x.l.E); i++ {
			for _, l := range a.others(place{l: &x.l.E[i], t: x.t.Out(i)}) {
				made := wire.Lit{Form: wire.Special, S: wire.SpecialFunc, E: wire.CloneLits(x.l.E)}
				made.E[i] = l
				out = append(out, made)
			}
		}
	}
	return out
}

// words are texts to put in place of one: usual ones, those of the code, and the text
// with a little more or less.
func (a *aim) words(s string) []wire.Lit {
	var out []wire.Lit
	seen := map[string]bool{s: true}
	add := func(x string) {
		if !seen[x] && len(x) <= maxText {
			seen[x] = true
			out = append(out, wire.Lit{Form: wire.Text, S: x})
		}
	}
	add("")
	for _, x := range []string{" ", "0", "a", "-", ".", "/", "\x00", "\xff", "é"} {
		add(s + x)
		add(x + s)
	}
	add(strings.ToUpper(s))
	add(strings.ToLower(s))
	for i := 0; i < 8; i++ {
		add(a.server.g.plain.known(a.server.g.r))
	}
	for _, x := range usualTexts {
		add(x)
	}
	return out
}

// setters calls each method that the last step's receiver has before that step. It
// reports whether that came to another decision.
func (e *effort) setters() bool {
	last := len(e.t.p) - 1
	if last >= longest {
		return false
	}
	g := e.a.server.g
	for _, arg := range e.t.p[last].Args {
		if arg.Form != wire.Ref || int(arg.N) >= last {
			continue
		}
		outs := e.a.m.Outs(e.t.p[arg.N])
		if arg.U >= len(outs) {
			continue
		}
		for n, u := range g.users(outs[arg.U]) {
			if n > 24 {
				break
			}
			for times := 0; times < 2; times++ {
				b := g.builder(e.t.p[:last].Clone())
				if !b.callWith(u.op, u.result, arg) {
					break
				}
				b.add(e.t.p[last : last+1].Clone()[0])
				if e.try(e.a.spelledOut(b.p), len(b.p) <= wire.MaxSteps) {
					return e.best != nil
				}
			}
		}
	}
	return false
}

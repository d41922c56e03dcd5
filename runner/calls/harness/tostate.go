//go:build go1.21

package harness

import (
	"strconv"
	"strings"

	"github.com/isodelta/isodelta/runner/calls/wire"
	probe "github.com/isodelta/isodelta/runner/probe"
)

// An effort is what is tried to bring one attempt closer to an objective.
type effort struct {
	a    *aim
	t    *attempt
	want func(*attempt) *parting // of an attempt, from the objective
	// best came to another decision, or is about to; nil while there is none. closer is
	// the one that only came closer to the same.
	best, closer *attempt
	left         int // executions that it may still make
	// frozen are knobs not to touch: they have been set for what comes later.
	frozen map[string]bool
}

// parting is where the attempt parts from the way to the objective.
func (e *effort) parting() *parting { return e.want(e.t) }

// try runs a sequence, if there is one, and reports whether the effort is over: it came closer, or
// nothing is left.
func (e *effort) try(p wire.Sequence, ok bool) bool {
	if !ok {
		return false
	}
	_, over := e.look(p)
	return over
}

// look is try, and returns what ran.
func (e *effort) look(p wire.Sequence) (*attempt, bool) {
	if e.left <= 0 {
		return nil, true
	}
	x := e.a.run(p)
	if x == nil {
		return nil, false
	}
	e.left--
	now, before := e.want(x), e.parting()
	if now.better(before.nearness) {
		if now.level < before.level || now.passes > before.passes || now.distance == 0 {
			e.best = x
			return x, true
		}
		if e.closer == nil || now.better(e.want(e.closer).nearness) {
			e.closer = x
		}
	}
	return x, e.left <= 0
}

// advance goes on from what only came closer, and reports whether there is such.
func (e *effort) advance() bool {
	if e.closer == nil {
		return false
	}
	e.t, e.closer = e.closer, nil
	return true
}

// toState puts one operand in the place of the other where that stands in the input
// (Aschermann et al., "REDQUEEN", NDSS 2019). It reports whether that came closer.
func (e *effort) toState() bool {
	at := e.parting()
	for i := len(at.operands) - 1; i >= 0; i-- {
		o := at.operands[i]
		wanted := []bool{at.wanted}
		if i < len(at.operands)-1 { // compared on the way; either outcome may help
			wanted = []bool{true, false}
		}
		for _, w := range wanted {
			if o.Kind == probe.Texts {
				if e.texts(o, w) {
					return e.best != nil
				}
			} else if e.numbers(o, w) {
				return e.best != nil
			}
		}
	}
	return false
}

// offsets are differences between operands that compare as wanted.
func offsets(how int) []float64 {
	switch how {
	case probe.Less:
		return []float64{-1, -2, -3}
	case probe.LessEqual:
		return []float64{0, -1, -2}
	case probe.Greater:
		return []float64{1, 2, 3}
	case probe.GreaterEqual:
		return []float64{0, 1, 2}
	case probe.NotEqual:
		return []float64{1, -1}
	}
	return []float64{0}
}

// sides are the values of operands as floating-point numbers.
func sides(o probe.Operands) (x, y float64) {
	switch o.Kind {
	case probe.Floats:
		return o.X, o.Y
	case probe.Unsigned:
		return float64(uint64(o.A)), float64(uint64(o.B))
	}
	return float64(o.A), float64(o.B)
}

// numbers sets whatever is as large as one operand to what makes it compare with the
// other as wanted. It reports whether the effort is over.
func (e *effort) numbers(o probe.Operands, wanted bool) bool {
	x, y := sides(o)
	how := asWanted(o.How, wanted)
	knobs := e.a.knobs(e.t.p)
	for _, shift := range []float64{0, 1, -1} {
		for i := range knobs {
			k := &knobs[i]
			if e.frozen[k.name()] {
				continue
			}
			v := k.get(e.t.p)
			for _, by := range offsets(how) {
				switch {
				case v == x+shift:
					if e.follow(k, y+by+shift) {
						return true
					}
				case v == -x+shift && x != 0:
					if e.follow(k, -(y+by)+shift) {
						return true
					}
				}
				switch {
				case v == y+shift:
					if e.follow(k, x-by+shift) {
						return true
					}
				case v == -y+shift && y != 0:
					if e.follow(k, -(x-by)+shift) {
						return true
					}
				}
			}
		}
	}
	return false
}

// name identifies a knob within one sequence.
func (k *knob) name() string {
	b := []byte{byte(k.kind), byte(k.step), byte(k.at)}
	for _, i := range k.path {
		b = append(b, byte(i))
	}
	return string(b)
}

// follow sets a knob. Where that decides as wanted and undoes what was decided before,
// the earlier condition is met again by other knobs. It reports whether the effort is over.
func (e *effort) follow(k *knob, to float64) bool {
	p, ok := e.a.set(e.t.p, *k, to)
	if !ok {
		return false
	}
	x, over := e.look(p)
	if over || x == nil {
		return over
	}
	return e.mend(x, k)
}

// maxMended bounds conditions that are met again one within the other.
const maxMended = 3

// mend repairs an attempt that parts earlier than before, since a knob was set. It reports
// whether the effort is over.
func (e *effort) mend(x *attempt, k *knob) bool {
	now, before := e.want(x), e.parting()
	if len(e.frozen) >= maxMended || now.condition < 0 || now.condition == before.condition || now.level < before.level || len(now.operands) == 0 {
		return false
	}
	frozen := map[string]bool{k.name(): true}
	for name := range e.frozen {
		frozen[name] = true
	}
	sub := &effort{a: e.a, t: x, frozen: frozen, left: min(e.left, 60)}
	goal := before.nearness
	// What is wanted stays to be closer than the first attempt.
	sub.want = e.want
	spent := sub.left
	for sub.left > 0 {
		if !(sub.toState() || sub.affine()) {
			break
		}
		if e.want(sub.best).better(goal) {
			e.best = sub.best
			break
		}
		sub.t, sub.best, sub.closer = sub.best, nil, nil
	}
	e.left -= spent - sub.left
	return e.best != nil || e.left <= 0
}

// texts splices one operand in where the other stands, and reports whether the effort is
// over.
func (e *effort) texts(o probe.Operands, wanted bool) bool {
	for _, x := range e.a.placesOf(e.t.p) {
		if x.l.Form == wire.Map && o.How == probe.Key && wanted {
			if e.putKey(x, o.S) {
				return true
			}
		}
		if x.l.Form != wire.Text {
			if (x.l.Form == wire.Int || x.l.Form == wire.Uint) && e.spelled(x, o, wanted) {
				return true
			}
			continue
		}
		for _, s := range spliced(x.l.S, o, wanted) {
			if e.try(e.withText(x, s), true) {
				return true
			}
		}
	}
	return false
}

func (e *effort) withText(x place, s string) wire.Sequence {
	q := e.t.p.Clone()
	k := knob{step: x.step, path: x.path}
	k.lit(q).S = s
	return q
}

// spelled sets a number whose decimal spelling was compared, and reports whether the
// effort is over.
func (e *effort) spelled(x place, o probe.Operands, wanted bool) bool {
	if !wanted {
		return false
	}
	for _, pair := range [][2]string{{o.S, o.T}, {o.T, o.S}} {
		n, err := strconv.ParseInt(pair[1], 10, 64)
		if err != nil || strconv.FormatInt(x.l.N, 10) != pair[0] {
			continue
		}
		k := knob{step: x.step, path: x.path, t: x.t}
		q, ok := e.a.set(e.t.p, k, float64(n))
		if e.try(q, ok) {
			return true
		}
	}
	return false
}

// putKey puts a key into a map of texts, and reports whether the effort is over.
func (e *effort) putKey(x place, key string) bool {
	if x.t == nil || x.t.Kind().String() != "map" || x.t.Key().Kind().String() != "string" {
		return false
	}
	v, ok := e.a.server.g.builder(nil).fresh(x.t.Elem(), spot{-1, -1}, deepest-1)
	if !ok || !self(v) {
		return false
	}
	q := e.t.p.Clone()
	l := (&knob{step: x.step, path: x.path}).lit(q)
	l.E = append(l.E, wire.Lit{Form: wire.Text, S: key}, v)
	return e.try(q, true)
}

// maxSpliced bounds what is made of one text.
const maxSpliced = 40

// spliced are texts like s of which operands would decide as wanted.
func spliced(s string, o probe.Operands, wanted bool) []string {
	var out []string
	add := func(x string) {
		if x != s && len(x) <= maxText && len(out) < maxSpliced {
			out = append(out, x)
		}
	}
	if !wanted {
		add(s + "x")
		add("x" + s)
		if s != "" {
			add(s[:len(s)-1])
			add(s[1:])
		}
		if o.T != "" {
			add(strings.ReplaceAll(s, o.T, ""))
			add(strings.ReplaceAll(s, o.T, "x"))
		}
		if o.How >= probe.Less && o.How <= probe.GreaterEqual {
			add(o.T)
			add(o.S)
			add("")
			add("~" + s)
		}
		return out
	}
	pairs := [][2]string{{o.S, o.T}, {o.T, o.S}}
	if o.How >= probe.Prefix && o.How != probe.Fold && o.How != probe.Key {
		pairs = pairs[:1] // what is looked for is looked for
	}
	for _, pair := range pairs {
		from, to := pair[0], pair[1]
		for _, target := range variants(to, from) {
			splice(s, from, target, o.How, add)
		}
	}
	for _, pair := range pairs {
		add(pair[1])
		add(pair[1] + s)
		add(s + pair[1])
	}
	if o.How == probe.OneOf {
		for _, r := range o.T {
			add(s + string(r))
			add(string(r) + s)
		}
	}
	return out
}

// variants are texts that code may have changed into one that it compared.
func variants(to, from string) []string {
	out := []string{to}
	for _, x := range []string{strings.ToLower(to), strings.ToUpper(to)} {
		if x != to {
			out = append(out, x)
		}
	}
	return out
}

// splice puts a text where another stands, as the comparison looks at it.
func splice(s, from, to string, how int, add func(string)) {
	lower := strings.ToLower(s)
	for _, where := range []struct{ in, what string }{{s, from}, {lower, strings.ToLower(from)}} {
		if from == "" || len(where.in) != len(s) {
			continue
		}
		for at, n := strings.Index(where.in, where.what), 0; at >= 0 && n < 3; n++ {
			end := at + len(where.what)
			before, whole, after := s[:at], s[at:end], s[end:]
			switch how {
			case probe.Prefix:
				add(before + to + whole + after)
				add(before + to + whole[min(len(to), len(whole)):] + after)
			case probe.Suffix:
				add(before + whole + to + after)
				add(before + whole[:max(0, len(whole)-len(to))] + to + after)
			case probe.Within:
				add(before + whole + to + after)
				add(before + to + whole + after)
				if len(whole) > 1 {
					add(before + whole[:len(whole)/2] + to + whole[len(whole)/2:] + after)
				}
			case probe.Greater, probe.GreaterEqual:
				add(before + to + after)
				add(before + to + "a" + after)
			case probe.Less, probe.LessEqual:
				add(before + to + after)
				if to != "" {
					add(before + to[:len(to)-1] + after)
				}
			default:
				add(before + to + after)
			}
			next := strings.Index(where.in[end:], where.what)
			if next < 0 {
				break
			}
			at = end + next
		}
	}
	if from == "" {
		add(to + s)
		add(s + to)
		for i := 1; i < len(s) && i < 8; i++ {
			add(s[:i] + to + s[i:])
		}
	}
}

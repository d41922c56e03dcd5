//go:build go1.21

package harness

import (
	"math"
	"reflect"
	"strconv"
	"time"
	"unicode/utf8"

	"github.com/isodelta/isodelta/runner/calls/wire"
)

// A knob is a number in a sequence of calls that can be set: a number as it stands, a
// truth, a letter of a text, a number spelled in it, a length, a part of a date.
type knob struct {
	step    int
	path    []int // argument, then elements
	kind    knobKind
	at, end int // in the text; for a date which part
	t       reflect.Type
}

type knobKind byte

const (
	knobNumber knobKind = iota
	knobFloat
	knobTruth
	knobLetter
	knobSpelled
	knobLength
	knobDate
)

const (
	maxKnobs   = 160
	maxLetters = 40
)

// place is a literal with its type.
type place struct {
	step int
	path []int
	l    *wire.Lit
	t    reflect.Type // nil for what a special literal is made of
}

// placesOf lists the literals of a sequence, outer ones first.
func (a *aim) placesOf(p wire.Sequence) []place {
	var out []place
	var visit func(step int, path []int, l *wire.Lit, t reflect.Type)
	visit = func(step int, path []int, l *wire.Lit, t reflect.Type) {
		if len(out) > maxKnobs || l.Form == wire.Ref || l.Form == wire.Hidden {
			return
		}
		out = append(out, place{step, path, l, t})
		for i := range l.E {
			var et reflect.Type
			if t != nil {
				et = elementType(a.m.Registry, l, t, i)
			}
			visit(step, append(path[:len(path):len(path)], i), &l.E[i], et)
		}
	}
	for i := range p {
		for k := range p[i].Args {
			visit(i, []int{k}, &p[i].Args[k], a.typeOf(p[i], k))
		}
	}
	return out
}

// typeOf is the type of an argument of a step, nil where only its literal says.
func (a *aim) typeOf(s wire.Step, k int) reflect.Type {
	if s.Op == wire.OpLet {
		return emptyInterface // Dynamic knows
	}
	if !a.m.Has(s.Op) || k >= len(a.m.Ops[s.Op].In) {
		return nil
	}
	return a.m.Ops[s.Op].In[k]
}

var emptyInterface = reflect.TypeOf((*any)(nil)).Elem()

// spelledOut returns a copy of a sequence in which what is zero in structs is written
// out, so that it can be set.
func (a *aim) spelledOut(p wire.Sequence) wire.Sequence {
	p = p.Clone()
	var out func(l *wire.Lit, t reflect.Type, depth int)
	out = func(l *wire.Lit, t reflect.Type, depth int) {
		if t == nil || depth > deepest {
			return
		}
		if l.Form == wire.Zero {
			switch k := t.Kind(); {
			case t == timeType:
			case k == reflect.Bool:
				l.Form = wire.Bool
			case k >= reflect.Int && k <= reflect.Int64:
				l.Form = wire.Int
			case k >= reflect.Uint && k <= reflect.Uint64:
				l.Form = wire.Uint
			case k == reflect.Float32 || k == reflect.Float64:
				*l = wire.FloatLit(0)
			case k == reflect.String:
				l.Form = wire.Text
			case k == reflect.Struct && !opaque(t):
				*l = wire.Lit{Form: wire.Struct, E: make([]wire.Lit, a.m.Fields(t))}
			}
		}
		l.N = withinType(*l, t)
		for i := range l.E {
			if l.Form == wire.Struct && t.Kind() == reflect.Struct && i < a.m.Fields(t) && !t.Field(a.m.Field(t, i)).IsExported() {
				continue
			}
			out(&l.E[i], elementType(a.m.Registry, l, t, i), depth+1)
		}
	}
	for i := range p {
		for k := range p[i].Args {
			out(&p[i].Args[k], a.typeOf(p[i], k), 0)
		}
	}
	return p
}

// withinType is the number of a literal as its type holds it.
func withinType(l wire.Lit, t reflect.Type) int64 {
	k := t.Kind()
	switch {
	case l.Form == wire.Int && k >= reflect.Int && k <= reflect.Int64:
		shift := 64 - t.Bits()
		return l.N << shift >> shift
	case l.Form == wire.Uint && k >= reflect.Uint && k <= reflect.Uintptr:
		shift := 64 - t.Bits()
		return int64(uint64(l.N) << shift >> shift)
	}
	return l.N
}

// knobs lists what can be set in a sequence that is spelled out.
func (a *aim) knobs(p wire.Sequence) []knob {
	var out []knob
	for _, x := range a.placesOf(p) {
		k := knob{step: x.step, path: x.path, t: x.t}
		add := func(kind knobKind, at, end int) {
			k.kind, k.at, k.end = kind, at, end
			out = append(out, k)
		}
		switch x.l.Form {
		case wire.Bool:
			add(knobTruth, 0, 0)
		case wire.Int, wire.Uint:
			add(knobNumber, 0, 0)
		case wire.Float:
			add(knobFloat, 0, 0)
		case wire.Special:
			if x.l.S == wire.SpecialTime && len(x.l.E) > 0 {
				for part := 0; part < dateParts; part++ {
					add(knobDate, part, 0)
				}
			}
		case wire.Seq:
			if x.t != nil && x.t.Kind() == reflect.Slice {
				add(knobLength, 0, 0)
			}
		case wire.Text:
			add(knobLength, 0, 0)
			at := 0
			for _, token := range tokenize(x.l.S) {
				if class(token) == "0" && len(token) < 18 {
					add(knobSpelled, at, at+len(token))
				}
				at += len(token)
			}
			for i := 0; i < len(x.l.S) && i < maxLetters; {
				n := 1
				if x.t == nil || x.t.Kind() == reflect.String {
					_, n = utf8.DecodeRuneInString(x.l.S[i:])
				}
				add(knobLetter, i, i+n)
				i += n
			}
		}
		if len(out) > maxKnobs {
			break
		}
	}
	return out
}

// lit is the literal that a knob is of, nil where the sequence has none there any more.
func (k *knob) lit(p wire.Sequence) *wire.Lit {
	if k.step >= len(p) || k.path[0] >= len(p[k.step].Args) {
		return nil
	}
	l := &p[k.step].Args[k.path[0]]
	for _, i := range k.path[1:] {
		if i >= len(l.E) {
			return nil
		}
		l = &l.E[i]
	}
	return l
}

// get returns the number.
func (k *knob) get(p wire.Sequence) float64 {
	l := k.lit(p)
	if l == nil {
		return math.NaN()
	}
	switch k.kind {
	case knobFloat:
		return l.Float64()
	case knobLetter:
		if k.bytes() {
			return float64(l.S[k.at])
		}
		r, n := utf8.DecodeRuneInString(l.S[k.at:])
		if r == utf8.RuneError && n == 1 {
			return float64(l.S[k.at])
		}
		return float64(r)
	case knobSpelled:
		n, _ := strconv.ParseInt(l.S[k.at:k.end], 10, 64)
		return float64(n)
	case knobLength:
		if l.Form == wire.Text {
			return float64(len(l.S))
		}
		return float64(len(l.E))
	case knobDate:
		return float64(datePart(l.E[0].N, k.at))
	}
	if l.Form == wire.Uint {
		return float64(uint64(l.N))
	}
	return float64(l.N)
}

// bytes reports whether the letters of its text are bytes: of a slice of them.
func (k *knob) bytes() bool { return k.t != nil && k.t.Kind() == reflect.Slice }

// integral reports whether only whole numbers can be set.
func (k *knob) integral() bool { return k.kind != knobFloat }

// set returns a copy of a sequence with another number, false where there is no such.
func (a *aim) set(p wire.Sequence, k knob, to float64) (wire.Sequence, bool) {
	if math.IsNaN(to) || math.IsInf(to, 0) || k.integral() && (to != math.Trunc(to) || math.Abs(to) > 1<<63) {
		return nil, false
	}
	q := p.Clone()
	l := k.lit(q)
	if l == nil || (k.kind == knobLetter || k.kind == knobSpelled) && k.end > len(l.S) {
		return nil, false // another knob has made it shorter
	}
	switch k.kind {
	case knobFloat:
		n := wire.FloatLit(to)
		l.N = n.N
	case knobTruth:
		if to != 0 && to != 1 {
			return nil, false
		}
		l.N = int64(to)
	case knobLetter:
		letter := string([]byte{byte(to)})
		switch {
		case to < 0 || k.bytes() && to > 255 || to > utf8.MaxRune:
			return nil, false
		case !k.bytes() && to >= utf8.RuneSelf:
			letter = string(rune(to))
		}
		l.S = l.S[:k.at] + letter + l.S[k.end:]
	case knobSpelled:
		if to < 0 {
			return nil, false
		}
		text := strconv.FormatInt(int64(to), 10)
		for len(text) < k.end-k.at && l.S[k.at] == '0' {
			text = "0" + text
		}
		l.S = l.S[:k.at] + text + l.S[k.end:]
	case knobLength:
		return a.setLength(q, k, int(to))
	case knobDate:
		if to < -1e6 || to > 1e6 {
			return nil, false
		}
		l.E[0].N = withDatePart(l.E[0].N, k.at, int(to))
	default:
		return setNumber(q, l, k.t, to)
	}
	return q, true
}

func setNumber(q wire.Sequence, l *wire.Lit, t reflect.Type, to float64) (wire.Sequence, bool) {
	bits := 64
	if t != nil && basic(t) && t.Kind() != reflect.String && t.Kind() != reflect.Bool {
		bits = t.Bits()
	}
	if l.Form == wire.Uint {
		if to < 0 || to >= math.Ldexp(1, bits) {
			return nil, false
		}
		l.N = int64(uint64(to))
		return q, true
	}
	if to < -math.Ldexp(1, bits-1) || to >= math.Ldexp(1, bits-1) {
		return nil, false
	}
	l.N = int64(to)
	return q, true
}

// longestMade bounds lengths that are set.
const longestMade = 300

func (a *aim) setLength(q wire.Sequence, k knob, n int) (wire.Sequence, bool) {
	l := k.lit(q)
	if n < 0 || n > longestMade {
		return nil, false
	}
	if l.Form == wire.Text {
		for len(l.S) < n {
			if l.S == "" {
				l.S = "a"
			} else {
				l.S += l.S[len(l.S)-1:]
			}
		}
		l.S = l.S[:n]
		return q, true
	}
	for len(l.E) < n {
		if len(l.E) > 0 {
			l.E = append(l.E, wire.CloneLits(l.E[len(l.E)-1:])...)
			continue
		}
		b := a.g.builder(nil)
		e, ok := b.fresh(k.t.Elem(), spot{-1, -1}, 1)
		if !ok || !self(e) {
			return nil, false
		}
		l.E = append(l.E, e)
	}
	l.E = l.E[:n]
	return q, true
}

const dateParts = 6

func datePart(seconds int64, part int) int {
	t := time.Unix(seconds, 0).UTC()
	return [...]int{t.Year(), int(t.Month()), t.Day(), t.Hour(), t.Minute(), t.Second()}[part]
}

func withDatePart(seconds int64, part, to int) int64 {
	t := time.Unix(seconds, 0).UTC()
	p := [...]int{t.Year(), int(t.Month()), t.Day(), t.Hour(), t.Minute(), t.Second()}
	p[part] = to
	return time.Date(p[0], time.Month(p[1]), p[2], p[3], p[4], p[5], 0, time.UTC).Unix()
}

//go:build go1.21

package harness

import (
	"reflect"

	"github.com/isodelta/isodelta/runner/calls/wire"
)

// The same again: what one call stores under a key, another one finds under no other key, and a
// route answers to its own path. So an argument is now and then what an earlier call was given.

const (
	repeatsOwn    = 35 // of a hundred arguments, where the same receiver was given something of the type
	repeatsOthers = 12 // of a hundred, where another call was
	maxRepeated   = 24 // earlier arguments that are considered
)

// repeated is what an earlier call of the sequence was given for a parameter of type t: mostly one
// on the same receiver, and mostly at the same place. It reports whether there is one, and whether
// it is to be taken.
func (b *builder) repeated(t reflect.Type, place int) (wire.Lit, bool) {
	if !basic(t) || t.Kind() == reflect.Bool || len(b.p) == 0 {
		return wire.Lit{}, false
	}
	r := b.g.r
	own, others := r.Chance(repeatsOwn), r.Chance(repeatsOthers)
	if !own && !others {
		return wire.Lit{}, false
	}
	var same, beside, far []wire.Lit
	for i := len(b.p) - 1; i >= 0 && len(same)+len(beside)+len(far) < maxRepeated; i-- {
		s := b.p[i]
		if s.Op.Builtin() || b.g.m.Ops[s.Op].Variable {
			continue
		}
		op := &b.g.m.Ops[s.Op]
		onIt := op.Method && b.receiver.Form == wire.Ref && len(s.Args) > 0 && s.Args[0].Form == wire.Ref &&
			s.Args[0].N == b.receiver.N && s.Args[0].U == b.receiver.U
		for k, l := range s.Args {
			if k >= len(op.In) || op.In[k] != t || !plainLit(l) {
				continue
			}
			switch {
			case onIt && k == place:
				same = append(same, l)
			case onIt:
				beside = append(beside, l)
			default:
				far = append(far, l)
			}
		}
	}
	for _, from := range []struct {
		list []wire.Lit
		want bool
	}{{same, own && r.Chance(75)}, {beside, own}, {same, own}, {far, others}} {
		if from.want && len(from.list) > 0 {
			return from.list[r.Intn(len(from.list))], true
		}
	}
	return wire.Lit{}, false
}

// plainLit reports whether a literal is a number or a text.
func plainLit(l wire.Lit) bool {
	return l.Form == wire.Text || l.Form == wire.Int || l.Form == wire.Uint || l.Form == wire.Float
}

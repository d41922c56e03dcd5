//go:build go1.21

package probe

import (
	"sync"
	"unsafe"
)

// visit is a pointer, slice or map that a walk has come to.
type visit struct {
	p uintptr
	t *plan
	n int
}

// visits numbers what a walk has visited. It is a table of its own since most walks are
// short: used again, it need not be cleared.
type visits struct {
	slots []slot // a power of two of them; at most half are used
	n     int
	round uint32 // slots of earlier rounds are free
}

type slot struct {
	visit
	number int
	round  uint32
}

// spare holds tables that no walk uses.
var spare sync.Pool

func newVisits() *visits {
	v, ok := spare.Get().(*visits)
	if !ok {
		return &visits{slots: make([]slot, 64), round: 1}
	}
	v.n = 0
	v.round++
	if v.round == 0 {
		v.slots, v.round = make([]slot, len(v.slots)), 1
	}
	return v
}

// add returns the number of a visit, and reports whether it has been made before.
func (v *visits) add(key visit) (number int, again bool) {
	s := v.find(key)
	if s.round == v.round {
		return s.number, true
	}
	*s = slot{key, v.n, v.round}
	v.n++
	if 2*v.n > len(v.slots) {
		v.grow()
	}
	return v.n - 1, false
}

// find returns the slot of a visit, or the free one where it belongs.
func (v *visits) find(key visit) *slot {
	mask := uint64(len(v.slots) - 1)
	i := mix(uint64(key.p), uint64(uintptr(unsafe.Pointer(key.t)))+uint64(key.n)) & mask
	for v.slots[i].round == v.round && v.slots[i].visit != key {
		i = (i + 1) & mask
	}
	return &v.slots[i]
}

func (v *visits) grow() {
	old := v.slots
	v.slots = make([]slot, 2*len(old))
	for _, s := range old {
		if s.round == v.round {
			*v.find(s.visit) = s
		}
	}
}

package probe

import (
	"reflect"
	"sync"
	"testing"
)

// hub leads to others by the keys of a map, as a connection of database/sql does to what depends on it.
type hub struct {
	n    int
	near map[*hub]map[any]bool
}

// ring makes hubs that all lead to all.
func ring(n int) *hub {
	hubs := make([]*hub, n)
	for i := range hubs {
		hubs[i] = &hub{n: i, near: map[*hub]map[any]bool{}}
	}
	for _, h := range hubs {
		for _, other := range hubs {
			h.near[other] = map[any]bool{other: true, h: true}
		}
	}
	return hubs[0]
}

// There are more ways through a graph whose keys lead on than any walk can go: it ends all the same, alike
// for graphs that are alike, and tells others apart.
func TestDigestOfKeysThatLeadOn(t *testing.T) {
	t.Parallel()
	v1, h1, _ := digest(reflect.ValueOf(ring(24)), false)
	v2, h2, _ := digest(reflect.ValueOf(ring(24)), false)
	if v1 != v2 || h1 != h2 {
		t.Errorf("two graphs that are alike: %x %x, %x %x", v1, h1, v2, h2)
	}
	if _, h, _ := digest(reflect.ValueOf(ring(23)), false); h == h1 {
		t.Error("a smaller graph is taken for the same")
	}
	wide := map[[2]string]int{{"a", "b"}: 1, {"a", "c"}: 2}
	v, _, _ := digest(reflect.ValueOf(wide), false)
	wide[[2]string{"a", "d"}] = 3
	delete(wide, [2]string{"a", "c"})
	if other, _, _ := digest(reflect.ValueOf(wide), false); other == v {
		t.Error("another key is taken for the same")
	}
}

// What a mutex or a sync.Once knows is no state of the struct that has it.
func TestBookkeeping(t *testing.T) {
	type guarded struct {
		sync.Once
		lock sync.Mutex
		n    int
	}
	sum := func(g *guarded) [2]uint64 {
		visible, hidden, _ := digest(reflect.ValueOf(g), false)
		return [2]uint64{visible, hidden}
	}
	fresh, used, other := &guarded{n: 1}, &guarded{n: 1}, &guarded{n: 2}
	used.Do(func() {})
	used.lock.Lock()
	defer used.lock.Unlock()
	if sum(fresh) != sum(used) {
		t.Error("a lock that is held is another value")
	}
	if sum(fresh) == sum(other) {
		t.Error("another number is the same value")
	}
}

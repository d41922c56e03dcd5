package harness

import "testing"

// A way that one sequence of a thousand goes is drawn as often as the one of all others.
func TestRareWaysAreDrawn(t *testing.T) {
	var w ways
	r := NewRand(1)
	if _, ok := w.draw(r); ok {
		t.Error("drawn from nothing")
	}
	for i := range 1000 {
		w.add(1, 7, i)
	}
	if _, ok := w.draw(r); ok {
		t.Error("drawn by ways where there is one")
	}
	w.add(1, 9, 1000)
	if len(w.lists[0]) != perWay || w.room(7) || !w.room(9) || !w.known(9) || w.known(8) {
		t.Errorf("%+v", w)
	}
	rare := 0
	for range 1000 {
		if k, ok := w.draw(r); ok && k == 1000 {
			rare++
		}
	}
	if rare < 400 || rare > 600 {
		t.Errorf("%d of 1000", rare)
	}
}

// A member that is executed in many ways does not take the turns of one that is executed in two.
func TestRareMembersAreDrawn(t *testing.T) {
	var w ways
	for way := range uint32(200) {
		w.add(1, way, int(way))
	}
	w.add(2, 200, 200)
	w.add(2, 201, 201)
	rare, r := 0, NewRand(1)
	for range 1000 {
		if k, ok := w.draw(r); ok && k >= 200 {
			rare++
		}
	}
	if rare < 400 || rare > 600 {
		t.Errorf("%d of 1000", rare)
	}
}

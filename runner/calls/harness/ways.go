//go:build go1.21

package harness

// Most sequences go the same few ways through changed functions, and what a change breaks is
// often beside a way that few go. So what is changed next is drawn by ways, each as likely as
// another, however many sequences go it: as fuzzers give rare paths more of their time (Böhme,
// Pham and Roychoudhury, "Coverage-based Greybox Fuzzing as Markov Chain", CCS 2016).

const (
	maxWays   = 512 // that are told apart
	perWay    = 24  // sequences of one
	shareRare = 50  // of a hundred picks of what executed something of Δ, where there are ways
)

// ways are kept sequences by the way that they go through changed functions.
type ways struct {
	places map[uint32]int // of a way in lists
	lists  [][]int        // of kept
}

// room reports whether another sequence of a way is wanted.
func (w *ways) room(way uint32) bool {
	at, ok := w.places[way]
	if !ok {
		return len(w.lists) < maxWays
	}
	return len(w.lists[at]) < perWay
}

// add books that a kept sequence goes a way.
func (w *ways) add(way uint32, kept int) {
	if !w.room(way) {
		return
	}
	at, ok := w.places[way]
	if !ok {
		if w.places == nil {
			w.places = map[uint32]int{}
		}
		at = len(w.lists)
		w.places[way] = at
		w.lists = append(w.lists, nil)
	}
	w.lists[at] = append(w.lists[at], kept)
}

// known reports whether a way was gone before.
func (w *ways) known(way uint32) bool {
	_, ok := w.places[way]
	return ok
}

// draw returns a kept sequence, of any way with the same chance. It reports whether there are
// several ways.
func (w *ways) draw(r *Rand) (int, bool) {
	if len(w.lists) < 2 {
		return 0, false
	}
	list := w.lists[r.Intn(len(w.lists))]
	return list[r.Intn(len(list))], true
}

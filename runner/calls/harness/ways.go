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

// ways are kept sequences by the way that they go through changed functions, and those by the members of Δ
// that they execute: of members that are executed in many ways, the ways do not hide the others.
type ways struct {
	places map[uint32]int // of a way in lists
	lists  [][]int        // of kept
	groups map[uint32]int // of what they execute, in of
	of     [][]int        // of lists
}

// room reports whether another sequence of a way is wanted.
func (w *ways) room(way uint32) bool {
	at, ok := w.places[way]
	if !ok {
		return len(w.lists) < maxWays
	}
	return len(w.lists[at]) < perWay
}

// add books that a kept sequence executes some members and goes a way.
func (w *ways) add(ran, way uint32, kept int) {
	if !w.room(way) {
		return
	}
	at, ok := w.places[way]
	if !ok {
		if w.places == nil {
			w.places, w.groups = map[uint32]int{}, map[uint32]int{}
		}
		at = len(w.lists)
		w.places[way] = at
		w.lists = append(w.lists, nil)
		group, ok := w.groups[ran]
		if !ok {
			group = len(w.of)
			w.groups[ran] = group
			w.of = append(w.of, nil)
		}
		w.of[group] = append(w.of[group], at)
	}
	w.lists[at] = append(w.lists[at], kept)
}

// known reports whether a way was gone before.
func (w *ways) known(way uint32) bool {
	_, ok := w.places[way]
	return ok
}

// draw returns a kept sequence: what is executed has the same chance each, and of that each way. It reports
// whether there are several ways.
func (w *ways) draw(r *Rand) (int, bool) {
	if len(w.lists) < 2 {
		return 0, false
	}
	group := w.of[r.Intn(len(w.of))]
	list := w.lists[group[r.Intn(len(group))]]
	return list[r.Intn(len(list))], true
}

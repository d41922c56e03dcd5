package diff

import (
	"slices"
	"strconv"

	"github.com/isodelta/isodelta/report/event"
)

// heads are the findings that begin a cluster, to which others can belong. Only those are compared
// that have a changed function in common, are about one function, or panic at one place.
type heads struct {
	list []*seen
	of   map[string][]int // by changed function, and by what a finding is about
}

// seen is a finding with what takes time to tell of it: it is compared with many.
type seen struct {
	event.Finding
	after     string    // see afterwards
	arguments string    // see argumentsOf
	roots     []string  // see Changes.rootsOf
	unknown   bool      // no changed function is known to have run
	fragment  [2]string // see fragmentOf
	small     bool
	twin      string   // see twin
	failure   []string // see failureOf
	state     string   // see stateOf
}

func (c Changes) seenOf(f event.Finding) *seen {
	return &seen{
		Finding: f, after: afterwards(f), arguments: argumentsOf(f), roots: c.rootsOf(f), unknown: len(f.Changed) == 0,
		fragment: fragmentOf(f), small: f.Small(), failure: failureOf(f), state: stateOf(f), twin: twin(f),
	}
}

// maxHeads bounds the clusters that further findings can join.
const maxHeads = 1000

// add is without effect once there are very many.
func (h *heads) add(f *seen) {
	if len(h.list) == maxHeads {
		return
	}
	for _, key := range f.keys() {
		h.of[key] = append(h.of[key], len(h.list))
	}
	h.list = append(h.list, f)
}

// first is the first head that a finding belongs to, nil for none.
func (h *heads) first(f *seen, belongs func(head *seen) bool) *seen {
	var places []int
	for _, key := range f.keys() {
		places = append(places, h.of[key]...)
	}
	slices.Sort(places)
	for _, k := range slices.Compact(places) {
		if belongs(h.list[k]) {
			return h.list[k]
		}
	}
	return nil
}

// keys are what findings of one cluster have at least one of in common.
func (f *seen) keys() []string {
	keys := slices.Concat(f.Changed, f.roots, []string{f.Package + "\x00" + f.Function})
	if f.twin != "" {
		keys = append(keys, f.twin)
	}
	if h := f.Head; h.Outcome == event.Panic && h.File != "" {
		keys = append(keys, "panics\x00"+h.File+"\x00"+strconv.Itoa(h.Line)) // see crashesAnew
	}
	for _, e := range f.Blamed {
		keys = append(keys, e.Digest)
	}
	slices.Sort(keys)
	return slices.Compact(keys)
}

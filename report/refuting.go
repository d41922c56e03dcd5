package report

import (
	"encoding/hex"
	"math"
	"math/bits"
	"slices"

	"github.com/isodelta/isodelta/report/event"
)

// newName is what a name that none has yet counts for.
const newName = 1.5

// mostRefuting orders relations of one function greedily: that one is next which refutes
// most virtual mutants that none before does, over the root of its length. What adds
// nothing is left out. A name that no relation before has, those that are chosen
// already included, counts for more.
func mostRefuting(list, chosen []event.Relation) []event.Relation {
	named := map[string]bool{}
	for _, r := range chosen {
		named[r.Name] = true
	}
	sets := make([]mutantSet, len(list))
	var covered mutantSet
	for i, r := range list {
		sets[i] = mutantSetOf(r)
	}
	var out []event.Relation
	left := slices.Clone(list)
	for len(left) > 0 {
		best, gain := -1, 0.0
		for i, r := range left {
			n := sets[i].beyond(covered)
			g := float64(n) / math.Sqrt(float64(len([]rune(r.Relation))))
			if !named[r.Name] {
				g *= newName
			}
			if g > gain {
				best, gain = i, g
			}
		}
		if best < 0 {
			break
		}
		out, covered = append(out, left[best]), covered.with(sets[best])
		named[left[best].Name] = true
		left, sets = slices.Delete(left, best, best+1), slices.Delete(sets, best, best+1)
	}
	return out
}

// mutantSet is a set of virtual mutants, eight a byte.
type mutantSet []byte

// mutantSetOf reads what a relation refutes; nothing where that cannot be read.
func mutantSetOf(r event.Relation) mutantSet {
	set, err := hex.DecodeString(r.Refutes)
	if err != nil {
		return nil
	}
	return set
}

func (s mutantSet) with(t mutantSet) mutantSet {
	out := slices.Clone(s)
	for i, b := range t {
		if i == len(out) {
			out = append(out, 0)
		}
		out[i] |= b
	}
	return out
}

// beyond counts those that are not in the other set.
func (s mutantSet) beyond(other mutantSet) int {
	n := 0
	for i, b := range s {
		if i < len(other) {
			b &^= other[i]
		}
		n += bits.OnesCount8(b)
	}
	return n
}

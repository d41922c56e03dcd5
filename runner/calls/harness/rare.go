//go:build go1.21

package harness

// What few sequences execute of changed functions is tried least, and most of it is what a change is new in. So what is
// changed next is drawn by branches, too, the rarer the likelier, as FairFuzz does it (Lemieux and Sen, "FairFuzz: A
// Targeted Mutation Strategy for Increasing Greybox Fuzz Testing Coverage", ASE 2018).

const (
	perBranch  = 24 // kept sequences of one branch
	drawn      = 4  // branches, of which the rarest counts
	shareScant = 40 // of a hundred picks of what executed something of Δ
)

// scant are the branches of Δ's functions that were taken, in the order of their first time.
type scant struct {
	places map[int]int // of a branch in list
	list   []taken
}

// taken is a branch with how many sequences took it, and kept ones of these.
type taken struct {
	times int
	kept  []int
}

// note books the branches that a sequence took. kept is its number, -1 for one that is not kept.
func (s *scant) note(branches []int, kept int) {
	for _, b := range branches {
		at, ok := s.places[b]
		if !ok {
			if s.places == nil {
				s.places = map[int]int{}
			}
			at = len(s.list)
			s.places[b] = at
			s.list = append(s.list, taken{})
		}
		t := &s.list[at]
		t.times++
		if kept >= 0 && len(t.kept) < perBranch {
			t.kept = append(t.kept, kept)
		}
	}
}

// draw returns a kept sequence that took the rarest of some branches. It reports false if none is kept.
func (s *scant) draw(r *Rand) (int, bool) {
	if len(s.list) == 0 {
		return 0, false
	}
	rarest := s.list[r.Intn(len(s.list))]
	for i := 1; i < drawn; i++ {
		if t := s.list[r.Intn(len(s.list))]; t.times < rarest.times && len(t.kept) > 0 || len(rarest.kept) == 0 {
			rarest = t
		}
	}
	if len(rarest.kept) == 0 {
		return 0, false
	}
	return rarest.kept[r.Intn(len(rarest.kept))], true
}

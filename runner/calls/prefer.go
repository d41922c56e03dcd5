package calls

import (
	"maps"

	"github.com/isodelta/isodelta/runner/calls/wire"
)

// Prefer lets operations be called as often as changed ones: by them callers get to what
// differs. Functions of dependencies that lead there are called now and then. It is for
// before Open.
func (c *Search) Prefer(ops []wire.Op) {
	c.setup.Roles = maps.Clone(c.setup.Roles)
	for _, op := range ops {
		if !c.LeavesOut(op) {
			c.setup.Roles[op] = wire.Changed
		}
	}
	for i, op := range c.API.All() {
		if op.Seam {
			c.setup.Roles[i] = wire.Consumer
		}
	}
}

// telling are texts with which functions of dependencies behave otherwise on base and on
// head. Callers of these functions are given them, alone and within other texts.
type telling struct {
	texts  []string
	known  map[string]bool
	rounds int
	given  int // how many of texts the processes know
}

const (
	maxTelling     = 64
	maxTellingText = 120
	firstTelling   = 4 // rounds before the processes are told, then each time twice as many
)

// take takes in the texts of a sequence.
func (t *telling) take(p wire.Sequence) {
	p.Walk(func(_ int, l *wire.Lit) {
		if l.Form != wire.Text || l.S == "" || len(l.S) > maxTellingText || len(t.texts) == maxTelling || t.known[l.S] {
			return
		}
		if t.known == nil {
			t.known = map[string]bool{}
		}
		t.known[l.S] = true
		t.texts = append(t.texts, l.S)
	})
}

// due reports whether the processes are to be replaced by some that know the texts. Each
// costs what starting it costs.
func (t *telling) due() bool {
	t.rounds++
	if t.rounds < firstTelling || t.rounds&(t.rounds-1) != 0 || len(t.texts) == t.given {
		return false
	}
	t.given = len(t.texts)
	return true
}

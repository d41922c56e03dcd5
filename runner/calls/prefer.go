package calls

import (
	"maps"

	"github.com/isodelta/isodelta/runner/calls/wire"
)

// Prefer lets operations be called as often as changed ones: by them callers get to what
// differs. It is for before Open.
func (c *Search) Prefer(ops []wire.Op) {
	if len(ops) == 0 {
		return
	}
	c.setup.Roles = maps.Clone(c.setup.Roles)
	for _, op := range ops {
		if !c.LeavesOut(op) {
			c.setup.Roles[op] = wire.Changed
		}
	}
}

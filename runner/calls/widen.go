package calls

import (
	"slices"

	"github.com/isodelta/isodelta/runner/calls/surface"
	"github.com/isodelta/isodelta/runner/calls/wire"
)

// Widen has changed functions that are not exported called too, and what differs there told. Of those that the package's
// own tests call, these are what no call has executed so far, though exported functions lead there, which may need a
// terminal, say, or another machine. If there is none, and nothing has been found but small things, they are what tests call, or no
// other changed function names: what is asked of them is what was asked before. A search that is lost calls whole
// commands, too, and what else leads to the change and changes package-level variables. The next processes call them.
func (c *Search) Widen(executed func(function string) bool, quiet bool) {
	list := c.changedWithin(func(op surface.Operation) bool { return op.Tested && !executed(op.Name) })
	if len(list) == 0 && quiet {
		list = c.changedWithin(func(op surface.Operation) bool { return op.Tested || !op.ChangedCaller })
	}
	if c.Lost() {
		list = append(list, c.callersLeftOut()...)
	}
	fresh := func(n wire.Op) bool { return slices.Contains(list, n) }
	for _, n := range list {
		c.widened[n] = true
	}
	c.setup.Exclude = slices.DeleteFunc(slices.Clone(c.setup.Exclude), fresh)
	for _, s := range c.sides {
		if s != nil {
			s.setup.Exclude = slices.DeleteFunc(slices.Clone(s.setup.Exclude), fresh)
		}
	}
}

// changedWithin are the changed functions that are not exported and of which something holds.
func (c *Search) changedWithin(holds func(surface.Operation) bool) []wire.Op {
	var out []wire.Op
	for n, op := range c.API.All() {
		if !op.Exported && c.setup.Roles[n] == wire.Changed && holds(op) {
			out = append(out, n)
		}
	}
	return out
}

// callersLeftOut are the exported operations that lead to what changed and are left out, as others seemed to lead
// there without changing package-level variables.
func (c *Search) callersLeftOut() []wire.Op {
	var out []wire.Op
	for n, op := range c.API.All() {
		if op.Global && op.Exported && c.setup.Roles[n] >= wire.Caller && (c.restricted || !op.Command) && c.LeavesOut(n) {
			out = append(out, n)
		}
	}
	return out
}

// A search is lost that has made so many sequences of which not one in so many executed what changed: it
// does not know what leads there, and what it keeps to begin from leads elsewhere.
const (
	enoughToKnow = 1500
	oneIn        = 100
)

// Lost reports whether next to nothing that was called has executed a member of Δ.
func (c *Search) Lost() bool {
	return c.Sequences >= enoughToKnow && c.Reaching*oneIn < c.Sequences
}

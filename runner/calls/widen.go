package calls

import (
	"slices"

	"github.com/isodelta/isodelta/runner/calls/surface"
	"github.com/isodelta/isodelta/runner/calls/wire"
)

// Widen adds operations that were left out, and has what differs there told. The next processes call them. First come
// changed unexported functions that the package's own tests call and no call has executed: what leads there may need a
// terminal, for example. If there are no such functions, and only small differences were found, it adds those that tests
// call, and those that no other changed function calls. A lost search also gets whole commands, and other callers that
// change package-level variables.
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

// changedWithin returns the changed unexported functions for which a condition holds.
func (c *Search) changedWithin(holds func(surface.Operation) bool) []wire.Op {
	var out []wire.Op
	for n, op := range c.API.All() {
		if !op.Exported && c.setup.Roles[n] == wire.Changed && holds(op) {
			out = append(out, n)
		}
	}
	return out
}

// callersLeftOut returns the exported operations that lead to the change and are left out because they change
// package-level variables.
func (c *Search) callersLeftOut() []wire.Op {
	var out []wire.Op
	for n, op := range c.API.All() {
		if op.Global && op.Exported && c.setup.Roles[n] >= wire.Caller && (c.restricted || !op.Command) && c.LeavesOut(n) {
			out = append(out, n)
		}
	}
	return out
}

// A search is lost if it has made enoughToKnow sequences, and fewer than one in oneIn executed the change. The sequences
// that it keeps then lead elsewhere. Where none did, 3*oneIn of them tell as much: that no more than one in oneIn does is
// 95 % sure after so many (Hanley and Lippman-Hand, "If nothing goes wrong, is everything all right?", 1983). Where each
// call takes long, as those of services do, a search does not come to more within a minute.
const (
	enoughToKnow = 1500
	oneIn        = 100
)

// Lost reports whether next to nothing that was called has executed a member of Δ.
func (c *Search) Lost() bool {
	return c.Sequences >= enoughToKnow && c.Reaching*oneIn < c.Sequences || c.Reaching == 0 && c.Sequences >= 3*oneIn
}

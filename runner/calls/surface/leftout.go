package surface

import (
	"go/types"
	"slices"

	"github.com/isodelta/isodelta/runner/calls/wire"
)

// LeftOut are the operations to leave alone because others reach the change:
// what an unexported function does with arguments that its callers never give
// is nobody's concern, and what writes package-level variables makes later
// calls depend on earlier ones. It is called all the same if nothing else gives
// what is to be called. So is an unexported function that tests call and that gives what a driver of theirs is given. What is handed out beside the change is not worth its time.
// If there are no others, all are called. Where nothing restricts what code does, whole commands are never run with command lines
// that nobody thought of.
func (a *API) LeftOut(roles map[wire.Op]wire.Role, restricted bool) []wire.Op {
	var out, commands []wire.Op
	reached := false
	for n, o := range a.All() {
		if o.Command && !restricted {
			commands = append(commands, n)
			continue
		}
		r := roles[n]
		handed := o.Handed && r < wire.Caller // in a table, and nothing to do with the change
		if o.Tested && a.givesDrivers(o) {
			continue
		}
		if o.Exported && !handed && (!o.Global || r == wire.Changed || r == wire.Caller && a.givesAlone(o)) {
			reached = reached || r >= wire.Caller
		} else {
			out = append(out, n)
		}
	}
	if !reached {
		return commands
	}
	return append(out, commands...)
}

// givesAlone reports whether methods or functions begin with a value that an operation gives, and of the module's
// functions only those give that write package-level variables: a driver registers itself in order to be opened.
func (a *API) givesAlone(o Operation) bool {
	has := func(list []types.Type, t types.Type) bool {
		return slices.ContainsFunc(list, func(x types.Type) bool { return types.Identical(x, t) })
	}
	return slices.ContainsFunc(o.results, func(t types.Type) bool {
		taken, given := false, false
		for _, other := range a.ops {
			taken = taken || len(other.params) > 0 && types.Identical(other.params[0], t)
			given = given || !other.Global && other.hook >= 0 && has(other.results, t)
		}
		return taken && !given
	})
}

// givesDrivers reports whether a driver is given what an operation gives.
func (a *API) givesDrivers(o Operation) bool {
	gives := o.Results()
	return slices.ContainsFunc(a.ops, func(d Operation) bool {
		return d.Driver && slices.ContainsFunc(d.Params(), func(t string) bool { return slices.Contains(gives, t) })
	})
}

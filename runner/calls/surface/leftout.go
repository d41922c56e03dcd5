package surface

import "github.com/isodelta/isodelta/runner/calls/wire"

// LeftOut are the operations to leave alone because others reach the change:
// what an unexported function does with arguments that its callers never give
// is nobody's concern, and what writes package-level variables makes later
// calls depend on earlier ones. Nor is what is handed out beside the change worth its time.
// If there are no others, all are called.
func (a *API) LeftOut(roles map[wire.Op]wire.Role) []wire.Op {
	var out []wire.Op
	reached := false
	for n, o := range a.All() {
		r := roles[n]
		handed := o.Handed && r < wire.Caller // in a table, and nothing to do with the change
		if o.Exported && !handed && (!o.Global || r == wire.Changed) {
			reached = reached || r >= wire.Caller
		} else {
			out = append(out, n)
		}
	}
	if !reached {
		return nil
	}
	return out
}

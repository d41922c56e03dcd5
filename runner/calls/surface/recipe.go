package surface

import (
	"go/types"
	"strings"

	"github.com/isodelta/isodelta/runner/calls/wire"
)

const (
	maxRecipe = 16 // steps of one recipe
	maxLife   = 48 // of one that follows a thing of its own
	leastLife = 3  // calls with a thing that are worth a recipe
	maxMaking = 6  // calls before the first one with a thing
	maxAsides = 3  // calls between two with it
)

// Recipes turns the calls recorded from a test, of the package itself or of another one, into sequences. What was not
// plain is a hole, which is filled with the newest value that fits: in nearly
// all tests that is the value that was meant.
func (a *API) Recipes(recorded []byte, own bool) []wire.Sequence {
	records, err := wire.DecodeRecords(recorded)
	if err != nil {
		return nil
	}
	if !own { // whose operations have other numbers
		for i := range records {
			records[i].Op = 0
		}
	}
	var out []wire.Sequence
	var p wire.Sequence
	for _, r := range records {
		op, args, ok := a.recorded(r)
		if !ok {
			continue
		}
		// A call without holes may be the beginning of something else.
		if len(p) >= maxRecipe {
			out = append(out, p)
			p = append(wire.Sequence(nil), p[len(p)/2:]...)
		}
		p = append(p, wire.Step{Op: op, Args: args})
	}
	if len(p) > 0 {
		out = append(out, p)
	}
	return append(out, a.lives(records)...)
}

// lives returns a recipe for each thing that several calls were given: what may have made it, the calls with
// it, and those between them that were given nothing of that kind, which may have made what else they need.
func (a *API) lives(records []wire.Record) []wire.Sequence {
	var order []int
	with := map[int][]int{}
	for i, r := range records {
		if r.Object == 0 {
			continue
		}
		if with[r.Object] == nil {
			order = append(order, r.Object)
		}
		with[r.Object] = append(with[r.Object], i)
	}
	var out []wire.Sequence
	known := map[string]bool{}
	for _, object := range order {
		if len(with[object]) < leastLife {
			continue
		}
		var p wire.Sequence
		before := maxMaking
		for _, at := range with[object] {
			from := at
			for from > 0 && at-from < before && records[from-1].Object == 0 {
				from--
			}
			for _, r := range records[from : at+1] {
				if op, args, ok := a.recorded(r); ok {
					p = append(p, wire.Step{Op: op, Args: args})
				}
			}
			if before = maxAsides; len(p) >= maxLife {
				break
			}
		}
		if key := string(p.Encode(nil)); len(p) >= leastLife && !known[key] {
			known[key] = true
			out = append(out, p)
		}
	}
	return out
}

// recorded finds the operation of a recorded call, and what it is given: of a function whose
// signature changed, a version may have been given more.
func (a *API) recorded(r wire.Record) (wire.Op, []wire.Lit, bool) {
	for n, o := range a.All() {
		if r.Hook >= 0 && o.hook == r.Hook && o.adapted != nil {
			args, ok := o.adapted.given(r.Args, len(o.params)-o.adapted.sig.Params().Len())
			return n, args, ok
		}
	}
	op, ok := r.Op, a.Op(r.Op).hook == r.Hook && len(a.Op(r.Op).params) == len(r.Args)
	if r.Op < wire.Builtins || !ok {
		op, ok = a.Hooked(r.Hook, len(r.Args))
	}
	if !ok {
		return op, nil, false
	}
	return a.asGiven(op), r.Args, true
}

// asGiven returns, for a method of an unexported type, the same method of an interface that functions give
// instead of the type: who calls it from outside calls that one.
func (a *API) asGiven(op wire.Op) wire.Op {
	o := a.Op(op)
	if !o.IsMethod() || o.Function.Name() == "" || !isHiddenType(o.params[0]) {
		return op
	}
	for n, i := range a.All() {
		if i.Function == nil && i.hook < 0 && len(i.params) == len(o.params) && strings.HasSuffix(i.Name, "."+o.Function.Name()) &&
			types.IsInterface(i.params[0]) && types.AssignableTo(o.params[0], i.params[0]) {
			return n
		}
	}
	return op
}

// isHiddenType reports whether a type is an unexported one, or a pointer to such a type.
func isHiddenType(t types.Type) bool {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	n, ok := t.(*types.Named)
	return ok && !n.Obj().Exported()
}

// Hooked finds the operation of a hook that takes so many arguments, the
// receiver counted.
func (a *API) Hooked(hook, args int) (wire.Op, bool) {
	if hook < 0 {
		return 0, false
	}
	for n, o := range a.All() {
		if o.hook == hook && len(o.params) == args {
			return n, true
		}
	}
	return 0, false
}

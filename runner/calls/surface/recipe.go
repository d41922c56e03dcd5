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
	c := cook{a, map[recordedCall]operationCalled{}}
	var out []wire.Sequence
	var p wire.Sequence
	for _, r := range records {
		step, ok := c.step(r)
		if !ok {
			continue
		}
		// A call without holes may be the beginning of something else.
		if len(p) >= maxRecipe {
			out = append(out, p)
			p = append(wire.Sequence(nil), p[len(p)/2:]...)
		}
		p = append(p, step)
	}
	if len(p) > 0 {
		out = append(out, p)
	}
	out = append(out, c.lives(records)...)
	for i, p := range out {
		out[i] = a.withFolders(p)
	}
	return out
}

// lives returns a recipe for each thing that several calls were given: what may have made it, the calls with
// it, and those between them that were given nothing of that kind, which may have made what else they need.
func (c cook) lives(records []wire.Record) []wire.Sequence {
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
				if step, ok := c.step(r); ok {
					p = append(p, step)
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

// A cook turns records into steps, and remembers which functions they are of: there are thousands of
// records and of operations.
type cook struct {
	*API
	known map[recordedCall]operationCalled
}

// recordedCall is what tells which operation a record is of.
type recordedCall struct {
	hook int
	op   wire.Op
	args int
}

type operationCalled struct {
	op      wire.Op
	adapted *adaptation // nil where both versions are given the same
	ok      bool
}

// step is the call of a record, which a version of a function whose signature changed may have been given more
// than. It reports false where nothing that can be called is known.
func (c cook) step(r wire.Record) (wire.Step, bool) {
	key := recordedCall{r.Hook, r.Op, len(r.Args)}
	of, known := c.known[key]
	if !known {
		of = c.calledIn(key)
		c.known[key] = of
	}
	if !of.ok {
		return wire.Step{}, false
	}
	if of.adapted == nil {
		return wire.Step{Op: of.op, Args: r.Args}, true
	}
	args, ok := of.adapted.given(r.Args, len(c.Op(of.op).params)-of.adapted.sig.Params().Len())
	return wire.Step{Op: of.op, Args: args}, ok
}

func (a *API) calledIn(r recordedCall) operationCalled {
	if r.hook < 0 {
		return operationCalled{}
	}
	if r.hook == wire.Abroad {
		return operationCalled{op: r.op, ok: r.op >= wire.Builtins && a.Op(r.op).Name != ""}
	}
	for n, o := range a.All() {
		if o.hook == r.hook && o.adapted != nil {
			return operationCalled{n, o.adapted, true}
		}
	}
	op, ok := r.op, a.Op(r.op).hook == r.hook && len(a.Op(r.op).params) == r.args
	if r.op < wire.Builtins || !ok {
		op, ok = a.Hooked(r.hook, r.args)
	}
	if ok {
		op = a.asGiven(op)
	}
	return operationCalled{op: op, ok: ok}
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

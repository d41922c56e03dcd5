package surface

import (
	"go/types"
	"reflect"

	"github.com/isodelta/isodelta/runner/calls/wire"
)

// withFolders returns a recipe whose recorded paths are literals that others may read. Arguments that are one path stand in a step
// of their own, which all of them refer to: what one call leaves in the folder, the next one finds.
func (a *API) withFolders(p wire.Sequence) wire.Sequence {
	times := map[int64]int{}
	p.Walk(func(_ int, l *wire.Lit) {
		if n, ok := recordedPath(*l); ok {
			times[n]++
		}
	})
	if len(times) == 0 {
		return p
	}
	text, _ := wire.BasicType(reflect.TypeFor[string]())
	kept := map[int64]int{} // steps, by what they keep
	var out wire.Sequence
	for _, s := range p.Clone() {
		for i, l := range s.Args {
			n, ok := recordedPath(l)
			if !ok || times[n] < 2 || !a.takesText(s.Op, i) {
				continue
			}
			at, known := kept[n]
			if !known {
				at = len(out)
				kept[n] = at
				out = append(out, wire.Step{Op: wire.OpLet, Args: []wire.Lit{{Form: wire.Dynamic, T: text, E: []wire.Lit{l}}}})
			}
			s.Args[i] = wire.RefTo(at, 0)
		}
		out = append(out, s)
	}
	out.Walk(func(_ int, l *wire.Lit) {
		if n, ok := recordedPath(*l); ok {
			l.E[0].N, _ = wire.PathRecorded(n)
		}
	})
	return out
}

// recordedPath returns the number of a path's literal that a record has, and reports whether it is one.
func recordedPath(l wire.Lit) (n int64, ok bool) {
	if l.Form != wire.Special || l.S != wire.SpecialPath || len(l.E) == 0 {
		return 0, false
	}
	_, folder := wire.PathRecorded(l.E[0].N)
	return l.E[0].N, folder > 0
}

// takesText reports whether an argument of an operation is of type string.
func (a *API) takesText(op wire.Op, arg int) bool {
	if op.Builtin() {
		return false
	}
	params := a.Op(op).params
	return arg < len(params) && types.Identical(params[arg], types.Typ[types.String])
}

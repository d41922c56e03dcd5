package calls

import "github.com/isodelta/isodelta/runner/calls/wire"

// maxLeaner is how many fields are left out one by one at most.
const maxLeaner = 16

// leaner leaves out fields of structs that Shrink keeps, since without them they are nil: functions,
// implementers, pointers and maps. Who writes a struct down leaves out what is of no use there. may
// reports whether that is done in an argument, and still whether a sequence still shows the difference.
func leaner(p wire.Sequence, may func(step, arg int) bool, still func(wire.Sequence) (bool, error)) (wire.Sequence, error) {
	q := p.Clone()
	var fields []*wire.Lit
	for i := range q {
		for k := range q[i].Args {
			if may(i, k) {
				fields = nilFields(&q[i].Args[k], fields)
			}
		}
	}
	if len(fields) == 0 {
		return p, nil
	}
	kept := make([]wire.Lit, len(fields))
	for i, f := range fields {
		kept[i], *f = *f, wire.Lit{}
	}
	if ok, err := still(q); err != nil || ok {
		return q, err
	}
	for i := len(fields) - 1; i >= 0; i-- { // what is within a field comes after it
		*fields[i] = kept[i]
	}
	for i, f := range fields[:min(len(fields), maxLeaner)] {
		*f = wire.Lit{}
		ok, err := still(q)
		if !ok || err != nil {
			*f = kept[i]
		}
		if err != nil {
			return q, err
		}
	}
	return q, nil
}

// nilFields appends the fields, of structs within a literal, that are nil where they are left out, the outer
// ones first.
func nilFields(l *wire.Lit, list []*wire.Lit) []*wire.Lit {
	for i := range l.E {
		e := &l.E[i]
		if l.Form == wire.Struct && e.Form != wire.Zero && e.Form != wire.Hidden && !mayBeZero(e.Form) {
			list = append(list, e)
		}
		list = nilFields(e, list)
	}
	return list
}

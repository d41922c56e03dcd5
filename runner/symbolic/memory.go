package symbolic

import "golang.org/x/tools/go/ssa"

// object is what an object holds on a path.
func (w *walk) object(s *state, obj int) value {
	if v, ok := s.memory[obj]; ok {
		return v
	}
	return w.first(obj)
}

// load reads what a pointer leads to. It is false where there is no model of it, or the
// path ends there.
func (w *walk) load(s *state, p pointer, at ssa.Instruction) (value, bool) {
	v := w.object(s, p.obj)
	for _, x := range p.path {
		var ok bool
		if v, ok = w.into(s, v, x); !ok {
			w.unmodelled("what a pointer leads to", at)
			return nil, false
		}
	}
	return v, true
}

// into takes one step into a value.
func (w *walk) into(s *state, v value, x step) (value, bool) {
	switch v := v.(type) {
	case group:
		if x.index == nil {
			return v[x.field], x.field < len(v)
		}
		if x.index.Op == Const {
			i := x.index.Value
			if i >= uint64(len(v)) {
				return nil, false
			}
			return v[i], true
		}
		return w.among(x.index, len(v), func(i int) value { return v[i] })
	case row:
		if x.index == nil {
			return nil, false
		}
		if x.index.Op == Const {
			if x.index.Value > longest {
				return nil, false
			}
			return v.get(int(x.index.Value)), true
		}
		if !w.restrict(s, w.terms.Binary(ULt, x.index, w.word(elements)), indexLimit) {
			return nil, false
		}
		return w.among(x.index, elements, v.get)
	}
	return nil, false
}

const indexLimit = "only the first elements of long lists and texts are told apart"

// among is the element at an index that is not known.
func (w *walk) among(index *Term, n int, at func(i int) value) (value, bool) {
	if n == 0 {
		return nil, false
	}
	out, ok := at(n-1), true
	for i := n - 2; i >= 0 && ok; i-- {
		out, ok = w.choose(w.terms.Binary(Eq, index, w.word(i)), at(i), out)
	}
	return out, ok
}

// store writes what a pointer leads to. It reports whether there is a model of that.
func (w *walk) store(s *state, p pointer, v value, at ssa.Instruction) bool {
	// Another argument may lead to the same memory.
	if by := w.objects[p.obj].owner; by == argument && w.references > 1 || by == variable && w.references > 0 {
		w.limit("what is written may be seen through another argument")
	}
	changed, ok := w.with(s, w.object(s, p.obj), p.path, v)
	if !ok {
		w.unmodelled("what is written", at)
		return false
	}
	s.memory[p.obj] = changed
	return true
}

// with is a value with another one in it.
func (w *walk) with(s *state, v value, path []step, x value) (value, bool) {
	if len(path) == 0 {
		return x, true
	}
	first, rest := path[0], path[1:]
	switch v := v.(type) {
	case group:
		out := append(group(nil), v...)
		if first.index == nil || first.index.Op == Const {
			i := first.field
			if first.index != nil {
				i = int(first.index.Value)
			}
			if i < 0 || i >= len(v) {
				return nil, false
			}
			e, ok := w.with(s, v[i], rest, x)
			out[i] = e
			return out, ok
		}
		for i := range v {
			e, ok := w.replaced(s, first.index, i, v[i], rest, x)
			if !ok {
				return nil, false
			}
			out[i] = e
		}
		return out, true
	case row:
		if first.index == nil {
			return nil, false
		}
		if first.index.Op == Const {
			if first.index.Value > longest {
				return nil, false
			}
			i := int(first.index.Value)
			e, ok := w.with(s, v.get(i), rest, x)
			return v.with(i, e), ok
		}
		if !w.restrict(s, w.terms.Binary(ULt, first.index, w.word(elements)), indexLimit) {
			return nil, false
		}
		out := v
		for i := range elements {
			e, ok := w.replaced(s, first.index, i, v.get(i), rest, x)
			if !ok {
				return nil, false
			}
			out = out.with(i, e)
		}
		return out, true
	}
	return nil, false
}

// replaced is element i after the one at an index was written.
func (w *walk) replaced(s *state, index *Term, i int, old value, rest []step, x value) (value, bool) {
	e, ok := w.with(s, old, rest, x)
	if !ok {
		return nil, false
	}
	return w.choose(w.terms.Binary(Eq, index, w.word(i)), e, old)
}

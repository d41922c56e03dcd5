package symbolic

// byteAt is a byte of a text, whose index is within its length.
func (w *walk) byteAt(s *state, t text, index *Term) (*Term, bool) {
	i := w.terms.Binary(Add, t.off, index)
	if i.Op == Const {
		if i.Value > longest {
			return nil, false
		}
		return t.at(int(i.Value)), true
	}
	n := t.known
	if n < 0 || n > maxArray {
		n = elements
		if !w.restrict(s, w.terms.Binary(ULt, i, w.word(n)), indexLimit) {
			return nil, false
		}
	}
	v, ok := w.among(i, n, func(i int) value { return t.at(i) })
	if !ok {
		return nil, false
	}
	return v.(*Term), true
}

// sameText is whether two texts are equal.
func (w *walk) sameText(s *state, a, b text) (*Term, bool) {
	same := w.terms.Binary(Eq, a.length, b.length)
	n := elements
	switch {
	case same.isConst(0):
		return same, true
	case a.length.Op == Const:
		n = int(min(a.length.Value, maxArray+1))
	case b.length.Op == Const:
		n = int(min(b.length.Value, maxArray+1))
	default:
		short := w.terms.Binary(ULt, a.length, w.word(n+1))
		if !w.restrict(s, w.terms.Binary(Or, w.terms.Not(same), short), indexLimit) {
			return nil, false
		}
	}
	if n > maxArray {
		return nil, false
	}
	for i := range n {
		x, ok1 := w.inside(a, i)
		y, ok2 := w.inside(b, i)
		if !ok1 || !ok2 {
			return nil, false
		}
		behind := w.terms.Not(w.terms.Binary(SLt, w.word(i), a.length))
		same = w.terms.Binary(And, same, w.terms.Binary(Or, behind, w.terms.Binary(Eq, x, y)))
	}
	return same, true
}

// inside is a byte of a text, or any number where the text is shorter. Only texts that
// begin at a known place have such.
func (w *walk) inside(t text, i int) (*Term, bool) {
	if t.off.Op != Const || t.off.Value > longest {
		return nil, false
	}
	return t.at(int(t.off.Value) + i), true
}

// begins is whether a text has a prefix of known length.
func (w *walk) begins(t, prefix text) (*Term, bool) {
	if prefix.length.Op != Const || prefix.length.Value > maxArray {
		return nil, false
	}
	out := w.terms.Not(w.terms.Binary(SLt, t.length, prefix.length))
	for i := range int(prefix.length.Value) {
		x, ok1 := w.inside(t, i)
		y, ok2 := w.inside(prefix, i)
		if !ok1 || !ok2 {
			return nil, false
		}
		out = w.terms.Binary(And, out, w.terms.Binary(Eq, x, y))
	}
	return out, true
}

// lessText is whether a stands before b.
func (w *walk) lessText(s *state, a, b text) (*Term, bool) {
	n := elements
	switch {
	case a.length.Op == Const && a.length.Value <= maxArray:
		n = int(a.length.Value)
	case b.length.Op == Const && b.length.Value <= maxArray:
		n = int(b.length.Value)
	default:
		if !w.restrict(s, w.terms.Binary(ULt, a.length, w.word(n+1)), indexLimit) {
			return nil, false
		}
	}
	// Where all of the n bytes are equal, the shorter one is less.
	out := w.terms.Binary(SLt, a.length, b.length)
	for i := n - 1; i >= 0; i-- {
		x, ok1 := w.inside(a, i)
		y, ok2 := w.inside(b, i)
		if !ok1 || !ok2 {
			return nil, false
		}
		at := w.word(i)
		aHas, bHas := w.terms.Binary(SLt, at, a.length), w.terms.Binary(SLt, at, b.length)
		both := w.terms.Binary(And, aHas, bHas)
		here := w.terms.Ite(w.terms.Binary(Eq, x, y), out, w.terms.Binary(ULt, x, y))
		out = w.terms.Ite(both, here, w.terms.Binary(And, w.terms.Not(aHas), bHas))
	}
	return out, true
}

// joined is a text behind another one.
func (w *walk) joined(s *state, a, b text) (text, bool) {
	out := text{known: -1, off: w.word(0), length: w.terms.Binary(Add, a.length, b.length)}
	if a.off.Op != Const || b.off.Op != Const {
		return text{}, false
	}
	if a.length.Op == Const {
		if a.length.Value > longest {
			return text{}, false
		}
		n := int(a.length.Value)
		out.at = func(i int) *Term {
			if i < n {
				x, _ := w.inside(a, i)
				return x
			}
			x, _ := w.inside(b, i-n)
			return x
		}
		return out, true
	}
	if !w.restrict(s, w.terms.Binary(ULt, a.length, w.word(elements+1)), indexLimit) {
		return text{}, false
	}
	out.at = func(i int) *Term {
		x, _ := w.inside(a, i)
		// Behind the end of a of every length it may have.
		for n := 0; n <= min(i, elements); n++ {
			y, _ := w.inside(b, i-n)
			x = w.terms.Ite(w.terms.Binary(Eq, a.length, w.word(n)), y, x)
		}
		return x
	}
	return out, true
}

// copied is a text of the bytes behind a slice, as they are now.
func (w *walk) copied(s *state, v slice) (text, bool) {
	held := w.object(s, v.base.obj)
	for _, x := range v.base.path {
		var ok bool
		if held, ok = w.into(s, held, x); !ok {
			return text{}, false
		}
	}
	out := text{known: -1, off: v.off, length: v.length}
	switch held := held.(type) {
	case row:
		out.at = func(i int) *Term { return w.byteOf(held.get(i)) }
	case group:
		out.known = len(held)
		out.at = func(i int) *Term {
			if i < len(held) {
				return w.byteOf(held[i])
			}
			return w.terms.Const(8, 0)
		}
	default:
		return text{}, false
	}
	return out, true
}

func (w *walk) byteOf(v value) *Term {
	if t, ok := v.(*Term); ok && t.Width == 8 {
		return t
	}
	w.limit("bytes that have no equation")
	return w.terms.Const(8, 0)
}

//go:build go1.21

package wire

import (
	"encoding/binary"
	"errors"

	probe "github.com/isodelta/isodelta/runner/probe"
)

// Values asks for sequences to be run, and for what the last step of each gives, with
// values in place of digests.
type Values struct {
	// Negate are conditions, by the numbers of the process's own version, that are
	// negated while the last step of a sequence runs, and then no more. Those that the
	// program does not have are left out.
	Negate    []int
	Sequences []Sequence
}

// A Valued is what the last step of a sequence gave. The zero value says nothing.
//
// A value is written for its type: booleans, numbers, texts and []byte (Text), slices and
// arrays (Seq), maps (by ascending keys), structs (all their fields by index, unexported
// ones too; of a type whose fields differ between the versions, those that sequences can
// name), pointers. What is nil is Zero, and nothing else is. An interface that is an error
// is a Text, of what Error says; any other is Dynamic. An instant of time is a Special of
// that name with seconds and nanoseconds since 1970, a *bytes.Buffer a Special with what is
// left in it. A Hole stands for what cannot be written, at the place where it is:
// functions, channels, addresses, values of types that have no number, what lies within
// itself, and what is too large.
type Valued struct {
	// Ran says that the last step was begun. It was not where the sequence cannot be
	// built, has no steps, or does not get that far.
	Ran    bool
	Ending probe.Ending // of the last step
	// Drew says that the last step drew random numbers, or what else differs from run to
	// run where the run time is not seeded: what it gave is one possibility of many.
	Drew bool
	// Branches that were taken while it ran, ascending, as package probe numbers them.
	Branches []int
	// Args has an element for each argument, the receiver first, as it is after the
	// call. Those that the call cannot change are Holes, unless they refer to an earlier
	// step: only the process knows these. There are none unless the step returned.
	Args []Lit
	// Results has an element for each result; none unless the step returned.
	Results []Lit
}

var errValues = errors.New("damaged values")

// Limits of what is decoded.
const (
	maxNegated = 1 << 20 // number of a condition
	maxBranch  = 3 << 20 // number of a branch
)

// Encode returns the payload of a FrameValues.
func (q Values) Encode() []byte {
	b := binary.AppendUvarint(nil, uint64(len(q.Negate)))
	for _, n := range q.Negate {
		b = binary.AppendUvarint(b, uint64(n))
	}
	for _, p := range q.Sequences {
		b = p.Encode(b)
	}
	return b
}

// DecodeValues reads what Values.Encode wrote.
func DecodeValues(b []byte) (Values, error) {
	r := reader{b: b}
	var q Values
	for n := r.count(len(r.b)); n > 0 && !r.bad; n-- {
		q.Negate = append(q.Negate, r.count(maxNegated))
	}
	if r.bad {
		return Values{}, errValues
	}
	for rest := r.b; len(rest) > 0; {
		p, after, err := Decode(rest)
		if err != nil {
			return Values{}, err
		}
		q.Sequences, rest = append(q.Sequences, p), after
	}
	return q, nil
}

// Encode appends what a last step gave to b: 0, or one more than its ending, then whether
// it drew random numbers, the distances between its branches, and literals.
func (v *Valued) Encode(b []byte) []byte {
	if !v.Ran {
		return append(b, 0)
	}
	b = append(b, byte(v.Ending)+1, 0)
	if v.Drew {
		b[len(b)-1] = 1
	}
	b = binary.AppendUvarint(b, uint64(len(v.Branches)))
	before := -1
	for _, n := range v.Branches {
		b = binary.AppendUvarint(b, uint64(n-before))
		before = n
	}
	return AppendArgs(AppendArgs(b, v.Args), v.Results)
}

// DecodeValued reads what Valued.Encode wrote for the sequences of a question, one after
// another. It refuses literals that no value is written with, so that those of an answer
// hold what their forms say.
func DecodeValued(b []byte) ([]Valued, error) {
	r := reader{b: b}
	var out []Valued
	for len(r.b) > 0 {
		var v Valued
		if e := r.byte(); e > 0 {
			v.Ran, v.Ending = true, probe.Ending(e-1)
			r.bad = r.bad || v.Ending > probe.Exhausted
			drew := r.byte()
			v.Drew, r.bad = drew == 1, r.bad || drew > 1
			v.Branches, v.Args, v.Results = r.branches(), r.values(), r.values()
		}
		if r.bad {
			return nil, errValues
		}
		out = append(out, v)
	}
	return out, nil
}

func (r *reader) branches() []int {
	var out []int
	at := -1
	for n := r.count(len(r.b)); n > 0 && !r.bad; n-- {
		by := r.count(maxBranch)
		at += by
		r.bad = r.bad || by == 0 || at > maxBranch
		out = append(out, at)
	}
	return out
}

func (r *reader) values() []Lit {
	var out []Lit
	for n := r.count(MaxArgs); n > 0 && !r.bad; n-- {
		l := r.lit(0)
		r.bad = r.bad || !l.isValue()
		out = append(out, l)
	}
	return out
}

// isValue reports whether l is of a shape that values are written in.
func (l Lit) isValue() bool {
	ok := true
	switch l.Form {
	case Ref:
		return false
	case Bool:
		return l.N == 0 || l.N == 1
	case Pointer, Dynamic:
		ok = len(l.E) == 1
	case Complex:
		ok = l.holds(Float, Float)
	case Map:
		ok = len(l.E)%2 == 0
	case Special:
		ok = l.S == SpecialTime && l.holds(Int, Int) || l.S == SpecialBuffer && (l.holds(Text) || l.holds(Hole))
	}
	for _, e := range l.E {
		ok = ok && e.isValue()
	}
	return ok
}

// holds reports whether the elements of l are of these forms.
func (l Lit) holds(forms ...Form) bool {
	for i, e := range l.E {
		if i < len(forms) && e.Form != forms[i] {
			return false
		}
	}
	return len(l.E) == len(forms)
}

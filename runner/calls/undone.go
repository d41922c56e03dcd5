package calls

import (
	"context"

	"github.com/isodelta/isodelta/runner/calls/wire"
	"github.com/isodelta/isodelta/runner/execute"
	"github.com/isodelta/isodelta/runner/probe"
)

// A Replay makes the calls of differences again, on variations of head.
type Replay struct {
	search *Search
	list   []Difference
	base   []*wire.Trace // nil where base does not do again what it did
}

// Replay prepares for differences that this search found, by making their calls on base.
func (c *Search) Replay(ctx context.Context, list []Difference) (*Replay, error) {
	r := &Replay{search: c, list: list}
	var err error
	if r.base, err = r.traces(ctx, c.Base, 0, func(int) bool { return true }); err != nil {
		return nil, err
	}
	for i, t := range r.base {
		d := list[i]
		if t != nil && (d.Place.Step >= len(t.Steps) || d.Place.Kind == wire.AtEnding && t.Steps[d.Place.Step].Ending != d.Base.Ending) {
			r.base[i] = nil
		}
	}
	return r, nil
}

// Shows reports which of the differences show again on a variation of head that undoes nothing: others have nothing to
// say.
func (r *Replay) Shows(ctx context.Context, head execute.Target) ([]bool, error) {
	traces, err := r.traces(ctx, head, 1, func(i int) bool { return r.base[i] != nil })
	out := make([]bool, len(r.list))
	for i, t := range traces {
		switch d := r.list[i]; {
		case r.base[i] == nil:
		case t == nil:
			out[i] = d.Head.Ending == probe.Died
		default:
			out[i] = !sameAt(d.Place, *r.base[i], *t)
		}
	}
	return out, err
}

// AsOnBase reports which of the differences do not show on a variation of head: at their place it does what base does.
// Only wanted ones, by index, are asked about.
func (r *Replay) AsOnBase(ctx context.Context, variation execute.Target, wanted func(int) bool) ([]bool, error) {
	traces, err := r.traces(ctx, variation, 1, func(i int) bool { return wanted(i) && r.base[i] != nil })
	out := make([]bool, len(r.list))
	for i, t := range traces {
		out[i] = t != nil && sameAt(r.list[i].Place, *r.base[i], *t)
	}
	return out, err
}

// traces makes the calls of wanted differences in one process, which is replaced where it ends.
func (r *Replay) traces(ctx context.Context, target execute.Target, version int, wanted func(int) bool) ([]*wire.Trace, error) {
	setup := wire.Setup{Seed: r.search.setup.Seed, Near: r.search.Near[version]}
	s := newSide(r.search.Lab, target, &setup)
	defer s.close()
	out := make([]*wire.Trace, len(r.list))
	for i, d := range r.list {
		if !wanted(i) || d.Base.Ending == probe.Exhausted || d.Head.Ending == probe.Exhausted {
			continue // without a count of its branches a call that does not end takes long
		}
		if err := s.open(ctx, nil); err != nil {
			return out, ignoreEnded(err)
		}
		ran, err := s.batch(ctx, wire.FrameFollow, d.Sequence.Encode(nil))
		if _, dead := ended(err); dead {
			s.close()
			continue
		}
		if err != nil {
			return out, err
		}
		if len(ran) == 1 && !ran[0].Invalid {
			t := ran[0].Trace()
			out[i] = &t
		}
	}
	return out, nil
}

// sameAt reports whether two versions do the same at a place.
func sameAt(at wire.Place, a, b wire.Trace) bool {
	if at.Kind == wire.AtAfter {
		return at.Index < min(len(a.After), len(b.After)) && a.After[at.Index].Visible == b.After[at.Index].Visible
	}
	if at.Step >= min(len(a.Steps), len(b.Steps)) {
		return false
	}
	x, y := a.Steps[at.Step], b.Steps[at.Step]
	if x.Ending != y.Ending {
		return false
	}
	if at.Kind == wire.AtEnding {
		return true
	}
	return at.Index < min(len(x.Components), len(y.Components)) && x.Components[at.Index].Visible == y.Components[at.Index].Visible
}

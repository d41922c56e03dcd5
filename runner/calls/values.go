package calls

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/isodelta/isodelta/runner/calls/wire"
	"github.com/isodelta/isodelta/runner/execute"
)

const (
	// perValues is how many sequences one question is about. The process ends its answer
	// by itself after a fifth of a second.
	perValues = 100
	// maxEndedValues and maxHungValues are how often, in one call of Values, a process may
	// end, or have to be ended: guesses, as maxHungRelate is.
	maxEndedValues = 20
	maxHungValues  = 2
)

// Values runs sequences on one version (0 base, 1 head) and returns what the last step of
// each gave, in order. Conditions to negate, by that version's numbers, are negated while
// the last steps run; that is done in a process of its own, which lives until Close, since
// what such a step leaves behind is nothing that the program would.
//
// A sequence that ends the process, or does not end, has the zero Valued, and the rest goes
// on in another process; so has one that cannot be run. Where that happens too often, the
// error is ErrEnded, and the answers so far are returned with it. Other errors are the
// laboratory's.
func (c *Search) Values(ctx context.Context, version int, sequences []wire.Sequence, negate ...int) ([]wire.Valued, error) {
	s, settle := c.sides[version], func(err error) error { return c.settle(ctx, version, err) }
	kept := c.kept
	if len(negate) > 0 {
		// What a negated condition does is no reason to ban anything.
		s, kept = c.negatingSide(version), nil
		settle = func(err error) error {
			if ignoreEnded(err) != nil {
				return err
			}
			return s.open(ctx, nil)
		}
	}
	if err := settle(s.open(ctx, kept)); err != nil {
		return nil, err
	}
	out := make([]wire.Valued, len(sequences))
	left := make([]int, len(sequences)) // numbers of those without an answer
	for i := range left {
		left[i] = i
	}
	died, hung := 0, 0
	for len(left) > 0 {
		if err := ctx.Err(); err != nil { // an answer may be quicker than the end
			return out, err
		}
		asked := left[:min(perValues, len(left))]
		list := make([]wire.Sequence, len(asked))
		for k, i := range asked {
			list[k] = sequences[i]
		}
		rows, err := s.values(ctx, list, negate)
		for k, v := range rows {
			out[asked[k]] = v
		}
		left = left[len(rows):]
		if err == nil {
			continue
		}
		e, _ := ended(err)
		if err := settle(err); err != nil {
			return out, err
		}
		died++
		if isHung(err) {
			hung++
		}
		if left = withoutNoted(e, sequences, left, len(asked)); len(left) > 0 && (died >= maxEndedValues || hung >= maxHungValues) {
			return out, ErrEnded
		}
	}
	return out, nil
}

// negatingSide is the process of a version in which conditions are negated.
func (c *Search) negatingSide(version int) *side {
	if c.negating[version] == nil {
		setup := *c.sides[version].setup
		c.negating[version] = newSide(c.Lab, c.sides[version].target, &setup)
	}
	return c.negating[version]
}

// withoutNoted takes out of left, numbers of sequences, the one that ended a process; all
// asked for, the first of them, if that cannot be told.
func withoutNoted(e *execute.EndedError, sequences []wire.Sequence, left []int, asked int) []int {
	var rest []int
	for _, i := range left {
		if !bytes.Equal(sequences[i].Encode(nil), e.Note) {
			rest = append(rest, i)
		}
	}
	if len(rest) == len(left) {
		return left[asked:]
	}
	return rest
}

// values asks one question. The answer may be shorter than the list, and has at least one
// element where there is no error.
func (s *side) values(ctx context.Context, list []wire.Sequence, negate []int) ([]wire.Valued, error) {
	if !s.dialog.Running() {
		return nil, &execute.EndedError{Message: "not running"}
	}
	answer, err := s.dialog.Ask(ctx, wire.FrameValues, wire.Values{Negate: negate, Sequences: list}.Encode(), relateLimit)
	if err != nil {
		return nil, err
	}
	rows, err := wire.DecodeValued(answer)
	if err == nil && (len(rows) == 0 || len(rows) > len(list)) {
		err = errors.New("of another length")
	}
	if err != nil {
		return nil, fmt.Errorf("the harness's answer with values of %d sequences: %w", len(list), err)
	}
	return rows, nil
}

// FreshValues is Values on both versions in fresh processes, of few sequences. A process
// that ends is not replaced: the error is ErrEnded.
func (c *Search) FreshValues(ctx context.Context, sequences []wire.Sequence) ([2][]wire.Valued, error) {
	var out [2][]wire.Valued
	b, err := c.pair(ctx, Discrepancy{})
	if err == nil {
		defer b.close()
		var errs [2]error
		both(func(i int) { out[i], errs[i] = b.sides[i].allValues(ctx, sequences) })
		err = cmp.Or(ignoreEnded(errs[0]), ignoreEnded(errs[1]), errs[0], errs[1])
	}
	if err != nil && ignoreEnded(err) == nil {
		err = ErrEnded
	}
	return out, err
}

// allValues asks until there is an answer for each sequence.
func (s *side) allValues(ctx context.Context, sequences []wire.Sequence) ([]wire.Valued, error) {
	var out []wire.Valued
	for len(out) < len(sequences) {
		list := sequences[len(out):]
		rows, err := s.values(ctx, list[:min(perValues, len(list))], nil)
		if err != nil {
			return nil, err
		}
		out = append(out, rows...)
	}
	return out, nil
}

// Written returns a sequence as Go, as base's process writes it; where that cannot be done
// the text says why.
func (c *Search) Written(ctx context.Context, p wire.Sequence) (code wire.Code, noCode string, err error) {
	a, err := c.sides[0].explain(ctx, p, &wire.Place{Kind: wire.AtComponent, Step: len(p) - 1})
	if err != nil {
		return wire.Code{}, "the process that writes it ended", c.settle(ctx, 0, err)
	}
	return a.Code, a.NoCode, nil
}

// EnteredBy returns the members of Δ that sequences execute on either version. What ends a
// process is left out.
func (c *Search) EnteredBy(ctx context.Context, sequences []wire.Sequence) ([]int, error) {
	var out []int
	for _, p := range sequences {
		for i, s := range c.sides {
			a, err := s.explain(ctx, p, nil)
			if err != nil {
				if err := c.settle(ctx, i, err); err != nil {
					return nil, err
				}
				continue
			}
			out = append(out, a.Entered...)
		}
	}
	slices.Sort(out)
	return slices.Compact(out), nil
}

package calls

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/isodelta/isodelta/report/event"
	"github.com/isodelta/isodelta/runner/calls/wire"
	"github.com/isodelta/isodelta/runner/execute"
)

// Sources returns sequences whose last step calls an operation, and which both
// versions can run; they are compared as any calls are.
func (c *Search) Sources(ctx context.Context, op wire.Op, most int) ([]wire.Sequence, error) {
	q, err := json.Marshal(wire.SourceQuestion{Op: op, Most: most, Kept: c.keptWith(op, most/2)})
	if err != nil {
		return nil, err
	}
	made, err := c.sides[0].batch(ctx, wire.FrameSources, q)
	if err != nil {
		return nil, c.settle(ctx, 0, err)
	}
	if err := c.follow(ctx, 1, made); err != nil {
		return nil, err
	}
	var out []wire.Sequence
	for _, e := range made {
		if p, _, err := wire.Decode(e.Sequence); err == nil && !e.Invalid && len(p) > 0 {
			out = append(out, p)
		}
	}
	return out, nil
}

// keptWith are kept sequences that call an operation. Those on which the versions are
// known to differ come first: a relation that one of them refutes must not be told beside
// it.
func (c *Search) keptWith(op wire.Op, most int) [][]byte {
	var out [][]byte
	for _, b := range slices.Concat(c.differing, c.kept) {
		p, _, err := wire.Decode(b)
		if err == nil && slices.ContainsFunc(p, func(s wire.Step) bool { return s.Op == op }) && len(out) < most {
			out = append(out, b)
		}
	}
	return out
}

// perRelate is how many source inputs one question is about.
const perRelate = 10

// maxHungRelate is how many questions about one function's source inputs may go
// without an answer, a guess: each costs relateLimit, and its other inputs are as
// likely to meet what does not end.
const maxHungRelate = 2

// Relate runs the groups of source inputs on both versions; a row is empty where a
// process ended. It reports as well how many source inputs were not asked about, after
// groups that did not end.
func (c *Search) Relate(ctx context.Context, sources []wire.Sequence, q wire.RelateQuestion) (out [2][]wire.RelatedRow, leftOut int, err error) {
	hung := 0
	for list := range slices.Chunk(sources, perRelate) {
		var rows [2][]wire.RelatedRow
		var errs [2]error
		if hung < maxHungRelate {
			rows, errs = c.relateOnce(ctx, c.sides, list, q)
		} else {
			leftOut += len(list)
		}
		if slices.ContainsFunc(errs[:], isHung) {
			hung++
		}
		for i, err := range errs {
			if err := c.settle(ctx, i, err); err != nil {
				return out, leftOut, err
			}
		}
		for i := range rows {
			for len(rows[i]) < len(list) {
				rows[i] = append(rows[i], wire.RelatedRow{})
			}
			out[i] = append(out[i], rows[i]...)
		}
	}
	return out, leftOut, nil
}

func isHung(err error) bool {
	e, ok := ended(err)
	return ok && e.Outcome == event.Hung
}

func (c *Search) relateOnce(ctx context.Context, sides [2]*side, list []wire.Sequence, q wire.RelateQuestion) (rows [2][]wire.RelatedRow, errs [2]error) {
	q.Sequences = nil
	for _, p := range list {
		q.Sequences = append(q.Sequences, p.Encode(nil))
	}
	question, err := json.Marshal(q)
	if err != nil {
		return rows, [2]error{err, err}
	}
	both(func(i int) { rows[i], errs[i] = sides[i].relate(ctx, question) })
	return rows, errs
}

func (s *side) relate(ctx context.Context, question []byte) ([]wire.RelatedRow, error) {
	if !s.dialog.Running() {
		return nil, &execute.EndedError{Message: "not running"}
	}
	b, err := s.dialog.Ask(ctx, wire.FrameRelate, question, relateLimit)
	if err != nil {
		return nil, err
	}
	var a wire.RelateAnswer
	if err := json.Unmarshal(b, &a); err != nil {
		return nil, fmt.Errorf("the harness's answer about relations: %w", err)
	}
	return a.Rows, nil
}

// Compare runs sequences on both versions, as any calls.
func (c *Search) Compare(ctx context.Context, sequences [][]byte) error {
	for list := range slices.Chunk(sequences, perBatch) {
		made, err := c.sides[0].batch(ctx, wire.FrameFollow, slices.Concat(list...))
		if err := c.settle(ctx, 0, err); err != nil {
			return err
		}
		if err := c.follow(ctx, 1, made); err != nil {
			return err
		}
	}
	return nil
}

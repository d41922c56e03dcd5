package calls

import (
	"context"
	"errors"
	"math"
	"slices"

	"github.com/isodelta/isodelta/runner/calls/wire"
	"github.com/isodelta/isodelta/runner/execute"
)

// Adapter is the number of an operation's numeric adapter, -1 if it has none.
func (c *Search) Adapter(op wire.Op) int {
	return slices.IndexFunc(c.sides[0].ready.Adapters, func(a wire.Adapter) bool { return a.Op == op })
}

const perNumbers = 1024 // inputs of one question

// Numbers calls an adapter of one version (0 base, 1 head) for each input, which
// must have the adapter's length. A row is nil where there is no output; so are
// all of a batch that ended the process.
func (c *Search) Numbers(ctx context.Context, version, adapter int, in [][]float64) ([][]float64, error) {
	var out [][]float64
	for list := range slices.Chunk(in, perNumbers) {
		rows, err := c.sides[version].numbers(ctx, adapter, list, false)
		if err == nil {
			out = append(out, rows...)
			continue
		}
		if err := c.settle(ctx, version, err); err != nil {
			return nil, err
		}
		return nil, ErrEnded
	}
	return out, nil
}

func (s *side) numbers(ctx context.Context, adapter int, in [][]float64, unseeded bool) ([][]float64, error) {
	if !s.dialog.Running() {
		return nil, &execute.EndedError{Message: "not running"}
	}
	question := wire.Numbers{Adapter: adapter, Unseeded: unseeded, In: slices.Concat(in...)}
	answer, err := s.dialog.Ask(ctx, wire.FrameNumbers, question.Encode(), explainLimit)
	if err != nil {
		return nil, err
	}
	values, _ := wire.DecodeFloats(answer) // where they are damaged, there is no output
	out := make([][]float64, len(in))
	for i := range in {
		out[i] = outputRow(values, i, s.ready.Adapters[adapter].Out)
	}
	return out, nil
}

// ErrEnded says that a function ended the process when it was given numbers, or
// other values, or did not come to an end.
var ErrEnded = errors.New("the function ended its process, or did not end")

// Varies reports whether a function of numbers gives another output for the same
// input where calls may hang on those before them.
func (c *Search) Varies(ctx context.Context, adapter int, in [][]float64) (bool, error) {
	rows, err := c.sides[0].numbers(ctx, adapter, append(slices.Clone(in), in...), true)
	if err != nil {
		if err := c.settle(ctx, 0, err); err != nil {
			return false, err
		}
		return false, ErrEnded
	}
	return !slices.EqualFunc(rows[:len(in)], rows[len(in):], func(a, b []float64) bool { return slices.Equal(a, b) }), nil
}

// FreshNumbers is Numbers on both versions in fresh processes, of few inputs.
func (c *Search) FreshNumbers(ctx context.Context, adapter int, in [][]float64) ([2][][]float64, error) {
	var out [2][][]float64
	b, err := c.pair(ctx, Discrepancy{})
	if err != nil {
		if ignoreEnded(err) == nil {
			err = ErrEnded
		}
		return out, err
	}
	defer b.close()
	for v := range out {
		if out[v], err = b.sides[v].numbers(ctx, adapter, in, false); err != nil {
			if ignoreEnded(err) == nil {
				err = ErrEnded
			}
			return out, err
		}
	}
	return out, nil
}

func outputRow(values []float64, i, n int) []float64 {
	if len(values) < n*(i+1) {
		return nil
	}
	row := values[n*i : n*(i+1) : n*(i+1)]
	if slices.ContainsFunc(row, func(x float64) bool { return math.IsNaN(x) || math.IsInf(x, 0) }) {
		return nil
	}
	return row
}

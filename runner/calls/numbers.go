package calls

import (
	"context"
	"encoding/binary"
	"errors"
	"go/types"
	"math"
	"slices"

	"github.com/isodelta/isodelta/runner/calls/wire"
	"github.com/isodelta/isodelta/runner/execute"
)

// Adapter is the number of an operation's numeric adapter, -1 if it has none.
func (c *Campaign) Adapter(op wire.Op) int {
	return slices.IndexFunc(c.sides[0].ready.Adapters, func(a wire.Adapter) bool { return a.Op == op })
}

const perNumbers = 1024 // inputs of one question

// Numbers calls an adapter of one version (0 base, 1 head) for each input, which
// must have the adapter's length. A row is nil where there is no output; so are
// all of a batch that ended the process.
func (c *Campaign) Numbers(ctx context.Context, version, adapter int, in [][]float64) ([][]float64, error) {
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
	payload := binary.AppendUvarint(nil, uint64(adapter))
	if unseeded {
		payload = append(payload, 1)
	} else {
		payload = append(payload, 0)
	}
	for _, row := range in {
		for _, x := range row {
			payload = binary.LittleEndian.AppendUint64(payload, math.Float64bits(x))
		}
	}
	answer, err := s.dialog.Ask(ctx, wire.FrameNumbers, payload, explainLimit)
	if err != nil {
		return nil, err
	}
	out := make([][]float64, len(in))
	for i := range in {
		out[i] = outputRow(answer, i, s.ready.Adapters[adapter].Out)
	}
	return out, nil
}

// ErrEnded says that a function ended the process when it was given numbers, or
// did not come to an end.
var ErrEnded = errors.New("the function ended its process, or did not end")

// Varies reports whether a function of numbers gives another output for the same
// input where calls may hang on those before them.
func (c *Campaign) Varies(ctx context.Context, adapter int, in [][]float64) (bool, error) {
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
func (c *Campaign) FreshNumbers(ctx context.Context, adapter int, in [][]float64) ([2][][]float64, error) {
	var out [2][][]float64
	b, err := c.bench(ctx, Spot{})
	if err != nil {
		if gone(err) == nil {
			err = ErrEnded
		}
		return out, err
	}
	defer b.close()
	for v := range out {
		if out[v], err = b.sides[v].numbers(ctx, adapter, in, false); err != nil {
			if gone(err) == nil {
				err = ErrEnded
			}
			return out, err
		}
	}
	return out, nil
}

func outputRow(answer []byte, i, n int) []float64 {
	if len(answer) < 8*n*(i+1) {
		return nil
	}
	row := make([]float64, n)
	for k := range row {
		row[k] = math.Float64frombits(binary.LittleEndian.Uint64(answer[8*(i*n+k):]))
		if math.IsNaN(row[k]) || math.IsInf(row[k], 0) {
			return nil
		}
	}
	return row
}

// NumbersOf reads a sequence of one call with numbers only; false if it is not
// of this kind.
func (a *API) NumbersOf(n Numeric, p wire.Sequence) ([]float64, bool) {
	if len(p) != 1 {
		return nil, false
	}
	var out []float64
	for i, l := range p[0].Args {
		switch {
		case i < len(n.Slices) && n.Slices[i] > 0:
			if l.Form != wire.Seq || len(l.E) != n.Slices[i] {
				return nil, false
			}
			for _, e := range l.E {
				x, ok := numberOf(e)
				if !ok {
					return nil, false
				}
				out = append(out, x)
			}
		default:
			x, ok := numberOf(l)
			if !ok {
				return nil, false
			}
			out = append(out, x)
		}
	}
	return out, len(out) == len(n.Params)
}

func numberOf(l wire.Lit) (float64, bool) {
	switch l.Form {
	case wire.Zero:
		return 0, true
	case wire.Int:
		return float64(l.N), true
	case wire.Uint:
		return float64(uint64(l.N)), true
	case wire.Float:
		return math.Float64frombits(uint64(l.N)), true
	}
	return 0, false
}

// SequenceOf is the call of an operation on numbers with one input.
func (a *API) SequenceOf(n Numeric, in []float64) wire.Sequence {
	var args []wire.Lit
	at := 0
	o := a.Op(n.Op)
	for i := range o.sig.Params().Len() {
		t := o.sig.Params().At(i).Type()
		if s, ok := t.Underlying().(*types.Slice); ok {
			l := wire.Lit{Form: wire.Seq}
			for range n.Slices[i] {
				l.E = append(l.E, numberLit(in[at], s.Elem()))
				at++
			}
			args = append(args, l)
			continue
		}
		args = append(args, numberLit(in[at], t))
		at++
	}
	return wire.Sequence{{Op: n.Op, Args: args}}
}

func numberLit(x float64, t types.Type) wire.Lit {
	b, _ := number(t)
	switch {
	case b.Info()&types.IsUnsigned != 0:
		return wire.Lit{Form: wire.Uint, N: int64(uint64(x))}
	case b.Info()&types.IsInteger != 0:
		return wire.Lit{Form: wire.Int, N: int64(x)}
	}
	return wire.FloatLit(x)
}

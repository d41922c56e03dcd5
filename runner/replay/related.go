package replay

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"go/types"
	"math"
	"slices"

	"github.com/isodelta/isodelta/runner/execute"
	"github.com/isodelta/isodelta/runner/probe"
	"github.com/isodelta/isodelta/runner/relation"
	"github.com/isodelta/isodelta/runner/replay/harness"
)

// Registered is a relation whose groups the test binary can run.
type Registered struct {
	relation.Relation
	ID string
	Op int // index in Ops
}

// Subject is an operation of the package under test as package relation wants
// it; nil for others.
func (a *API) Subject(op int) *relation.Subject {
	o := a.Ops[op]
	if o.Function == nil || o.Package != a.Package {
		return nil
	}
	return &relation.Subject{Name: o.Name, Expr: o.call, Short: o.Function.Name(), Package: o.Function.Pkg(), Sig: o.sig,
		Receiver: o.Function.Signature().Recv() != nil}
}

// AddRelation lets the registering file register a relation of operation op.
func (a *API) AddRelation(op int, r relation.Relation) error {
	id := r.ID()
	for _, known := range a.Relations {
		if known.ID == id {
			return nil
		}
	}
	src, _, err := relation.Registration(r, func(p string) string { return a.Import(p) + "." })
	if err != nil {
		return err
	}
	a.Relations = append(a.Relations, Registered{r, id, op})
	a.lines = append(a.lines, line{text: src, op: -1, relation: id})
	return nil
}

// AddChoices lets the registering file register the categories of a function.
func (a *API) AddChoices(s relation.ChoiceSet) error {
	src, _, err := relation.Choices(s, func(p string) string { return a.Import(p) + "." })
	if err == nil {
		a.lines = append(a.lines, line{text: src, op: -1})
	}
	return err
}

// AddNumeric lets the registering file register an adapter of an operation on
// numbers; false if it is none.
func (a *API) AddNumeric(op int) bool {
	n, src, ok := a.numericOf(a.Ops[op])
	if ok {
		n.Op = op
		a.Numeric = append(a.Numeric, n)
		a.lines = append(a.lines, line{text: src, op: -1})
	}
	return ok
}

// Sources gives programs whose last step calls an operation, and which both
// versions can run; they are compared as any calls are.
func (c *Campaign) Sources(ctx context.Context, op, most int) ([]harness.Program, error) {
	q, err := json.Marshal(harness.SourceQuestion{Op: op + harness.Builtins, Most: most, Kept: c.keptWith(op+harness.Builtins, most/2)})
	if err != nil {
		return nil, err
	}
	made, err := c.sides[0].batch(ctx, harness.FrameSources, q)
	if err != nil {
		return nil, c.settle(ctx, 0, err)
	}
	if err := c.follow(ctx, 1, made); err != nil {
		return nil, err
	}
	var out []harness.Program
	for _, e := range made {
		if p, _, err := harness.Decode(e.Program); err == nil && !e.Invalid && len(p) > 0 {
			out = append(out, p)
		}
	}
	return out, nil
}

// keptWith are kept programs that call an operation.
func (c *Campaign) keptWith(op, most int) [][]byte {
	var out [][]byte
	for _, b := range c.kept {
		p, _, err := harness.Decode(b)
		if err == nil && slices.ContainsFunc(p, func(s harness.Step) bool { return s.Op == op }) && len(out) < most {
			out = append(out, b)
		}
	}
	return out
}

// perRelate is how many source inputs one question is about.
const perRelate = 10

// Relate runs the groups of source inputs on both versions; a row is empty
// where a process ended.
func (c *Campaign) Relate(ctx context.Context, sources []harness.Program, q harness.RelateQuestion) ([2][]harness.RelatedRow, error) {
	var out [2][]harness.RelatedRow
	for list := range slices.Chunk(sources, perRelate) {
		rows, errs := c.relateOnce(ctx, c.sides, list, q)
		for i, err := range errs {
			if err := c.settle(ctx, i, err); err != nil {
				return out, err
			}
		}
		for i := range rows {
			for len(rows[i]) < len(list) {
				rows[i] = append(rows[i], harness.RelatedRow{})
			}
			out[i] = append(out[i], rows[i]...)
		}
	}
	return out, nil
}

func (c *Campaign) relateOnce(ctx context.Context, sides [2]*side, list []harness.Program, q harness.RelateQuestion) (rows [2][]harness.RelatedRow, errs [2]error) {
	q.Programs = nil
	for _, p := range list {
		q.Programs = append(q.Programs, p.Encode(nil))
	}
	question, err := json.Marshal(q)
	if err != nil {
		return rows, [2]error{err, err}
	}
	both(func(i int) { rows[i], errs[i] = sides[i].relate(ctx, question) })
	return rows, errs
}

func (s *side) relate(ctx context.Context, question []byte) ([]harness.RelatedRow, error) {
	if !s.dialog.Running() {
		return nil, &execute.EndedError{Message: "not running"}
	}
	b, err := s.dialog.Ask(ctx, harness.FrameRelate, question, explainLimit)
	if err != nil {
		return nil, err
	}
	var a harness.RelateAnswer
	if err := json.Unmarshal(b, &a); err != nil {
		return nil, fmt.Errorf("the harness's answer about relations: %w", err)
	}
	return a.Rows, nil
}

// Compare runs programs on both versions, as any calls.
func (c *Campaign) Compare(ctx context.Context, programs [][]byte) error {
	for list := range slices.Chunk(programs, perBatch) {
		made, err := c.sides[0].batch(ctx, harness.FrameFollow, slices.Concat(list...))
		if err := c.settle(ctx, 0, err); err != nil {
			return err
		}
		if err := c.follow(ctx, 1, made); err != nil {
			return err
		}
	}
	return nil
}

// Wanted says which verdicts make a group evidence: those of base, those of
// head.
type Wanted [2]string

func (w Wanted) fits(rows [2][]harness.RelatedRow, i int) bool {
	for v := range w {
		if i >= len(rows[v]) || len(rows[v][i].Verdicts) != 1 || !contains(w[v], rows[v][i].Verdicts[0]) {
			return false
		}
	}
	return true
}

func contains(set string, b byte) bool {
	for i := range len(set) {
		if set[i] == b {
			return true
		}
	}
	return false
}

// Counterexample is a confirmed group, the smallest that was found.
type Counterexample struct {
	Program harness.Program
	Calls   [2][]harness.CallText
	// Code writes the program down; NoCode says why there is none.
	Code    harness.Code
	NoCode  string
	Entered []int // members of Δ that ran, on either version
}

// ConfirmRelation shrinks the first source input whose group is as wanted and
// repeats it alone in fresh processes; false if it is not the same each time.
func (c *Campaign) ConfirmRelation(ctx context.Context, id string, sources []harness.Program, want Wanted, repetitions int, more func() bool) (Counterexample, bool, error) {
	for _, p := range sources[:min(len(sources), perSpot)] {
		x, ok, err := c.confirmGroup(ctx, id, p, want, repetitions, more)
		if err != nil || ok {
			return x, ok, err
		}
	}
	return Counterexample{}, false, nil
}

func (c *Campaign) confirmGroup(ctx context.Context, id string, p harness.Program, want Wanted, repetitions int, more func() bool) (Counterexample, bool, error) {
	b, err := c.bench(ctx, Spot{})
	if err != nil {
		return Counterexample{}, false, gone(err)
	}
	defer func() { b.close() }()
	q := harness.RelateQuestion{Relations: []string{id}}
	still := func(ctx context.Context, list []harness.Program) ([]bool, error) {
		if !more() {
			return nil, errEnough
		}
		out := make([]bool, len(list))
		rows, errs := c.relateOnce(ctx, b.sides, list, q)
		for _, err := range errs {
			if _, dead := ended(err); dead {
				b.close()
				b, err = c.bench(ctx, Spot{})
				return out, err
			}
			if err != nil {
				return out, err
			}
		}
		for i := range list {
			out[i] = want.fits(rows, i)
		}
		return out, nil
	}
	plainer, err := c.inlined(ctx, b, p)
	if err != nil {
		return Counterexample{}, false, gone(err)
	}
	first, err := still(ctx, []harness.Program{plainer, p})
	switch {
	case errors.Is(err, errEnough):
	case err != nil:
		return Counterexample{}, false, gone(err)
	case first[0]:
		p = plainer
	case !first[1]:
		return Counterexample{}, false, nil
	}
	if p, err = Shrink(ctx, p, shrinkBudget/2, still); err != nil && !errors.Is(err, errEnough) {
		return Counterexample{}, false, gone(err)
	}
	var x Counterexample
	for n := range repetitions {
		now, ok, err := c.groupOnce(ctx, id, p, want)
		if err != nil || !ok {
			return x, false, err
		}
		if n > 0 && !(equalCalls(now.Calls[0], x.Calls[0]) && equalCalls(now.Calls[1], x.Calls[1])) {
			return x, false, nil
		}
		x = now
	}
	return x, true, nil
}

func equalCalls(a, b []harness.CallText) bool {
	return slices.EqualFunc(a, b, func(a, b harness.CallText) bool {
		return a.Ending == b.Ending && slices.Equal(a.Args, b.Args) && slices.Equal(a.Results, b.Results)
	})
}

// groupOnce runs one group in a pair of fresh processes and tells about it.
func (c *Campaign) groupOnce(ctx context.Context, id string, p harness.Program, want Wanted) (Counterexample, bool, error) {
	x := Counterexample{Program: p}
	b, err := c.bench(ctx, Spot{})
	if err != nil {
		return x, false, gone(err)
	}
	defer b.close()
	rows, errs := c.relateOnce(ctx, b.sides, []harness.Program{p}, harness.RelateQuestion{Relations: []string{id}, Calls: true})
	for _, err := range errs {
		if err != nil {
			return x, false, gone(err)
		}
	}
	if !want.fits(rows, 0) {
		return x, false, nil
	}
	for i := range rows {
		if len(rows[i][0].Calls) == 1 {
			x.Calls[i] = rows[i][0].Calls[0]
		}
	}
	place := harness.Place{Kind: harness.AtComponent, Step: len(p) - 1}
	for i := range b.sides {
		a, err := b.sides[i].explain(ctx, p, &place)
		if err != nil {
			return x, false, gone(err)
		}
		if i == 0 {
			x.Code, x.NoCode = a.Code, a.NoCode
		}
		for _, e := range a.Entered {
			if !slices.Contains(x.Entered, e) {
				x.Entered = append(x.Entered, e)
			}
		}
	}
	slices.Sort(x.Entered)
	return x, true, nil
}

// Adapter is the number of an operation's numeric adapter, -1 if it has none.
func (c *Campaign) Adapter(op int) int {
	return slices.IndexFunc(c.sides[0].ready.Adapters, func(a harness.Adapter) bool { return a.Op == op+harness.Builtins })
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
	answer, err := s.dialog.Ask(ctx, harness.FrameNumbers, payload, explainLimit)
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

// Varies says whether a function of numbers gives another output for the same
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

// NumbersOf reads a program of one call with numbers only; false if it is not
// of this kind.
func (a *API) NumbersOf(n Numeric, p harness.Program) ([]float64, bool) {
	if len(p) != 1 {
		return nil, false
	}
	var out []float64
	for i, l := range p[0].Args {
		switch {
		case i < len(n.Slices) && n.Slices[i] > 0:
			if l.Form != harness.Seq || len(l.E) != n.Slices[i] {
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

func numberOf(l harness.Lit) (float64, bool) {
	switch l.Form {
	case harness.Zero:
		return 0, true
	case harness.Int:
		return float64(l.N), true
	case harness.Uint:
		return float64(uint64(l.N)), true
	case harness.Float:
		return math.Float64frombits(uint64(l.N)), true
	}
	return 0, false
}

// ProgramOf is the call of an operation on numbers with one input.
func (a *API) ProgramOf(n Numeric, in []float64) harness.Program {
	var args []harness.Lit
	at := 0
	o := a.Ops[n.Op]
	for i := range o.sig.Params().Len() {
		t := o.sig.Params().At(i).Type()
		if s, ok := t.Underlying().(*types.Slice); ok {
			l := harness.Lit{Form: harness.Seq}
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
	return harness.Program{{Op: n.Op + harness.Builtins, Args: args}}
}

func numberLit(x float64, t types.Type) harness.Lit {
	b, _ := number(t)
	switch {
	case b.Info()&types.IsUnsigned != 0:
		return harness.Lit{Form: harness.Uint, N: int64(uint64(x))}
	case b.Info()&types.IsInteger != 0:
		return harness.Lit{Form: harness.Int, N: int64(x)}
	}
	return harness.FloatLit(x)
}

// Returned says whether a trace's last step returned.
func Returned(e harness.Executed) bool {
	t := e.Trace()
	return len(t.Steps) > 0 && t.Steps[len(t.Steps)-1].Ending == probe.Returned
}

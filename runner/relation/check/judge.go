package check

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/isodelta/isodelta/report/event"
	"github.com/isodelta/isodelta/runner/calls"
	"github.com/isodelta/isodelta/runner/calls/wire"
	"github.com/isodelta/isodelta/runner/reach"
	"github.com/isodelta/isodelta/runner/version"
)

// verdicts are what a group says of a relation on both versions.
type verdicts = version.Both[event.GroupVerdict]

// standing is a relation that the report is going to tell, with how it is judged on
// further inputs.
type standing struct {
	id  string
	pkg *reach.Package
	op  wire.Op
	assessor
}

// An assessor knows one relation.
type assessor struct {
	// judge runs the groups of source inputs, each of which ends with a call of the
	// function.
	judge func(ctx context.Context, sources []wire.Sequence) ([]verdicts, error)
	// again books what the relation is, after all, where inputs refute what was told of
	// it in e, which is not booked any more. It may be nothing.
	again func(ctx context.Context, e event.Relation, sources []wire.Sequence, seen []verdicts, until time.Time) error
}

// stand says how a relation is judged on further inputs, if it is booked.
func (s *Stage) stand(id string, p *reach.Package, op wire.Op, a assessor) {
	if s.booked(id) >= 0 && !slices.ContainsFunc(s.standing, func(x standing) bool { return x.id == id }) {
		s.standing = append(s.standing, standing{id, p, op, a})
	}
}

// booked is the place of the event of a relation, −1 for none.
func (s *Stage) booked(id string) int {
	return slices.IndexFunc(s.Events, func(e event.Relation) bool { return e.ID == id })
}

// input is the part of a finding's input that ends with a call of an operation.
type input struct {
	finding string
	source  wire.Sequence
}

// inputsOf are the inputs of findings in a package, by the operation that they call: of a
// finding that takes several calls, what leads to each of them.
func inputsOf(p *reach.Package, findings []event.Finding) map[wire.Op][]input {
	out := map[wire.Op][]input{}
	for _, f := range findings {
		program, err := hex.DecodeString(f.Program)
		if f.Rung != event.Reached || f.Package != p.Path || f.Program == "" || err != nil {
			continue
		}
		sequence, _, err := wire.Decode(program)
		if err != nil {
			continue
		}
		for i, step := range sequence {
			out[step.Op] = append(out[step.Op], input{f.ID, sequence[: i+1 : i+1]})
		}
	}
	return out
}

// Judge judges each relation that is told on the inputs of the findings that call its
// function, for a law is judged as it is printed: by every input at hand. What an input
// refutes is told no more, or as what it is then: what holds for it on base and not on
// head is broken.
//
// Findings of other packages' calls, and calls in place, have no input that can be given
// to the function here.
func (s *Stage) Judge(ctx context.Context, findings []event.Finding) error {
	until := s.Env.Plan.Confirming(s.Env.Now())
	limited, stop := context.WithTimeout(ctx, s.Env.Until(until))
	defer stop()
	refuted := map[string]int{} // by function
	for _, p := range s.Calls.Packages {
		inputs := inputsOf(p, findings)
		var list []standing
		for _, x := range s.standing {
			if x.pkg == p && len(inputs[x.op]) > 0 {
				list = append(list, x)
			}
		}
		if len(list) == 0 {
			continue
		}
		err := p.Search.Open(limited)
		for _, x := range list {
			if err == nil {
				err = s.judgeOne(limited, x, inputs[x.op], until, refuted)
			}
		}
		p.Search.Close()
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil:
			s.Env.Limit(event.Limit{Kind: event.LimitRelations, What: p.Path, Reason: "judging relations on the inputs of findings ended early: " + err.Error()})
		}
	}
	for _, name := range slices.Sorted(maps.Keys(refuted)) {
		s.Env.Limit(event.Limit{Kind: event.LimitRelations, What: name,
			Reason: fmt.Sprintf("%d that held for all inputs tried are not believed: the input of a finding refutes them", refuted[name])})
	}
	return nil
}

// judgeOne judges one relation, and counts it if it is not believed any more.
func (s *Stage) judgeOne(ctx context.Context, x standing, inputs []input, until time.Time, refuted map[string]int) error {
	i := s.booked(x.id)
	if i < 0 {
		return nil
	}
	sources := make([]wire.Sequence, len(inputs))
	for k, in := range inputs {
		sources[k] = in.source
	}
	seen, err := x.judge(ctx, sources)
	if errors.Is(err, calls.ErrEnded) {
		return nil // what was not judged is left out at the end
	}
	if err != nil {
		return err
	}
	e := s.Events[i]
	e.Judged = slices.Clone(e.Judged)
	for k, v := range seen {
		e.Judge(event.JudgedInput{Finding: inputs[k].finding, Base: v[version.Base], Head: v[version.Head]})
	}
	if e.Refuted() == nil {
		s.Events[i] = e
		return nil
	}
	s.unbook(i)
	if err := x.again(ctx, e, sources, seen, until); err != nil {
		return err
	}
	if i = s.booked(x.id); i < 0 {
		refuted[e.Function]++
		return nil
	}
	s.Events[i].Judged = e.Judged
	if s.Events[i].Refuted() != nil {
		s.unbook(i)
		refuted[e.Function]++
	}
	return nil
}

// unbook takes a relation out of what is told.
func (s *Stage) unbook(i int) {
	e := s.Events[i]
	delete(s.specs, e.ID)
	s.Events = slices.Delete(s.Events, i, i+1)
	s.Held = slices.Delete(s.Held, i, i+1)
}

// LeaveOutUnjudged takes out what is kept and was not judged on the input of one of the
// findings of its function, because there was no time or the call ended the process.
func (s *Stage) LeaveOutUnjudged(findings []event.Finding) {
	judged, left := event.JudgedOnly(s.Events, findings)
	s.Events = judged
	s.Held = slices.DeleteFunc(s.Held, func(h Held) bool {
		return !slices.ContainsFunc(judged, func(e event.Relation) bool {
			return e.Package == h.Package && e.Function == h.Function && e.Relation == h.Notation && e.State == h.State
		})
	})
	for _, name := range slices.Sorted(maps.Keys(left)) {
		s.Env.Limit(event.Limit{Kind: event.LimitRelations, What: name,
			Reason: fmt.Sprintf("%d that seem to hold on both versions are left out: they were not judged on the input of a finding", left[name])})
	}
}

package symbolic

import "context"

// Verdict is what a solver says of conditions.
type Verdict int

// A solver may always say Unknown. Panel says what is believed of the rest.
const (
	Unknown Verdict = iota
	Sat
	Unsat
)

// A Solver finds values of unknowns for which conditions, terms of one bit, all hold.
type Solver interface {
	Solve(ctx context.Context, conditions []*Term) (Model, Verdict)
}

// Panel asks a solver of its own, and then others: programs that stand on the machine's
// PATH. A model counts if the evaluator agrees, whoever it is from. That there is none is
// believed of Own alone, and not where another one shows a model all the same.
type Panel struct {
	Own    Solver // may be nil
	Others []Solver
}

// Solve asks the others only for what Own does not decide.
func (p Panel) Solve(ctx context.Context, conditions []*Term) (Model, Verdict) {
	m, v := p.own(ctx, conditions)
	if v != Unknown {
		return m, v
	}
	return p.others(ctx, conditions)
}

// Prove is like Solve, but has the others try to refute that there is no model.
func (p Panel) Prove(ctx context.Context, conditions []*Term) (Model, Verdict) {
	m, v := p.own(ctx, conditions)
	if v == Sat {
		return m, v
	}
	if m, refuted := p.others(ctx, conditions); refuted == Sat {
		return m, Sat
	}
	return nil, v
}

func (p Panel) own(ctx context.Context, conditions []*Term) (Model, Verdict) {
	if p.Own == nil {
		return nil, Unknown
	}
	return checked(ctx, p.Own, conditions)
}

// others says Sat or Unknown.
func (p Panel) others(ctx context.Context, conditions []*Term) (Model, Verdict) {
	for _, s := range p.Others {
		if m, v := checked(ctx, s, conditions); v == Sat {
			return m, Sat
		}
	}
	return nil, Unknown
}

// checked asks a solver, and drops a model for which the conditions do not hold.
func checked(ctx context.Context, s Solver, conditions []*Term) (Model, Verdict) {
	m, v := s.Solve(ctx, conditions)
	if v == Sat && !m.Holds(conditions) {
		return nil, Unknown
	}
	return m, v
}

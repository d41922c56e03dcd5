package calls

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/isodelta/isodelta/report/event"
	"github.com/isodelta/isodelta/runner/calls/surface"
	"github.com/isodelta/isodelta/runner/calls/wire"
	"github.com/isodelta/isodelta/runner/execute"
	"github.com/isodelta/isodelta/runner/probe"
)

// An Aimer searches for sequences that take branches of one version. Its binary is built
// of code that tells its operands (instrument.Config.Operands).
type Aimer struct {
	side *side
	// Deaths are the processes that ended while they searched.
	Deaths, hung int
	// Ended are the last words of the last one.
	Ended string
	// Over reports whether the time for a search is over, as far as anybody knows between
	// two answers; nil for never.
	Over func() bool
}

const (
	// aimLimit is how long an answer may take. The process gives way after a fifth of a
	// second of its own time; what takes longer is a call that does not come back.
	aimLimit = 3 * time.Second
	// maxAimDeaths bounds the processes for one search.
	maxAimDeaths = 40
	// maxAimHung bounds those that had to be ended, which each take aimLimit.
	maxAimHung = 4
	// warmUp is how many sequences are made at first, whatever they take: later ones are
	// put together from values that they make.
	warmUp = 150
	// maxSmaller bounds the sequences that are tried in place of the one found.
	maxSmaller = 1500
)

// NewAimer prepares a search. roles say which operations lead to the goals; those of
// exclude are never called.
func NewAimer(lab *execute.Lab, target execute.Target, lits surface.Literals, roles map[wire.Op]wire.Role, exclude []wire.Op, seed uint64) *Aimer {
	setup := &wire.Setup{Seed: seed, Texts: lits.Texts, Numbers: lits.Numbers, Floats: lits.Floats, Files: lits.Files, Roles: roles, Exclude: exclude, Caps: map[wire.Op]int64{},
		Batch: int64(batchTime)}
	s := newSide(lab, target, setup)
	s.patient = true
	return &Aimer{side: s}
}

// Open starts the process, and has it make some sequences that later ones are put
// together from.
func (a *Aimer) Open(ctx context.Context) error {
	if a.side.dialog.Running() {
		return nil
	}
	if err := a.side.open(ctx, nil); err != nil {
		return err
	}
	return a.warmUp(ctx)
}

// Close ends the process.
func (a *Aimer) Close() { a.side.close() }

// Aimed is what a search came to.
type Aimed struct {
	Taken   []Took
	Runs    int
	Nearest *wire.Approach // nil where nothing on the way to the goal was executed
	Failed  string         // the search itself failed
}

// Took is a goal with the sequence whose last step takes it.
type Took struct {
	Goal     int
	Runs     int
	Sequence wire.Sequence
}

// Take searches until the first goal of q is taken, or q.Most sequences were executed,
// and then for q.Witnesses more that take it. A
// sequence that ends the process is left out, and the search begins anew.
func (a *Aimer) Take(ctx context.Context, q wire.Aim) (Aimed, error) {
	var out Aimed
	spent := 0 // by processes that ended
	for {
		answer, err := a.search(ctx, q)
		out.Runs = spent + answer.Runs
		for _, t := range answer.Taken {
			if p, _, err := wire.Decode(t.Sequence); err == nil {
				out.Taken = append(out.Taken, Took{Goal: t.Goal, Runs: spent + t.Runs, Sequence: p})
			}
		}
		if answer.Nearest != nil {
			out.Nearest = answer.Nearest
		}
		out.Failed = answer.Failed
		e, died := ended(err)
		if err != nil && !died {
			return out, err
		}
		if err == nil || slices.ContainsFunc(out.Taken, func(t Took) bool { return t.Goal == q.Goals[0] }) {
			return out, nil
		}
		a.Deaths++
		a.Ended = e.Message
		if e.Outcome == event.Hung {
			a.hung++
		}
		p, _, decoded := wire.Decode(e.Note)
		if decoded != nil || len(p) == 0 || a.Deaths >= maxAimDeaths || a.hung >= maxAimHung || a.Over != nil && a.Over() {
			return out, nil
		}
		a.side.setup.Banned = append(a.side.setup.Banned, p.Hash())
		wire.Lower(a.side.setup.Caps, p[len(p)-1].Op)
		spent, q.Most = spent+answer.Runs, q.Most-answer.Runs
		if q.Most <= 0 {
			return out, nil
		}
	}
}

// search runs one process to the end of its search.
func (a *Aimer) search(ctx context.Context, q wire.Aim) (wire.Aimed, error) {
	var last wire.Aimed
	if err := a.Open(ctx); err != nil {
		return last, err
	}
	q.More = false
	for {
		payload, err := json.Marshal(q)
		if err != nil {
			return last, err
		}
		b, err := a.side.dialog.Ask(ctx, wire.FrameAim, payload, aimLimit)
		if err != nil {
			return last, err
		}
		var answer wire.Aimed
		if err := json.Unmarshal(b, &answer); err != nil {
			return last, fmt.Errorf("the harness's answer about a goal: %w", err)
		}
		answer.Taken = append(last.Taken, answer.Taken...)
		last = answer
		if answer.Done || a.Over != nil && a.Over() {
			return last, nil
		}
		q = wire.Aim{More: true}
	}
}

// warmUp has the process make sequences, so that there are values to make others of.
func (a *Aimer) warmUp(ctx context.Context) error {
	for range 3 {
		_, err := a.side.batch(ctx, wire.FrameLead, []byte{warmUp})
		e, died := ended(err)
		if !died {
			return err
		}
		a.Deaths++
		if p, _, err := wire.Decode(e.Note); err == nil {
			a.side.setup.Banned = append(a.side.setup.Banned, p.Hash())
		}
		if err := a.side.open(ctx, nil); err != nil {
			return err
		}
	}
	return nil
}

// Smaller returns a smaller sequence that takes the goal as well, in its last step, which
// ends as before.
func (a *Aimer) Smaller(ctx context.Context, p wire.Sequence, goal int) (wire.Sequence, error) {
	takes := func(ctx context.Context, list []wire.Sequence) ([]wire.Valued, error) {
		out := make([]wire.Valued, len(list))
		for i := 0; i < len(list); {
			if err := a.side.open(ctx, nil); err != nil {
				return nil, err
			}
			rows, err := a.side.values(ctx, list[i:min(len(list), i+perValues)], nil)
			if _, died := ended(err); err != nil && !died {
				return nil, err
			}
			i += copy(out[i:], rows)
			if err != nil {
				i++ // that one ended the process
				if a.Deaths++; a.Deaths > 2*maxAimDeaths {
					return out, nil
				}
			}
		}
		return out, nil
	}
	first, err := takes(ctx, []wire.Sequence{p})
	if err != nil || !first[0].Ran || !slices.Contains(first[0].Branches, goal) {
		return p, err
	}
	ending := first[0].Ending
	return Shrink(ctx, p, maxSmaller, func(ctx context.Context, list []wire.Sequence) ([]bool, error) {
		rows, err := takes(ctx, list)
		if err != nil {
			return nil, err
		}
		out := make([]bool, len(list))
		for i, v := range rows {
			out[i] = v.Ran && v.Ending == ending && slices.Contains(v.Branches, goal) && list[i][len(list[i])-1].Op == p[len(p)-1].Op
		}
		return out, nil
	})
}

// Shows returns a sequence as Go with the ways to look at what its last step gives: at
// its error if there is one, else at its first result; where only the ending is wanted,
// at how it ends.
func (a *Aimer) Shows(ctx context.Context, p wire.Sequence, ending bool) (wire.Answer, wire.Place, error) {
	last := len(p) - 1
	at := wire.Place{Kind: wire.AtEnding, Step: last}
	if err := a.side.open(ctx, nil); err != nil {
		return wire.Answer{}, at, err
	}
	plain, err := a.side.explain(ctx, p, nil)
	if err != nil {
		return plain, at, err
	}
	if plain.Invalid || len(plain.Steps) != len(p) {
		return plain, at, errors.New("the sequence does not run any more")
	}
	if s := plain.Steps[last]; probe.Ending(s.Ending) == probe.Returned && len(s.Components) > 0 && !s.Components[0].Printed && !ending {
		at.Kind = wire.AtComponent
		if i := slices.IndexFunc(s.Components, func(c wire.ValueAnswer) bool { return c.Category == "e" && c.Result >= 0 }); i >= 0 {
			at.Index = i
		}
	}
	answer, err := a.side.explain(ctx, p, &at)
	return answer, at, err
}

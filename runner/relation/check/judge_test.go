package check

import (
	"context"
	"encoding/hex"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/isodelta/isodelta/report/event"
	"github.com/isodelta/isodelta/runner/calls"
	"github.com/isodelta/isodelta/runner/calls/wire"
	"github.com/isodelta/isodelta/runner/relation"
)

// answer is an assessor that says the same of each input.
type answer struct {
	verdicts
	err   error
	stage *Stage
	after event.RelationState // what the relation is, after all
	asked []wire.Sequence
}

func (a *answer) judge(_ context.Context, sources []wire.Sequence) ([]verdicts, error) {
	a.asked = sources
	if a.err != nil {
		return nil, a.err
	}
	out := make([]verdicts, len(sources))
	for i := range out {
		out[i] = a.verdicts
	}
	return out, nil
}

func (a *answer) again(_ context.Context, e event.Relation, _ []wire.Sequence, _ []verdicts, _ time.Time) error {
	if a.after != "" {
		e.State = a.after
		a.stage.keep(e, relation.Relation{Function: e.Function, Package: e.Package, Notation: e.Relation}, nil)
	}
	return nil
}

// reachedBy is a finding whose input calls F so often, the last time G.
func reachedBy(id string, times int) event.Finding {
	var p wire.Sequence
	for i := range times {
		p = append(p, wire.Step{Op: wire.OpAt(0), Args: []wire.Lit{{Form: wire.Int, N: int64(i)}}})
	}
	return event.Finding{ID: id, Rung: event.Reached, Package: "example.com/m", Function: "F", Program: hex.EncodeToString(p.Encode(nil))}
}

// A relation is told as the inputs of all findings leave it, and what they refute is
// counted; without an answer it is not told at all.
func TestJudge(t *testing.T) {
	t.Parallel()
	const holds, fails, silent = event.GroupHolds, event.GroupFails, event.GroupSilent
	for _, test := range []struct {
		name  string
		state event.RelationState
		answer
		want  event.RelationState // "" for none
		limit string
	}{
		{"holds", event.Kept, answer{verdicts: verdicts{holds, holds}}, event.Kept, ""},
		{"says nothing", event.Kept, answer{verdicts: verdicts{silent, silent}}, event.Kept, ""},
		{"refuted on base", event.Kept, answer{verdicts: verdicts{fails, holds}}, "", "1 that held for all inputs tried are not believed"},
		{"refuted on base, as an assessor overlooks", event.Kept, answer{verdicts: verdicts{fails, silent}, after: event.Kept}, "", "1 that held for all"},
		{"refuted on head", event.Kept, answer{verdicts: verdicts{holds, fails}, after: event.Broken}, event.Broken, ""},
		{"broken already", event.Broken, answer{verdicts: verdicts{holds, fails}}, event.Broken, ""},
		{"broken, and false on base", event.Broken, answer{verdicts: verdicts{fails, fails}}, "", "1 that held for all"},
		{"the call ended the process", event.Kept, answer{err: calls.ErrEnded}, "", "1 that seem to hold on both versions are left out"},
		{"broken, and the call ended the process", event.Broken, answer{err: calls.ErrEnded}, event.Broken, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			s, p, emitted, _ := slow(t, time.Hour, 0)
			e := event.Relation{Type: "relation", ID: "r", Package: "example.com/m", Function: "F", Relation: "F(x) = x", Source: event.AutoMR, State: test.state, Groups: 20}
			s.keep(e, relation.Relation{Function: "F", Package: "example.com/m", Notation: "F(x) = x"}, nil)
			test.answer.stage = s
			s.stand("r", p, wire.OpAt(0), assessor{test.answer.judge, test.answer.again})
			s.stand("other", p, wire.OpAt(0), assessor{test.answer.judge, test.answer.again}) // was not told
			findings := []event.Finding{reachedBy("f", 1), reachedBy("g", 2), {ID: "h", Rung: event.Forced, Package: "example.com/m", Function: "F"},
				{ID: "i", Rung: event.Reached, Package: "example.com/other", Function: "F", Program: "00"}}
			if err := s.Judge(t.Context(), findings); err != nil {
				t.Fatal(err)
			}
			s.LeaveOutUnjudged(findings)
			var states []event.RelationState
			for _, r := range s.Events {
				states = append(states, r.State)
				want := []event.JudgedInput{{Finding: "f", Base: test.verdicts[0], Head: test.verdicts[1]}, {Finding: "g", Base: test.verdicts[0], Head: test.verdicts[1]}}
				if d := cmp.Diff(want, r.Judged); d != "" && test.err == nil {
					t.Error(d)
				}
				if err := event.Validate(event.Fit(r)); err != nil {
					t.Error(err)
				}
			}
			var want []event.RelationState
			if test.want != "" {
				want = append(want, test.want)
			}
			if d := cmp.Diff(want, states); d != "" || len(s.Held) != len(s.Events) {
				t.Errorf("%s, %d held", d, len(s.Held))
			}
			var limits []string
			for _, l := range emitted.limits() {
				limits = append(limits, l.Reason)
			}
			if text := strings.Join(limits, "; "); (text == "") != (test.limit == "") || !strings.HasPrefix(text, test.limit) {
				t.Errorf("limits %q, want %q", text, test.limit)
			}
			// Of the second finding, each call of F is an input.
			if len(test.asked) != 3 || len(test.asked[1]) != 1 || len(test.asked[2]) != 2 {
				t.Errorf("asked about %v", test.asked)
			}
		})
	}
}

package calls

import (
	"cmp"
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
)

// side is one version's process with what it has to be told again when it is
// replaced.
type side struct {
	lab    *execute.Lab
	target execute.Target
	dialog *execute.Dialog
	setup  *wire.Setup
	ready  wire.Ready
	deaths int
	// answers of the process that runs now.
	answers int
	// full: the process holds so much memory that it should be replaced before it ends by itself.
	full bool
	// starting is the longest time that a process took before it was ready.
	starting time.Duration
	// patient: a batch may take long, as in confirming; repeatable: it may take
	// some time, since a sequence that a busy machine leaves out makes another run.
	patient, repeatable bool
}

// batchTime is the processor time after which a process begins no further sequence of
// a batch: where each takes some milliseconds, all together would be taken for one
// that does not end, and what they showed be lost.
const batchTime = 200 * time.Millisecond

// perKept is how many of the sequences that an earlier process kept are run in one
// batch.
const perKept = 200

const (
	setupLimit = 60 * time.Second // package initialisers run first
	// For the answer to a batch, which mostly takes a fiftieth of it: what
	// takes longer is a call that does not end soon, and is left out. A busy
	// machine pays with a sequence that is left out for nothing.
	batchLimit   = 600 * time.Millisecond
	firstLimit   = 1500 * time.Millisecond // for the first of a process
	keptLimit    = 3 * time.Second         // for perKept sequences
	relateLimit  = 3 * time.Second         // for perRelate source inputs with their groups
	explainLimit = 5 * time.Second         // for a single sequence in detail, which may need much work
	// For doing nothing: a call waits for what never comes.
	idleLimit = 200 * time.Millisecond
)

func newSide(lab *execute.Lab, target execute.Target, setup *wire.Setup) *side {
	target.Test = surface.CallsTest
	return &side{lab: lab, target: target, dialog: lab.Dialog(target), setup: setup}
}

func (s *side) close() { s.dialog.Close() }

// open starts the process and sets it up; kept sequences are run at once.
func (s *side) open(ctx context.Context, kept [][]byte) error {
	if s.dialog.Running() {
		return nil
	}
	if err := s.dialog.Start(); err != nil {
		return err
	}
	s.answers, s.full = 0, false
	begin := time.Now()
	b, err := json.Marshal(s.setup)
	if err != nil {
		return err
	}
	answer, err := s.dialog.Ask(ctx, wire.FrameSetup, b, setupLimit)
	if err != nil {
		return err
	}
	s.starting = max(s.starting, time.Since(begin))
	if err := json.Unmarshal(answer, &s.ready); err != nil {
		return fmt.Errorf("the harness's first answer: %w", err)
	}
	for part := range slices.Chunk(kept, perKept) {
		if _, err := s.dialog.Ask(ctx, wire.FrameFollow, slices.Concat(part...), keptLimit); err != nil {
			return err
		}
	}
	return nil
}

// batch asks for sequences to be made or run.
func (s *side) batch(ctx context.Context, kind byte, payload []byte) ([]wire.Executed, error) {
	if !s.dialog.Running() {
		return nil, &execute.EndedError{Outcome: event.Died, Message: "not running"}
	}
	limit := batchLimit
	if s.answers++; s.answers < 4 {
		limit = firstLimit
	}
	s.dialog.Idle = idleLimit
	switch {
	case s.patient:
		s.dialog.Idle, limit = 0, explainLimit
	case s.repeatable:
		limit *= 4
	}
	answer, err := s.dialog.Ask(ctx, kind, payload, limit)
	s.dialog.Idle = 0
	if e, dead := ended(err); dead {
		answer = e.Answered
	} else if err != nil {
		return nil, err
	}
	out, broken := wire.DecodeBatch(answer)
	err = cmp.Or(err, broken)
	s.full = s.full || slices.ContainsFunc(out, func(e wire.Executed) bool { return e.Full })
	return out, err
}

// explain runs one sequence in detail; place may be nil.
func (s *side) explain(ctx context.Context, p wire.Sequence, place *wire.Place) (wire.Answer, error) {
	return s.ask(ctx, wire.Question{Sequence: p.Encode(nil), Place: place})
}

// outline is explain without Go source and views.
func (s *side) outline(ctx context.Context, p wire.Sequence, place wire.Place) (wire.Answer, error) {
	return s.ask(ctx, wire.Question{Sequence: p.Encode(nil), Place: &place, Brief: true})
}

func (s *side) ask(ctx context.Context, question wire.Question) (wire.Answer, error) {
	q, err := json.Marshal(question)
	if err != nil {
		return wire.Answer{}, err
	}
	b, err := s.dialog.Ask(ctx, wire.FrameExplain, q, explainLimit)
	if err != nil {
		return wire.Answer{}, err
	}
	var a wire.Answer
	return a, json.Unmarshal(b, &a)
}

// ended reports whether an error is the process's end, and not the lab's.
func ended(err error) (*execute.EndedError, bool) {
	var e *execute.EndedError
	ok := errors.As(err, &e)
	return e, ok
}

// stats asks what the process has done; nothing if it does not answer.
func (s *side) stats() wire.Stats {
	var out wire.Stats
	if b, err := s.dialog.Ask(context.Background(), wire.FrameStats, nil, batchLimit); err == nil {
		_ = json.Unmarshal(b, &out)
	}
	return out
}

package replay

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/isodelta/isodelta/report/event"
	"github.com/isodelta/isodelta/runner/execute"
	"github.com/isodelta/isodelta/runner/replay/harness"
)

// side is one version's process with what it has to be told again when it is
// replaced.
type side struct {
	lab    *execute.Lab
	target execute.Target
	dialog *execute.Dialog
	setup  *harness.Setup
	ready  harness.Ready
	deaths int
}

const (
	setupLimit = 60 * time.Second        // package initialisers run first
	batchLimit = 2500 * time.Millisecond // for the answer to a batch
)

func newSide(lab *execute.Lab, target execute.Target, setup *harness.Setup) *side {
	target.Test = CallsTest
	return &side{lab: lab, target: target, dialog: lab.Dialog(target), setup: setup}
}

func (s *side) close() { s.dialog.Close() }

// open starts the process and sets it up; kept programs are run at once.
func (s *side) open(ctx context.Context, kept [][]byte) error {
	if s.dialog.Running() {
		return nil
	}
	if err := s.dialog.Start(); err != nil {
		return err
	}
	b, err := json.Marshal(s.setup)
	if err != nil {
		return err
	}
	answer, err := s.dialog.Ask(ctx, harness.FrameSetup, b, setupLimit)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(answer, &s.ready); err != nil {
		return fmt.Errorf("the harness's first answer: %w", err)
	}
	if len(kept) > 0 {
		_, err = s.dialog.Ask(ctx, harness.FrameFollow, slices.Concat(kept...), 4*batchLimit)
	}
	return err
}

// batch asks for programs to be made or run.
func (s *side) batch(ctx context.Context, kind byte, payload []byte) ([]harness.Executed, error) {
	if !s.dialog.Running() {
		return nil, &execute.EndedError{Outcome: event.Died, Message: "not running"}
	}
	answer, err := s.dialog.Ask(ctx, kind, payload, batchLimit)
	if err != nil {
		return nil, err
	}
	return harness.DecodeBatch(answer)
}

// explain runs one program in detail; place may be nil.
func (s *side) explain(ctx context.Context, p harness.Program, place *harness.Place) (harness.Answer, error) {
	q, err := json.Marshal(harness.Question{Program: p.Encode(nil), Place: place})
	if err != nil {
		return harness.Answer{}, err
	}
	b, err := s.dialog.Ask(ctx, harness.FrameExplain, q, batchLimit)
	if err != nil {
		return harness.Answer{}, err
	}
	var a harness.Answer
	return a, json.Unmarshal(b, &a)
}

// ended says whether an error is the process's end, and not the lab's.
func ended(err error) (*execute.EndedError, bool) {
	var e *execute.EndedError
	ok := errors.As(err, &e)
	return e, ok
}

package execute

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"sync"
	"time"

	"github.com/isodelta/isodelta/report/event"
	"github.com/isodelta/isodelta/runner/calls/wire"
)

// Dialog is a test process that makes calls of our own (see package
// runner/calls/harness): questions and answers in frames. It is not safe for
// concurrent use.
type Dialog struct {
	lab    *Lab
	target Target
	p      *process
	// answered: the process has answered a question.
	answered bool
	// Starts counts the processes started.
	Starts int
	// Idle is for how long a process may do nothing at all before it counts as hung, on a system that tells what
	// threads do; 0 for as long as it has for its answer.
	Idle time.Duration
}

// Dialog prepares a dialog; no process is started before the first question.
func (l *Lab) Dialog(t Target) *Dialog { return &Dialog{lab: l, target: t} }

// An EndedError says that the process ended in the middle of a question.
type EndedError struct {
	Outcome event.Outcome // Died or Hung
	Message string        // its last words
	Note    []byte        // the sequence of calls under way, encoded; nil if there was none
	Step    int           // of it, which was called; -1 where none was
	// Answered is the beginning of the answer, where it comes in parts.
	Answered []byte
	// Verdict is how the run time words an end that the code alone is to blame for, whatever
	// the machine does; "" for others.
	Verdict string
	// Creator is what created the goroutine that panicked, as the run time names it; "" where nothing is said of that.
	Creator string
}

func (e *EndedError) Error() string {
	return fmt.Sprintf("the process making calls %s: %s", e.Outcome, e.Message)
}

// Running reports whether there is a process.
func (d *Dialog) Running() bool { return d.p != nil }

// Start starts the process if there is none.
func (d *Dialog) Start() error {
	if d.p != nil {
		return nil
	}
	p, err := d.lab.start(d.target)
	if err != nil {
		return err
	}
	d.p, d.answered = p, false
	d.Starts++
	return nil
}

// Ask sends a frame and waits for the answer, which may come in parts (wire.FramePart), at most for limit. If the
// process ends or has to be ended, the error is an *EndedError and the next
// question needs a new one.
func (d *Dialog) Ask(ctx context.Context, kind byte, payload []byte, limit time.Duration) ([]byte, error) {
	if d.p == nil {
		return nil, errors.New("ask: no process")
	}
	stop := context.AfterFunc(ctx, d.p.kill)
	defer stop()
	var head [5]byte
	binary.LittleEndian.PutUint32(head[:], uint32(len(payload)+1))
	head[4] = kind
	deadline := time.Now().Add(limit)
	d.p.commands.SetWriteDeadline(deadline)
	d.p.results.SetReadDeadline(deadline)
	idle := d.watch()
	defer idle()
	_, err := d.p.commands.Write(append(head[:], payload...))
	var answer []byte
	for more := true; more && err == nil; {
		answer, more, err = d.read(answer)
	}
	if err == nil {
		d.answered = true
		return answer, nil
	}
	if ctx.Err() != nil {
		d.Close()
		return nil, ctx.Err()
	}
	e := &EndedError{Outcome: event.Died, Answered: answer}
	e.Note, e.Step = d.p.note.sequence()
	if errors.Is(err, os.ErrDeadlineExceeded) {
		e.Outcome, e.Message = event.Hung, fmt.Sprintf("no answer after %s", limit.Round(time.Millisecond))
		if idle() {
			e.Message = fmt.Sprintf("no answer, and nothing done for %s", d.Idle)
		}
	} else {
		d.p.commands.Close()
		select {
		case <-d.p.done:
		case <-time.After(2 * time.Second):
			d.p.kill()
			<-d.p.done
		}
		if err := notStarted(d.target.Binary, d.p.output.String(), d.p.err); err != nil && !d.answered {
			d.Close()
			return nil, err
		}
		e.Message = lastWords(d.p.output.String(), d.p.err)
		if e.Message == stuck {
			e.Outcome = event.Hung
		}
		e.Verdict = verdict(d.p.output.String(), e.Message)
		e.Creator = creator(d.p.output.String())
	}
	d.Close()
	return nil, e
}

// read reads a frame of the answer, of which there is a part, and reports whether there are more.
func (d *Dialog) read(part []byte) (answer []byte, more bool, err error) {
	var head [5]byte
	if _, err := io.ReadFull(d.p.reader, head[:]); err != nil {
		return part, false, err
	}
	n := int(binary.LittleEndian.Uint32(head[:])) - 1
	if n < 0 || n+len(part) > maxRecord {
		return part, false, errRecord
	}
	whole := slices.Grow(part, n)[:len(part)+n]
	if _, err := io.ReadFull(d.p.reader, whole[len(part):]); err != nil {
		return part, false, err
	}
	return whole, head[4] == wire.FramePart, nil
}

// perLook is how often what a process does is looked at.
const perLook = 50 * time.Millisecond

// watch lets the wait for an answer end once the process has done nothing for d.Idle. The function it returns stops
// that, and reports whether it has ended the wait.
func (d *Dialog) watch() (stop func() bool) {
	if d.Idle == 0 {
		return func() bool { return false }
	}
	p := d.p
	over, quit := make(chan bool, 1), make(chan struct{})
	go func() {
		look := time.NewTicker(perLook)
		defer look.Stop()
		last, since := "", time.Now()
		for {
			select {
			case <-quit:
				over <- false
				return
			case <-look.C:
			}
			done, idle := idleness(p.cmd.Process.Pid)
			switch {
			case !idle || done != last:
				last, since = done, time.Now()
			case time.Since(since) >= d.Idle:
				p.commands.SetWriteDeadline(longAgo)
				p.results.SetReadDeadline(longAgo)
				over <- true
				return
			}
		}
	}()
	return sync.OnceValue(func() bool {
		close(quit)
		return <-over
	})
}

// longAgo is a deadline that has passed.
var longAgo = time.Unix(1, 0)

// Close ends the process, if there is one, and removes what it left.
func (d *Dialog) Close() {
	if d.p == nil {
		return
	}
	(&Session{p: d.p}).Close()
	d.p = nil
}

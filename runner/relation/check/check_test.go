package check

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/isodelta/isodelta/report/event"
	"github.com/isodelta/isodelta/runner/budget"
	"github.com/isodelta/isodelta/runner/build"
	"github.com/isodelta/isodelta/runner/calls"
	"github.com/isodelta/isodelta/runner/calls/surface"
	"github.com/isodelta/isodelta/runner/calls/wire"
	"github.com/isodelta/isodelta/runner/execute"
	"github.com/isodelta/isodelta/runner/execute/sandbox"
	"github.com/isodelta/isodelta/runner/load"
	"github.com/isodelta/isodelta/runner/matching"
	"github.com/isodelta/isodelta/runner/reach"
	"github.com/isodelta/isodelta/runner/stage"
	"github.com/isodelta/isodelta/runner/version"
)

const (
	// served names the folder of a process that TestIsodeltaCalls stands in for,
	// gives the component that its function returns.
	served = "ISODELTA_TEST_SERVED"
	gives  = "ISODELTA_TEST_GIVES"
	// asked is the file that says that the slow function is under way.
	asked = "asked"
)

// TestIsodeltaCalls is no test: it is the process that makes calls, as package harness
// has it, for the tests below. Its function answers once, and is never heard of again
// when it is asked about relations.
func TestIsodeltaCalls(*testing.T) {
	dir := os.Getenv(served)
	if dir == "" {
		return
	}
	questions, answers := os.NewFile(3, "questions"), os.NewFile(4, "answers")
	for end := []byte{0}; end[0] != '\n'; { // the size of the program
		if _, err := questions.Read(end); err != nil {
			os.Exit(0)
		}
	}
	for {
		var head [5]byte
		if _, err := io.ReadFull(questions, head[:]); err != nil {
			os.Exit(0)
		}
		if _, err := io.CopyN(io.Discard, questions, int64(binary.LittleEndian.Uint32(head[:]))-1); err != nil {
			os.Exit(0)
		}
		var answer []byte
		switch head[4] {
		case wire.FrameSetup:
			answer, _ = json.Marshal(wire.Ready{Ops: []string{"F"}})
		case wire.FrameSources, wire.FrameFollow:
			sequence := wire.Sequence{{Op: wire.OpAt(0), Args: []wire.Lit{{Form: wire.Int}}}}
			c := wire.Component{Visible: uint32(len(os.Getenv(gives)))}
			answer = wire.AppendExecuted(nil, sequence.Encode(nil), &wire.Trace{Steps: []wire.StepTrace{{Components: []wire.Component{c}}}})
		case wire.FrameValues:
			answer = (&wire.Valued{}).Encode(nil) // of one sequence
		case wire.FrameRelate:
			_ = os.WriteFile(filepath.Join(dir, asked), nil, 0o600)
			select {}
		}
		frame := binary.LittleEndian.AppendUint32(nil, uint32(len(answer)+1))
		if _, err := answers.Write(append(append(frame, wire.FrameReady), answer...)); err != nil {
			os.Exit(0)
		}
	}
}

// events are what was emitted.
type events []event.Event

func (e *events) Emit(x event.Event) { *e = append(*e, x) }

func (e *events) limits() []event.Limit {
	var out []event.Limit
	for _, x := range *e {
		if l, ok := x.(event.Limit); ok {
			out = append(out, l)
		}
	}
	return out
}

var start = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)

// slow is a stage for a module with one function that does not come to an end, so
// many seconds after the start of a run that checks relations and nothing else.
// Processes leave their traces in dir.
func slow(t *testing.T, total time.Duration, now float64) (s *Stage, p *reach.Package, emitted *events, dir string) {
	t.Helper()
	dir = t.TempDir()
	for name, text := range map[string]string{"go.mod": "module example.com/m\n\ngo 1.21\n", "m.go": "package m\n\nfunc F(n int) int { return n }\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	tree, err := load.Load(t.Context(), load.Options{Root: dir, Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	api, err := surface.NewAPI(tree, tree, tree, "example.com/m", surface.NewHooks(tree, tree, func(string) bool { return true }))
	if err != nil {
		t.Fatal(err)
	}
	binary, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	lab := &execute.Lab{Level: sandbox.None, Tmp: t.TempDir()}
	target := func(result string) execute.Target {
		return execute.Target{Binary: binary, Dir: dir, Env: []string{served + "=" + dir, gives + "=" + result}}
	}
	p = &reach.Package{Path: "example.com/m", API: api}
	p.Search = calls.NewSearch(lab, target("a"), target("ab"), api, surface.Literals{}, nil, 1)
	p.Search.Repeatable = true
	if err := p.Search.Open(t.Context()); err != nil { // as making calls does
		t.Fatal(err)
	}
	p.Search.Close()
	emitted = &events{}
	at := start.Add(time.Duration(now * float64(time.Second)))
	env := &stage.Env{Sink: emitted, Lab: lab, Plan: budget.Plan{Total: total, Start: start, RelationsOnly: true}, Repetitions: 1,
		Now: func() time.Time { return at }}
	of := &build.Version{Tree: tree}
	s = NewStage(&Registrar{Env: env, Matching: &matching.Matching{Versions: version.Both[*build.Version]{of, of}}, Surface: &reach.Surface{Everything: true}, Everything: true},
		&reach.Stage{Env: env, Packages: []*reach.Package{p}})
	return s, p, emitted, dir
}

// Two thirds of a second of a budget of one are over, so that relations have 0.3
// seconds more, and confirming has until 1.1. The function never answers: whatever the
// machine does in that time, it is over before.
func TestRunEndsWhileAFunctionIsCalled(t *testing.T) {
	t.Parallel()
	s, _, emitted, _ := slow(t, time.Second, 0.66)
	if err := s.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	want := []event.Limit{{Type: "limit", Kind: event.LimitBudget, What: "example.com/m",
		Reason: "the budget for relations ended while one of its functions was called; what was not checked by then is left out"}}
	if diff := cmp.Diff(want, emitted.limits()); diff != "" {
		t.Error(diff)
	}
}

// Who interrupts a run is not told that the budget ended.
func TestRunIsInterrupted(t *testing.T) {
	t.Parallel()
	s, _, emitted, dir := slow(t, time.Hour, 0)
	if err := s.Run(untilAsked(t, dir)); !errors.Is(err, context.Canceled) || len(emitted.limits()) > 0 {
		t.Errorf("%v, %v", err, emitted.limits())
	}
}

// What calls have shown before the slow one is not lost: it is counted as seen, and
// not run again.
func TestWhatWasSeenBeforeASlowFunction(t *testing.T) {
	t.Parallel()
	s, p, _, dir := slow(t, time.Second, 2) // there is no time to confirm anything
	if err := s.checkPackage(untilAsked(t, dir), p, start.Add(time.Hour)); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	for range 2 { // counting does not add up
		if n := s.Calls.Count().NotConfirmed; n != 1 {
			t.Errorf("%d differences were not confirmed", n)
		}
		if err := s.Calls.Examine(t.Context(), p, start.Add(time.Hour)); err != nil {
			t.Error(err)
		}
	}
}

// untilAsked ends when the slow function is under way.
func untilAsked(t *testing.T, dir string) context.Context {
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		defer cancel()
		for ctx.Err() == nil {
			if _, err := os.Stat(filepath.Join(dir, asked)); err == nil {
				return
			}
			time.Sleep(time.Millisecond)
		}
	}()
	return ctx
}

// What has no time is listed: whole packages, and the functions of one that was begun.
func TestWithoutTimeIsListed(t *testing.T) {
	t.Parallel()
	s, p, emitted, _ := slow(t, time.Second, 0.99)
	if err := s.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := s.checkPackage(t.Context(), p, start); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, l := range emitted.limits() {
		got = append(got, strings.Join([]string{string(l.Kind), l.What, l.Reason}, ", "))
	}
	want := []string{
		"budget, example.com/m, the budget ended before relations of its functions were checked",
		"budget, example.com/m: 1 functions, the budget ended before their relations were checked",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// Of a function whose groups do not end, no more is asked than it takes to see that.
func TestGroupsThatDoNotEnd(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("waits for a function that does not answer")
	}
	_, p, _, _ := slow(t, time.Hour, 0)
	if err := p.Search.Open(t.Context()); err != nil {
		t.Fatal(err)
	}
	defer p.Search.Close()
	var sources []wire.Sequence
	for i := range 35 {
		sources = append(sources, wire.Sequence{{Op: wire.OpAt(0), Args: []wire.Lit{{Form: wire.Int, N: int64(i)}}}})
	}
	rows, leftOut, err := p.Search.Relate(t.Context(), sources, wire.RelateQuestion{Relations: []string{"r"}})
	if err != nil || leftOut != 15 {
		t.Errorf("%v; %d inputs were left out, want 15: all but those of two questions", err, leftOut)
	}
	if got := answered(sources, rows); len(rows[0]) != 35 || len(rows[1]) != 35 || len(got) > 0 {
		t.Errorf("%d and %d rows, %d answered", len(rows[0]), len(rows[1]), len(got))
	}
}

package calls

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"io"
	"os"
	"slices"
	"testing"

	"github.com/isodelta/isodelta/runner/calls/surface"
	"github.com/isodelta/isodelta/runner/calls/wire"
	"github.com/isodelta/isodelta/runner/execute"
	"github.com/isodelta/isodelta/runner/execute/sandbox"
)

// served tells a process that it stands in for one with the harness. It names the
// version.
const served = "ISODELTA_TEST_SERVED"

// Arguments with which the function of that process ends it, does not return, or makes
// the answer a damaged one.
const (
	deadly  = -1
	silent  = -2
	damaged = -3
)

// TestIsodeltaCalls is no test: it is the process that makes calls, as package harness
// has it, for the tests below. It answers seven sequences at a time.
func TestIsodeltaCalls(*testing.T) {
	version := os.Getenv(served)
	if version == "" {
		return
	}
	questions, answers, note := os.NewFile(3, "questions"), os.NewFile(4, "answers"), os.NewFile(5, "note")
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
		payload := make([]byte, binary.LittleEndian.Uint32(head[:])-1)
		if _, err := io.ReadFull(questions, payload); err != nil {
			os.Exit(0)
		}
		var answer []byte
		switch head[4] {
		case wire.FrameSetup:
			answer, _ = json.Marshal(wire.Ready{Ops: []string{"F"}})
		case wire.FrameValues:
			answer = valuesOf(version, payload, note)
		case wire.FrameFollow:
			runAgain(payload, note)
		}
		frame := binary.LittleEndian.AppendUint32(nil, uint32(len(answer)+1))
		if _, err := answers.Write(append(append(frame, head[4]), answer...)); err != nil {
			os.Exit(0)
		}
	}
}

func valuesOf(version string, payload []byte, note io.WriterAt) []byte {
	var answer []byte
	q, _ := wire.DecodeValues(payload)
	for _, p := range q.Sequences[:min(7, len(q.Sequences))] {
		wire.NoteSequence(note, p.Encode(nil))
		n := p[0].Args[0].N
		switch n {
		case deadly:
			os.Exit(2)
		case silent:
			select {}
		case damaged:
			return []byte{255}
		}
		v := wire.Valued{Ran: true, Branches: q.Negate, Results: []wire.Lit{
			{Form: wire.Int, N: n}, {Form: wire.Text, S: version}, {Form: wire.Int, N: int64(os.Getpid())}}}
		answer = v.Encode(answer)
	}
	return answer
}

// runAgain stands in for running what another process kept.
func runAgain(payload []byte, note io.WriterAt) {
	for len(payload) > 0 {
		p, rest, err := wire.Decode(payload)
		if err != nil {
			os.Exit(3)
		}
		wire.NoteSequence(note, p.Encode(nil))
		if p[0].Args[0].N == deadly {
			os.Exit(2)
		}
		payload = rest
	}
}

// searchForValues is a search on two versions of a function that is asked for values.
func searchForValues(t *testing.T) *Search {
	t.Helper()
	binary, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	lab := &execute.Lab{Level: sandbox.None, Tmp: t.TempDir()}
	target := func(version string) execute.Target {
		return execute.Target{Binary: binary, Dir: t.TempDir(), Env: []string{served + "=" + version}}
	}
	c := NewSearch(lab, target("base"), target("head"), &surface.API{}, surface.Literals{}, nil, 1)
	t.Cleanup(c.Close)
	if err := c.Open(t.Context()); err != nil {
		t.Fatal(err)
	}
	return c
}

func callsWith(numbers ...int64) []wire.Sequence {
	var out []wire.Sequence
	for _, n := range numbers {
		out = append(out, wire.Sequence{{Op: wire.OpAt(0), Args: []wire.Lit{{Form: wire.Int, N: n}}}})
	}
	return out
}

// hundreds are more calls than are asked for at once, with others in between.
func hundreds(between ...int64) []int64 {
	var out []int64
	for i := range int64(250) {
		out = append(out, i)
		if i%100 == 50 {
			out = append(out, between...)
		}
	}
	return out
}

// answered checks that all that can be answered is, by one version, and returns the
// process that answered last.
func answered(t *testing.T, numbers []int64, rows []wire.Valued, version string) (process int64) {
	t.Helper()
	if len(rows) != len(numbers) {
		t.Fatalf("%d rows, want %d", len(rows), len(numbers))
	}
	for i, n := range numbers {
		switch v := rows[i]; {
		case v.Ran != (n >= 0):
			t.Fatalf("call with %d: %+v", n, v)
		case v.Ran && (len(v.Results) != 3 || v.Results[0].N != n || v.Results[1].S != version):
			t.Fatalf("call with %d: %+v", n, v.Results)
		case v.Ran:
			process = v.Results[2].N
		}
	}
	return process
}

func TestValues(t *testing.T) {
	t.Parallel()
	c := searchForValues(t)
	var first [2]int64
	for version, name := range []string{VersionBase, VersionHead} {
		numbers := hundreds()
		rows, err := c.Values(t.Context(), version, callsWith(numbers...))
		if err != nil {
			t.Fatal(err)
		}
		first[version] = answered(t, numbers, rows, name)
	}
	// What ends a process has no answer, and the rest has, in another one.
	numbers := hundreds(deadly)
	rows, err := c.Values(t.Context(), 1, callsWith(numbers...))
	if err != nil {
		t.Fatal(err)
	}
	second := answered(t, numbers, rows, VersionHead)
	if second == first[1] || c.Deaths[wire.OpAt(0)] != 1 {
		t.Errorf("processes %d and %d, %v deaths", first[1], second, c.Deaths)
	}
	if none, err := c.Values(t.Context(), 0, nil); err != nil || len(none) > 0 {
		t.Errorf("no sequences: %v, %v", none, err)
	}
	if _, err := c.Values(t.Context(), 0, callsWith(1, damaged)); err == nil || errors.Is(err, ErrEnded) {
		t.Errorf("a damaged answer: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := c.Values(ctx, 0, callsWith(1)); !errors.Is(err, context.Canceled) {
		t.Errorf("interrupted: %v", err)
	}
}

// Conditions are negated in a process of its own, which is kept, and what happens there
// is held against no operation.
func TestValuesNegated(t *testing.T) {
	t.Parallel()
	c := searchForValues(t)
	ask := func(numbers []int64, negate ...int) int64 {
		t.Helper()
		rows, err := c.Values(t.Context(), 0, callsWith(numbers...), negate...)
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range rows {
			if v.Ran && len(v.Branches) != len(negate) {
				t.Fatalf("negated were %v, want %v", v.Branches, negate)
			}
		}
		return answered(t, numbers, rows, VersionBase)
	}
	plain, one, other := ask(hundreds()), ask(hundreds(), 3), ask(hundreds(), 1, 2)
	if one == plain || other != one || ask(hundreds()) != plain {
		t.Errorf("processes %d, with conditions negated %d and %d", plain, one, other)
	}
	if after := ask(hundreds(deadly, 7), 3); after == one || ask(hundreds()) != plain || len(c.Deaths) > 0 || len(c.sides[0].setup.Banned) > 0 {
		t.Errorf("process %d after %d; %v deaths", after, one, c.Deaths)
	}
	if c.Close(); c.negating[0] != nil {
		t.Error("a process is left")
	}
}

// Where a function ends process after process, or does not end twice, the rest is given
// up, and what was answered is there.
func TestValuesOfWhatDoesNotEnd(t *testing.T) {
	t.Parallel()
	c := searchForValues(t)
	list := callsWith(1, 2, 3, 4, 5, 6, 7)
	for i := range int64(maxEndedValues + 5) {
		list = append(list, append(callsWith(deadly)[0], callsWith(i)[0]...))
	}
	rows, err := c.Values(t.Context(), 0, list, 1)
	if !errors.Is(err, ErrEnded) || len(rows) != len(list) || !rows[6].Ran || rows[7].Ran {
		t.Errorf("%v, %d rows", err, len(rows))
	}
	if _, err := c.FreshValues(t.Context(), callsWith(1, deadly)); !errors.Is(err, ErrEnded) {
		t.Errorf("fresh processes: %v", err)
	}
	if testing.Short() {
		t.Skip("waits for a function that does not answer")
	}
	numbers := []int64{1, 2, silent, 3, silent}
	if rows, err = c.Values(t.Context(), 0, callsWith(numbers...)); err != nil { // equal ones are tried once
		t.Error(err)
	}
	answered(t, numbers, rows, VersionBase)
}

func TestFreshValues(t *testing.T) {
	t.Parallel()
	c := searchForValues(t)
	numbers := hundreds()
	before, err := c.Values(t.Context(), 0, callsWith(1))
	if err != nil {
		t.Fatal(err)
	}
	rows, err := c.FreshValues(t.Context(), callsWith(numbers...))
	if err != nil {
		t.Fatal(err)
	}
	processes := []int64{answered(t, numbers, rows[0], VersionBase), answered(t, numbers, rows[1], VersionHead)}
	if processes[0] == processes[1] || processes[0] == before[0].Results[2].N {
		t.Errorf("processes %d, not fresh", processes)
	}
	if _, err := c.FreshValues(t.Context(), callsWith(damaged)); err == nil || errors.Is(err, ErrEnded) {
		t.Errorf("a damaged answer: %v", err)
	}
}

// A process that is replaced, and ends as it runs again what was kept, is replaced without what ended it: the
// calls go on.
func TestResetSurvivesWhatWasKept(t *testing.T) {
	t.Parallel()
	c := searchForValues(t)
	for _, p := range callsWith(1, deadly, 2) {
		c.kept = append(c.kept, p.Encode(nil))
	}
	if err := c.Reset(t.Context()); err != nil {
		t.Fatal(err)
	}
	var left []int64
	for _, code := range c.kept {
		p, _, err := wire.Decode(code)
		if err != nil {
			t.Fatal(err)
		}
		left = append(left, p[0].Args[0].N)
	}
	if !slices.Equal(left, []int64{1, 2}) {
		t.Errorf("kept are %d, want 1 and 2", left)
	}
	for i, s := range c.sides {
		if !s.dialog.Running() {
			t.Errorf("version %d has no process", i)
		}
	}
}

package event

import (
	"bytes"
	"cmp"
	"errors"
	"io"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
)

// samples has a full event of each type.
func samples() []Event {
	side := Side{Asked: "main", Commit: "0123", Subject: "Do <b> & such"}
	return []Event{
		Config{Version: 1, Tool: "v0.1.0", Packages: []string{"./..."}, Exclude: []string{"./x"}, Depth: 1, List: "unique", BudgetSeconds: 1.5, Prune: true, Match: "strict", Seed: -3, Shard: "1/2", Sandbox: "none", GoVersion: "go1.26", Masked: []string{"map order"}, FailOn: []string{"forced"},
			SettingsFile: ".isodelta.yml", Changes: []SettingChange{{Key: "fail-on", Base: "[forced]", Head: "[]", Counts: CountsBase}}},
		Versions{Base: side, Head: Side{Asked: "", Worktree: true}, MergeBase: true, Module: "example.com/m", ModuleDir: "."},
		Match{Module: "example.com/m", Functions: 3, MatchedFunctions: 2, Changed: []ChangedItem{{Function: "F", Status: "added", File: "f.go", Line: 1, EndLine: 2}}, PruneBlockers: []string{"x"}},
		Baseline{Suite: "head", Package: "example.com/m", Tests: 3, Unstable: []string{"TestA: why"}, Dropped: []string{"TestB"}},
		Progress{Phase: "explore", Done: 1, Total: 2},
		Finding{ID: "a1", Rung: Forced, Suite: "base", Test: "TestA", Negations: []Negation{{ID: "n", Text: "x < 0", Match: "strict", Taken: true, Universal: true}}, Kind: "value", Base: Result{Outcome: Pass, Value: "1"}, Head: Result{Outcome: Fail, Value: "2\u2028"}, Changed: []string{"F"}, Cluster: "c", Representative: true,
			Cause: strings.Repeat("0123456789abcdef", 4), Proposed: &Acceptance{Reason: "x", From: "head"}},
		Limit{Kind: "cgo", What: "p", Reason: "uses cgo"},
		Summary{Functions: 3, Targets: 2, TargetsCompared: 1, Calls: 900, Sequences: 7, CallsPerSecond: 450.5, ReachedSeconds: 2, UnexportedOnly: 1, Seconds: 2.5, ExploredBranches: map[string]Ranges{"p": "1-3,7"}, Explored: 4, Verdict: Differences},
		Target{Function: "(*Ring).Push", Package: "example.com/m", File: "ring.go", Line: 4, Exported: true, Role: "caller", State: Compared, Calls: 9, InPlace: 3, Differ: 1, Reason: "1 value left out", Banned: []string{"-1: does not end"}},
		Finding{ID: "a2", Rung: Reached, Suite: "head", Test: "TestA", Package: "example.com/m", Function: "(*Ring).Push", Kind: "panic", Base: Result{Outcome: Pass, Value: "1"}, Head: Result{Outcome: Died, Message: "x"}, Changed: []string{"F"}, Cluster: "d",
			Origin: "in-place", Input: "r := New(1)\nr.Push(2)", GoTest: "package m\n", GoTestFile: "m_test.go", Component: "argument s", Program: "{}", Entry: "0f", Mutation: 3, Exported: true, Merged: []string{"x < 0 in F"}},
		sampleGraph(),
		Adequacy{Scope: "total", Criterion: "branch", Base: &Met{1, 2}, Head: &Met{2, 3}},
		Adequacy{Scope: "function", Name: "F", Criterion: KMRBranch, K: 3, Base: &Met{1.5, 2}, Head: &Met{2.25, 3}},
		sampleRelation(),
		Phase{Name: PhaseBuild, Seconds: 2.5, Share: 0.25},
	}
}

func encode(t *testing.T, events ...Event) string {
	t.Helper()
	var b bytes.Buffer
	w := NewWriter(&b)
	for _, e := range events {
		w.Emit(e)
	}
	if err := w.Err(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// stamped are the events with the Type that a reader sees.
func stamped(t *testing.T, events []Event) []Event {
	t.Helper()
	var out []Event
	for _, e := range events {
		c, err := complete(e)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, c)
	}
	return out
}

func TestWrittenIsRead(t *testing.T) {
	t.Parallel()
	text := encode(t, samples()...)
	if got, want := strings.Count(text, "\n"), len(samples()); got != want {
		t.Fatalf("%d lines, want %d", got, want)
	}
	got, err := readEvents(strings.NewReader(text), 0)
	if err != nil {
		t.Fatal(err)
	}
	if diff := gocmp.Diff(stamped(t, samples()), got); diff != "" {
		t.Error(diff)
	}
	if again := encode(t, got...); again != text {
		t.Errorf("written again it differs:\n%s\n%s", text, again)
	}
}

// TestLists: readers in other languages need not tell null from an empty list.
func TestLists(t *testing.T) {
	t.Parallel()
	text := encode(t, &Finding{ID: "a"}, Config{}, Match{}, Target{})
	if strings.Contains(text, "null") {
		t.Errorf("null in %s", text)
	}
}

func TestWriterConcurrent(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	w := NewWriter(&b)
	rec := &Recorder{}
	both := Tee(w, rec)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 50 {
				both.Emit(Progress{Phase: strings.Repeat("x", 500)})
			}
		})
	}
	wg.Wait()
	events, err := readEvents(&b, 0)
	if err != nil || len(events) != 400 {
		t.Fatalf("%d events, error %v", len(events), err)
	}
	if diff := gocmp.Diff(events, rec.Events()); diff != "" {
		t.Error(diff)
	}
}

type full struct{ left int }

var errFull = errors.New("no space left")

func (f *full) Write(b []byte) (int, error) {
	if f.left -= len(b); f.left < 0 {
		return 0, errFull
	}
	return len(b), nil
}

type foreign struct{}

func (foreign) EventType() string { return "summary" }

func TestWriterErrors(t *testing.T) {
	t.Parallel()
	w := NewWriter(&full{left: 100})
	for range 3 {
		w.Emit(Progress{Phase: strings.Repeat("x", 60)})
	}
	if !errors.Is(w.Err(), errFull) {
		t.Errorf("error %v, want %v", w.Err(), errFull)
	}
	for _, e := range []Event{nil, foreign{}, (*Limit)(nil), Summary{Seconds: math.NaN()}} {
		w := NewWriter(io.Discard)
		w.Emit(e)
		if w.Err() == nil {
			t.Errorf("event %#v is written", e)
		}
	}
}

func TestReadErrors(t *testing.T) {
	t.Parallel()
	good := encode(t, samples()[:2]...)
	for _, test := range []struct {
		name, text string
		limit      int64
		kept       int
		line       int
		want       string
	}{
		{"cut off", good + `{"type":"limit","kind":"x","wh`, 0, 2, 3, "cut off"},
		{"cut off in a string of a type", good + `{"typ`, 0, 2, 3, "cut off"},
		{"damaged", good + "{\"type\":}\n" + good, 0, 2, 3, "no JSON object"},
		{"no object", good + "[]\n", 0, 2, 3, "JSON array"},
		{"wrong kind", good + `{"type":"limit","kind":7}` + "\n", 0, 2, 3, `field "kind" holds a JSON number, wanted string`},
		{"no type", good + "{}\n", 0, 2, 3, `"type" field is missing`},
		{"closed set", good + `{"type":"finding","id":"a","test":"T","cluster":"c","rung":"guessed"}` + "\n", 0, 2, 3, `field "rung" is "guessed", must be one of observed, reached, forced`},
		{"inner closed set", good + `{"type":"finding","id":"a","test":"T","cluster":"c","rung":"forced","suite":"base","kind":"value","base":{"outcome":"green"}}` + "\n", 0, 2, 3, `"base.outcome"`},
		{"negative", good + `{"type":"progress","phase":"x","done":-1}` + "\n", 0, 2, 3, "must not be negative"},
		{"no test", good + `{"type":"finding","id":"a","suite":"head","rung":"observed","kind":"value","base":{"outcome":"pass"},"head":{"outcome":"pass"},"cluster":"c"}` + "\n", 0, 2, 3, "names no test"},
		{"no suite", good + `{"type":"finding","id":"a","test":"T","rung":"forced","kind":"value","base":{"outcome":"pass"},"head":{"outcome":"pass"},"cluster":"c"}` + "\n", 0, 2, 3, "names no test"},
		{"origin", good + `{"type":"finding","id":"a","rung":"reached","origin":"guess","kind":"value","base":{"outcome":"pass"},"head":{"outcome":"pass"},"cluster":"c"}` + "\n", 0, 2, 3, "must be one of in-place, sequence, plain, symbolic"},
		{"empty id", good + `{"type":"finding","rung":"forced","suite":"base","test":"T","cluster":"c"}` + "\n", 0, 2, 3, `"id" is empty`},
		{"ranges", good + `{"type":"summary","verdict":"incomplete","explored_branches":{"p":"3-1"}}` + "\n", 0, 2, 3, "sorted list of ranges"},
		{"newer format", `{"type":"config","version":99}` + "\n", 0, 0, 1, "use a newer isodelta"},
		{"too large", good + good, int64(len(good)) + 5, 2, 3, "larger than allowed"},
		{"no stream", "hello\n", 0, 0, 1, "no JSON object"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			events, err := readEvents(strings.NewReader(test.text), test.limit)
			var lineErr *LineError
			if !errors.As(err, &lineErr) || lineErr.Line != test.line || !strings.Contains(err.Error(), test.want) {
				t.Errorf("error %v, want line %d: … %s …", err, test.line, test.want)
			}
			if len(events) != test.kept {
				t.Errorf("%d events kept, want %d", len(events), test.kept)
			}
		})
	}
	if _, err := readEvents(strings.NewReader(good+`{"type":`), 0); !errors.Is(err, ErrTruncated) {
		t.Errorf("error %v is not ErrTruncated", err)
	}
	if _, err := readEvents(strings.NewReader(good), 10); !errors.Is(err, ErrTooLarge) {
		t.Errorf("error %v is not ErrTooLarge", err)
	}
	if _, err := readEvents(strings.NewReader(strings.Repeat("x", maxLine+1)), 0); !errors.Is(err, ErrTooLarge) {
		t.Errorf("a line without end: %v", err)
	}
}

func TestReadTolerates(t *testing.T) {
	t.Parallel()
	text := "\n" + `{"type":"forecast","holds":true}` + "\r\n" + `{"type":"limit","kind":"x","what":"","reason":"r","colour":"blue"}` + "\n\n" +
		`{"type":"forecast"}` + "\n" + `{"type":"limit","kind":"y","reason":"r"}` // no line feed at the end
	d := NewDecoder(strings.NewReader(text), int64(len(text)))
	var kinds []string
	for {
		e, err := d.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		kinds = append(kinds, string(e.(Limit).Kind))
	}
	if got := strings.Join(kinds, " "); got != "x y" {
		t.Errorf("read %s, want x y", got)
	}
	if diff := gocmp.Diff([]Skipped{{"forecast", 2, 2}}, d.Skipped()); diff != "" {
		t.Error(diff)
	}
}

func TestStreamGroups(t *testing.T) {
	t.Parallel()
	whole := samples()
	slices.SortStableFunc(whole, func(a, b Event) int { return cmp.Compare(place(a), place(b)) })
	s, err := ReadStream(strings.NewReader(encode(t, whole...)), 0)
	if err != nil {
		t.Fatal(err)
	}
	if diff := gocmp.Diff(withoutProgress(stamped(t, whole)), s.Events()); diff != "" {
		t.Error(diff)
	}
	for name, events := range map[string][]Event{
		"two configs":           {Config{Version: 1}, Config{Version: 1}},
		"finding after summary": {Summary{Verdict: NoDifference}, samples()[5]},
		"two summaries":         {Summary{Verdict: NoDifference}, Summary{Verdict: NoDifference}},
	} {
		if _, err := NewStream(events); err == nil || !strings.Contains(err.Error(), "several streams") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := NewStream([]Event{Summary{Verdict: NoDifference}, Progress{Phase: "x"}}); err != nil {
		t.Errorf("progress after the summary: %v", err)
	}
}

// place is where the engine writes an event of its type.
func place(e Event) int {
	return slices.Index(strings.Fields("config versions match baseline progress target finding relation graph adequacy phase limit summary"), e.EventType())
}

func withoutProgress(events []Event) []Event {
	var out []Event
	for _, e := range events {
		if _, is := e.(Progress); !is {
			out = append(out, e)
		}
	}
	return out
}

// TestVerdict: no claim of a summary makes a stream look better than its events.
func TestVerdict(t *testing.T) {
	t.Parallel()
	worked := func(verdict Verdict) *Summary {
		return &Summary{Tests: 3, Branches: 4, Covered: 2, Verdict: verdict}
	}
	open, intended := []Finding{{ID: "a"}}, []Finding{{ID: "b", Intended: true}}
	changed := []Match{{Changed: []ChangedItem{{Function: "F"}}}}
	for _, test := range []struct {
		name string
		s    Stream
		want Verdict
	}{
		{"as stated", Stream{Summary: worked(NoDifference)}, NoDifference},
		{"cut off", Stream{Findings: open}, Incomplete},
		{"interrupted", Stream{Summary: &Summary{Tests: 3, Interrupted: true, Verdict: NoDifference}}, Incomplete},
		{"finding denied", Stream{Summary: worked(NoDifference), Findings: open}, Differences},
		{"finding called intended", Stream{Summary: worked(IntendedOnly), Findings: append(open, intended...)}, Differences},
		{"intended", Stream{Summary: worked(IntendedOnly), Findings: intended}, IntendedOnly},
		{"findings lost", Stream{Summary: worked(Differences)}, Incomplete},
		{"intended findings lost", Stream{Summary: worked(IntendedOnly)}, Incomplete},
		{"nothing ran", Stream{Summary: &Summary{Verdict: NoDifference}}, NothingExplored},
		{"no branch taken", Stream{Summary: &Summary{Tests: 3, Branches: 4, Verdict: NoDifference}}, NothingExplored},
		{"only calls of our own", Stream{Summary: &Summary{Branches: 4, Calls: 9, Verdict: NoDifference}}, NoDifference},
		{"code without branches", Stream{Summary: &Summary{Tests: 3, Verdict: NoDifference}}, NoDifference},
		{"nothing changed", Stream{Summary: &Summary{Verdict: NoExecutableChange}}, NoExecutableChange},
		{"change denied", Stream{Summary: &Summary{Verdict: NoExecutableChange}, Matches: changed}, NothingExplored},
		{"change denied, but worked", Stream{Summary: worked(NoExecutableChange), Matches: changed}, NoDifference},
	} {
		if got := test.s.Verdict(); got != test.want {
			t.Errorf("%s: %s, want %s", test.name, got, test.want)
		}
	}
}

// FuzzRead: any bytes give events or an error, and what was read is valid and
// can be written and read again.
func FuzzRead(f *testing.F) {
	var b bytes.Buffer
	w := NewWriter(&b)
	for _, e := range samples() {
		w.Emit(e)
	}
	f.Add(b.Bytes())
	f.Add([]byte(`{"type":"summary","explored_branches":{"p":"1-1073741824"}}`))
	f.Add([]byte(`{"type":"finding","id":"a","rung":"reached","origin":"plain","kind":"value","base":{"outcome":"pass"},"head":{"outcome":"died"},"cluster":"c","mutation":1,"merged":null}`))
	f.Add([]byte(`{"type":"target","function":"F","role":"changed","state":"ineligible","banned":[""]}`))
	f.Add([]byte("{\"type\":\"x\"}\n\n{"))
	f.Fuzz(func(t *testing.T, data []byte) {
		events, _ := readEvents(bytes.NewReader(data), 1<<20)
		for _, e := range events {
			if err := Validate(e); err != nil {
				t.Fatal(err)
			}
		}
		again, err := readEvents(strings.NewReader(encode(t, events...)), 0)
		if err != nil {
			t.Fatal(err)
		}
		if diff := gocmp.Diff(events, again); diff != "" {
			t.Error(diff)
		}
	})
}

// readEvents reads the events of a stream.
func readEvents(r io.Reader, limit int64) ([]Event, error) {
	events, _, err := readAll(r, limit)
	return events, err
}

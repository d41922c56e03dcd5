package event

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// shardStream makes the stream of shard i of n with the given findings.
func shardStream(i, n int, findings ...string) *Stream {
	s := &Stream{
		Config:    Config{Type: "config", Version: 1, Tool: "v1", Shard: fmt.Sprintf("%d/%d", i, n), List: "unique", Depth: 1, GoVersion: "go1.26", Sandbox: "landlock", Deterministic: true, BudgetSeconds: 60},
		Versions:  []Versions{{Type: "versions", Base: Side{Commit: "b"}, Head: Side{Commit: "h"}, Module: "m", ModuleDir: "."}},
		Matches:   []Match{{Type: "match", Functions: 5, Changed: []ChangedItem{{Function: "F", Status: "changed"}}}},
		Baselines: []Baseline{{Type: "baseline", Suite: "head", Package: "m", Tests: 4, Passing: 4, Branches: 40, Covered: 20, Unstable: []string{"TestX: time"}}},
		Targets:   []Target{{Type: "target", Function: "F", Package: "m", Role: "changed", State: Compared, Calls: 10 * i, InPlace: i, Differ: 1}},
		Limits:    []Limit{{Type: "limit", Kind: "cgo", What: "p", Reason: "uses cgo"}},
		Summary: &Summary{Type: "summary", Functions: 5, Branches: 40, Covered: 20, Tests: 4, Variants: 10, Pruned: 2, Skipped: 1, Exhausted: 1, Died: 1, Hung: 1,
			Targets: 1, TargetsCompared: 1, Calls: 10 * i, Sequences: 2, CallsPerSecond: 10, ReachedSeconds: 1.5, UnexportedOnly: 1,
			Seconds: 3, BuildSeconds: 1, VariantsPerSecond: 5, Explored: 3, ExploredBranches: map[string]Ranges{"m": RangesOf([]int{30, 30 + i, 30 + 2*i})}, Verdict: NoDifference},
	}
	for _, id := range findings {
		s.Findings = append(s.Findings, Finding{Type: "finding", ID: id, Rung: Forced, Kind: "value", Test: "T", Cluster: "c" + id[:1], Representative: true})
		s.Summary.Verdict = Differences
	}
	return s
}

func TestMerge(t *testing.T) {
	t.Parallel()
	a, b, c := shardStream(1, 3, "x1", "x2"), shardStream(2, 3, "x1", "y1"), shardStream(3, 3)
	c.Summary.Verdict = NothingExplored // it had nothing to do
	c.Config.Sandbox = "none"
	a.Summary.FirstSeconds, b.Summary.FirstSeconds = 2.5, 1.5
	a.Config.SandboxOpen, b.Config.SandboxOpen = []string{"network", "reading"}, []string{"disk", "reading"}
	c.Config.GoVersion = "go1.25"
	b.Limits = append(b.Limits, Limit{Type: "limit", Kind: "budget", What: "m", Reason: "3 left"})
	m, err := Merge(c, a, b)
	if err != nil {
		t.Fatal(err)
	}
	want := &Summary{
		Type: "summary", Functions: 5, Branches: 40, Covered: 20, Tests: 4, Variants: 30, Pruned: 6, Skipped: 3, Exhausted: 3, Died: 3, Hung: 3,
		Targets: 1, TargetsCompared: 1, Calls: 60, Sequences: 6, CallsPerSecond: 10, ReachedSeconds: 4.5, UnexportedOnly: 3,
		Seconds: 9, FirstSeconds: 1.5, BuildSeconds: 3, VariantsPerSecond: 5, Shards: 3, Findings: 3, Clusters: 2, Verdict: Differences,
		Explored: 6, ExploredBranches: map[string]Ranges{"m": "30-34,36"},
	}
	if diff := cmp.Diff(want, m.Summary); diff != "" {
		t.Error(diff)
	}
	var ids []string
	for _, f := range m.Findings {
		ids = append(ids, fmt.Sprintf("%s:%v", f.ID, f.Representative))
	}
	if got := strings.Join(ids, " "); got != "x1:true x2:false y1:true" {
		t.Errorf("findings %s", got)
	}
	var limits []string
	for _, l := range m.Limits {
		limits = append(limits, string(l.Kind))
	}
	if got := strings.Join(limits, " "); got != "budget cgo runtime" {
		t.Errorf("limits %s", got)
	}
	if got := strings.Join(m.Config.SandboxOpen, " "); got != "network reading disk" {
		t.Errorf("open on one of the machines: %s", got)
	}
	if m.Config.Sandbox != "none" || m.Config.Shard != "" {
		t.Errorf("config %+v", m.Config)
	}
	if m.Verdict() != Differences {
		t.Errorf("verdict %s", m.Verdict())
	}
	for _, e := range m.Events() {
		if err := Validate(e); err != nil && e.EventType() != "finding" {
			t.Error(err)
		}
	}
}

// TestMergeUnexecuted: a function is executed if one shard executes it, and nothing is
// said where a shard is missing.
func TestMergeUnexecuted(t *testing.T) {
	t.Parallel()
	one, two := shardStream(1, 2), shardStream(2, 2)
	one.Summary.Unexecuted, two.Summary.Unexecuted = []string{"F", "G"}, []string{"G", "H"}
	one.Summary.Outside, two.Summary.Outside = []string{"Away", "Called"}, []string{"Away"}
	merged, err := Merge(one, two)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"G"}, merged.Summary.Unexecuted); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"Away"}, merged.Summary.Outside); diff != "" {
		t.Error(diff)
	}
	if merged, err = Merge(one); err != nil || merged.Summary.Unexecuted != nil {
		t.Errorf("%v, %v", merged.Summary, err)
	}
}

// TestMergeTargets: a target stands once, with the sum of the shards' calls and
// the strongest of their states.
func TestMergeTargets(t *testing.T) {
	t.Parallel()
	target := func(name string, state TargetState, calls int, reason string, banned ...string) Target {
		return Target{Type: "target", Function: name, Package: "m", Role: "changed", State: state, Calls: calls, Reason: reason, Banned: banned}
	}
	var many []string
	for i := range MaxBanned + 5 {
		many = append(many, fmt.Sprintf("%03d", i))
	}
	a, b := shardStream(1, 2), shardStream(2, 2)
	a.Targets = []Target{
		target("G", NotReached, 0, "no value for it"),
		target("F", Compared, 4, "1 value left out", "-1: hangs"),
		{Type: "target", Function: "F", Package: "other", Role: "caller", Exported: true, State: Ineligible, Reason: "takes a channel"},
		target("H", Ineligible, 0, ""),
	}
	b.Targets = []Target{
		target("F", TargetUnstable, 3, "varies", "-1: hangs", "-2: exits"),
		target("G", Compared, 2, ""),
		target("H", Ineligible, 0, "takes a lock", many...),
	}
	a.Summary.Targets, a.Summary.TargetsCompared = 4, 1
	b.Summary.Targets, b.Summary.TargetsCompared = 3, 1
	m, err := Merge(b, a)
	if err != nil {
		t.Fatal(err)
	}
	want := []Target{
		target("F", Compared, 7, "1 value left out", "-1: hangs", "-2: exits"),
		target("G", Compared, 2, ""),
		target("H", Ineligible, 0, "takes a lock", many[:MaxBanned]...),
		{Type: "target", Function: "F", Package: "other", Role: "caller", Exported: true, State: Ineligible, Reason: "takes a channel"},
	}
	if diff := cmp.Diff(want, m.Targets); diff != "" {
		t.Error(diff)
	}
	if m.Summary.Targets != 4 || m.Summary.TargetsCompared != 2 {
		t.Errorf("%d of %d targets compared, want 2 of 4", m.Summary.TargetsCompared, m.Summary.Targets)
	}
	a.Targets = nil // a stream that counts targets and does not name them
	if m, err = Merge(a, b); err != nil {
		t.Fatal(err)
	}
	if m.Summary.Targets != 7 {
		t.Errorf("%d targets, want the 4 that are only counted and the 3 that are named", m.Summary.Targets)
	}
}

func TestMergeVerdicts(t *testing.T) {
	t.Parallel()
	set := func(s *Stream, verdict Verdict) *Stream { s.Summary.Verdict = verdict; return s }
	intended := shardStream(2, 2, "x1")
	intended.Findings[0].Intended = true
	intended.Summary.Verdict = IntendedOnly
	cutOff := shardStream(2, 2)
	cutOff.Summary, cutOff.Matches = nil, nil
	lost := set(shardStream(2, 2), Differences)
	for _, test := range []struct {
		name    string
		streams []*Stream
		want    Verdict
		limit   string // of kind shard, "" for none
	}{
		{"none", []*Stream{shardStream(1, 2), shardStream(2, 2)}, NoDifference, ""},
		{"one shard had nothing to do", []*Stream{shardStream(1, 2), set(shardStream(2, 2), NothingExplored)}, NoDifference, ""},
		{"no shard did anything", []*Stream{set(shardStream(1, 2), NothingExplored), set(shardStream(2, 2), NothingExplored)}, NothingExplored, ""},
		{"intended", []*Stream{shardStream(1, 2), intended}, IntendedOnly, ""},
		{"missing", []*Stream{shardStream(1, 2)}, Incomplete, "2/2: it was not among the merged streams"},
		{"missing, with a finding", []*Stream{shardStream(1, 2, "x1")}, Incomplete, "2/2: it was not among the merged streams"},
		{"cut off", []*Stream{cutOff, shardStream(1, 2)}, Incomplete, "2/2: its stream has no summary"},
		{"incomplete", []*Stream{set(shardStream(1, 2), Incomplete), shardStream(2, 2)}, Incomplete, ""},
		{"findings lost", []*Stream{shardStream(1, 2), lost}, Incomplete, ""},
		{"two thousand million shards", []*Stream{shardStream(1, 2000000000)}, Incomplete, "2000000000/2000000000: 1999999979 more shards"},
	} {
		m, err := Merge(test.streams...)
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
			continue
		}
		if m.Summary.Verdict != test.want || m.Verdict() != test.want {
			t.Errorf("%s: verdict %s, shown as %s, want %s", test.name, m.Summary.Verdict, m.Verdict(), test.want)
		}
		found := slices.ContainsFunc(m.Limits, func(l Limit) bool {
			return l.Kind == "shard" && (test.limit == "" || strings.HasPrefix(l.What+": "+l.Reason, test.limit))
		})
		if found != (test.limit != "") {
			t.Errorf("%s: limits %+v, want one on %q", test.name, m.Limits, test.limit)
		}
	}
}

// TestMergeCountsBranches: without the lists, the number of explored branches
// is the largest that one shard reached, and is said to be a lower bound.
func TestMergeCountsBranches(t *testing.T) {
	t.Parallel()
	a, b := shardStream(1, 2), shardStream(2, 2)
	b.Summary.ExploredBranches, b.Summary.Explored = nil, 7
	m, err := Merge(a, b)
	if err != nil {
		t.Fatal(err)
	}
	if m.Summary.Explored != 7 || !strings.Contains(m.Limits[len(m.Limits)-1].Reason, "lower bound") {
		t.Errorf("explored %d, limits %+v", m.Summary.Explored, m.Limits)
	}
}

func TestMergeErrors(t *testing.T) {
	t.Parallel()
	edit := func(s *Stream, f func(*Stream)) *Stream { f(s); return s }
	for _, test := range []struct {
		name    string
		streams []*Stream
		want    string
	}{
		{"nothing", nil, "nothing to merge"},
		{"whole comparison", []*Stream{edit(shardStream(1, 2), func(s *Stream) { s.Config.Shard, s.Source = "", "a.jsonl" })}, "a.jsonl is no shard"},
		{"no config", []*Stream{{Source: "b.jsonl"}}, "b.jsonl holds no config"},
		{"bad shard", []*Stream{edit(shardStream(1, 2), func(s *Stream) { s.Config.Shard = "3/2" })}, "wanted i/n"},
		{"same shard", []*Stream{shardStream(1, 2), edit(shardStream(1, 2), func(s *Stream) { s.Source = "c" })}, "shard 1/2 and shard 1/2 (c) are the same shard"},
		{"other division", []*Stream{shardStream(1, 2), shardStream(2, 3)}, "different divisions"},
		{"other head", []*Stream{shardStream(1, 2), edit(shardStream(2, 2), func(s *Stream) { s.Versions[0].Head.Commit = "z" })}, "compares b..z of m"},
		{"other changes", []*Stream{shardStream(1, 2), edit(shardStream(2, 2), func(s *Stream) { s.Matches[0].Functions = 6 })}, "found different changes"},
		{"other depth", []*Stream{shardStream(1, 2), edit(shardStream(2, 2), func(s *Stream) { s.Config.Depth = 0 })}, "differ in depth: 1 and 0"},
		{"other tool", []*Stream{shardStream(1, 2), edit(shardStream(2, 2), func(s *Stream) { s.Config.Tool = "v2" })}, "version of isodelta"},
		{"all cut off", []*Stream{edit(shardStream(1, 1), func(s *Stream) { s.Versions, s.Matches, s.Summary = nil, nil, nil })}, "cut off before"},
	} {
		if _, err := Merge(test.streams...); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: error %v, want … %s …", test.name, err, test.want)
		}
	}
}

// TestMergeOrder: the order of the arguments makes no difference, and no stream
// is changed.
func TestMergeOrder(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 5).Draw(t, "n")
		var streams []*Stream
		var before []string
		for i := 1; i <= n; i++ {
			ids := rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"x1", "x2", "y1", "y2", "z1"}), 0, 5, rapid.ID).Draw(t, "findings")
			s := shardStream(i, n, ids...)
			for j := range s.Findings {
				s.Findings[j].Representative = rapid.Bool().Draw(t, "representative")
				s.Targets[0].State = rapid.SampledFrom(members(targetStates)).Draw(t, "state")
				s.Targets[0].Reason = rapid.SampledFrom([]string{"", "a", "b"}).Draw(t, "reason")
				s.Findings[j].Base.Value = rapid.SampledFrom([]string{"1", "2"}).Draw(t, "value")
			}
			streams = append(streams, s)
			before = append(before, fmt.Sprintf("%+v %+v", s.Events(), *s.Summary))
		}
		first, err := Merge(streams...)
		if err != nil {
			t.Fatal(err)
		}
		second, err := Merge(rapid.Permutation(streams).Draw(t, "order")...)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(first, second); diff != "" {
			t.Fatal(diff)
		}
		spoken := map[string]int{}
		for _, f := range first.Findings {
			if f.Representative {
				spoken[f.Cluster]++
			}
		}
		for c, k := range spoken {
			if k > 1 {
				t.Fatalf("cluster %s has %d representatives", c, k)
			}
		}
		for i, s := range streams {
			if now := fmt.Sprintf("%+v %+v", s.Events(), *s.Summary); now != before[i] {
				t.Fatalf("stream %d was changed", i)
			}
		}
	})
}

func TestRanges(t *testing.T) {
	t.Parallel()
	numbers := rapid.SliceOf(rapid.IntRange(0, 60))
	rapid.Check(t, func(t *rapid.T) {
		a, b := numbers.Draw(t, "a"), numbers.Draw(t, "b")
		set := map[int]bool{}
		for _, n := range append(slices.Clone(a), b...) {
			set[n] = true
		}
		union := RangesOf(a).Union(RangesOf(b))
		if union.Len() != len(set) {
			t.Fatalf("%s has %d members, want %d", union, union.Len(), len(set))
		}
		if union != RangesOf(append(b, a...)) {
			t.Fatalf("%s is not the set of all", union)
		}
		if _, err := union.spans(); err != nil {
			t.Fatal(err)
		}
	})
	for _, bad := range []Ranges{"x", "1,", "3-1", "1,1", "1-2,3", "1-1", "-1", "+1", "01", "1 ", "99999999999", "1-9999999999"} {
		if _, err := bad.spans(); err == nil {
			t.Errorf("%q is accepted", bad)
		}
		if bad.Len() != 0 {
			t.Errorf("%q has %d members", bad, bad.Len())
		}
	}
}

func TestParseShard(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]Shard{"1/1": {1, 1}, "2/4": {2, 4}} {
		if got, err := ParseShard(text); err != nil || got != want || got.String() != text {
			t.Errorf("%s: %v, %v", text, got, err)
		}
	}
	for _, text := range []string{"", "1", "0/2", "3/2", "-1/2", "1/2/3", "a/b", "1/", " 1/2"} {
		if _, err := ParseShard(text); err == nil {
			t.Errorf("%q is accepted", text)
		}
	}
}

func TestCompareFindings(t *testing.T) {
	t.Parallel()
	f := func(id string, r Rung, kind Kind, base, head Outcome, n int) Finding {
		return Finding{ID: id, Rung: r, Kind: kind, Base: Result{Outcome: base}, Head: Result{Outcome: head}, Negations: make([]Negation, n)}
	}
	intended := f("a", Observed, "panic", Pass, Panic, 0)
	intended.Intended = true
	reached := func(id string, exported, test bool, origin Origin, input int) Finding {
		x := f(id, Reached, "value", Pass, Pass, 0)
		x.Exported, x.Origin, x.Input = exported, origin, strings.Repeat("x", input)
		if test {
			x.GoTest = "package m"
		}
		return x
	}
	want := []Finding{
		f("z", Observed, "panic", Pass, Panic, 0),
		reached("x3", true, true, "sequence", 3),
		reached("x2", true, true, "plain", 5),
		reached("x1", true, true, "in-place", 4),
		reached("x0", true, false, "plain", 2),
		reached("x", false, true, "plain", 1),
		f("l", Observed, "error-to-value", Pass, Pass, 0),
		f("k", Observed, "panic", Panic, Pass, 0), // a fix
		f("y", Observed, "error-text", Fail, Fail, 0),
		f("m", Reached, "nil-empty", Pass, Pass, 0),
		f("w", Forced, "panic", Fail, Panic, 1),
		f("v", Forced, "value-to-error", Pass, Fail, 1),
		f("u", Forced, "value", Pass, Fail, 1),
		f("s", Forced, "value", Pass, Pass, 1),
		f("t", Forced, "value", Fail, Pass, 1),
		f("q", Forced, "value", Fail, Fail, 1),
		f("r", Forced, "value", Fail, Fail, 1),
		f("p", Forced, "value", Fail, Fail, 2),
		f("o", Forced, "nil-empty", Pass, Fail, 1),
		f("n", "guessed", "panic", Pass, Fail, 1),
		intended,
	}
	got := slices.Clone(want)
	slices.Reverse(got)
	slices.SortFunc(got, CompareFindings)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

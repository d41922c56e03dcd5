package event

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestJoinSummaries(t *testing.T) {
	t.Parallel()
	first := Summary{Type: "summary", Functions: 3, Tests: 2, Seconds: 10, Calls: 100, CallsPerSecond: 50, Unexecuted: []string{"a"}, Findings: 1, Clusters: 1, RelationsJudged: true, Verdict: NoDifference}
	second := Summary{Type: "summary", Functions: 4, Tests: 5, Seconds: 5, FirstSeconds: 2, Calls: 20, CallsPerSecond: 20, Unexecuted: []string{"b"}, Findings: 2, Clusters: 1, RelationsJudged: true, Interrupted: true, Verdict: Differences}
	want := Summary{Type: "summary", Functions: 7, Tests: 7, Seconds: 15, FirstSeconds: 12, Calls: 120, CallsPerSecond: 40, Unexecuted: []string{"a", "b"}, Findings: 3, Clusters: 2, RelationsJudged: true, Interrupted: true, Verdict: Differences}
	if diff := cmp.Diff(want, JoinSummaries([]Summary{first, second})); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(second, JoinSummaries([]Summary{second})); diff != "" {
		t.Error(diff)
	}
}

func TestJoinedVerdict(t *testing.T) {
	t.Parallel()
	for want, list := range map[Verdict][]Verdict{
		Incomplete:         {Differences, Incomplete},
		Differences:        {NoDifference, Differences, NothingExplored},
		IntendedOnly:       {NoDifference, IntendedOnly},
		NoDifference:       {NothingExplored, NoExecutableChange, NoDifference},
		NothingExplored:    {NoExecutableChange, NothingExplored},
		NoExecutableChange: {NoExecutableChange, NoExecutableChange},
	} {
		var summaries []Summary
		for _, v := range list {
			summaries = append(summaries, Summary{Verdict: v})
		}
		if got := JoinSummaries(summaries).Verdict; got != want {
			t.Errorf("%v: %s, want %s", list, got, want)
		}
	}
}

func TestJoinPhases(t *testing.T) {
	t.Parallel()
	got := JoinPhases([]Phase{{Name: PhaseLoad, Seconds: 1}, {Name: PhaseCalls, Seconds: 2}, {Name: PhaseLoad, Seconds: 1}})
	want := []Phase{{Name: PhaseLoad, Seconds: 2, Share: 0.5}, {Name: PhaseCalls, Seconds: 2, Share: 0.5}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

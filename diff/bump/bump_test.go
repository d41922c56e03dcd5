package bump

import (
	"slices"
	"strings"
	"testing"

	"golang.org/x/mod/semver"
	"pgregory.net/rapid"

	"github.com/isodelta/isodelta/report/event"
)

func TestBetween(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		before, after string
		want          Level
	}{
		{"v1.4.0", "v1.4.1", Patch},
		{"v1.4.1", "v1.5.0", Minor},
		{"v1.4.1", "v1.5.1", Minor},
		{"v1.4.1", "v2.0.0", Major},
		{"v0.4.1", "v1.0.0", Major},
		{"v1.4.0", "v1.4.0", None},
		{"v1.4.0", "v1.3.9", None},
		{"v1.4.0", "v1.4.0-rc.1", None},
		{"v1.4.0", "v1.5.0-rc.1", Minor},
		{"v1.5.0-rc.1", "v1.5.0", Minor},
		{"v1.5.0-rc.1", "v1.5.0-rc.2", Minor},
		{"v1.5.1-rc.1", "v1.5.1", Patch},
		{"v2.0.0-rc.1", "v2.0.0", Major},
		{"v1.5.0-rc.1", "v1.5.1", Patch},
	} {
		if got := Between(test.before, test.after); got != test.want {
			t.Errorf("%s to %s: %s, want %s", test.before, test.after, got, test.want)
		}
	}
}

// TestNext: the next version of a level is the least that has this level.
func TestNext(t *testing.T) {
	t.Parallel()
	for before, want := range map[string]string{
		"v1.4.2": "v1.4.3 v1.5.0 v2.0.0", "v0.4.2": "v0.4.3 v0.5.0 v1.0.0",
		"v1.5.0-rc.1": "v1.5.0 v1.5.0 v2.0.0", "v1.5.1-rc.1": "v1.5.1 v1.6.0 v2.0.0", "v2.0.0-rc.1": "v2.0.0 v2.0.0 v2.0.0",
	} {
		var got []string
		for _, l := range []Level{Patch, Minor, Major} {
			got = append(got, Next(before, l))
		}
		if s := strings.Join(got, " "); s != want {
			t.Errorf("after %s: %s, want %s", before, s, want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		before := rapid.StringMatching(`v[0-3]\.[0-3]\.[0-3](-rc\.[1-3])?`).Draw(t, "before")
		level := rapid.SampledFrom([]Level{Patch, Minor, Major}).Draw(t, "level")
		next := Next(before, level)
		if semver.Canonical(next) != next || Between(before, next) < level {
			t.Fatalf("%s after %s is %s, wanted %s", next, before, Between(before, next), level)
		}
	})
}

func TestTags(t *testing.T) {
	t.Parallel()
	root, v2 := Module{"example.com/m", "."}, Module{"example.com/m/v2", "."}
	sub, subV2, gopkg := Module{"example.com/m/sub", "sub"}, Module{"example.com/m/sub/v2", "sub/v2"}, Module{"gopkg.in/m.v3", "."}
	for _, test := range []struct {
		name string
		m    Module
		tags string
		want string
	}{
		{"highest, not latest", root, "v1.4.0 v1.10.0 v1.9.0", "v1.10.0"},
		{"no versions", root, "release-1 v1 v1.2 v01.2.3 1.2.3 v1.2.3+meta", ""},
		{"pre-releases left out", root, "v1.4.0 v1.5.0-rc.1", "v1.4.0"},
		{"only pre-releases", root, "v0.1.0-alpha v0.1.0-beta", "v0.1.0-beta"},
		{"another major", root, "v1.4.0 v2.1.0", "v1.4.0"},
		{"v0 before v1", root, "v0.9.0 v0.10.0", "v0.10.0"},
		{"of v2", v2, "v1.4.0 v2.1.0 v3.0.0", "v2.1.0"},
		{"before the first of v2", v2, "v1.4.0 v0.9.0 v3.0.0", "v1.4.0"},
		{"of a folder", sub, "v1.4.0 sub/v1.2.3 sub/v1.2.4-rc.1 subsub/v1.9.0 other/v1.9.0", "sub/v1.2.3"},
		{"root's with folders", root, "v1.4.0 sub/v1.9.0", "v1.4.0"},
		{"folder of a major version", subV2, "sub/v1.2.3 sub/v2.0.1 sub/v2/v2.9.9", "sub/v2.0.1"},
		{"gopkg.in", gopkg, "v2.0.0 v3.1.0", "v3.1.0"},
	} {
		if got := test.m.Previous(strings.Fields(test.tags)); got != test.want {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
	for version, fits := range map[string]bool{"v0.1.0": true, "v1.2.3": true, "v2.0.0": false} {
		if (root.Fits(version) == nil) != fits || (v2.Fits(version) == nil) == fits {
			t.Errorf("%s: %v, %v", version, root.Fits(version), v2.Fits(version))
		}
	}
	if got := root.Highest([]string{"v1.5.0-rc.1", "v1.4.0", "x"}); got != "v1.5.0-rc.1" {
		t.Errorf("highest %s", got)
	}
}

func TestSuggestions(t *testing.T) {
	t.Parallel()
	one := []string{"F: removed"}
	for _, test := range []struct {
		api    API
		before string
		want   Level
	}{
		{API{}, "v1.2.3", Patch}, {API{Compatible: one}, "v1.2.3", Minor}, {API{Incompatible: one, Compatible: one}, "v1.2.3", Major},
		{API{Incompatible: one}, "v0.2.3", Minor}, {API{Compatible: one}, "v0.2.3", Minor}, {API{Incompatible: one}, "", Major},
	} {
		if got := ByAPI(test.api, test.before); got.Level != test.want {
			t.Errorf("%+v after %s: %+v", test.api, test.before, got)
		}
	}
	finding := func(rung event.Rung, exported bool) event.Finding {
		return event.Finding{ID: "a", Cluster: string(rung), Rung: rung, Exported: exported}
	}
	intended, accepted := finding(event.Observed, false), finding(event.Reached, true)
	intended.Intended, accepted.Accepted = true, &event.Acceptance{Reason: "x"}
	ran := &event.Summary{Tests: 1, Verdict: event.NoDifference}
	for name, test := range map[string]struct {
		findings []event.Finding
		summary  *event.Summary
		want     Level
		reason   string
	}{
		"nothing":            {nil, ran, Patch, "no difference found"},
		"observed":           {[]event.Finding{finding(event.Observed, false)}, ran, Minor, "1 open difference in what exists"},
		"reached":            {[]event.Finding{finding(event.Reached, true), intended}, ran, Minor, "besides 1 intended"},
		"unexported":         {[]event.Finding{finding(event.Reached, false)}, ran, Patch, "unexported functions alone"},
		"forced":             {[]event.Finding{finding(event.Forced, true)}, ran, Patch, "behind forced branches alone"},
		"intended":           {[]event.Finding{intended}, ran, Patch, "1 intended; worth a note"},
		"accepted":           {[]event.Finding{accepted}, ran, Patch, "1 accepted"},
		"cut off":            {nil, nil, None, "not known: incomplete"},
		"nothing explored":   {nil, &event.Summary{Verdict: event.NothingExplored}, None, "not known: nothing explored"},
		"nothing to explore": {nil, &event.Summary{Verdict: event.NoExecutableChange}, Patch, "no difference"},
	} {
		got := ByBehaviour(&event.Stream{Findings: test.findings, Summary: test.summary})
		if got.Level != test.want || !strings.Contains(got.Reason, test.reason) {
			t.Errorf("%s: %+v", name, got)
		}
	}
	relation := func(state event.RelationState, exported bool) []event.Relation {
		return []event.Relation{{ID: "r", Function: "F", State: state, Exported: exported}}
	}
	accepted.Function = "F"
	for name, test := range map[string]struct {
		relations []event.Relation
		findings  []event.Finding
		want      Level
		reason    string
	}{
		"broken":              {relation(event.Broken, true), nil, Minor, "1 broken relation"},
		"broken and observed": {relation(event.Broken, true), []event.Finding{finding(event.Observed, false)}, Minor, "1 open difference in what exists and 1 broken relation"},
		"broken, unexported":  {relation(event.Broken, false), nil, Patch, "unexported functions alone"},
		"broken, accepted":    {relation(event.Broken, true), []event.Finding{accepted}, Patch, "1 accepted"},
		"kept":                {relation(event.Kept, true), nil, Patch, "no difference"},
		"violated":            {relation(event.Violated, true), nil, Patch, "no difference"},
	} {
		got := ByBehaviour(&event.Stream{Relations: test.relations, Findings: test.findings, Summary: ran})
		if got.Level != test.want || !strings.Contains(got.Reason, test.reason) {
			t.Errorf("%s: %+v", name, got)
		}
	}
	if internal("example.com/internalx/y") || !slices.ContainsFunc([]string{"m/internal/x"}, internal) {
		t.Error("internal packages are not told apart")
	}
}

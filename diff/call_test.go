package diff

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/isodelta/isodelta/report/event"
)

// part of a call of function that differs.
func part(function, input, component string, kind event.Kind, changed ...string) event.Finding {
	f := event.Finding{Rung: event.Reached, Package: "m", Function: function, Input: function + "(" + input + ")", Component: component, Kind: kind, Exported: true, Changed: changed,
		Base: event.Result{Outcome: event.Pass, Value: "1"}, Head: event.Result{Outcome: event.Pass, Value: "2"}}
	f.ID = ID(f)
	return f
}

// items are the clusters of findings as a reader meets them, each as its findings.
func items(findings []event.Finding) []string {
	var out []string
	at := map[string]int{}
	for _, f := range findings {
		text := fmt.Sprintf("%s %s %s", f.Input, f.Component, f.Kind)
		if i, seen := at[f.Cluster]; seen {
			out[i] += "; " + text
			continue
		}
		at[f.Cluster] = len(out)
		out = append(out, text)
	}
	return out
}

// What differs of one call is one item, told by what fails; calls where only a value
// differs are another.
func TestGroupCalls(t *testing.T) {
	t.Parallel()
	inPlace := func(f event.Finding, test string, mutation int) event.Finding {
		f.Test, f.Suite, f.Entry, f.Mutation, f.Origin = test, "head", "0f", mutation, event.OriginInPlace
		f.ID = ID(f)
		return f
	}
	accepted := part("P", "1", "error", event.KindValueToError, "P")
	accepted.Accepted = &event.Acceptance{Reason: "meant"}
	for name, test := range map[string]struct {
		findings []event.Finding
		want     []string
	}{
		"head errs": {
			[]event.Finding{part("P", "1", "result 1", event.KindValue, "P"), part("P", "1", "error", event.KindValueToError, "P")},
			[]string{"P(1) error value-to-error; P(1) result 1 value"},
		},
		"base erred": {
			[]event.Finding{part("P", "1", "result 1", event.KindValue, "P"), part("P", "1", "error", event.KindErrorToValue, "P")},
			[]string{"P(1) error error-to-value; P(1) result 1 value"},
		},
		"error text and value": {
			[]event.Finding{part("P", "1", "error", event.KindErrorText, "P"), part("P", "1", "result 1", event.KindValue, "P")},
			[]string{"P(1) result 1 value; P(1) error error-text"},
		},
		"error text and nil against empty": {
			[]event.Finding{part("P", "1", "result 1", event.KindNilEmpty, "P"), part("P", "1", "error", event.KindErrorText, "P")},
			[]string{"P(1) error error-text; P(1) result 1 nil-empty"},
		},
		"the receiver that is not set": {
			[]event.Finding{part("U", "1", "receiver", event.KindValue, "U"), part("U", "1", "result", event.KindValueToError, "U")},
			[]string{"U(1) result value-to-error; U(1) receiver value"},
		},
		"another call with the same two": {
			[]event.Finding{part("P", "1", "result 1", event.KindValue, "P"), part("P", "1", "error", event.KindValueToError, "P"),
				part("Q", "22", "result 1", event.KindValue, "P"), part("Q", "22", "error", event.KindValueToError, "P")},
			[]string{"P(1) error value-to-error; P(1) result 1 value; Q(22) error value-to-error; Q(22) result 1 value"},
		},
		"a value alone": {
			[]event.Finding{part("P", "1", "result 1", event.KindValue, "P"), part("P", "1", "error", event.KindValueToError, "P"),
				part("P", "22", "result 1", event.KindValue, "P")},
			[]string{"P(1) error value-to-error; P(1) result 1 value", "P(22) result 1 value"},
		},
		"opposite errors of one call": {
			[]event.Finding{part("P", "1", "result 1", event.KindErrorToValue, "P"), part("P", "1", "result 2", event.KindValueToError, "P"), part("P", "1", "receiver", event.KindValue, "P")},
			[]string{"P(1) result 2 value-to-error; P(1) receiver value", "P(1) result 1 error-to-value"},
		},
		"no changed function is known to have run": {
			[]event.Finding{part("P", "1", "result 1", event.KindValue), part("P", "1", "error", event.KindValueToError)},
			[]string{"P(1) error value-to-error; P(1) result 1 value"},
		},
		"looked at afterwards": {
			[]event.Finding{part("P", "1", "value", event.KindValue, "P"), part("P", "1", "error", event.KindValueToError, "P")},
			[]string{"P(1) error value-to-error", "P(1) value value"},
		},
		"in place": {
			[]event.Finding{inPlace(part("P", "1", "result 1", event.KindValue, "P"), "TestP", 1), inPlace(part("P", "1", "error", event.KindValueToError, "P"), "TestP", 1)},
			[]string{"P(1) error value-to-error; P(1) result 1 value"},
		},
		"in place, of two mutations": {
			[]event.Finding{inPlace(part("P", "1", "result 1", event.KindValue, "P"), "TestP", 1), inPlace(part("P", "1", "error", event.KindValueToError, "P"), "TestP", 2)},
			[]string{"P(1) error value-to-error", "P(1) result 1 value"},
		},
		"the error is accepted": {
			[]event.Finding{accepted, part("P", "1", "result 1", event.KindValue, "P")},
			[]string{"P(1) result 1 value", "P(1) error value-to-error"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(test.want, items(Group(test.findings, Changes{}))); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// An item has the identifier that its leading findings have alone, so that it does not
// depend on what else of a call was seen to differ; but a receiver or an argument that
// differs in another way is named by it.
func TestCallsKeepIdentifiers(t *testing.T) {
	t.Parallel()
	fails, value := part("P", "1", "error", event.KindValueToError, "P"), part("P", "1", "result 1", event.KindValue, "P")
	receiver := part("P", "1", "receiver", event.KindValue, "P")
	cluster := func(findings ...event.Finding) string { return Group(findings, Changes{})[0].Cluster }
	if cluster(fails) != cluster(fails, value) {
		t.Error("the value that comes with an error changes the identifier")
	}
	if cluster(fails) == cluster(fails, receiver) || cluster(fails, receiver) != cluster(receiver, value, fails) {
		t.Error("the receiver has to be part of the identifier, and nothing else")
	}
	if cluster(value) != cluster(value, receiver) {
		t.Error("a receiver that differs in the same way changes the identifier")
	}
}

// Whatever was found, in whatever order: all of a call is in one cluster for each
// direction, no cluster holds both, and each has one representative, of the kind that
// leads all of its calls.
func TestCallsAreWhole(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		components := []string{"result 1", "error", "receiver", "argument s", "value of x.Len() afterwards"}
		var findings []event.Finding
		seen := map[string]bool{}
		for range rapid.IntRange(1, 12).Draw(t, "findings") {
			f := part(rapid.SampledFrom([]string{"P", "Q"}).Draw(t, "function"), rapid.SampledFrom([]string{"1", "22"}).Draw(t, "input"),
				rapid.SampledFrom(components).Draw(t, "component"), rapid.SampledFrom(event.Kinds()[1:]).Draw(t, "kind"),
				rapid.SampledFrom([][]string{nil, {"A"}, {"A", "B"}}).Draw(t, "changed")...)
			f.ID += fmt.Sprint(f.Changed)
			if !seen[f.ID] {
				findings = append(findings, f)
			}
			seen[f.ID] = true
		}
		got := Group(findings, Changes{})
		if again := Group(rapid.Permutation(findings).Draw(t, "order"), Changes{}); !cmp.Equal(got, again) {
			t.Fatalf("the order matters: %s", cmp.Diff(got, again))
		}
		direction := func(f event.Finding) string {
			if f.Kind == event.KindErrorToValue {
				return "better"
			}
			return "worse"
		}
		byCall, byCluster, voices := map[string]string{}, map[string]string{}, map[string]event.Finding{}
		for _, f := range got {
			if f.Representative {
				if _, two := voices[f.Cluster]; two {
					t.Fatalf("two speak for %s", f.Cluster)
				}
				voices[f.Cluster] = f
			}
			if !strings.Contains(f.Component, "afterwards") && f.Kind != event.KindErrorToValue {
				call := fmt.Sprint(f.Input, len(f.Changed) > 0)
				if have, ok := byCall[call]; ok && have != f.Cluster {
					t.Fatalf("%s is in two clusters", call)
				}
				byCall[call] = f.Cluster
			}
			if f.Kind == event.KindErrorToValue || f.Kind == event.KindValueToError {
				if have, ok := byCluster[f.Cluster]; ok && have != direction(f) {
					t.Fatalf("cluster %s holds both directions", f.Cluster)
				}
				byCluster[f.Cluster] = direction(f)
			}
		}
		for i, l := range event.Leaders(got) {
			voice, ok := voices[got[i].Cluster]
			if !ok || got[l].Cluster != got[i].Cluster || got[l].Kind != voice.Kind {
				t.Fatalf("%s %s: led by %s, and %s speaks", got[i].Input, got[i].Kind, got[l].Kind, voice.Kind)
			}
		}
		if !slices.ContainsFunc(got, func(f event.Finding) bool { return f.Representative }) {
			t.Fatal("nobody speaks")
		}
	})
}

// An item that is told of an error is accepted as one, though a panic belongs to it.
func TestCauseOfTheMilder(t *testing.T) {
	t.Parallel()
	parse, must := part("Parse", "&T{}", "error", event.KindValueToError, "scan"), part("MustParse", "&T{}", "panic", event.KindPanic, "scan")
	parse.Origin, must.Origin, must.Head.Outcome = event.OriginPlain, event.OriginPlain, event.Panic
	changes := ChangesOf([]event.Match{{Changed: []event.ChangedItem{{Function: "scan", Digest: "a"}}}})
	grouped := Group([]event.Finding{must, parse}, changes)
	if grouped[0].Cluster != grouped[1].Cluster {
		t.Fatal("two items")
	}
	for _, f := range grouped {
		if f.Representative && f.Function != "Parse" {
			t.Errorf("%s leads", f.Function)
		}
		if c, ok := changes.Causes(grouped).Find(f.Cause); !ok || c.Kind != event.KindValueToError {
			t.Errorf("the cause is %+v", c)
		}
	}
}

package report

import (
	"strings"
	"testing"

	"github.com/isodelta/isodelta/report/event"
)

// Where a test fails for what a call shows, the item is the call, counts as one that fails a test, names the
// test, and is not put down to what another test expects now.
func TestCallThatATestFailsFor(t *testing.T) {
	t.Parallel()
	pass := func(value string) event.Result { return event.Result{Outcome: event.Pass, Value: value} }
	call := event.Finding{ID: "1", Cluster: "11aa22bb", Representative: true, Rung: event.Reached, Package: "p", Function: "Parse", Input: `Parse("a")`, Component: "result",
		Kind: event.KindValue, Changed: []string{"Parse"}, Base: pass("1"), Head: pass("2"), Exported: true, Origin: event.OriginPlain}
	test := event.Finding{ID: "2", Cluster: "11aa22bb", Rung: event.Observed, Suite: "head", Package: "p", Test: "TestParse", Kind: event.KindValue, Changed: []string{"Parse"},
		Base: pass(""), Head: event.Result{Outcome: event.Fail, Message: "\x1b[31mgot 2\x1b[0m"}}
	edited := test
	edited.ID, edited.Cluster, edited.Test, edited.Intended, edited.Representative = "3", "33cc44dd", "TestEdited", true, true
	s := &event.Stream{Findings: []event.Finding{call, test, edited}}
	clusters := clustersOf(s)
	if n := len(clusters[open]); n != 1 {
		t.Fatalf("%d items, want 1", n)
	}
	c := clusters[open][0]
	if got := plainText(proven(c)); !strings.HasSuffix(got, "TestParse fails for it") {
		t.Errorf("it is known so: %s", got)
	}
	if c.meant.by != "" {
		t.Errorf("perhaps %s expects it", c.meant.by)
	}
	if got := tally(clusters, 0); got != "1 behaviour change that fails a test, 1 intended" {
		t.Errorf("the first line is %q", got)
	}
	if got := plainText(difference(edited)); strings.Contains(got, "[31m") {
		t.Errorf("colours are told: %q", got)
	}
}

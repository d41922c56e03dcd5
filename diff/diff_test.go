package diff

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/isodelta/isodelta/report/event"
	"github.com/isodelta/isodelta/runner/outcome"
)

func site(id int, visible, hidden uint64) outcome.SiteDigest {
	return outcome.SiteDigest{Site: id, Count: 1, Visible: visible, Hidden: hidden}
}

func TestCompare(t *testing.T) {
	t.Parallel()
	pass := func(s ...outcome.SiteDigest) outcome.Result {
		return outcome.Result{Outcome: event.Pass, Sites: s, Fuel: 10}
	}
	out := func(o event.Outcome, fuel int64, message string) outcome.Result {
		return outcome.Result{Outcome: o, Fuel: fuel, Message: message}
	}
	const limit = 1000
	tests := map[string]struct {
		base, head outcome.Result
		masked     int // site
		any        bool
		sites      []int
		hidden     bool
		noEvidence bool
	}{
		"equal":                      {base: pass(site(1, 5, 5)), head: pass(site(1, 5, 5))},
		"value":                      {base: pass(site(1, 5, 5)), head: pass(site(1, 6, 5)), any: true, sites: []int{1}},
		"hidden state is a hint":     {base: pass(site(1, 5, 5)), head: pass(site(1, 5, 6)), hidden: true},
		"masked":                     {base: pass(site(1, 5, 5)), head: pass(site(1, 6, 5)), masked: 1},
		"site only on base":          {base: pass(site(1, 5, 5), site(2, 1, 1)), head: pass(site(1, 5, 5)), any: true, sites: []int{2}},
		"site only on head":          {base: pass(site(1, 5, 5)), head: pass(site(3, 1, 1), site(1, 5, 5)), any: true, sites: []int{3}},
		"outcome":                    {base: pass(), head: out(event.Fail, 5, ""), any: true},
		"panic messages":             {base: out(event.Panic, 5, "a"), head: out(event.Panic, 5, "b"), any: true},
		"addresses in messages":      {base: out(event.Panic, 5, "at 0xc0001234"), head: out(event.Panic, 5, "at 0xc0009999")},
		"time-outs are no evidence":  {base: out(event.Hung, 5, ""), head: pass(), noEvidence: true},
		"both out of fuel":           {base: out(event.Exhausted, limit, ""), head: out(event.Exhausted, limit, ""), noEvidence: true},
		"one out of fuel, one near":  {base: out(event.Exhausted, limit, ""), head: out(event.Pass, 900, ""), noEvidence: true},
		"one out of fuel, one quick": {base: out(event.Exhausted, limit, ""), head: out(event.Pass, 9, ""), any: true},
		"skipped on one":             {base: pass(), head: outcome.Result{Outcome: event.Pass, Skipped: true}, any: true},
	}
	for name, c := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := Compare(c.base, c.head, func(s int) bool { return s == c.masked && c.masked != 0 }, limit)
			if d.Any() != c.any || !slices.Equal(d.Sites, c.sites) || d.Hidden != c.hidden || (d.NoEvidence != "") != c.noEvidence {
				t.Errorf("got %+v", d)
			}
		})
	}
}

// Comparing an execution with itself finds nothing, and which version is which
// does not decide whether there is a difference.
func TestCompareIsFair(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		draw := func(name string) outcome.Result {
			r := outcome.Result{
				Outcome: rapid.SampledFrom([]event.Outcome{event.Pass, event.Fail, event.Panic, event.Died, event.Exhausted, event.Hung}).Draw(t, name),
				Fuel:    rapid.Int64Range(0, 100).Draw(t, name+" fuel"),
				Message: rapid.SampledFrom([]string{"", "a", "b"}).Draw(t, name+" message"),
			}
			for i := range rapid.IntRange(0, 4).Draw(t, name+" sites") {
				r.Sites = append(r.Sites, site(i, rapid.Uint64Range(0, 2).Draw(t, "v"), rapid.Uint64Range(0, 2).Draw(t, "h")))
			}
			return r
		}
		a, b := draw("a"), draw("b")
		if d := Compare(a, a, nil, 100); d.Any() || d.Hidden {
			t.Fatalf("%+v differs from itself: %+v", a, d)
		}
		x, y := Compare(a, b, nil, 100), Compare(b, a, nil, 100)
		if x.Any() != y.Any() || x.Hidden != y.Hidden {
			t.Fatalf("unfair: %+v, %+v", x, y)
		}
	})
}

func TestPlausible(t *testing.T) {
	t.Parallel()
	r := func(o event.Outcome) outcome.Result { return outcome.Result{Outcome: o} }
	for _, c := range []struct {
		base, head event.Outcome
		strict     bool
		want       bool
	}{
		{event.Pass, event.Pass, false, true},
		{event.Pass, event.Panic, false, true},
		{event.Panic, event.Pass, false, true},
		{event.Fail, event.Panic, true, false},
		{event.Panic, event.Panic, true, false},
		{event.Died, event.Fail, true, false},
		{event.Fail, event.Fail, true, true},
		{event.Fail, event.Fail, false, false},
	} {
		if got := Plausible(r(c.base), r(c.head), c.strict); got != c.want {
			t.Errorf("Plausible(%s, %s, strict %t) = %t", c.base, c.head, c.strict, got)
		}
	}
}

func TestExplain(t *testing.T) {
	t.Parallel()
	with := func(o event.Outcome, texts ...outcome.Text) outcome.Result {
		return outcome.Result{Outcome: o, Texts: texts}
	}
	text := func(category byte, value string) outcome.Text {
		return outcome.Text{Site: 7, Category: category, Value: value}
	}
	row := func(value, given string) outcome.Text {
		return outcome.Text{Site: 7, Category: 'v', Value: value, Given: given}
	}
	d := Difference{Sites: []int{7}}
	for name, c := range map[string]struct {
		base, head outcome.Result
		kind       event.Kind
		b, h       string
		given      string
	}{
		"value":        {with(event.Pass, text('v', "1")), with(event.Pass, text('v', "2")), event.KindValue, "1", "2", ""},
		"to error":     {with(event.Pass, text('n', "nil")), with(event.Pass, text('e', "error(x)")), event.KindValueToError, "nil", "error(x)", ""},
		"from error":   {with(event.Pass, text('e', "error(x)")), with(event.Pass, text('v', "1")), event.KindErrorToValue, "error(x)", "1", ""},
		"error text":   {with(event.Pass, text('e', "a")), with(event.Pass, text('e', "b")), event.KindErrorText, "a", "b", ""},
		"nil or empty": {with(event.Pass, text('v', `0, []byte("")`)), with(event.Pass, text('v', `0, []uint8(nil)`)), event.KindNilEmpty, `0, []byte("")`, `0, []uint8(nil)`, ""},
		"panic":        {with(event.Pass, text('v', "1")), with(event.Panic), event.KindPanic, "1", event.ValueNotReached, ""},
		"one more":     {with(event.Pass, text('v', "1"), text('v', "2")), with(event.Pass, text('v', "2"), text('v', "1"), text('v', "2")), event.KindValue, "2 (seen once)", "2 (seen 2 times)", ""},
		"fewer":        {with(event.Pass, text('v', "2"), text('v', "2"), text('v', "2")), with(event.Pass, text('v', "2")), event.KindValue, "2 (seen 3 times)", "2 (seen once)", ""},
		"another too":  {with(event.Pass, text('v', "1")), with(event.Pass, text('v', "1"), text('v', "2")), event.KindValue, event.ValueNotSeen, "2", ""},
		"moved only":   {with(event.Pass, text('v', "1"), text('v', "2"), text('v', "3")), with(event.Pass, text('v', "2"), text('v', "1"), text('v', "4")), event.KindValue, "3", "4", ""},
		"of a row":     {with(event.Pass, row("1", "a"), row("2", "b")), with(event.Pass, row("1", "a"), row("3", "b")), event.KindValue, "2", "3", "b"},
		"rows moved":   {with(event.Pass, row("1", "a"), row("2", "b")), with(event.Pass, row("2", "a"), row("3", "b")), event.KindValue, "1", "3", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			x := Explain(d, c.base, c.head)
			if x.Kind != c.kind || x.Site != 7 || x.Base != c.b || x.Head != c.h || x.Given != c.given {
				t.Errorf("got %+v", x)
			}
		})
	}
}

// Identifiers hold no line numbers, and clusters are made of causes.
func TestGroup(t *testing.T) {
	t.Parallel()
	f := event.Finding{Rung: event.Forced, Suite: "head", Package: "p", Test: "T", Kind: event.KindValue, Line: 3,
		Negations: []event.Negation{{ID: "p.F#x > 1#0", Line: 3}}, Changed: []string{"F"},
		Base: event.Result{Outcome: event.Fail, Value: "longer"}, Head: event.Result{Outcome: event.Fail, Value: "x"}}
	moved := f
	moved.Line, moved.Negations = 99, []event.Negation{{ID: "p.F#x > 1#0", Line: 99}}
	if ID(f) != ID(moved) {
		t.Error("the identifier depends on a line")
	}
	simpler, observed, other := f, f, f
	f.ID, simpler.ID, observed.ID, other.ID = "1", "2", "3", "4"
	simpler.Base.Value = "y"
	observed.Rung, observed.Negations, observed.Changed = event.Observed, nil, []string{"H"}
	other.Changed = []string{"G"}
	got := Group([]event.Finding{f, other, simpler, observed}, Changes{})
	if got[0].ID != "3" {
		t.Errorf("first is %s, want the observed one", got[0].ID)
	}
	clusters := map[string]int{}
	speakers := map[string]string{}
	for _, x := range got {
		clusters[x.Cluster]++
		if x.Representative {
			speakers[x.Cluster] = x.ID
		}
	}
	if len(clusters) != 3 || len(speakers) != 3 {
		t.Fatalf("%d clusters, %d representatives, want 3 and 3", len(clusters), len(speakers))
	}
	for _, x := range got {
		if x.ID == "1" && speakers[x.Cluster] != "2" {
			t.Errorf("%s speaks for the cluster, want the simpler 2", speakers[x.Cluster])
		}
	}
}

// A reached finding is told by what is called with what and by what differs:
// not by lines, nor by how the input was found. One cause that several
// functions show is one cluster.
func TestGroupReached(t *testing.T) {
	t.Parallel()
	f := event.Finding{Rung: event.Reached, Package: "p", Function: "(*Ring).Push", Component: "result", Kind: event.KindValue, Line: 3,
		Input: "r := New(2)\nr.Push(1)", Origin: "sequence", GoTest: "package p", Exported: true, Changed: []string{"(*Ring).grow"},
		Base: event.Result{Outcome: event.Pass, Value: "1"}, Head: event.Result{Outcome: event.Pass, Value: "2"}}
	same := f
	same.Line, same.Origin, same.Suite, same.Test, same.Entry, same.Mutation = 99, "in-place", "head", "TestRing", "0f", 4
	same.GoTest, same.Base.Value = "", "3"
	if ID(f) != ID(same) {
		t.Error("the identifier depends on lines, values or how the input was found")
	}
	ids := map[string]string{ID(f): "the finding itself"}
	for name, change := range map[string]func(*event.Finding){
		"rung":      func(f *event.Finding) { f.Rung = event.Observed },
		"package":   func(f *event.Finding) { f.Package = "q" },
		"function":  func(f *event.Finding) { f.Function = "(*Ring).Pop" },
		"component": func(f *event.Finding) { f.Component = "receiver" },
		"kind":      func(f *event.Finding) { f.Kind = event.KindPanic },
		"input":     func(f *event.Finding) { f.Input = "r.Push(2)" },
		"entry":     func(f *event.Finding) { f.Input, f.Entry = "", "0f" },
		"mutation":  func(f *event.Finding) { f.Input, f.Entry, f.Mutation = "", "0f", 2 },
	} {
		x := f
		change(&x)
		if other := ids[ID(x)]; other != "" {
			t.Errorf("%s: the same identifier as %s", name, other)
		}
		ids[ID(x)] = name
	}

	f.ID, same.ID = "1", "2"
	shorter, pop, lost, lostToo := f, f, f, f
	shorter.ID, shorter.Input, shorter.Exported = "3", "x", false
	pop.ID, pop.Function, pop.Component, pop.Input, pop.GoTest = "4", "(*Ring).Pop", "error", "r.Pop()", ""
	lost.ID, lost.Changed = "5", nil
	lostToo.ID, lostToo.Changed, lostToo.Function = "6", nil, "(*Ring).Len"
	cluster, voice := map[string]string{}, map[string]string{}
	for _, x := range Group([]event.Finding{same, shorter, pop, lost, f, lostToo}, Changes{}) {
		cluster[x.ID] = x.Cluster
		if x.Representative {
			voice[x.Cluster] = x.ID
		}
	}
	for _, id := range []string{"2", "3", "4"} {
		if cluster[id] != cluster["1"] {
			t.Errorf("%s and 1 have one cause and two clusters", id)
		}
	}
	if voice[cluster["1"]] != "1" {
		t.Errorf("%s speaks, want 1: exported, and with a test", voice[cluster["1"]])
	}
	if len(voice) != 3 {
		t.Errorf("%d clusters, want 3: findings whose cause is not known are told by what was called", len(voice))
	}
}

// One change shows in all that calls it: a finding that executed no further
// changed function than another of its kind is in one cluster with it.
func TestGroupJoinsReached(t *testing.T) {
	t.Parallel()
	make := func(kind event.Kind, function string, changed ...string) event.Finding {
		return event.Finding{Rung: event.Reached, Kind: kind, Function: function, Exported: true, Input: function + "()", Changed: changed,
			Base: event.Result{Outcome: event.Pass}, Head: event.Result{Outcome: event.Pass}}
	}
	out := Group([]event.Finding{
		make(event.KindValue, "CallerOfParse", "Parse"),
		make(event.KindValue, "Parse", "Parse"),
		make(event.KindValue, "CallerOfBoth", "scan", "Parse"),
		make(event.KindValue, "Other", "format"),
		make(event.KindErrorToValue, "Parse", "Parse"),
	}, Changes{})
	clusters := map[string][]string{}
	for _, f := range out {
		clusters[f.Cluster] = append(clusters[f.Cluster], f.Function)
		if f.Representative != (len(clusters[f.Cluster]) == 1) {
			t.Errorf("%s: representative %t", f.Function, f.Representative)
		}
	}
	if len(clusters) != 4 {
		t.Errorf("clusters %v, want 4", clusters)
	}
	for _, names := range clusters {
		if len(names) == 2 && names[0] != "Parse" {
			t.Errorf("%s represents a change in Parse", names[0])
		}
	}
}

// A deadlock is no consequence of what ends a process elsewhere in another way, though the call
// that waits was given what that function returns.
func TestDeathsOfDifferentKinds(t *testing.T) {
	t.Parallel()
	died := func(function, input, message string, changed ...string) event.Finding {
		return event.Finding{Rung: event.Reached, Kind: event.KindPanic, Function: function, Exported: true, Input: input, Changed: changed,
			Base: event.Result{Outcome: event.Pass}, Head: event.Result{Outcome: event.Died, Message: message}}
	}
	for message, want := range map[string]int{"fatal error: all goroutines are asleep - deadlock!": 2, "fatal error: stack overflow": 1} {
		out := Group([]event.Finding{
			died("Name.String", "n.String()", "fatal error: stack overflow", "Name.String"),
			died("Store.Add", "store.Add(n.String())", message, "Name.String", "Store.Add"),
		}, Changes{})
		clusters := map[string]bool{}
		for _, f := range out {
			clusters[f.Cluster] = true
		}
		if len(clusters) != want {
			t.Errorf("%s: %d clusters, want %d", message, len(clusters), want)
		}
	}
}

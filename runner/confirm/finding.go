package confirm

import (
	"slices"
	"strings"

	"github.com/isodelta/isodelta/diff"
	"github.com/isodelta/isodelta/report/event"
	"github.com/isodelta/isodelta/runner/instrument"
	"github.com/isodelta/isodelta/runner/matching"
	"github.com/isodelta/isodelta/runner/outcome"
	"github.com/isodelta/isodelta/runner/probe"
	"github.com/isodelta/isodelta/runner/variation"
	"github.com/isodelta/isodelta/runner/version"
)

// Finding makes a finding of a difference that was run again.
func (q *Queue) Finding(d Difference, again Again) event.Finding {
	base, head := again.Results[version.Base][0], again.Results[version.Head][0]
	x := diff.Explain(again.Final, base, head)
	f := event.Finding{Type: "finding", Rung: event.Observed, Suite: d.Test.Suite.Side.String(),
		Package: d.Test.Package, Test: d.Test.Source, Kind: x.Kind, Negations: []event.Negation{},
		Changed: q.Space.Entered(matching.BothEntered(base, head).Members())}
	f.Base, f.Head = q.result(d, base, x.Site, x.Base), q.result(d, head, x.Site, x.Head)
	f.Given = given(d, x)
	if len(d.Branches) > 0 {
		f.Rung = event.Forced
		for _, br := range d.Branches {
			n := q.Space.Negation(br)
			n.Universal, n.Inverted = q.Universal(br), d.Test.TakesBoth(br)
			f.Negations = append(f.Negations, n)
		}
		f.Unrelated = q.Space.Aside(base) && q.Space.Aside(head) && base.Outcome == head.Outcome && !q.Suites.DataEdited(d.Test.Test)
		first := f.Negations[0]
		f.Condition, f.Function, f.File, f.Line = first.Text, first.Function, first.File, first.Line
	} else {
		f.Intended = d.Varied == nil && q.intended(d)
		f.Unrelated = base.Outcome == event.Pass && head.Outcome == event.Pass && q.Space.Quiet(base) && q.Space.Quiet(head) && !q.Suites.DataEdited(d.Test.Test)
		f.Function, f.File, f.Line = q.Space.Where(f.Changed)
	}
	if d.Varied != nil {
		varied := d.Varied.Event()
		f.Varied = &varied
	}
	f.ID = diff.ID(f)
	if d.Varied != nil {
		q.noteTest(f, d, again, x.Site)
	}
	return f
}

// noteTest keeps what a test to paste is written of, for a varied test.
func (q *Queue) noteTest(f event.Finding, d Difference, again Again, site int) {
	base := again.Results[version.Base][0]
	t := variation.GoTest{Test: d.Test, Variation: *d.Varied, AsItIs: again.Passed[version.Base] && !again.Passed[version.Head]}
	if !t.AsItIs && f.Head.Outcome != event.Panic {
		for _, text := range base.Texts {
			if text.Site == site {
				t.Want = append(t.Want, text.Value)
			}
		}
		i := slices.IndexFunc(d.Test.Suite.Text.Sites, func(s instrument.Site) bool { return s.ID == site })
		if i < 0 || !variation.Plain(t.Want) || base.Truncated() {
			return
		}
		t.Site = &d.Test.Suite.Text.Sites[i]
	}
	if q.Tests == nil {
		q.Tests = map[string]variation.GoTest{}
	}
	q.Tests[f.ID] = t
}

// given are the arguments of the call that differs, as far as they are told.
func given(d Difference, x diff.Explanation) []event.Part {
	if x.Given == "" {
		return nil
	}
	values := strings.Split(x.Given, probe.GivenSeparator)
	var out []event.Part
	for _, s := range d.Test.Suite.Text.Sites {
		if s.ID == x.Site && len(s.Args) == len(values) {
			for i, name := range s.Args {
				out = append(out, event.Part{Path: name, Value: values[i]})
			}
		}
	}
	return out
}

// result returns one version's execution as the stream tells it, at the site that
// differs.
func (q *Queue) result(d Difference, r outcome.Result, site int, value string) event.Result {
	out := event.Result{Outcome: r.Outcome, Value: value, Message: r.Message}
	if r.Outcome == event.Fail {
		out.Message = failureText(r.Output)
	}
	for _, s := range d.Test.Suite.Text.Sites {
		if site >= 0 && s.ID == site {
			out.Site, out.File, out.Line = s.Text, s.File, s.Line
		}
	}
	return out
}

// failureText returns what the test printed when it failed: the lines below the last
// "--- FAIL".
func failureText(output string) string {
	i := strings.LastIndex(output, "--- FAIL: ")
	if i < 0 {
		return ""
	}
	const maxLines = 6
	var kept []string
	for _, l := range strings.Split(output[i:], "\n")[1:] {
		l = strings.TrimSpace(l)
		if l != "" && !strings.HasPrefix(l, "--- ") && len(kept) < maxLines {
			kept = append(kept, l)
		}
	}
	return strings.Join(kept, "\n")
}

// intended reports whether the change edits the expectation of this very test:
// it passes on its own version and not on the other, and the two suites do not
// hold the same test, or not the same testdata for it. Where the data has nothing to do
// with it, head's suite shows what base's does.
func (q *Queue) intended(d Difference) bool {
	side := d.Test.Suite.Side
	if d.Test.Outcome[side] != event.Pass || d.Test.Outcome[side.Other()] == event.Pass {
		return false
	}
	if twin, ok := q.Suites.Twin(d.Test.Test); ok {
		return twin.Digest != d.Test.Digest || q.Suites.DataEdited(d.Test.Test)
	}
	return side == version.Base || q.Suites.IsNew(d.Test.Test)
}

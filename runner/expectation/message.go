package expectation

import (
	"cmp"
	"path"
	"slices"
	"strconv"

	"github.com/isodelta/isodelta/internal/lazyregexp"
	"github.com/isodelta/isodelta/report/event"
)

// ofMessage returns where an edited test that fails on base complains of just what a finding tells: it wants what head alone
// gives, and got what base alone gives, or names the field. All that the test runs of the change, the finding runs, too.
func ofMessage(f event.Finding, tests []event.Finding) *event.Expectation {
	// A test that fails on both versions sees values all the same.
	if f.Rung == event.Forced || f.Base.Outcome != f.Head.Outcome || f.Base.Outcome != event.Pass && f.Base.Outcome != event.Fail {
		return nil
	}
	base, head := literalsOf(f.Base.Value), literalsOf(f.Head.Value)
	came := head.without(base)
	if !came.telling() {
		return nil
	}
	for _, t := range tests {
		message := t.Base.Message
		if t.Package != f.Package || slices.ContainsFunc(t.Changed, func(name string) bool { return !slices.Contains(f.Changed, name) }) || !came.in(message) {
			continue
		}
		went, field := base.without(head), fieldOf(f.Base.Value, f.Head.Value)
		if (len(went) == 0 || !went.in(message)) && (field == "" || bare(message, field) == 0) {
			continue
		}
		if m := places().FindStringSubmatch(message); m != nil {
			line, _ := strconv.Atoi(m[2])
			return &event.Expectation{File: path.Join(path.Dir(cmp.Or(t.Base.File, f.Base.File, t.File)), m[1]), Line: line}
		}
	}
	return nil
}

// edited are the findings that say that a test which the change edits fails on base alone.
func edited(findings []event.Finding) []event.Finding {
	var out []event.Finding
	for _, f := range findings {
		if f.Rung == event.Observed && f.Intended && f.Test != "" && len(f.Changed) > 0 && f.Base.Outcome == event.Fail && f.Head.Outcome == event.Pass {
			out = append(out, f)
		}
	}
	return out
}

// fieldOf names the field in which two values that are printed like code begin to differ; "" outside of fields.
func fieldOf(base, head string) string {
	n := 0
	for n < min(len(base), len(head)) && base[n] == head[n] {
		n++
	}
	if m := fields().FindStringSubmatch(head[:n]); m != nil {
		return m[1]
	}
	return ""
}

// places matches the line at which a test complains.
var places = lazyregexp.New(`\b([\w-]+_test\.go):([0-9]+)`)

// fields matches the beginning of the value of a field at the end of a text.
var fields = lazyregexp.New(`(\w+):"?[^"\s:]*$`)

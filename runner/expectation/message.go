package expectation

import (
	"cmp"
	"path"
	"slices"
	"strconv"

	"github.com/isodelta/isodelta/internal/lazyregexp"
	"github.com/isodelta/isodelta/report/event"
)

// ofMessage returns the line at which an edited test complains on base about what a finding shows. The message has the value that only
// head gives, and either the value that only base gives or the name of the field. The finding runs all changed functions that
// the test runs.
func ofMessage(f event.Finding, tests []event.Finding) *event.Expectation {
	// Values count in a test that fails on both versions, too.
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

// edited returns the findings of edited tests that fail on base alone.
func edited(findings []event.Finding) []event.Finding {
	var out []event.Finding
	for _, f := range findings {
		if f.Rung == event.Observed && f.Intended && f.Test != "" && len(f.Changed) > 0 && f.Base.Outcome == event.Fail && f.Head.Outcome == event.Pass {
			out = append(out, f)
		}
	}
	return out
}

// fieldOf returns the name of the field in which two printed values begin to differ, "" for none.
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

// fields matches a field's name and the beginning of its value, at the end of a text.
var fields = lazyregexp.New(`(\w+):"?[^"\s:]*$`)

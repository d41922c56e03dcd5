package expectation

import (
	"slices"
	"strings"

	"github.com/isodelta/isodelta/report/event"
)

// maxRows bounds the lines in a row that are read as one expectation.
const maxRows = 5

// Mark returns the findings, those reached by calls that the change itself expects marked as
// intended, with the line; and those that a test sees, where all that differs is its own version or a phrase. What else differs of such a call goes with it, and so
// does what a test sees of the same values without failing.
func (e Edits) Mark(findings []event.Finding) []event.Finding {
	out := slices.Clone(findings)
	leaders := event.Leaders(out)
	expected := map[int]*event.Expectation{} // by what leads
	tests := edited(out)
	for i, f := range out {
		if x := e.of(f, tests); x != nil && expected[leaders[i]] == nil {
			expected[leaders[i]] = x
		}
	}
	for i, l := range leaders {
		if x := expected[l]; x != nil {
			out[i].Expected, out[i].Intended = x, true
		}
	}
	for i, f := range out {
		if f.Rung != event.Observed || f.Intended || f.Base.Outcome != event.Pass || f.Head.Outcome != event.Pass {
			continue
		}
		if at := slices.IndexFunc(out, func(o event.Finding) bool { return o.Rung == event.Reached && o.Expected != nil && sameValues(f, o) }); at >= 0 {
			out[i].Expected, out[i].Intended = out[at].Expected, true
		}
	}
	return out
}

// minSame is the number of bytes from which the values of two findings are not the same by chance, both versions together.
const minSame = 24

// sameValues reports whether two findings have the same values on base and on head.
func sameValues(f, o event.Finding) bool {
	return f.Base.Value == o.Base.Value && f.Head.Value == o.Head.Value && len(f.Base.Value)+len(f.Head.Value) >= minSame
}

// of returns where the change, or one of its tests that fail on base, expects a finding. It returns nil if nothing does.
func (e Edits) of(f event.Finding, tests []event.Finding) *event.Expectation {
	if x := ofMessage(f, tests); x != nil {
		return x
	}
	if f.Base.Outcome != event.Pass || f.Head.Outcome != event.Pass {
		return nil
	}
	if x := e.ofVersion(f); x != nil && f.Rung != event.Forced {
		return x
	}
	if x := e.ofWording(f); x != nil && f.Rung != event.Forced {
		return x
	}
	if x := e.ofSight(f); x != nil {
		return x
	}
	if f.Rung != event.Reached || f.Input == "" {
		return nil
	}
	if x := e.ofField(f); x != nil {
		return x
	}
	if x := e.ofReplacement(f); x != nil {
		return x
	}
	if x := e.ofWord(f); x != nil {
		return x
	}
	if x := e.ofTried(f); x != nil {
		return x
	}
	if x := e.ofUnknown(f); x != nil {
		return x
	}
	if x := e.ofEntry(f); x != nil {
		return x
	}
	base, head := literalsOf(f.Base.Value), literalsOf(f.Head.Value)
	d := difference{input: literalsOf(f.Input), base: base.without(head), head: head.without(base)}
	if len(d.input) == 0 || len(d.head) == 0 {
		return nil
	}
	for _, h := range e.hunks {
		if h.whole != "" && !names(h.whole, f.Function) {
			continue
		}
		if line := h.expects(d); line > 0 {
			return &event.Expectation{File: h.file, Line: line}
		}
	}
	return nil
}

// names reports whether code mentions a function or method, going by its name.
func names(code, function string) bool {
	return bare(strings.ReplaceAll(code, ".", " "), function[strings.LastIndexByte(function, '.')+1:]) > 0
}

// difference is a call with what each version alone gives.
type difference struct{ input, base, head literals }

// expects returns the number of the first of the fewest lines that say what head gives, 0
// for none.
func (h hunk) expects(d difference) int {
	wanted := d.input.with(d.head)
	if !wanted.in(h.text) {
		return 0
	}
	most := maxRows
	if !d.input.telling() || !d.head.telling() {
		if !h.replaces(d) {
			return 0
		}
		most = 1
	}
	for n := 1; n <= most; n++ {
		for i := range len(h.added) - n + 1 {
			rows := strings.Join(h.added[i:i+n], "\n")
			if wanted.in(rows) && !d.contradicted(rows) {
				return h.line + i
			}
		}
	}
	return 0
}

// replaces reports whether a removed line says the same of base.
func (h hunk) replaces(d difference) bool {
	was := d.input.with(d.base)
	return len(d.base) > 0 && slices.ContainsFunc(h.removed, was.in)
}

// contradicted reports whether lines hold what base alone gives, too. What the input holds
// is there anyhow.
func (d difference) contradicted(rows string) bool {
	for x, n := range d.base {
		if x.times(rows) >= n+d.input[x]+d.head[x] {
			return true
		}
	}
	return false
}

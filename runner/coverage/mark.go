package coverage

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/isodelta/isodelta/internal/regular"
	"github.com/isodelta/isodelta/isomorph"
	"github.com/isodelta/isodelta/runner/instrument"
	"github.com/isodelta/isodelta/runner/load"
	"github.com/isodelta/isodelta/runner/matching"
	"github.com/isodelta/isodelta/runner/outcome"
	"github.com/isodelta/isodelta/runner/version"
)

// maxSource bounds a source file, in bytes, that is read when tests have run:
// a test may have had leave to write to the folder.
const maxSource = 64 << 20

// marker knows what was executed and negated in one version.
type marker struct {
	root       string
	files      map[string][]byte // by name
	conditions map[load.Place]instrument.Condition
	arms       map[load.Place]outcome.Branch
	negated    map[outcome.Branch]bool // that some variant forced
	entered    map[load.Place]bool     // changed functions that a test executed
	covered    outcome.Bits            // branches, by the suites
	taken      outcome.Bits            // branches, by the suites, by variants, or by calls of our own
}

func (c *Coverage) newMarker(side version.Side) *marker {
	v := c.Matching.Versions[side]
	m := &marker{
		root: v.Root, files: map[string][]byte{}, conditions: map[load.Place]instrument.Condition{}, arms: map[load.Place]outcome.Branch{},
		negated: map[outcome.Branch]bool{}, entered: map[load.Place]bool{}, covered: c.Record.covered[side],
	}
	m.taken = outcome.Join(c.Record.explored[side], m.covered)
	// Where nothing was run, calls of our own do not tell what never ran.
	for _, b := range c.Record.called[side].Members() {
		if b < len(m.taken)*8 {
			m.taken.Add(b)
		}
	}
	for _, x := range v.Program.Conditions {
		m.conditions[x.Place] = x
	}
	for _, a := range v.Program.Arms {
		m.arms[a.Place] = outcome.Arm(len(v.Program.Conditions), a.Index)
	}
	for b := range c.Record.negated {
		m.negated[c.Matching.On(side, b)] = true
	}
	for k, f := range c.Matching.Changed {
		if c.Record.entered[side].Has(k) {
			m.entered[declared(matching.Span(f, side))] = true
		}
	}
	return m
}

// condition returns the condition that a node of a graph decides; false where there is
// none, or nothing is counted.
func (m *marker) condition(n isomorph.FlowNode) (instrument.Condition, bool) {
	if n.Condition == nil {
		return instrument.Condition{}, false
	}
	x, ok := m.conditions[*n.Condition]
	return x, ok
}

// arm returns the branch without a condition, such as that of a loop, that is counted
// where a node of a file starts; false where there is none.
func (m *marker) arm(n isomorph.FlowNode, file string) (outcome.Branch, bool) {
	if len(n.Text) == 0 {
		return 0, false
	}
	b, ok := m.arms[load.Place{File: file, Offset: n.Text[0].Start}]
	return b, ok
}

// source returns the text of a declaration; empty without one.
func (m *marker) source(at *isomorph.Span) sourceText {
	if at == nil {
		return sourceText{}
	}
	all := strings.Split(string(m.file(at.File)), "\n")
	if at.Line < 1 || at.EndLine > len(all) || at.Line > at.EndLine {
		return sourceText{}
	}
	lines := slices.Clone(all[at.Line-1 : at.EndLine])
	for i, l := range lines {
		lines[i] = strings.ToValidUTF8(strings.TrimSuffix(l, "\r"), "\uFFFD")
	}
	return sourceText{at.Line, lines}
}

// file reads a source file of the version. One that cannot be read any more
// leaves its nodes without a text, and the report with its lines alone.
func (m *marker) file(name string) []byte {
	text, seen := m.files[name]
	if !seen {
		text, _ = regular.ReadFile(filepath.Join(m.root, filepath.FromSlash(name)), maxSource)
		m.files[name] = text
	}
	return text
}

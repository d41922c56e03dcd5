package aim

import (
	"fmt"
	"slices"
	"strings"

	"github.com/isodelta/isodelta/isomorph"
	"github.com/isodelta/isodelta/runner/instrument"
	"github.com/isodelta/isodelta/runner/load"
	"github.com/isodelta/isodelta/runner/outcome"
)

// Line is what people ask for: a line of a file, and the outcome of its conditions.
type Line struct {
	File    string // relative to the tree
	Line    int
	Outcome *bool // nil for both
}

// Goal is one branch.
type Goal struct {
	File     string
	Line     int
	Text     string // of the condition; of an arm what it is
	Outcome  bool   // of the condition
	Arm      bool   // there is no condition
	Package  string
	Function string
	Place    load.Place
	from, to int // of an arm's body
	nth      int // among the conditions of the line
	branch   int // as package probe numbers them
}

// String says what the branch is.
func (g Goal) String() string {
	if g.Arm {
		return g.Text
	}
	return fmt.Sprintf("%s is %t", g.Text, g.Outcome)
}

// id tells the goals of a file apart, in names of tests.
func (g Goal) id() string {
	id := fmt.Sprint(g.Line)
	if !g.Arm {
		id += fmt.Sprint(g.Outcome)
	}
	if g.nth > 1 {
		id += fmt.Sprint(g.nth)
	}
	return id
}

// A LineError says that there is no branch on a line.
type LineError struct {
	Line   Line
	Nearby []int // lines with conditions
}

func (e *LineError) Error() string {
	if len(e.Nearby) == 0 {
		return fmt.Sprintf("%s:%d: no condition decides anything there, nor elsewhere in the file", e.Line.File, e.Line.Line)
	}
	var list []string
	for _, n := range e.Nearby {
		list = append(list, fmt.Sprint(n))
	}
	return fmt.Sprintf("%s:%d: no condition decides anything there; the nearest lines with one: %s", e.Line.File, e.Line.Line, strings.Join(list, ", "))
}

// A FileError says that a file is none of the version's code.
type FileError struct{ File string }

func (e *FileError) Error() string {
	return fmt.Sprintf("%s: no file of the module's code: name one as seen from here; tests, generated code that cgo needs and files that build tags leave out do not count", e.File)
}

// Goals returns the branches on a line.
func Goals(t *load.Tree, p *instrument.Program, l Line) ([]Goal, error) {
	var out []Goal
	known, nth := false, 0
	lines := map[int]bool{}
	for _, c := range p.Conditions {
		if c.File != l.File {
			continue
		}
		known, lines[c.Line] = true, true
		if c.Line != l.Line {
			continue
		}
		nth++
		for _, v := range []bool{true, false} {
			if l.Outcome == nil || *l.Outcome == v {
				g := At(t, p, outcome.Of(c.Index, v))
				g.nth = nth
				out = append(out, g)
			}
		}
	}
	for _, a := range p.Arms {
		if a.File != l.File {
			continue
		}
		known = true
		taken := l.Outcome == nil || *l.Outcome // executed is as good as true
		lines[a.Line] = lines[a.Line] || taken
		if a.Line == l.Line && taken {
			out = append(out, At(t, p, outcome.Arm(len(p.Conditions), a.Index)))
		}
	}
	if len(out) > 0 {
		return out, nil
	}
	if !known && !hasFile(t, l.File) {
		return nil, &FileError{l.File}
	}
	return nil, &LineError{l, nearest(lines, l.Line)}
}

// At returns a branch of a program as a goal.
func At(t *load.Tree, p *instrument.Program, b outcome.Branch) Goal {
	if n := int(b) - 2*len(p.Conditions); n >= 0 {
		a := p.Arms[n]
		from, to := armBody(t, a)
		return Goal{File: a.File, Line: a.Line, Text: armText(a.Kind), Arm: true, Package: a.Package, Function: a.Function, Place: a.Place,
			from: from, to: to, branch: int(b)}
	}
	c := p.Conditions[b.Condition()]
	return Goal{File: c.File, Line: c.Line, Text: c.Text, Outcome: b.Value(), Package: c.Package, Function: c.Function, Place: c.Place,
		nth: 1, branch: int(b)}
}

func armText(kind string) string {
	switch kind {
	case "range", "for":
		return "the body of the loop is executed"
	}
	return "the clause is executed"
}

// maxNearby is how many lines are named in place of one without a condition.
const maxNearby = 4

func nearest(lines map[int]bool, to int) []int {
	var list []int
	for n, ok := range lines {
		if ok {
			list = append(list, n)
		}
	}
	away := func(n int) int { return max(n-to, to-n) }
	slices.SortFunc(list, func(a, b int) int {
		if away(a) != away(b) {
			return away(a) - away(b)
		}
		return a - b
	})
	list = list[:min(len(list), maxNearby)]
	slices.Sort(list)
	return list
}

// ahead is the goal as package isomorph takes it.
func (g Goal) ahead() isomorph.Goal {
	return isomorph.Goal{Condition: g.Place, Outcome: g.Outcome, From: g.from, To: g.to}
}

package blame

import (
	"cmp"
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"slices"
	"strings"

	"github.com/isodelta/isodelta/runner/revision"
)

// lines are some lines of head, counted from 1, both ends included. Where base alone has lines, the end is
// before the first: they stand before it.
type lines struct{ from, to int }

func (l lines) meets(other lines) bool { return l.from <= other.to && other.from <= l.to }

// A unit is what is put back to what it is on base: some hunks of one file.
type unit struct {
	file  string // slash-separated, relative to the tree
	hunks []revision.Hunk
	// lines are those of head from the first hunk to the last.
	lines
	// declared says whose lines these are: of one declaration, or of several that differ in one piece.
	declared lines
}

// place tells the declarations of units apart.
type place struct {
	file string
	lines
}

// at is the declaration that a unit is of.
func (u unit) at() place { return place{u.file, u.declared} }

// fileEdits are the units of one file.
type fileEdits struct {
	change revision.Change
	base   []string // lines
	head   []string
	units  []unit          // by declaration, in the order of the file
	gone   []revision.Hunk // what base alone has between declarations
}

// unitsOf takes a file's hunks to the declarations of head. Hunks that change nothing but comments and
// blank lines, and imports, are left out.
func unitsOf(c revision.Change, base, head string) (fileEdits, error) {
	edits := fileEdits{change: c, base: strings.Split(base, "\n"), head: strings.Split(head, "\n")}
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "", head, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return edits, err
	}
	hunks := slices.DeleteFunc(slices.Clone(c.Hunks), func(h revision.Hunk) bool { return !edits.isCode(h) })
	within := map[revision.Hunk]bool{}
	for _, d := range file.Decls {
		at := lines{fset.PositionFor(d.Pos(), false).Line, fset.PositionFor(d.End(), false).Line}
		u := unit{file: c.Path, declared: at}
		for _, h := range hunks {
			if h.HeadLines > 0 && linesOf(h).meets(at) || h.HeadLines == 0 && at.from < h.HeadLine && h.HeadLine <= at.to {
				u.hunks = append(u.hunks, h)
				within[h] = true
			}
		}
		if g, ok := d.(*ast.GenDecl); !ok || g.Tok != token.IMPORT {
			edits.add(u)
		}
	}
	for _, h := range hunks {
		if !within[h] {
			edits.gone = append(edits.gone, h)
		}
	}
	return edits, nil
}

// add adds a unit, or makes it one with the unit before if they have a hunk in common.
func (e *fileEdits) add(u unit) {
	if len(u.hunks) == 0 {
		return
	}
	if n := len(e.units); n > 0 && slices.Contains(e.units[n-1].hunks, u.hunks[0]) {
		last := &e.units[n-1]
		last.hunks = append(last.hunks, u.hunks[1:]...)
		last.declared.to = u.declared.to
		last.lines = spanOf(last.hunks)
		return
	}
	u.lines = spanOf(u.hunks)
	e.units = append(e.units, u)
}

// parts are the hunks of a unit, each a unit of its own; nil where there is one.
func (u unit) parts() []unit {
	if len(u.hunks) < 2 {
		return nil
	}
	var parts []unit
	for _, h := range u.hunks {
		parts = append(parts, unit{file: u.file, hunks: []revision.Hunk{h}, lines: linesOf(h), declared: u.declared})
	}
	return parts
}

func linesOf(h revision.Hunk) lines { return lines{h.HeadLine, h.HeadLine + h.HeadLines - 1} }

func spanOf(hunks []revision.Hunk) lines {
	first, last := linesOf(hunks[0]), linesOf(hunks[len(hunks)-1])
	return lines{first.from, max(last.to, last.from)}
}

// isCode reports whether a hunk is about more than comments and blank lines.
func (e *fileEdits) isCode(h revision.Hunk) bool {
	code := func(lines []string) string {
		var b strings.Builder
		for _, line := range lines {
			if line = strings.TrimSpace(line); !strings.HasPrefix(line, "//") {
				b.WriteString(line)
			}
		}
		return b.String()
	}
	return code(cut(e.base, h.BaseLine, h.BaseLines)) != code(cut(e.head, h.HeadLine, h.HeadLines))
}

// cut are n lines from a line on, which is counted from 1.
func cut(all []string, from, n int) []string {
	return all[min(from-1, len(all)):min(from-1+n, len(all))]
}

// without returns head's text with hunks as they are on base.
func (e *fileEdits) without(hunks []revision.Hunk) string {
	hunks = slices.Clone(hunks)
	slices.SortFunc(hunks, func(a, b revision.Hunk) int { return cmp.Compare(a.HeadLine, b.HeadLine) })
	var out []string
	at := 0
	for _, h := range hunks {
		from := min(h.HeadLine-1, len(e.head))
		if from < at {
			continue // twice in the list
		}
		out = append(out, e.head[at:from]...)
		out = append(out, e.base[h.BaseLine-1:h.BaseLine-1+h.BaseLines]...)
		at = from + h.HeadLines
	}
	return strings.Join(append(out, e.head[at:]...), "\n")
}

// text is the whole file on base.
func (e *fileEdits) text() string { return strings.Join(e.base, "\n") }

// isCodeFile reports whether units are looked for in a file.
func isCodeFile(c revision.Change) bool {
	return !c.Test && !c.Testdata && path.Ext(c.Path) == ".go" && (c.Status == revision.Modified || c.Status == revision.Renamed) && len(c.Hunks) > 0
}

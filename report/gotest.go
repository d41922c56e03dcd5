package report

import (
	"slices"
	"strings"

	"github.com/isodelta/isodelta/report/event"
)

// Limits of a Go test that is shown, in lines.
const (
	testHeight     = 120 // where it is folded
	testTerminal   = 30
	testLineLength = 1000   // characters
	testSize       = 12_000 // bytes, of all lines
)

// listing is a Go test as it can be shown.
type listing struct {
	lines []string
	// exact says that the lines are the whole test, so that they can be pasted.
	// Otherwise it was cut, or something invisible in it was spelled out.
	exact bool
}

// listingOf keeps the tabs: they may be within a raw string.
func listingOf(goTest string, height int) listing {
	all := strings.Split(strings.TrimSuffix(goTest, "\n"), "\n")
	size := 0
	for i, line := range all {
		if size += len(line) + 1; size > testSize {
			height = min(height, i)
			break
		}
	}
	l := listing{exact: len(all) <= height}
	for _, text := range all[:min(len(all), height)] {
		parts := strings.Split(text, "\t")
		for i := range parts {
			parts[i] = visible(parts[i])
		}
		line := strings.Join(parts, "\t")
		if r := []rune(line); len(r) > testLineLength {
			line = string(r[:testLineLength-1]) + "…"
		}
		l.exact = l.exact && line == text && !strings.Contains(line, "<!-")
		l.lines = append(l.lines, line)
	}
	if over := len(all) - height; over > 0 {
		l.lines = append(l.lines, "// … "+count(over, "more line"))
	}
	return l
}

// spaced returns the lines with spaces in the place of tabs, for a terminal. Tabs
// that do not indent would be lost on the reader who copies them, so they make
// it inexact.
func (l listing) spaced() listing {
	out := listing{slices.Clone(l.lines), l.exact}
	for i, line := range out.lines {
		rest := strings.TrimLeft(line, "\t")
		out.exact = out.exact && !strings.Contains(rest, "\t")
		out.lines[i] = strings.Repeat("    ", len(line)-len(rest)) + strings.ReplaceAll(rest, "\t", "    ")
	}
	return out
}

// withoutTests is a stream without the Go tests that it holds.
func withoutTests(s *event.Stream) *event.Stream {
	out := *s
	out.Findings, out.Relations = slices.Clone(s.Findings), slices.Clone(s.Relations)
	for i := range out.Findings {
		out.Findings[i].GoTest, out.Findings[i].GoTestFile = "", ""
	}
	for i := range out.Relations {
		out.Relations[i].GoTest, out.Relations[i].GoTestFile = "", ""
	}
	return &out
}

// fileOf names the file of the test of a finding.
func fileOf(f event.Finding) phrase { return testFile(f.GoTestFile, f.Package) }

func testFile(file, pkg string) phrase {
	if file == "" {
		return say("a test file of ", named(shorten(pkg, nameLength)))
	}
	return named(shorten(file, nameLength))
}

package expectation

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/isodelta/isodelta/report/event"
)

// minTried is the number of characters from which a text of an edited test counts as its own.
const minTried = 3

// ofTried returns the line of an edited test with a text that the call is given, too. The test fails without the edits to blame, and
// the text is new in its file. A call that fails on head is explained only if the test names the function.
func (e Edits) ofTried(f event.Finding) *event.Expectation {
	test := neededBy(f)
	if test == "" || f.Kind != event.KindValue && f.Kind != event.KindErrorToValue && f.Kind != event.KindValueToError {
		return nil
	}
	input := literalsOf(f.Input)
	for _, h := range e.hunks {
		from, to := linesOf(h.whole, test)
		if from == 0 || f.Kind == event.KindValueToError && !names(strings.Join(cut(strings.Split(h.whole, "\n"), from, to-from+1, whole), "\n"), f.Function) {
			continue
		}
		for i, line := range h.added {
			if n := h.line + i; from <= n && n <= to && h.tries(line, input) {
				return &event.Expectation{File: h.file, Line: n}
			}
		}
	}
	return nil
}

// tries reports whether a line has a text of the input that the file on base does not contain.
func (h hunk) tries(line string, input literals) bool {
	for x := range literalsOf(line) {
		if x.quoted && input[x] > 0 && utf8.RuneCountInString(x.text) >= minTried &&
			!strings.Contains(h.before, strconv.Quote(x.text)) && !strings.Contains(h.before, "`"+x.text+"`") {
			return true
		}
	}
	return false
}

// neededBy returns the test that fails without each of the edits to blame, and "" if it is not the same for all.
func neededBy(f event.Finding) string {
	test := ""
	for i, e := range f.Blamed {
		if e.ExpectedBy == "" || i > 0 && e.ExpectedBy != test {
			return ""
		}
		test = e.ExpectedBy
	}
	// The rows of a table are part of the function.
	test, _, _ = strings.Cut(test, "/")
	return test
}

// linesOf returns the first and the last line of a function in a file of Go code, and 0 if it is not there.
func linesOf(code, name string) (from, to int) {
	if !strings.Contains(code, "func "+name+"(") {
		return 0, 0
	}
	set := token.NewFileSet()
	file, _ := parser.ParseFile(set, "", code, parser.SkipObjectResolution)
	if file == nil {
		return 0, 0
	}
	for _, d := range file.Decls {
		if d, ok := d.(*ast.FuncDecl); ok && d.Recv == nil && d.Name.Name == name {
			return set.Position(d.Pos()).Line, set.Position(d.End()).Line
		}
	}
	return 0, 0
}

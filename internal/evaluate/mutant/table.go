package mutant

import (
	"fmt"
	"go/scanner"
	"go/token"
	"io"
	"os"
	"text/tabwriter"
	"time"

	"github.com/isodelta/isodelta/runner/load"
)

// A Row is one subject of Table 1.
type Row struct {
	Subject string
	Lines   int // of code, see Lines
	Set     *Set
	Verdict *Verdict
}

// Table1 prints the paper's Table 1 (without branches, which an instrumented
// run counts) with what is particular to these mutants.
func Table1(w io.Writer, rows []Row) error {
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	_, _ = fmt.Fprintln(tw, "Subject\tLOC\tTests\tM_all\tM_kill\ttimed out\tstructural\tplain\tcandidates\trejected\tseconds\t")
	for _, r := range rows {
		structural, plain := 0, 0
		for _, m := range r.Set.Mutants {
			if m.Structural {
				structural++
			}
			if m.Plain {
				plain++
			}
		}
		_, _ = fmt.Fprintf(tw, "%s\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%.1f\t\n", r.Subject, r.Lines, r.Verdict.Tests,
			len(r.Set.Mutants), r.Verdict.Detected(), r.Verdict.Count(TimedOut), structural, plain,
			r.Set.Candidates, r.Set.Rejected, r.Verdict.Took.Round(100*time.Millisecond).Seconds())
	}
	return tw.Flush() // which also gives the first error of the writes before
}

// Lines counts the lines of the tree's non-test code that hold more than
// comments and space.
func Lines(t *load.Tree) (int, error) {
	n := 0
	for _, pkg := range t.Packages {
		if pkg.Code == nil {
			continue
		}
		for _, name := range pkg.Code.GoFiles {
			src, err := os.ReadFile(name)
			if err != nil {
				return 0, err
			}
			n += codeLines(src)
		}
	}
	return n, nil
}

func codeLines(src []byte) int {
	fset := token.NewFileSet()
	file := fset.AddFile("", fset.Base(), len(src))
	var s scanner.Scanner
	s.Init(file, src, nil, 0)
	seen := map[int]bool{}
	for {
		pos, tok, lit := s.Scan()
		switch {
		case tok == token.EOF:
			return len(seen)
		case tok == token.SEMICOLON && lit == "\n":
			continue // inserted by the scanner
		}
		first := file.Line(pos)
		last := first
		if tok == token.STRING {
			last = file.Line(pos + token.Pos(len(lit)) - 1) // a raw string is code on all its lines
		}
		for l := first; l <= last; l++ {
			seen[l] = true
		}
	}
}

package mistake

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// A Mistake is one thing that is wrong in a file.
type Mistake struct {
	File   string
	Line   int // from 1; 0 where the whole file is meant
	Column int // from 1; 0 where it is not known
	Msg    string
}

func (m *Mistake) Error() string {
	switch {
	case m.Line == 0:
		return fmt.Sprintf("%s: %s", m.File, m.Msg)
	case m.Column == 0:
		return fmt.Sprintf("%s:%d: %s", m.File, m.Line, m.Msg)
	}
	return fmt.Sprintf("%s:%d:%d: %s", m.File, m.Line, m.Column, m.Msg)
}

// List is all mistakes of a file, in the order of the file once it is sorted.
type List []*Mistake

// Error returns one line for each mistake.
func (l List) Error() string {
	lines := make([]string, len(l))
	for i := range l {
		lines[i] = l[i].Error()
	}
	return strings.Join(lines, "\n")
}

// Unwrap returns the single mistakes to errors.As.
func (l List) Unwrap() []error {
	errs := make([]error, len(l))
	for i := range l {
		errs[i] = l[i]
	}
	return errs
}

// Add puts a mistake at the end.
func (l *List) Add(file string, line, column int, msg string) {
	*l = append(*l, &Mistake{file, line, column, msg})
}

// Err returns the mistakes by line and column, those of one place in the order in
// which they were found; nil without any.
func (l List) Err() error {
	if len(l) == 0 {
		return nil
	}
	sorted := slices.Clone(l)
	slices.SortStableFunc(sorted, func(a, b *Mistake) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
	return sorted
}

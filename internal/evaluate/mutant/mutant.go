package mutant

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/isodelta/isodelta/runner/load"
)

// An Operator is a kind of fault.
type Operator string

// The operators.
const (
	Relational Operator = "relational"
	Arithmetic Operator = "arithmetic"
	Logical    Operator = "logical"
	Constant   Operator = "constant"
	Deletion   Operator = "deletion"
)

// A Mutant is one fault at one place.
type Mutant struct {
	ID       int // from 1, in order of place, unique in its Set; what selects it at run time
	Operator Operator
	File     string // relative to the tree's root, with slashes
	Line     int    // where the mutated expression or statement starts
	Function string // that holds it, such as "(*T).Name"; "" in a package's variables

	Original, Replacement string // of the bytes below
	Start, End            int    // byte offsets in the original file

	Before, After string // the whole expression or statement, on one line, for people

	// Structural mutants change which conditions a decision has, or their
	// order, so that the original's conditions are not the mutant's.
	Structural bool
	// Plain mutants cannot be held by the schemata, only applied. Set it to
	// have Kill build a program of the mutant's own.
	Plain bool
	// Initial mutants are in the initialiser of a package's variable: choosing
	// one after the program has started has no effect.
	Initial bool
}

// String names the mutant for people.
func (m Mutant) String() string {
	after := m.After
	if after == "" {
		after = "deleted"
	}
	return fmt.Sprintf("%d %s %s:%d %s: %s → %s", m.ID, m.Operator, m.File, m.Line, m.Function, m.Before, after)
}

// Apply returns a file with one mutant in it. No line moves. The source must be
// the file's that the mutant was made from.
func Apply(src []byte, m Mutant) []byte {
	var out bytes.Buffer
	out.Grow(len(src) + len(m.Replacement))
	out.Write(src[:m.Start])
	out.WriteString(m.Replacement)
	out.Write(src[m.End:])
	return out.Bytes()
}

// While puts a mutant into the tree in dir, calls do, and takes it out again.
func While(dir string, m Mutant, do func() error) (err error) {
	file := filepath.Join(dir, filepath.FromSlash(m.File))
	src, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.WriteFile(file, src, 0o644)) }()
	if err := os.WriteFile(file, Apply(src, m), 0o644); err != nil {
		return err
	}
	return do()
}

// Shift returns the place, in the tree with the mutant applied, of what stands at a
// place of the original. Places within the replaced bytes give their start. It is
// exact for mutants that are not Structural.
func (m Mutant) Shift(at load.Place) load.Place {
	switch {
	case at.File != m.File:
	case at.Offset >= m.End && (m.Start == m.End || at.Offset > m.Start):
		at.Offset += len(m.Replacement) - len(m.Original)
	case at.Offset > m.Start:
		at.Offset = m.Start
	}
	return at
}

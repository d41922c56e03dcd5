//go:build go1.21

package wire

import probe "github.com/isodelta/isodelta/runner/probe"

// Views are the ways to look at the place where versions differ, as one
// version shows them, in the order in which a reader would want them.
type Views struct {
	Ending  probe.Ending // of the last step
	Message string       // of its panic
	Type    string       // of the subject, as reflect names it
	List    []View
	Imports map[string]string // what Expr and Literal of the list name: see Code
}

// View is one way to look at the subject. Two versions are compared by Literal
// in views of the same Expr; a view that only one of them has says nothing.
type View struct {
	Style Style
	// Expr is a Go expression with SubjectMark for the subject.
	Expr string
	// Literal is a Go expression of what Expr gave: an untyped constant or of
	// the type of Expr.
	Literal string
	Text    string // what is shown to people, at most 2 KiB
	Address bool   // may hold an address of memory
	// Internal says that something unexported is named.
	Internal bool
}

// Style says how a View is compared.
type Style byte

const (
	StyleNil   Style = iota // Expr is compared with nil: Literal is "true" if it is nil
	StyleEqual              // by !=
	StyleDeep               // by reflect.DeepEqual
	StyleText               // Expr gives a string
	StyleRead               // Expr is a reader, which is read to its end
)

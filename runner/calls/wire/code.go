//go:build go1.21

package wire

import (
	"strings"
	"unicode"
)

// Place says where in a sequence's trace two versions differ.
type Place struct {
	Kind  PlaceKind
	Step  int // unless AtAfter
	Index int // of StepTrace.Components or of Trace.After
}

// PlaceKind says what kind of a thing differs.
type PlaceKind byte

const (
	AtEnding    PlaceKind = iota // how step Step ends
	AtComponent                  // component Index of step Step
	AtAfter                      // component Index of what is looked at in the end
)

// Marks in texts of Code and View. Quoted literals cannot contain them.
const (
	qualifierMark = "\x00" // around an import path, see Code
	SubjectMark   = "\x02" // in a View: the subject's expression
	asideMark     = "\x04" // around what only a compiler needs, see Aside
)

// Code is a sequence as Go statements.
//
// Names of packages are left open in all texts: a qualifier is the import path
// between two NUL characters, directly in front of the identifier, which no Go
// string literal written here can contain. Qualify fills them in. That goes for
// the package under test too, whose qualifier is empty within it.
type Code struct {
	Lines []string // statements; one may span several lines of text
	Setup int      // so many lines stand in front of the last call
	// Imports are the packages named, with the names that the variables
	// stay clear of.
	Imports map[string]string
	// Internal says that something unexported is named: only a test in the
	// package can do that. External says that something is named that the
	// package's external tests declare.
	Internal, External bool
	Call               string // the last call as an expression, for people
	// Subject is the expression of the value that differs, behind Lines; ""
	// if the ending differs.
	Subject string
	Vars    []string // names of the variables
	// Stream is "Stdout" or "Stderr" where what the last call writes there differs: the
	// subject is a text then, which whoever uses the code has to catch.
	Stream string
	// Stubs are types and functions that the statements name and that a test has to declare.
	Stubs []Stub
}

// Stub is a type that implements an interface, with its methods, or a function that stands for
// one of this program's.
type Stub struct{ Name, Text string }

// Qualifier returns the qualifier of a package, as Code says.
func Qualifier(path string) string { return qualifierMark + path + qualifierMark }

// Aside marks a part of a text of Code that the compiler needs and that people read better without.
func Aside(text string) string { return asideMark + text + asideMark }

// ForPeople leaves out what Aside marks.
func ForPeople(text string) string {
	parts := strings.Split(text, asideMark)
	kept := parts[0]
	for i := 2; i < len(parts); i += 2 {
		kept += parts[i]
	}
	return kept
}

// Qualify replaces the qualifiers in a text of Code or View by what name
// gives for the import path, such as "strings." or "". Marks of Aside are dropped.
func Qualify(text string, name func(path string) string) string {
	text = strings.ReplaceAll(text, asideMark, "")
	parts := strings.Split(text, qualifierMark)
	for i := 1; i < len(parts); i += 2 {
		parts[i] = name(parts[i])
	}
	return strings.Join(parts, "")
}

// GuessPackageName guesses a package's name from its import path.
func GuessPackageName(path string) string {
	parts := strings.Split(path, "/")
	last := parts[len(parts)-1]
	if len(parts) > 1 && len(last) > 1 && last[0] == 'v' && strings.Trim(last[1:], "0123456789") == "" {
		last = parts[len(parts)-2]
	}
	if i := strings.Index(last, ".v"); i > 0 {
		last = last[:i]
	}
	last = strings.TrimSuffix(strings.TrimPrefix(last, "go-"), "-go")
	name := strings.Map(func(r rune) rune {
		if r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) {
			return r
		}
		return -1
	}, last)
	if name == "" || unicode.IsDigit(rune(name[0])) {
		name = "p" + name
	}
	return name
}

//go:build go1.21

package wire

import probe "github.com/isodelta/isodelta/runner/probe"

// Question asks for one sequence in detail; where Place is given, also for the value at the place, and
// unless it is to be Brief for the sequence as Go source and for the ways to look at the place.
type Question struct {
	Sequence []byte
	Place    *Place
	Brief    bool
}

// Answer tells what it did.
type Answer struct {
	Invalid bool
	Steps   []StepAnswer
	After   []ValueAnswer
	Entered []int // members of Δ
	Sent    bool  // something to other machines, or tried to
	Drew    bool  // random numbers, or what else differs from run to run; see Valued
	// Last are the members of Δ that the last step executed by itself; with a place, unless it is brief.
	Last []int
	// Branches are those taken; without a place in the question, or briefly, of Setup.Near alone. Leaves, and
	// Code and Views, answer a question with a place; NoCode says why there is none.
	Branches []int
	Leaves   []Leaf // what the value at the place is made of
	Code     Code
	Views    Views
	NoCode   string
}

// StepAnswer is one step.
type StepAnswer struct {
	Op         string
	Ending     int
	Message    string
	NilArgs    []int       // see StepTrace
	At         probe.Frame // where it panicked, see probe.PanickedAt
	Components []ValueAnswer
}

// ValueAnswer is one component.
type ValueAnswer struct {
	Name         string
	Step, Result int // where it can be found again: a result of a step, or
	Arg          int // an argument of it; -1 for none
	Text         string
	Category     string // e: an error, n: nil, z: empty, v: any other value
	Type         string
	Printed      bool // what the step wrote to a stream
}

// SourceQuestion asks for sequences whose last step calls an operation.
type SourceQuestion struct {
	Op   Op
	Most int
	// Kept are sequences to cut such calls out of.
	Kept [][]byte
}

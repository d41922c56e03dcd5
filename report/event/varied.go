package event

import "strings"

// Strength is how strong the evidence is. A test that is varied has an input of ours, as a call has that reaches
// the change: nobody's test sees it as it is.
func (f Finding) Strength() Rung {
	if f.Varied != nil {
		return Reached
	}
	return f.Rung
}

// Varied is a literal or a statement of a test, in Go source, and what stands in its place: nothing, where a
// statement is left out, and the statement itself more than once, where it is executed so often.
type Varied struct {
	File string `json:"file" jsonschema:"format=local-path"` // slash-separated, relative to the repository
	Line int    `json:"line"`
	// Ordinal counts, from 0, what reads the same in the same function.
	Ordinal int    `json:"ordinal"`
	Was     string `json:"was"`
	Is      string `json:"is"`
}

// LeftOut reports whether a statement is left out.
func (v Varied) LeftOut() bool { return v.Is == "" }

// Twice reports whether a statement is executed twice.
func (v Varied) Twice() bool { return v.Is == v.Was+"; "+v.Was }

// Row reports whether a row of a table has a field of another row.
func (v Varied) Row() bool { return strings.Contains(v.Is, " = "+v.Was+"[") }

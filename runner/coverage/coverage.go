package coverage

import (
	"github.com/isodelta/isodelta/runner/matching"
	"github.com/isodelta/isodelta/runner/stage"
	"github.com/isodelta/isodelta/runner/version"
)

// Coverage tells what was executed: drawn in the graphs of functions, and counted.
type Coverage struct {
	Env      *stage.Env
	Matching *matching.Matching
	Record   *Record
	Strict   bool // graphs are matched without resynchronising
}

func (c *Coverage) module() string { return c.Matching.Versions[version.Head].Tree.Module }

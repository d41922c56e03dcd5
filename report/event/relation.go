package event

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
)

// Limits of a Relation, beside the "maxLength" tags, whose numbers these are, in
// characters. A stream that exceeds them is not valid; Fit keeps to them.
const (
	MaxRelatedCalls = 16      // of a counterexample
	MaxRelation     = 4096    // of a relation in mathematical notation
	MaxRelatedText  = 1 << 14 // of a call of a counterexample, and of what it gave
	MaxParts        = 8       // of a call, that differ
	MaxJudged       = 64      // inputs of findings that a relation was judged on
)

// Relation is a metamorphic relation of one function and what has become of it:
// if inputs are related so, outputs are related so.
type Relation struct {
	Type     string         `json:"type" jsonschema:"enum=relation"`
	Module   string         `json:"module,omitempty"`              // joins it to its Versions where a repository has several modules
	ID       string         `json:"id" jsonschema:"maxLength=200"` // of function and relation, the same from run to run
	Function string         `json:"function"`                      // as in the changed set
	Package  string         `json:"package" jsonschema:"format=import-path"`
	File     string         `json:"file,omitempty" jsonschema:"format=local-path"` // of head; relative to the repository
	Line     int            `json:"line,omitempty"`                                // of the function
	Exported bool           `json:"exported"`                                      // the function is
	Name     string         `json:"name" jsonschema:"maxLength=200"`               // odd, idempotent, periodic …, or as declared
	Relation string         `json:"relation" jsonschema:"maxLength=4096"`          // in mathematical notation: f(-x) = -f(x)
	Source   RelationSource `json:"source"`
	At       string         `json:"at,omitempty"` // where it is declared, or the test of base that states it, "file:line", relative to the repository
	State    RelationState  `json:"state"`
	Groups   int            `json:"groups"` // metamorphic groups that were run on both versions
	// Failing are the groups for which it does not hold: on head, of a new
	// relation on base, of a violated one on either.
	Failing int `json:"failing"`
	// Tolerance is the relative one for floating-point outputs, 0 for none.
	Tolerance float64 `json:"tolerance,omitempty"`
	// Refutes are the virtual mutants of the function that it refutes, as a set of bits in
	// hexadecimal digits: which relations of one function say the most together. "" where
	// that is not known. The relations of a function in a stream have the same numbering.
	Refutes string `json:"refutes,omitempty" jsonschema:"maxLength=128,pattern=^([0-9a-f]{2})*$"`
	// Counterexample is the smallest group that fails: the source call first,
	// then the follow-up calls.
	Counterexample []RelatedCall `json:"counterexample,omitempty" jsonschema:"maxItems=16"`
	// Judged are the inputs of findings that the relation was judged on, by finding.
	Judged []JudgedInput `json:"judged,omitempty" jsonschema:"maxItems=64"`
	// Program replays the source call of the counterexample, of a relation that test
	// binaries are built with; what it holds is the engine's affair.
	Program string `json:"program,omitempty" jsonschema:"maxLength=262144"`
	// Changed are the changed functions that ran in the counterexample, and Cause the hash
	// that an acceptance of a broken relation names, 64 hexadecimal digits.
	Changed []string `json:"changed,omitempty"`
	Cause   string   `json:"cause,omitempty" jsonschema:"pattern=^[0-9a-f]{64}$"`
	// Accepted says that somebody took it on that the relation is broken; nil for none.
	Accepted *Acceptance `json:"accepted,omitempty"`
	// Proposed is an acceptance that head's own file adds and that does not count.
	Proposed *Acceptance `json:"proposed,omitempty"`
	// GoTest is a whole Go test file, formatted: of a broken relation, one that
	// passes on base and fails on head.
	GoTest     string `json:"go_test,omitempty" jsonschema:"maxLength=131072"`
	GoTestFile string `json:"go_test_file,omitempty" jsonschema:"format=local-path"` // where to put it, relative to the repository
}

// RelatedCall is one call of a metamorphic group and what both versions gave.
type RelatedCall struct {
	Call string `json:"call" jsonschema:"maxLength=16384"` // a Go expression, or statements of which the last is the call
	Base string `json:"base" jsonschema:"maxLength=16384"` // rendered results
	Head string `json:"head" jsonschema:"maxLength=16384"`
	// Differs are the parts that are not the same, the first ones of what is no single
	// value; unexported state included, which Base and Head need not show.
	Differs []PartDiffers `json:"differs,omitempty" jsonschema:"maxItems=8"`
}

// PartDiffers is a part of what a call gave. Base or Head is empty where there is no such
// part.
type PartDiffers struct {
	Path string `json:"path" jsonschema:"maxLength=400"` // a Go expression: result[2].End, len(s.list)
	Base string `json:"base" jsonschema:"maxLength=400"`
	Head string `json:"head" jsonschema:"maxLength=400"`
}

// LackingZero reports whether the part is the zero value of a field that one version lacks. It tells nothing where something else
// differs.
func (p PartDiffers) LackingZero() bool {
	switch p.Base + p.Head {
	case `""`, "0", "false", "nil":
		return (p.Base == "" || p.Head == "") && !strings.HasSuffix(p.Path, "]") && !strings.HasSuffix(p.Path, ")")
	}
	return false
}

// Part is a part of a value.
type Part struct {
	Path  string `json:"path" jsonschema:"maxLength=400"` // a Go expression: receiver.next.name
	Value string `json:"value" jsonschema:"maxLength=400"`
}

// MaxGiven bounds the parts of Finding.Given.
const MaxGiven = 30

// JudgedInput is what became of a relation on the input of a finding: of all calls in it
// that the relation can start from, the verdict that says most.
type JudgedInput struct {
	Finding string       `json:"finding" jsonschema:"maxLength=200"` // its ID
	Base    GroupVerdict `json:"base"`
	Head    GroupVerdict `json:"head"`
}

func (Relation) EventType() string { return "relation" }

// validateRelation checks what the tags do not say.
func validateRelation(r Relation) error {
	switch {
	case r.Failing > r.Groups:
		return fmt.Errorf("field %q is %d, of %d groups", "failing", r.Failing, r.Groups)
	case r.Cause != "" && !causeHash().MatchString(r.Cause):
		return fmt.Errorf("field %q is %s, must have 64 hexadecimal digits", "cause", quote(r.Cause))
	case r.Groups > math.MaxInt32:
		return fmt.Errorf("field %q is %d, must be at most %d", "groups", r.Groups, math.MaxInt32)
	case r.State == Violated && r.Source != Declared:
		return fmt.Errorf("field %q is %s, which only declared relations can be", "state", quote(string(r.State)))
	}
	return r.Refuted()
}

// CompareRelations orders relations by state (broken, violated, new, kept), then
// by function, then those that somebody declared first and inferred ones last,
// short ones before long ones, and by all that identifies them at last, so that
// the order never depends on the order of the stream. It returns -1, 0 or 1.
func CompareRelations(a, b Relation) int {
	if c := cmp.Or(
		cmp.Compare(rank(relationStates, a.State), rank(relationStates, b.State)),
		strings.Compare(a.Function, b.Function),
		cmp.Compare(rank(relationSources, a.Source), rank(relationSources, b.Source)),
		cmp.Compare(len(a.Relation), len(b.Relation)),
	); c != 0 {
		return c
	}
	return cmp.Or(
		strings.Compare(a.Module, b.Module),
		strings.Compare(a.Package, b.Package),
		strings.Compare(a.Relation, b.Relation),
		strings.Compare(a.Name, b.Name),
		strings.Compare(a.ID, b.ID),
	)
}

// mergeRelations joins by module and ID: the shards divide the functions. Where several
// tried the same relation all the same, as those of earlier versions may have, their
// numbers add up, and what one of them saw fail does not hold. What the input of
// a finding refutes, in whichever shard, is left out and counted by function; so is what
// was kept without having been judged on another shard's finding, where the shards say
// that they judged all of theirs.
func mergeRelations(shards []shard, findings []Finding) (merged []Relation, left map[string]int) {
	type key struct{ module, id string }
	merged = joinBy(shards, func(s shard) []Relation { return s.Relations },
		func(r Relation) key { return key{r.Module, r.ID} }, joinRelations)
	if allJudged(shards) {
		merged, left = JudgedOnly(merged, findings)
	} else {
		left = map[string]int{}
	}
	merged = slices.DeleteFunc(merged, func(r Relation) bool {
		refuted := r.Refuted() != nil
		if refuted {
			left[r.Function]++
		}
		return refuted
	})
	slices.SortFunc(merged, CompareRelations)
	return merged, left
}

// allJudged reports whether every shard says that it judged its relations on the inputs of
// its findings.
func allJudged(shards []shard) bool {
	return !slices.ContainsFunc(shards, func(s shard) bool { return s.Summary == nil || !s.Summary.RelationsJudged })
}

// joinRelations keeps the worse state with its counterexample, the shortest one
// where both have the same state.
func joinRelations(a, b Relation) Relation {
	groups, failing := min(a.Groups+b.Groups, math.MaxInt32), min(a.Failing+b.Failing, math.MaxInt32)
	a.Groups, a.Failing, b.Groups, b.Failing = 0, 0, 0, 0 // what is kept must not depend on sums so far
	if a.Refutes != b.Refutes {
		a.Refutes, b.Refutes = "", "" // each shard has a numbering of its own
	}
	judged := joinJudged(a.Judged, b.Judged)
	a.Judged, b.Judged = nil, nil
	if cmp.Or(
		cmp.Compare(rank(relationStates, a.State), rank(relationStates, b.State)),
		-compareBool(len(a.Counterexample) > 0, len(b.Counterexample) > 0),
		cmp.Compare(exampleSize(a), exampleSize(b)),
		strings.Compare(content(a), content(b)),
	) > 0 {
		a = b
	}
	a.Groups, a.Failing, a.Judged = groups, failing, judged
	return a
}

func exampleSize(r Relation) int {
	n := 0
	for _, c := range r.Counterexample {
		n += len(c.Call) + len(c.Base) + len(c.Head)
		for _, p := range c.Differs {
			n += len(p.Path) + len(p.Base) + len(p.Head)
		}
	}
	return n
}

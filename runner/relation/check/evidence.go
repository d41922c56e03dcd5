package check

import (
	"fmt"
	"slices"
	"strings"

	"github.com/isodelta/isodelta/report/event"
	"github.com/isodelta/isodelta/runner/calls/surface"
	"github.com/isodelta/isodelta/runner/outcome"
	"github.com/isodelta/isodelta/runner/version"
)

// evidence is how much of a function's branches the groups of a relation took. A relation
// that nobody declared is a law of the branches that its groups took, and is told as one of
// the function. Where other inputs take another branch, it is not judged.
type evidence struct {
	own          map[int]bool // the function's own branches, as package probe numbers them
	known, taken outcome.Bits
}

// newEvidence has no inputs yet.
func (s *Stage) newEvidence(o surface.Operation, side version.Side) evidence {
	v := s.Matching.Versions[side]
	e := evidence{own: map[int]bool{}, known: outcome.NewBits(v.Branches()), taken: outcome.NewBits(v.Branches())}
	for _, c := range v.Program.Conditions {
		if isOwn(o, c.Package, c.Function) {
			e.own[int(outcome.Of(c.Index, false))] = true
			e.own[int(outcome.Of(c.Index, true))] = true
		}
	}
	for _, a := range v.Program.Arms {
		if isOwn(o, a.Package, a.Function) {
			e.own[int(outcome.Arm(len(v.Program.Conditions), a.Index))] = true
		}
	}
	return e
}

// isOwn reports whether a condition stands in a function, given its package and the name
// that package instrument gives that function.
func isOwn(o surface.Operation, pkg, function string) bool {
	return pkg == o.Package && (o.Name == function || strings.HasSuffix(o.Name, "."+function))
}

// input counts the branches of a call that gives something.
func (e *evidence) input(branches []int) { e.add(e.known, branches) }

// group counts the branches of a call of a group that the relation says something about.
func (e *evidence) group(branches []int) { e.add(e.taken, branches) }

func (e *evidence) add(to outcome.Bits, branches []int) {
	for _, b := range e.of(branches) {
		to.Add(b)
	}
}

// of returns those of some branches that are the function's.
func (e *evidence) of(branches []int) []int {
	var out []int
	for _, b := range branches {
		if e.own[b] {
			out = append(out, b)
		}
	}
	return out
}

// isWhole reports whether groups took each branch that inputs are known to take.
func (e *evidence) isWhole() bool {
	return !slices.ContainsFunc(e.known.Members(), func(b int) bool { return !e.taken.Has(b) })
}

// notJudged tells how many relations of a function were left out for that.
func (s *Stage) notJudged(o surface.Operation, relations int) {
	if relations > 0 {
		s.Env.Limit(event.Limit{Kind: event.LimitRelations, What: o.Name,
			Reason: fmt.Sprintf("not judged: %d possible relations, which hold for all groups that were tried, but no group takes a branch of it that other inputs take", relations)})
	}
}

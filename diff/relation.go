package diff

import (
	"slices"

	"github.com/isodelta/isodelta/report/event"
)

// causeOfRelation is what an acceptance of a broken relation names: its function, and the
// changed functions that ran where it fails, each with its code on head. Where none is
// known to have run, the whole change has to explain it. What somebody wrote down is named
// itself, too; which relations are found of a function otherwise differs from run to run.
// It is as long as the cause of a finding, and never the same.
func (c Changes) causeOfRelation(r event.Relation) string {
	parts := []string{"relation", r.Package, r.Function}
	if isWritten(r) {
		parts = []string{"written relation", r.Package, r.Function, r.Relation}
	}
	changed := changedBy(r)
	if len(changed) == 0 {
		parts = append(parts, c.whole)
	}
	for _, name := range changed {
		parts = append(parts, name, c.digests[name])
	}
	return hash(parts...)
}

// isWritten reports whether somebody wrote the relation down.
func isWritten(r event.Relation) bool {
	return r.Source == event.Declared || r.Source == event.FromTest
}

func changedBy(r event.Relation) []string {
	return slices.Compact(slices.Sorted(slices.Values(r.Changed)))
}

// Identify returns the relations with their causes: of broken ones, for nothing else of a
// relation can be accepted.
func (c Changes) Identify(relations []event.Relation) []event.Relation {
	out := slices.Clone(relations)
	for i, r := range out {
		out[i].Cause = ""
		if r.State == event.Broken {
			out[i].Cause = c.causeOfRelation(r)
		}
	}
	return out
}

// BrokenRelations are the places of the broken relations that an identifier covers: a
// cause, or so many of its first digits that no other one here begins with them. Beside
// those of the cause itself they are the others that were found of the function, where no
// other changed function ran. Relations have to be identified.
func BrokenRelations(relations []event.Relation, id string) []int {
	var causes []string
	for _, r := range relations {
		if r.Cause != "" {
			causes = append(causes, r.Cause)
		}
	}
	slices.Sort(causes)
	cause, found := named(slices.Compact(causes), id)
	if !found {
		return nil
	}
	by := relations[slices.IndexFunc(relations, func(r event.Relation) bool { return r.Cause == cause })]
	var out []int
	for i, r := range relations {
		if r.Cause == cause || r.Cause != "" && !isWritten(r) && !isWritten(by) && r.Package == by.Package && r.Function == by.Function &&
			len(r.Changed) > 0 && covers(changedBy(by), changedBy(r)) {
			out = append(out, i)
		}
	}
	return out
}

package event

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Judge adds what the relation says about an input of a finding.
func (r *Relation) Judge(x JudgedInput) { r.Judged = joinJudged(r.Judged, []JudgedInput{x}) }

// joinJudged joins what is known of the same findings: of two verdicts the one that says
// more counts. Where there are too many, the first by identifier stay, those that fail
// before the others.
func joinJudged(a, b []JudgedInput) []JudgedInput {
	all := slices.Concat(a, b)
	slices.SortStableFunc(all, func(a, b JudgedInput) int { return strings.Compare(a.Finding, b.Finding) })
	var out []JudgedInput
	for _, x := range all {
		if n := len(out); n > 0 && out[n-1].Finding == x.Finding {
			out[n-1].Base, out[n-1].Head = stronger(out[n-1].Base, x.Base), stronger(out[n-1].Head, x.Head)
			continue
		}
		out = append(out, x)
	}
	if len(out) > MaxJudged {
		slices.SortStableFunc(out, func(a, b JudgedInput) int { return compareBool(b.fails(), a.fails()) })
		out = slices.Clip(out[:MaxJudged])
		slices.SortFunc(out, func(a, b JudgedInput) int { return strings.Compare(a.Finding, b.Finding) })
	}
	return out
}

func stronger(a, b GroupVerdict) GroupVerdict {
	if cmp.Compare(rank(groupVerdicts, a), rank(groupVerdicts, b)) <= 0 {
		return a
	}
	return b
}

func (x JudgedInput) fails() bool { return x.Base == GroupFails || x.Head == GroupFails }

// Refuted says which finding's input refutes what the relation claims: that it holds on
// both versions, or on one of them. It is nil without one. What somebody declared may
// fail on base and be broken all the same: it held for other inputs there.
func (r Relation) Refuted() error {
	for _, x := range r.Judged {
		for _, side := range []struct {
			name    string
			claimed bool
			verdict GroupVerdict
		}{
			{"base", r.State == Kept || r.State == Broken && r.Source != Declared, x.Base},
			{"head", r.State == Kept || r.State == New, x.Head},
		} {
			if side.claimed && side.verdict == GroupFails {
				return fmt.Errorf("the relation is %s, but the input of finding %s refutes it on %s", r.State, quote(x.Finding), side.name)
			}
		}
	}
	return nil
}

// A callable is a function in a package.
type callable struct{ pkg, function string }

// inputsOf are the identifiers of the findings of each function with an input that the
// relations of the function can be judged on: calls of our own, which can be made again.
func inputsOf(findings []Finding) map[callable][]string {
	of := map[callable][]string{}
	for _, f := range findings {
		if f.Rung == Reached && f.Program != "" {
			at := callable{f.Package, f.Function}
			of[at] = append(of[at], f.ID)
		}
	}
	return of
}

// unjudged returns a finding about the relation's own function whose input the relation was
// not judged on; false if there is none. Inputs of other functions' findings may hold a
// call of the function too: nothing here can tell, for a program is the engine's affair.
func unjudged(r Relation, of map[callable][]string) (string, bool) {
	inputs := of[callable{r.Package, r.Function}]
	if len(inputs) > MaxJudged {
		return inputs[MaxJudged], true
	}
	for _, id := range inputs {
		if !slices.ContainsFunc(r.Judged, func(x JudgedInput) bool { return x.Finding == id }) {
			return id, true
		}
	}
	return "", false
}

// JudgedOnly takes out the relations that are kept without having been judged on the input
// of each finding of their function: a law that nobody held against an input that is at
// hand is none. It returns the others, and how many it took out of each function's, by
// name.
func JudgedOnly(relations []Relation, findings []Finding) (judged []Relation, left map[string]int) {
	of := inputsOf(findings)
	left = map[string]int{}
	for _, r := range relations {
		if _, missing := unjudged(r, of); missing && r.State == Kept {
			left[r.Function]++
			continue
		}
		judged = append(judged, r)
	}
	return judged, left
}

// leftOut lists the relations that a merge left out, by function.
func leftOut(left map[string]int) []Limit {
	var limits []Limit
	for _, name := range slices.Sorted(maps.Keys(left)) {
		limits = append(limits, Limit{Type: "limit", Kind: LimitRelations, What: name,
			Reason: fmt.Sprintf("%d that one shard told are left out: the input of a finding of another refutes them, or was not looked at", left[name])})
	}
	return limits
}

// checkJudged says what contradicts a summary's word that all relations that are kept
// were judged on the inputs of the findings of their functions.
func (s *Stream) checkJudged() error {
	if s.Summary == nil || !s.Summary.RelationsJudged {
		return nil
	}
	of := inputsOf(s.Findings)
	for _, r := range s.Relations {
		if id, missing := unjudged(r, of); missing && r.State == Kept {
			return fmt.Errorf("the relation %s of %s is kept, but was not judged on the input of finding %s, and the summary says that all were", quote(r.Relation), quote(r.Function), quote(id))
		}
	}
	return nil
}

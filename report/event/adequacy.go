package event

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
)

// Adequacy is how thorough the testing of each version was by one criterion:
// base's own suite on base, head's own suite on head.
type Adequacy struct {
	Type      string `json:"type" jsonschema:"enum=adequacy"`
	Module    string `json:"module,omitempty"` // joins it to its Versions where a repository has several modules
	Scope     string `json:"scope" jsonschema:"enum=total,enum=package,enum=function"`
	Name      string `json:"name,omitempty"` // of the package or function
	Criterion string `json:"criterion" jsonschema:"enum=branch,enum=extended,enum=patch,enum=kmr-branch,enum=kmr-statement,enum=kmr-ichoice,enum=kmr-ichoice-pair,enum=kmr-ioctf"`
	// K is how many relations a test input must have been tried with to count in
	// full, of the k-MR criteria alone.
	K int `json:"k,omitempty"`
	// A side is missing where it is not known, or where there is nothing to meet.
	Base *Met `json:"base,omitempty"`
	Head *Met `json:"head,omitempty"`
}

// Criteria of adequacy.
const (
	BranchCriterion   = "branch"   // branches that the suite takes
	ExtendedCriterion = "extended" // those, and branches explored by force
	PatchCriterion    = "patch"    // branches of the changed functions that the suite takes

	// k-MR coverage: each requirement counts with the share of k relations with
	// which it was tested, so that what is met need not be a whole number.
	KMRBranch      = "kmr-branch"       // branches
	KMRStatement   = "kmr-statement"    // statements
	KMRIChoice     = "kmr-ichoice"      // choices of the declared input categories
	KMRIChoicePair = "kmr-ichoice-pair" // pairs of choices of different input categories
	KMRIOCTF       = "kmr-ioctf"        // choices of input together with choices of output
)

// maxK bounds Adequacy.K.
const maxK = 100

// Met counts the requirements of a criterion.
type Met struct {
	Met float64 `json:"met"` // between 0 and Of
	Of  float64 `json:"of"`
}

func (Adequacy) EventType() string { return "adequacy" }

// IsKMR reports whether a criterion is one of k-MR coverage.
func IsKMR(criterion string) bool { return strings.HasPrefix(criterion, "kmr-") }

func validateAdequacy(a Adequacy) error {
	if IsKMR(a.Criterion) != (a.K > 0) || a.K > maxK {
		return fmt.Errorf("field %q is %d, must be between 1 and %d for k-MR coverage, and 0 for other criteria", "k", a.K, maxK)
	}
	for side, m := range map[string]*Met{"base": a.Base, "head": a.Head} {
		if m != nil && !(m.Met >= 0 && m.Met <= m.Of && m.Of <= math.MaxInt32) {
			return fmt.Errorf("field %q counts %v of %v", side, m.Met, m.Of)
		}
	}
	return nil
}

// CompareAdequacies orders by scope, name, criterion and k.
func CompareAdequacies(a, b Adequacy) int {
	return cmp.Or(strings.Compare(a.Module, b.Module),
		cmp.Compare(rank(scopes, a.Scope), rank(scopes, b.Scope)), strings.Compare(a.Name, b.Name),
		cmp.Compare(rank(criteria, a.Criterion), rank(criteria, b.Criterion)), cmp.Compare(a.K, b.K))
}

const (
	scopes   = " total package function "
	criteria = " " + BranchCriterion + " " + ExtendedCriterion + " " + PatchCriterion +
		" " + KMRBranch + " " + KMRStatement + " " + KMRIChoice + " " + KMRIChoicePair + " " + KMRIOCTF + " "
)

// mergeAdequacies joins what shards measured. Each ran the suites as they are,
// so that one which got furthest tells; what was explored by force adds up, and
// only for head is it known which branches those are. Relations were checked of the
// functions of a shard's share, so that k-MR coverage of more than one adds up.
func mergeAdequacies(shards []shard, sum *Summary) []Adequacy {
	merged := joinBy(shards, func(s shard) []Adequacy { return s.Adequacies },
		func(a Adequacy) Adequacy {
			a.Base, a.Head = nil, nil
			return a
		},
		func(a, b Adequacy) Adequacy {
			join := further
			if IsKMR(a.Criterion) && a.Scope != "function" {
				join = added // the shards divide the functions
			}
			a.Base, a.Head = join(a.Base, b.Base), join(a.Head, b.Head)
			return a
		})
	if len(shards) > 1 {
		for i := range merged {
			if a := &merged[i]; a.Criterion == ExtendedCriterion && a.Scope == "total" {
				a.Base = nil
				if sum.Branches > 0 {
					a.Head = &Met{float64(sum.Covered + sum.Explored), float64(sum.Branches)}
				}
			}
		}
	}
	slices.SortStableFunc(merged, CompareAdequacies)
	return merged
}

func added(a, b *Met) *Met {
	switch {
	case a == nil:
		return b
	case b == nil:
		return a
	}
	return &Met{a.Met + b.Met, a.Of + b.Of}
}

func further(a, b *Met) *Met {
	if a == nil || b != nil && (b.Met > a.Met || b.Met == a.Met && b.Of > a.Of) {
		return b
	}
	return a
}

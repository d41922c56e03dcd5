package isomorph

import (
	"context"
	"slices"

	"golang.org/x/sync/errgroup"

	"github.com/isodelta/isodelta/runner/load"
)

// Options of one comparison.
type Options struct {
	// Strict ends a walk at the first mismatch on each path, as the paper
	// does. Otherwise matching resumes past an edit, see doc.go.
	Strict bool
}

// Kind says how a pair of conditions was found.
type Kind string

const (
	Strict         Kind = "strict"         // on a path from the entry without a mismatch
	Resynchronised Kind = "resynchronised" // only past an insertion, deletion or replacement
)

// Pair is one leaf condition as it stands in both versions: where its expression
// starts.
type Pair struct {
	Base, Head load.Place
	Kind       Kind
}

// Span is the extent of a function declaration in one version.
type Span struct {
	load.Place     // of the keyword func
	Line       int // first line, from 1, without regard to //line directives
	EndLine    int // last line
}

// Status of a member of the changed set.
const (
	Changed = "changed"
	Added   = "added"
	Deleted = "deleted"
)

// Function is a member of the changed set Δ. Closures count to the declaration
// that encloses them. A function whose signature changed is one member, with
// both spans, although its conditions are not paired.
type Function struct {
	Name    string // as ssa.Function.String gives it, without the module's path
	Package string // import path
	Status  string // Changed, Added, Deleted or Through
	Digest  string // of the canonical text on head, SHA-256 in hexadecimal; "" where Deleted
	Init    bool   // runs when the package is initialised: variable initialisers, init functions
	Early   bool   // initialisers alone mention it, so it runs before anything else does
	Base    *Span  // nil where the version has no such declaration
	Head    *Span
	// Through are the changed functions outside the module that it may execute without
	// another function of the module between; see Depend.
	Through []Outside
	// Data are the package variables that it mentions and that are initialised otherwise,
	// where its own code is the same.
	Data []string
}

// Unmapped counts the branching instructions (ssa.If) of one version.
type Unmapped struct {
	Mapped   int            // those that decide a leaf condition
	Unmapped map[string]int // the others by reason: range, typeswitch, select, rangefunc, constant, cgo, ambiguous, other
}

// Result of comparing two versions.
type Result struct {
	Functions        int // of head, package initialisers left out
	MatchedFunctions int // of those, with a counterpart by package path, receiver, name and signature
	Conditions       []Pair
	Changed          []Function // Δ, sorted by name
	// PruneBlockers are reasons why even code that executes nothing of Δ may
	// behave differently in the two versions. Sorted; empty is the usual case.
	PruneBlockers []string
	Base, Head    *Program
	UnmappedBase  Unmapped
	UnmappedHead  Unmapped
	// Dependencies are built from other code in the two versions; see Depend.
	Dependencies []Dependency
	// GoLines are the go and toolchain lines of go.mod that differ.
	GoLines []string
	// OnlyDependencies says that the module's own code is the same.
	OnlyDependencies bool
	// Seams are exported functions of dependencies that lead to what differs there; those
	// come first that lead to what few do.
	Seams []Seam

	leads map[string]map[load.Place]Lead // by side, see Lead; nil without dependencies that differ
}

// Empty reports whether there is no executable change.
func (r *Result) Empty() bool { return len(r.Changed) == 0 && len(r.PruneBlockers) == 0 }

// Match compares two versions of one module. An error means that the
// intermediate form of a package could not be built, and names the package, or that ctx ended.
func Match(ctx context.Context, base, head *load.Tree, opt Options) (*Result, error) {
	var b, h *Program
	var g errgroup.Group
	g.Go(func() (err error) { b, err = newProgram(ctx, base); return err })
	g.Go(func() (err error) { h, err = newProgram(ctx, head); return err })
	err := g.Wait()
	if err != nil {
		return nil, err
	}
	r := &Result{Base: b, Head: h, UnmappedBase: b.ifs, UnmappedHead: h.ifs}
	for _, key := range h.order {
		hf := h.functions[key]
		if !hf.packageInit {
			r.Functions++
		}
		bf := b.functions[key]
		if bf == nil {
			continue
		}
		if !hf.packageInit {
			r.MatchedFunctions++
		}
		r.Conditions = append(r.Conditions, matchFunctions(b, h, bf, hf, opt)...)
	}
	slices.SortFunc(r.Conditions, func(p, q Pair) int { return p.Head.Compare(q.Head) })
	r.Changed = changedSet(b, h)
	early := earlyFunctions(b, h)
	markEarly(b, h, early, r.Changed)
	r.Changed = append(r.Changed, dataReaders(b, h, early, r.Changed)...)
	sortFunctions(r.Changed)
	if r.GoLines, err = goLines(base, head); err != nil {
		return nil, err
	}
	if r.PruneBlockers, err = pruneBlockers(b, h, r.Changed); err != nil {
		return nil, err
	}
	return r, nil
}

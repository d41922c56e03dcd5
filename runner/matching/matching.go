package matching

import (
	"context"
	"slices"
	"strings"

	"github.com/isodelta/isodelta/diff"
	"github.com/isodelta/isodelta/isomorph"
	"github.com/isodelta/isodelta/report/event"
	"github.com/isodelta/isodelta/runner/build"
	"github.com/isodelta/isodelta/runner/calls/surface"
	"github.com/isodelta/isodelta/runner/instrument"
	"github.com/isodelta/isodelta/runner/load"
	"github.com/isodelta/isodelta/runner/outcome"
	"github.com/isodelta/isodelta/runner/version"
)

// Matching is what both versions have in common.
type Matching struct {
	*isomorph.Result
	Versions version.Both[*build.Version]
	Names    []string // of Δ, by entry number
	Pairs    []Pair
	prune    pruning
	config   version.Both[instrument.Config]
	reach    version.Both[*isomorph.Reach] // see Reaches

	sources    version.Both[*load.Sources] // with changed dependencies; nil without
	undepended error                       // see Depended
	moved      []surface.Outside           // see movedPackages
	whole      map[vendored]string         // see FetchVendored
}

// Pair is a matched condition: its index in each version's table.
type Pair struct {
	At   version.Both[int]
	Kind isomorph.Kind
}

// Options of a matching.
type Options struct {
	Strict  bool // as the paper does, without resynchronising
	NoPrune bool // run also what provably cannot differ
}

// Of matches two versions, before they are instrumented.
func Of(ctx context.Context, versions version.Both[*build.Version], opt Options) (*Matching, error) {
	result, err := isomorph.Match(ctx, versions[version.Base].Tree, versions[version.Head].Tree, isomorph.Options{Strict: opt.Strict})
	if err != nil {
		return nil, err
	}
	m := &Matching{Result: result, Versions: versions}
	if err := m.depend(ctx); err != nil {
		return nil, err
	}
	for _, f := range result.Changed {
		m.Names = append(m.Names, f.Name)
	}
	return m, nil
}

// Instrument instruments a version's code. Entries of Δ's functions are counted by
// their number in Names. hooks holds the numbers of functions whose calls are watched,
// by place.
func (m *Matching) Instrument(side version.Side, generated bool, hooks map[load.Place]int) error {
	entries := map[load.Place]int{}
	for k, f := range m.Changed {
		if span := Span(f, side); span != nil && !f.Init {
			entries[span.Place] = k
		}
	}
	m.config[side] = instrument.Config{Generated: generated, Entries: entries, Hooks: hooks, Last: m.Packages()}
	return m.Versions[side].Instrument(m.config[side])
}

// Traced instruments a version's code as Instrument did, but that conditions of some
// packages tell what they compare. Conditions have the same numbers.
func (m *Matching) Traced(side version.Side, packages map[string]bool) (*instrument.Program, error) {
	cfg := m.config[side]
	cfg.Operands, cfg.OperandsIn = true, packages
	return instrument.Code(m.Versions[side].Tree, cfg)
}

// Span returns where a version declares a function; nil if it does not.
func Span(f isomorph.Function, side version.Side) *isomorph.Span {
	if side == version.Base {
		return f.Base
	}
	return f.Head
}

// Pair pairs the conditions of both versions, once these are instrumented, and
// finds out what need not run.
func (m *Matching) Pair(opt Options) {
	base, head := m.Versions[version.Base], m.Versions[version.Head]
	for _, c := range m.Conditions {
		b, inBase := base.Index[c.Base]
		h, inHead := head.Index[c.Head]
		if inBase && inHead {
			m.Pairs = append(m.Pairs, Pair{version.Both[int]{b, h}, c.Kind})
		}
	}
	m.preparePruning(opt)
}

// Count returns how many pairs there are.
func (m *Matching) Count() int { return len(m.Pairs) }

// Project turns the branches that a version covered into those of pairs.
func (m *Matching) Project(side version.Side, covered outcome.Bits) outcome.Bits {
	out := outcome.NewBits(2 * len(m.Pairs))
	for i, p := range m.Pairs {
		for _, value := range []bool{false, true} {
			if covered.Has(int(outcome.Of(p.At[side], value))) {
				out.Add(int(outcome.Of(i, value)))
			}
		}
	}
	return out
}

// On returns the branch of a version that stands for a branch of a pair.
func (m *Matching) On(side version.Side, b outcome.Branch) outcome.Branch {
	return outcome.Of(m.Pairs[b.Condition()].At[side], b.Value())
}

// Negated returns the conditions of a version that branches of pairs negate.
func (m *Matching) Negated(side version.Side, branches []outcome.Branch) []int {
	out := make([]int, len(branches))
	for i, b := range branches {
		out[i] = m.Pairs[b.Condition()].At[side]
	}
	return out
}

// Strict reports whether every condition of a set is matched strictly.
func (m *Matching) Strict(branches []outcome.Branch) bool {
	for _, b := range branches {
		if m.Pairs[b.Condition()].Kind != isomorph.Strict {
			return false
		}
	}
	return true
}

// Identifier returns head's identifier of a pair's condition. It does not depend on
// lines.
func (m *Matching) Identifier(pair int) string {
	return m.condition(version.Head, pair).ID
}

// Find returns the pair of an identifier; false if there is no such condition, or it is
// not matched.
func (m *Matching) Find(id string) (pair int, ok bool) {
	for i := range m.Pairs {
		if m.Identifier(i) == id {
			return i, true
		}
	}
	return 0, false
}

func (m *Matching) condition(side version.Side, pair int) instrument.Condition {
	return m.Versions[side].Program.Conditions[m.Pairs[pair].At[side]]
}

// Negation returns a negated branch as the stream tells it.
func (m *Matching) Negation(b outcome.Branch) event.Negation {
	h, base := m.condition(version.Head, b.Condition()), m.condition(version.Base, b.Condition())
	return event.Negation{ID: h.ID, Text: h.Text, Function: h.Function, File: h.File, Line: h.Line,
		BaseFile: base.File, BaseLine: base.Line, Match: string(m.Pairs[b.Condition()].Kind), Taken: b.Value(),
		Elsewhere: m.asks(version.Head, h) != m.asks(version.Base, base)}
}

// asks returns in how many places of its function a version asks what a condition asks. It is 0 for a condition with a call, which
// may give something else each time.
func (m *Matching) asks(side version.Side, c instrument.Condition) int {
	if strings.Contains(c.Text, "(") {
		return 0
	}
	n := 0
	for _, other := range m.Versions[side].Program.Conditions {
		if other.Package == c.Package && other.Function == c.Function && other.Text == c.Text {
			n++
		}
	}
	return n
}

// Takes reports whether a version's branches hold all that a forced finding negates.
// It is false for a finding that negates nothing.
// An inverted condition, that a test takes both ways, is nothing that branches
// could show.
func (m *Matching) Takes(side version.Side, branches map[int]bool, negations []event.Negation) bool {
	for _, n := range negations {
		pair, ok := m.Find(n.ID)
		if !ok || n.Inverted || !branches[int(m.On(side, outcome.Of(pair, n.Taken)))] {
			return false
		}
	}
	return len(negations) > 0
}

// Times returns how often the least taken of the branches that are negated was taken, by
// how often each branch of a version was; 0 without any.
func (m *Matching) Times(side version.Side, branches map[int]int, negations []event.Negation) int {
	least := 0
	for i, n := range negations {
		pair, ok := m.Find(n.ID)
		if !ok || n.Inverted {
			return 0
		}
		if times := branches[int(m.On(side, outcome.Of(pair, n.Taken)))]; i == 0 || times < least {
			least = times
		}
	}
	return least
}

// Group puts findings into clusters by what of Δ they have to do with.
func (m *Matching) Group(findings []event.Finding) []event.Finding {
	grouped := diff.Group(findings, m.changes())
	event.NoteNews(grouped, m.comesOfDependencies)
	return grouped
}

// comesOfDependencies reports whether a difference is one of dependencies: the module's own code is the same, or that of
// all members of Δ that ran is.
func (m *Matching) comesOfDependencies(f event.Finding) bool {
	if m.OnlyDependencies {
		return true
	}
	through := map[string]bool{}
	for _, c := range m.Changed {
		through[c.Name] = c.Status == isomorph.Through
	}
	return len(f.Changed) > 0 && !slices.ContainsFunc(f.Changed, func(name string) bool { return !through[name] })
}

// Identify returns relations with what an acceptance of a broken one names.
func (m *Matching) Identify(relations []event.Relation) []event.Relation {
	return m.changes().Identify(relations)
}

func (m *Matching) changes() diff.Changes {
	return diff.ChangesOf([]event.Match{{Changed: m.ChangedItems(), PruneBlockers: m.PruneBlockers}})
}

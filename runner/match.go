package runner

import (
	"github.com/isodelta/isodelta/diff"
	"github.com/isodelta/isodelta/isomorph"
	"github.com/isodelta/isodelta/report/event"
	"github.com/isodelta/isodelta/runner/instrument"
	"github.com/isodelta/isodelta/runner/outcome"
)

// pair is a matched condition: its index in each version's tables.
type pair struct {
	base, head int
	kind       isomorph.Kind
}

// pruning is what is known about variants that need not run.
type pruning struct {
	// dynamic: a variant that executes nothing of Δ on base behaves the same
	// on head. static: reachability over blocks may be trusted.
	dynamic, static bool
	base, head      *isomorph.Reach
}

// matchTrees pairs conditions, finds Δ, and instruments the code of both
// versions.
func (c *comparison) matchTrees() error {
	c.progress("match", "matching control-flow graphs", 0, 0)
	var err error
	c.match, err = isomorph.Match(c.base.tree, c.head.tree, isomorph.Options{Strict: c.opt.Strict})
	if err != nil {
		return err
	}
	if c.nothingToDo() {
		return nil
	}
	for _, f := range c.match.Changed {
		c.changed = append(c.changed, f.Name)
	}
	c.hooks = c.newHooks()
	for _, v := range []*version{c.base, c.head} {
		entries := map[instrument.Key]int{}
		for k, f := range c.match.Changed {
			span := f.Base
			if v == c.head {
				span = f.Head
			}
			if span != nil && !f.Init {
				entries[instrument.Key{File: span.File, Offset: span.Offset}] = k
			}
		}
		if err := v.instrumentCode(instrument.Config{
			Probe: c.probePath(), Generated: c.opt.Generated, Entries: entries, Hooks: c.hooksOf(v),
		}); err != nil {
			return &VersionError{Side: v.side, What: c.asked(v), Err: err}
		}
		for _, s := range v.program.Skipped {
			c.limit(event.Limit{Kind: "not-negated", Suite: "", What: v.side + ":" + s.File, Reason: s.Reason})
		}
	}
	for _, m := range c.match.Conditions {
		b, inBase := c.base.index[instrument.Key{File: m.Base.File, Offset: m.Base.Offset}]
		h, inHead := c.head.index[instrument.Key{File: m.Head.File, Offset: m.Head.Offset}]
		if inBase && inHead {
			c.pairs = append(c.pairs, pair{b, h, m.Kind})
		}
	}
	c.preparePruning()
	n := 2*len(c.head.program.Conditions) + len(c.head.program.Arms)
	c.covered, c.explored, c.linked = outcome.NewBits(n), outcome.NewBits(n), outcome.NewBits(n)
	return nil
}

// nothingToDo reports whether the versions do not differ in executable code.
func (c *comparison) nothingToDo() bool { return c.match.Empty() && !c.opt.Unchanged }

func (c *comparison) probePath() string { return c.head.tree.Module + "/isodeltaprobe" }

func (v *version) instrumentCode(cfg instrument.Config) (err error) {
	if v.program, err = instrument.Code(v.tree, cfg); err != nil {
		return err
	}
	v.index = map[instrument.Key]int{}
	for _, x := range v.program.Conditions {
		if x.Negatable {
			v.index[x.Key] = x.Index
		}
	}
	return nil
}

func (c *comparison) preparePruning() {
	if c.opt.NoPrune || c.opt.Unchanged || len(c.match.PruneBlockers) > 0 {
		return
	}
	c.prune.dynamic = true
	for _, f := range c.match.Changed {
		if f.Init {
			c.prune.dynamic = false
		}
	}
	c.prune.base, c.prune.head = c.reaches()
	okBase, _ := c.prune.base.Sound()
	okHead, _ := c.prune.head.Sound()
	c.prune.static = c.prune.dynamic && okBase && okHead
}

// reaches are the answers to what may come to execute Δ, on base and on head.
func (c *comparison) reaches() (base, head *isomorph.Reach) {
	if c.reach.base == nil {
		c.reach.base = c.match.Base.Reach(c.match.Changed, "base")
		c.reach.head = c.match.Head.Reach(c.match.Changed, "head")
	}
	return c.reach.base, c.reach.head
}

// project turns the branches that a version covered into those of pairs.
func (c *comparison) project(v *version, covered outcome.Bits) outcome.Bits {
	out := outcome.NewBits(2 * len(c.pairs))
	for i, p := range c.pairs {
		at := p.base
		if v == c.head {
			at = p.head
		}
		for o := range 2 {
			if covered.Has(2*at + o) {
				out.Add(2*i + o)
			}
		}
	}
	return out
}

// rank orders a branch for a test: 0 if the change lies ahead of it, 1 if the
// test executes the change anyway, 2 if it may come to it after returning to
// its callers, 3 if not, and -1 if that proves it equal.
func (c *comparison) rank(b outcome.Branch, t *test) int {
	if c.prune.base == nil {
		return 0
	}
	p := c.pairs[b.Condition()]
	base := location(c.base.program.Conditions[p.base])
	head := location(c.head.program.Conditions[p.head])
	switch {
	case c.prune.base.Ahead(base, b.Value()) || c.prune.head.Ahead(head, b.Value()):
		return 0
	case t.state.reaches:
		return 1
	case c.prune.base.MayReachIn(t.Package, t.Source, base, b.Value()) ||
		c.prune.head.MayReachIn(t.Package, t.Source, head, b.Value()):
		return 2
	case c.prune.static:
		return -1
	}
	return 3
}

func location(x instrument.Condition) isomorph.Location {
	return isomorph.Location{File: x.Key.File, Offset: x.Key.Offset, Line: x.Line}
}

func (c *comparison) matchEvent() event.Match {
	e := event.Match{Type: "match", Module: c.head.tree.Module, Functions: c.match.Functions, MatchedFunctions: c.match.MatchedFunctions,
		MatchedConditions: len(c.pairs), Changed: []event.ChangedItem{}, PruneBlockers: c.match.PruneBlockers}
	if c.head.program != nil {
		e.Conditions = len(c.head.index)
	}
	for _, p := range c.pairs {
		if p.kind == isomorph.Resynchronised {
			e.Resynchronised++
		}
	}
	e.Changed = append(e.Changed, c.changedItems()...)
	c.sum.Functions, c.sum.MatchedFunctions = e.Functions, e.MatchedFunctions
	c.sum.Conditions, c.sum.MatchedConditions = e.Conditions, e.MatchedConditions
	return e
}

// changedItems is Δ as the stream tells it.
func (c *comparison) changedItems() []event.ChangedItem {
	var items []event.ChangedItem
	for _, f := range c.match.Changed {
		item := event.ChangedItem{Function: f.Name, Status: f.Status, Digest: f.Digest}
		span := f.Head
		if span == nil {
			span = f.Base
		}
		if span != nil {
			item.File, item.Line, item.EndLine = span.File, span.Line, span.EndLine
		}
		items = append(items, item)
	}
	return items
}

// group puts the findings into clusters.
func (c *comparison) group() []event.Finding {
	changes := diff.ChangesOf([]event.Match{{Changed: c.changedItems(), PruneBlockers: c.match.PruneBlockers}})
	return diff.Group(c.findings, changes)
}

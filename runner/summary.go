package runner

import (
	"fmt"
	"time"

	"github.com/isodelta/isodelta/report/event"
)

// summary groups and emits the findings and closes the stream.
func (c *comparison) summary() event.Summary {
	c.mergeForced()
	c.findings = c.group()
	clusters := map[string]bool{}
	intended := 0
	for _, f := range c.findings {
		clusters[f.Cluster] = true
		if f.Intended {
			intended++
		}
		c.sink.Emit(f)
	}
	c.emitGraphs()
	c.emitRelations()
	c.emitAdequacy()
	c.emitMetamorphic()
	if n := c.sum.NotConfirmed; n > 0 {
		c.limit(event.Limit{Kind: "not-rerun", What: "differences",
			Reason: fmt.Sprintf("%d further differences that ran the same changed functions with the same outcomes were not run again", n)})
	}
	s := &c.sum
	s.Findings, s.Clusters = len(c.findings), len(clusters)
	s.Branches, s.Covered, s.Explored = c.linked.Count(), 0, 0
	var explored []int
	for i := range len(c.linked) * 8 {
		switch {
		case !c.linked.Has(i):
		case c.covered.Has(i):
			s.Covered++
		case c.explored.Has(i):
			explored = append(explored, i)
		}
	}
	s.Explored = len(explored)
	if c.opt.Shards > 1 && len(explored) > 0 {
		s.ExploredBranches = map[string]event.Ranges{c.head.tree.Module: event.RangesOf(explored)}
	}
	s.Seconds = time.Since(c.started).Seconds()
	if spent := s.Seconds - s.BuildSeconds; spent > 0 {
		s.VariantsPerSecond = float64(s.Variants) / spent
	}
	if s.Verdict == "" {
		s.Verdict = c.verdict(intended)
	}
	c.sink.Emit(*s)
	return *s
}

func (c *comparison) verdict(intended int) event.Verdict {
	ran := c.sum.Calls > 0
	for _, s := range c.suites {
		for _, t := range s.tests {
			ran = ran || t.state.usable
		}
	}
	switch {
	case len(c.findings) > intended, c.breaksRelation():
		return "differences"
	case c.sum.Interrupted:
		return "incomplete"
	case intended > 0:
		return "intended-only"
	case !ran:
		return "nothing-explored"
	}
	return "no-difference"
}

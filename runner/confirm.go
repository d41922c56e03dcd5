package runner

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/isodelta/isodelta/diff"
	"github.com/isodelta/isodelta/report/event"
	"github.com/isodelta/isodelta/runner/execute"
	"github.com/isodelta/isodelta/runner/negation"
	"github.com/isodelta/isodelta/runner/outcome"
)

// rawDifference is a difference that has been seen once.
type rawDifference struct {
	test       *test
	set        negation.Set // empty: nothing negated
	difference diff.Difference
	base, head outcome.Result
	limit      int64
}

// rawDifferences waits for confirmation, by what is likely to be one cluster.
type rawDifferences struct {
	waiting map[string][]rawDifference
	tried   map[string]int
	good    map[string]int
}

func newRawDifferences() rawDifferences {
	return rawDifferences{map[string][]rawDifference{}, map[string]int{}, map[string]int{}}
}

func (r *rawDifferences) add(d rawDifference) {
	key := d.key()
	r.waiting[key] = append(r.waiting[key], d)
}

// key groups differences by what is known before they are explained.
func (d rawDifference) key() string {
	return fmt.Sprintf("%t|%s|%s|%s|%x|%t", len(d.set.Branches) > 0, d.test.suite.name,
		d.base.Outcome, d.head.Outcome, union(d.base.Entered, d.head.Entered), d.difference.Outcome)
}

func union(a, b outcome.Bits) outcome.Bits {
	if len(b) > len(a) {
		a, b = b, a
	}
	out := append(outcome.Bits(nil), a...)
	out.Union(b)
	return out
}

// grace is for how long after the budget's end differences are still confirmed.
const grace = 15 * time.Second

// hopeless is after how many failed confirmations a group is given up.
const hopeless = 12

// confirmNew confirms what has come up since the last time: of each group the
// simplest first, until enough of it stands.
func (c *comparison) confirmNew(ctx context.Context) error {
	keys := make([]string, 0, len(c.raw.waiting))
	for k := range c.raw.waiting {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	for _, key := range keys {
		list := c.raw.waiting[key]
		delete(c.raw.waiting, key)
		slices.SortStableFunc(list, func(a, b rawDifference) int {
			return cmp.Or(cmp.Compare(len(a.set.Branches), len(b.set.Branches)),
				cmp.Compare(a.base.Fuel, b.base.Fuel))
		})
		for i, d := range list {
			full := c.opt.PerCluster > 0 && c.raw.good[key] >= c.opt.PerCluster
			if full || c.tooSlow(d.test) || c.raw.tried[key]-c.raw.good[key] >= hopeless || c.opt.Budget > 0 && time.Since(c.started) > c.opt.Budget+grace {
				c.sum.NotConfirmed += len(list) - i
				break
			}
			c.progress("confirm", d.test.Name, 0, 0)
			f, ok, err := c.confirm(ctx, d)
			if err != nil {
				return err
			}
			c.raw.tried[key]++
			if !ok {
				c.sum.Unconfirmed++
				continue
			}
			c.raw.good[key]++
			c.findings = append(c.findings, f)
		}
	}
	return nil
}

// tooSlow reports whether confirming would take most of what is left of the budget.
func (c *comparison) tooSlow(t *test) bool {
	if c.opt.Budget <= 0 {
		return false
	}
	cost := float64(2*c.opt.Repetitions) * (t.state.seconds + 0.05)
	return cost > max(c.timeLeft().Seconds(), grace.Seconds())*0.7
}

// confirmation is what the repeated executions of one difference showed.
type confirmation struct {
	base, head []outcome.Result // under the negation set
	final      diff.Difference
}

// confirm runs a difference again, in as many fresh processes on both versions
// as there are repetitions, first with nothing negated and then negated, and
// makes a finding of what is the same each time.
func (c *comparison) confirm(ctx context.Context, d rawDifference) (event.Finding, bool, error) {
	conf, ok, err := c.rerun(ctx, d)
	if err != nil || !ok {
		return event.Finding{}, false, err
	}
	return c.finding(d, conf), true, nil
}

const maxSites = 32 // rendered for one difference

func (c *comparison) rerun(ctx context.Context, d rawDifference) (confirmation, bool, error) {
	sites := d.difference.Sites
	if len(sites) > maxSites {
		sites = sites[:maxSites]
	}
	st := &d.test.state
	conf := confirmation{base: make([]outcome.Result, c.opt.Repetitions), head: make([]outcome.Result, c.opt.Repetitions)}
	calm := true
	for i := range c.opt.Repetitions {
		var plain [2]outcome.Result
		g, gctx := errgroup.WithContext(ctx)
		g.SetLimit(d.test.atOnce())
		for k, v := range []*version{c.base, c.head} {
			g.Go(func() error {
				s := c.session(d.test, v)
				defer s.Close()
				if len(d.set.Branches) == 0 {
					// Rendering takes longer than running.
					s.Limit = 10*time.Second + time.Duration(20*d.test.state.seconds*float64(time.Second))
				} else {
					r, err := s.Do(gctx, execute.Command{Fuel: maxBaselineFuel})
					if err != nil {
						return err
					}
					plain[k] = r
				}
				limit := d.limit
				if limit == 0 {
					limit = maxBaselineFuel
				}
				r, err := s.Do(gctx, execute.Command{Negations: c.indices(d.set, v), Fuel: limit, Detail: true, Sites: sites})
				if err != nil {
					return err
				}
				if r.Outcome == event.Fail && i == 0 {
					r.Output = s.Finish()
				}
				if k == 0 {
					conf.base[i] = r
				} else {
					conf.head[i] = r
				}
				return nil
			})
		}
		if err := g.Wait(); err != nil {
			return conf, false, err
		}
		if len(d.set.Branches) > 0 && diff.Compare(plain[0], plain[1], st.masked, maxBaselineFuel).Any() {
			calm = false
		}
		if !calm || !diff.Compare(conf.base[i], conf.head[i], c.maskOf(d), d.limitOr(maxBaselineFuel)).Any() {
			return conf, false, nil // no need to go on
		}
	}
	baseSites, baseMoves := diff.Unstable(conf.base)
	headSites, headMoves := diff.Unstable(conf.head)
	if baseMoves || headMoves {
		return conf, false, nil
	}
	moving := map[int]bool{}
	for _, s := range append(baseSites, headSites...) {
		moving[s] = true
	}
	mask := c.maskOf(d)
	conf.final = diff.Compare(conf.base[0], conf.head[0], func(s int) bool { return mask(s) || moving[s] }, d.limitOr(maxBaselineFuel))
	return conf, conf.final.Any(), nil
}

// maskOf hides unstable sites, and for a variant also those that differ with
// nothing negated.
func (c *comparison) maskOf(d rawDifference) func(int) bool {
	if len(d.set.Branches) == 0 {
		return func(s int) bool { return d.test.state.unstable[s] }
	}
	return d.test.state.masked
}

func (d rawDifference) limitOr(other int64) int64 {
	if d.limit == 0 {
		return other
	}
	return d.limit
}

// finding puts a confirmed difference into words.
func (c *comparison) finding(d rawDifference, conf confirmation) event.Finding {
	base, head := conf.base[0], conf.head[0]
	kind, site, b, h := diff.Explain(conf.final, base, head)
	f := event.Finding{Type: "finding", Rung: event.Observed, Suite: d.test.suite.name,
		Package: d.test.Package, Test: d.test.Source, Kind: kind, Negations: []event.Negation{}, Changed: []string{}}
	f.Base = c.resultOf(d, base, site, b)
	f.Head = c.resultOf(d, head, site, h)
	for _, k := range union(base.Entered, head.Entered).Members() {
		if k < len(c.changed) {
			f.Changed = append(f.Changed, c.changed[k])
		}
	}
	if len(f.Changed) == 0 {
		f.Changed = append(f.Changed, c.unseenChange()...)
	}
	if len(d.set.Branches) > 0 {
		f.Rung = event.Forced
		for _, br := range d.set.Branches {
			f.Negations = append(f.Negations, c.negationOf(br))
			f.Negations[len(f.Negations)-1].Universal = !c.suiteCovered.Has(int(br))
		}
		first := f.Negations[0]
		f.Condition, f.Function, f.File, f.Line = first.Text, first.Function, first.File, first.Line
	} else {
		f.Intended = c.intended(d)
		f.Function, f.File, f.Line = c.whereChanged(f.Changed)
	}
	f.ID = diff.ID(f)
	return f
}

func (c *comparison) resultOf(d rawDifference, r outcome.Result, site int, value string) event.Result {
	out := event.Result{Outcome: r.Outcome, Value: value, Message: r.Message}
	if r.Outcome == event.Fail {
		out.Message = failureText(r.Output)
	}
	for _, s := range d.test.suite.text.Sites {
		if site >= 0 && s.ID == site {
			out.Site, out.File, out.Line = s.Text, s.File, s.Line
		}
	}
	return out
}

// failureText is what the test printed when it failed: the lines below the
// last "--- FAIL".
func failureText(output string) string {
	i := strings.LastIndex(output, "--- FAIL: ")
	if i < 0 {
		return ""
	}
	lines := strings.Split(output[i:], "\n")[1:]
	const most = 6
	var kept []string
	for _, l := range lines {
		if strings.TrimSpace(l) == "" || strings.HasPrefix(strings.TrimSpace(l), "--- ") || len(kept) == most {
			continue
		}
		kept = append(kept, strings.TrimSpace(l))
	}
	return strings.Join(kept, "\n")
}

// unseenChange names what may act without being entered: package initialisers
// and the reasons why pruning is off.
func (c *comparison) unseenChange() []string {
	var out []string
	for _, f := range c.match.Changed {
		if f.Init {
			out = append(out, f.Name)
		}
	}
	return out
}

func (c *comparison) whereChanged(names []string) (function, file string, line int) {
	if len(names) == 0 {
		return "", "", 0
	}
	for _, f := range c.match.Changed {
		if f.Name != names[0] {
			continue
		}
		if f.Head != nil {
			return f.Name, f.Head.File, f.Head.Line
		}
		if f.Base != nil {
			return f.Name, f.Base.File, f.Base.Line
		}
		return f.Name, "", 0
	}
	return names[0], "", 0
}

func (c *comparison) negationOf(b outcome.Branch) event.Negation {
	p := c.pairs[b.Condition()]
	h, base := c.head.program.Conditions[p.head], c.base.program.Conditions[p.base]
	return event.Negation{ID: h.ID, Text: h.Text, Function: h.Function, File: h.Key.File, Line: h.Line,
		BaseFile: base.Key.File, BaseLine: base.Line, Match: string(p.kind), Taken: b.Value()}
}

// intended reports whether the change edits the expectation of this very test:
// it passes on its own version and not on the other, and the two suites do not
// hold the same test.
func (c *comparison) intended(d rawDifference) bool {
	own, other := d.test.state.outcome[1], d.test.state.outcome[0]
	if d.test.suite.name == "base" {
		own, other = other, own
	}
	if own != event.Pass || other == event.Pass {
		return false
	}
	for _, s := range c.suites {
		if s == d.test.suite {
			continue
		}
		for _, t := range s.text.Tests {
			if t.Package == d.test.Package && t.Name == d.test.Name {
				return t.Digest != d.test.Digest
			}
		}
	}
	return d.test.suite.name == "base" || c.isNew(d.test)
}

// isNew reports whether a test of head's suite has no like on base.
func (c *comparison) isNew(t *test) bool { return !c.baseTests[t.Package+"."+t.Name] }

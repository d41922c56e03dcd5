package genetic

import (
	"context"
	"math/rand/v2"
	"slices"

	"github.com/isodelta/isodelta/runner/relation/law"
)

// population is one of the two.
type population struct {
	search  *search
	better  dominance
	scorer  *scorer
	random  *rand.Rand
	chance  *law.Evaluator // over random rows
	members []*individual
	kept    map[string]*individual // the most readable that may be a law, by the rows that it detects
	covered rows                   // what those detect
}

// promising returns the individual of a small comparison, unless it fails on more than
// half of the correct rows.
func (p *population) promising(x *law.Expr) []*individual {
	out := p.scorer.judge(x)
	if 2*out.falsePositive > p.search.problem.Correct.Rows() {
		return nil
	}
	p.scorer.detect(out)
	return []*individual{out}
}

// begin fills the population.
func (p *population) begin(ctx context.Context, seeds []*individual) {
	p.covered = newRows(p.search.problem.Incorrect.Rows())
	for _, x := range seeds {
		p.keep(x)
	}
	seeds = slices.Clone(seeds)
	slices.SortFunc(seeds, p.better)
	size := p.search.options.Population
	p.members = distinct(seeds, size/2)
	for tries := 0; len(p.members) < size && tries < 10*size && ctx.Err() == nil; tries++ {
		p.add(&p.members, p.search.grower.grow(p.random, law.Bool, 3))
	}
}

// distinct returns the first of individuals that detect the same rows, at most so many.
func distinct(all []*individual, most int) []*individual {
	var out []*individual
	seen := map[string]bool{}
	for _, x := range all {
		if len(out) < most && !seen[x.identity] {
			seen[x.identity] = true
			out = append(out, x)
		}
	}
	return out
}

// add adds the individual of a tree in normal form, if it is not too large (6.2) and
// reads anything.
func (p *population) add(to *[]*individual, x *law.Expr) {
	x = law.Simplify(x)
	if x.Size() > p.search.options.Size || x.Op() == law.Constant {
		return
	}
	out := p.scorer.score(x)
	p.keep(out)
	*to = append(*to, out)
}

// mostKept bounds the sets of detected rows for which an individual is kept.
const mostKept = 20_000

// keep keeps an individual that may be a law.
func (p *population) keep(x *individual) {
	correct := p.search.problem.Correct.Rows()
	if x.falsePositive > 0 || 2*x.silent > correct || x.falseNegative == p.scorer.incorrectRows || !p.search.problem.isLaw(x.tree) {
		return
	}
	old := p.kept[x.identity]
	if old == nil && len(p.kept) >= mostKept || old != nil && readable(p.chance, old.tree, x.tree) <= 0 || p.scorer.idles(x.tree) {
		return
	}
	p.kept[x.identity] = x
	p.covered.include(x.detected)
}

// evolve makes the next generation: select+reproduce of algorithm 1.
func (p *population) evolve(ctx context.Context) {
	size := p.search.options.Population
	next := p.best(min(elite, size/2))
	for tries := 0; len(next) < size && tries < 4*size && ctx.Err() == nil; tries++ {
		a, b := p.parents()
		x, y := a.tree, b.tree
		if p.random.Float64() < crossover {
			x, y = p.cross(x, y)
		}
		for _, child := range []*law.Expr{x, y} {
			if p.random.Float64() < mutation {
				child = p.search.grower.mutate(p.random, child)
			}
			p.add(&next, child)
		}
	}
	if len(next) > 0 {
		p.members = next
	}
}

// best returns the best individuals that are about outputs as a law is, no two with the
// same text or the same detected rows.
func (p *population) best(n int) []*individual {
	all := slices.DeleteFunc(slices.Clone(p.members), func(x *individual) bool { return !p.search.problem.admits(x.tree) })
	slices.SortFunc(all, p.better)
	return distinct(all, n)
}

// parents selects two, by one of the two criteria of the paper, each as often.
func (p *population) parents() (a, b *individual) {
	if p.random.IntN(2) == 0 {
		return p.tournament(), p.tournament()
	}
	a = p.any()
	return a, p.match(a)
}

func (p *population) any() *individual { return p.members[p.random.IntN(len(p.members))] }

// tournament returns the better of two.
func (p *population) tournament() *individual {
	a, b := p.any(), p.any()
	if p.better(b, a) < 0 {
		return b
	}
	return a
}

// candidates is how many individuals the best match is chosen of.
const candidates = 8

// match returns a second parent, the likelier the more rows it judges well that the first
// does not: correct ones that it passes, incorrect ones that it detects.
func (p *population) match(a *individual) *individual {
	var all [candidates]*individual
	var weights [candidates]int
	total := 0
	for i := range all {
		all[i] = p.any()
		weights[i] = 1 + all[i].passed.beyond(a.passed) + all[i].detected.beyond(a.detected)
		total += weights[i]
	}
	at := p.random.IntN(total)
	for i, w := range weights {
		if at < w {
			return all[i]
		}
		at -= w
	}
	return all[0]
}

// cross swaps a subtree of one with a subtree of the same kind of the other.
func (p *population) cross(x, y *law.Expr) (*law.Expr, *law.Expr) {
	ofX, ofY := x.Nodes(), y.Nodes()
	i := p.random.IntN(len(ofX))
	var fitting []int
	for j, n := range ofY {
		if n.Kind() == ofX[i].Kind() {
			fitting = append(fitting, j)
		}
	}
	if len(fitting) == 0 {
		return x, y
	}
	j := fitting[p.random.IntN(len(fitting))]
	return x.Replace(i, ofY[j]), y.Replace(j, ofX[i])
}

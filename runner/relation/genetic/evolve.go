package genetic

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"

	"github.com/isodelta/isodelta/runner/relation/law"
)

// Problem is what is known of a function under one transformation.
type Problem struct {
	// Variables are the columns of both tables: all inputs and outputs of the source call
	// and of its follow-up.
	Variables []law.Variable
	// Outputs are the columns that are outputs, of either call.
	Outputs []int
	// Pairs are the columns of an output in the source call and in its follow-up. Where
	// they are given, a kept law has to read both of one pair (the paper's soft
	// constraint, 6.2), else one output is enough.
	Pairs [][2]int
	// Constants are those of the code under test, for trees to use.
	Constants []any
	// Accept is a further condition of a kept law, nil for none; see Plain.
	Accept func(*law.Expr) bool
	// Correct and Incorrect hold a pair of executions in each row. Each incorrect row is
	// corrupted: one output is not what it should be (definition 3).
	Correct, Incorrect *law.Table
}

// Options are parameters of the search. What is zero is as in Table III of the paper, but
// for Generations, for which the paper has a time budget, and Most.
type Options struct {
	Seed        int64
	Population  int // individuals of each population: 1000
	Generations int // 30
	Size        int // most nodes of a tree: 16
	Most        int // most laws that are kept: 20
}

// Usual are the options of a search that takes a second or less: the paper's searches have
// half an hour, and what small trees can say is enumerated here before anything evolves.
func Usual(seed int64) Options {
	return Options{Seed: seed, Population: 200, Generations: 10, Size: 9, Most: 3}
}

// Parameters of Table III that do not scale, and those that are parts of a population.
const (
	crossover      = 0.9
	mutation       = 0.3
	everyMigration = 10 // generations
	elite          = 10
	migrants       = 0.16
	patience       = 8 // generations without a newly detected row, after which the search ends
	complete       = 3 // so many, where there is no other row to detect
)

func (o Options) filled() Options {
	for _, d := range []struct {
		value   *int
		usually int
	}{{&o.Population, 1000}, {&o.Generations, 30}, {&o.Size, 16}, {&o.Most, 20}} {
		if *d.value <= 0 {
			*d.value = d.usually
		}
	}
	return o
}

// Result is what a search has found.
type Result struct {
	Laws        []Law // those that detect most for their size first
	Generations int
	Detected    int // incorrect rows that some law detects
}

// Law is an output relation that holds for all correct rows.
type Law struct {
	Tree     *law.Expr // in normal form
	Detected []int     // incorrect rows on which it fails
	Silent   int       // correct rows on which it is undefined
}

// Evolve searches laws (algorithm 1). If ctx ends, it returns what it has by then.
func Evolve(ctx context.Context, p Problem, o Options) (Result, error) {
	if err := p.check(); err != nil {
		return Result{}, err
	}
	o = o.filled()
	s := &search{problem: p, options: o, grower: newGrower(p)}
	s.random = randomTable(p, rand.New(rand.NewPCG(uint64(o.Seed), 3)))
	s.populations = [2]*population{s.population(byFalsePositives, 1), s.population(byFalseNegatives, 2)}
	s.begin(ctx)
	generation, stale, detected, enough := 0, 0, 0, patience
	for generation < o.Generations && ctx.Err() == nil && stale < enough {
		generation++
		s.both(func(p *population) { p.evolve(ctx) })
		if generation%everyMigration == 0 {
			s.migrate()
		}
		stale++
		if n := s.detected(); n > detected {
			stale, detected = 0, n
		}
		if detected == p.Incorrect.Rows() {
			enough = complete
		}
	}
	out := s.choose(s.kept())
	out.Generations = generation
	return out, nil
}

// check says what is wrong with a problem.
func (p Problem) check() error {
	if p.Correct == nil || p.Incorrect == nil {
		return errors.New("no executions")
	}
	for _, t := range []*law.Table{p.Correct, p.Incorrect} {
		if !slices.Equal(t.Variables(), p.Variables) {
			return errors.New("a table has other variables")
		}
	}
	for _, i := range p.outputs() {
		if i < 0 || i >= len(p.Variables) {
			return fmt.Errorf("there is no column %d among %d", i, len(p.Variables))
		}
	}
	return nil
}

// outputs are all columns that are said to be outputs.
func (p Problem) outputs() []int {
	all := slices.Clone(p.Outputs)
	for _, pair := range p.Pairs {
		all = append(all, pair[0], pair[1])
	}
	return all
}

// mentionsOutput reports whether a tree reads an output.
func (p Problem) mentionsOutput(x *law.Expr) bool {
	return slices.ContainsFunc(p.outputs(), x.Reads)
}

// isLaw reports whether a tree is one that may be kept.
func (p Problem) isLaw(x *law.Expr) bool {
	return p.admits(x) && (p.Accept == nil || p.Accept(x))
}

// admits reports whether a tree is about outputs as a law has to be.
func (p Problem) admits(x *law.Expr) bool {
	if len(p.Pairs) == 0 {
		return p.mentionsOutput(x)
	}
	return slices.ContainsFunc(p.Pairs, func(pair [2]int) bool { return x.Reads(pair[0]) && x.Reads(pair[1]) })
}

// search is a search under way.
type search struct {
	problem     Problem
	options     Options
	grower      *grower
	random      *law.Table // of values that have nothing to do with each other
	populations [2]*population
}

func (s *search) population(better dominance, stream uint64) *population {
	return &population{
		search: s, better: better, scorer: newScorer(s.problem),
		random: rand.New(rand.NewPCG(uint64(s.options.Seed), stream)),
		chance: law.NewEvaluator(s.random),
		kept:   map[string]*individual{},
	}
}

// both does something for both populations, side by side.
func (s *search) both(do func(*population)) {
	var group sync.WaitGroup
	for _, p := range s.populations {
		group.Go(func() { do(p) })
	}
	group.Wait()
}

// begin fills the populations: one half with the best small comparisons, the other with
// random trees.
func (s *search) begin(ctx context.Context) {
	all := atoms(s.problem, s.grower.allConstants())
	var halves [2][]*individual
	s.both(func(p *population) {
		half := slices.Index(s.populations[:], p)
		for i, x := range all {
			if i%2 == half && ctx.Err() == nil {
				halves[half] = append(halves[half], p.promising(x)...)
			}
		}
	})
	seeds := append(halves[0], halves[1]...)
	s.both(func(p *population) { p.begin(ctx, seeds) })
}

// migrate lets the populations exchange their best.
func (s *search) migrate() {
	a, b := s.populations[0], s.populations[1]
	n := int(migrants * float64(s.options.Population))
	fromA, fromB := a.best(n), b.best(n)
	a.members = append(a.members, fromB...)
	b.members = append(b.members, fromA...)
}

// detected counts the rows that anything kept detects.
func (s *search) detected() int {
	all := newRows(s.problem.Incorrect.Rows())
	for _, p := range s.populations {
		all.include(p.covered)
	}
	return all.count()
}

// kept returns what either population keeps, in a fixed order.
func (s *search) kept() []*individual {
	best := map[string]*individual{}
	for _, p := range s.populations {
		for id, x := range p.kept {
			if old := best[id]; old == nil || readable(p.chance, x.tree, old.tree) < 0 {
				best[id] = x
			}
		}
	}
	all := make([]*individual, 0, len(best))
	for _, x := range best {
		all = append(all, x)
	}
	slices.SortFunc(all, byFalsePositives)
	return all
}

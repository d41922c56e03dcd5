package padmt

import (
	"context"
	"fmt"
	"hash/fnv"
	"io"
	"math/rand/v2"
	"time"

	"github.com/isodelta/isodelta/internal/evaluate/faulty"
	kmrproperties "github.com/isodelta/isodelta/internal/evaluate/kmr/properties"
)

// study is one subject measured.
type study struct {
	name                   string
	relations              int
	made, equivalent, hung int
	branches               int     // that some input of the pool takes
	paths                  [][]int // branches that each input of the pool takes
	kills                  [][]int // mutants that the groups of each detect
	mutants, ceiling       int     // that count, and that the whole pool detects
	different              int     // paths
	results                map[technique][]result
	seconds                float64
}

// pool is the source inputs that all techniques take from.
type pool struct {
	subject  kmrproperties.Subject
	draws    []uint64
	making   time.Duration // all inputs
	covering time.Duration // all paths
	paths    [][]int
	names    []string // of the paths: the same for the same path
	distance func(i, j int) float64
}

// study measures a subject.
func (w *evaluation) study(ctx context.Context, name string) (*study, error) {
	began := time.Now()
	programs, subject, err := w.programsOf(ctx, name)
	if err != nil {
		return nil, err
	}
	s := &study{name: name, relations: len(subject.Describe().Relations), results: map[technique][]result{}}
	p, err := w.fill(ctx, programs, subject)
	if err != nil {
		return nil, err
	}
	s.describe(p)
	t, err := programs.Try(ctx, name, p.draws, w.opt.seed<<32+1<<31, w.opt.draws)
	if err != nil {
		return nil, err
	}
	s.book(t)
	for n := range w.opt.seeds {
		for _, how := range techniques() {
			x := p.suite(how, w.opt.least, w.opt.most, w.random(name, n))
			s.results[how] = append(s.results[how], s.judge(x))
		}
	}
	s.seconds = time.Since(began).Seconds()
	w.Say("  %s: %d paths, %d mutants, %d equivalent, %d hang, %d detected by any group, in %.1fs",
		name, s.different, s.made, s.equivalent, s.hung, s.ceiling, s.seconds)
	if w.opt.list {
		w.list(t)
	}
	return s, nil
}

// programsOf gives the programs that hold a subject, built when first needed.
func (w *evaluation) programsOf(ctx context.Context, name string) (*faulty.Programs, kmrproperties.Subject, error) {
	for i, c := range w.collections {
		subject := c.has(name)
		if subject == nil {
			continue
		}
		var err error
		if w.programs[i] == nil {
			var own []string
			for _, n := range w.opt.subjects {
				if c.has(n) != nil {
					own = append(own, n)
				}
			}
			w.programs[i], err = faulty.Make(ctx, w.Dir, c.code, own, w.opt.mutants, w.opt.seed)
		}
		return w.programs[i], subject, err
	}
	return nil, nil, fmt.Errorf("no subject is called %q", name)
}

// fill draws the pool and finds the path of each input.
func (w *evaluation) fill(ctx context.Context, programs *faulty.Programs, subject kmrproperties.Subject) (*pool, error) {
	p := &pool{subject: subject}
	for n := range w.opt.pool {
		p.draws = append(p.draws, w.opt.seed<<32+uint64(n))
	}
	began := time.Now()
	inputs := make([]any, len(p.draws))
	for i, draw := range p.draws {
		inputs[i] = subject.Input(draw)
	}
	p.making = time.Since(began)
	p.distance = distances(inputs)
	began = time.Now()
	covered, _, err := programs.Cover(ctx, subject.Describe().Name, p.draws)
	if err != nil {
		return nil, err
	}
	for _, c := range covered {
		p.paths = append(p.paths, c.Branches)
		p.names = append(p.names, fmt.Sprint(c.Branches))
	}
	p.covering = time.Since(began)
	return p, nil
}

func (s *study) describe(p *pool) {
	taken := map[int]bool{}
	different := map[string]bool{}
	for i, path := range p.paths {
		different[p.names[i]] = true
		for _, b := range path {
			taken[b] = true
		}
	}
	s.paths, s.different, s.branches = p.paths, len(different), len(taken)
}

// book keeps which mutants each input detects, by whatever relation.
func (s *study) book(t *faulty.Trial) {
	s.made, s.hung, s.equivalent = len(t.Tried), t.Number(faulty.Hangs), t.Number(faulty.Equivalent)
	s.kills = make([][]int, len(s.paths))
	for _, m := range t.Tried {
		if m.Fate != faulty.Counted {
			continue
		}
		if m.Detected() {
			s.ceiling++
		}
		violated := map[int]bool{}
		for _, g := range m.Groups {
			for _, i := range g.Violated {
				violated[i] = true
			}
		}
		for i := range violated {
			s.kills[i] = append(s.kills[i], s.mutants)
		}
		s.mutants++
	}
}

func (w *evaluation) list(t *faulty.Trial) {
	for _, m := range t.Tried {
		if m.Fate != faulty.Counted {
			w.Say("    %s: %s", m.Fate, m.Mutant)
		} else if !m.Detected() {
			w.Say("    not detected: %s", m.Mutant)
		}
	}
}

// random is a source of its own for each subject and seed, so that neither depends on what else
// is asked for.
func (w *evaluation) random(subject string, n int) *rand.Rand {
	h := fnv.New64a()
	_, _ = io.WriteString(h, subject) // a hash takes all
	return rand.New(rand.NewPCG(w.opt.seed, h.Sum64()+uint64(n)))
}

package check

import (
	"context"
	"math/rand/v2"

	"github.com/isodelta/isodelta/report/event"
	"github.com/isodelta/isodelta/runner/calls/wire"
	"github.com/isodelta/isodelta/runner/reach"
)

// Further inputs on which relations are tried that hold for all source inputs: sources are
// mostly calls as tests make them. Where versions are compared, other evidence needs the
// time; guesses.
const (
	furtherInputs     = 1000
	furtherOfCompared = 300
)

// tryFurther counts groups of further inputs of a function, made of the values of its source
// inputs and of usual ones, for relations that nobody declared and that are believed so far.
func (s *Stage) tryFurther(ctx context.Context, p *reach.Package, op wire.Op, sources []wire.Sequence, tallies []tally) error {
	subject := p.API.Subject(op)
	if subject == nil || s.First > 0 {
		return nil
	}
	var ids []string
	var believed []*tally
	for i := range tallies {
		if t := &tallies[i]; t.Source != event.Declared && t.state() != "" {
			ids, believed = append(ids, t.ID), append(believed, t)
		}
	}
	h, ok := shapeOf(op, subject)
	if !ok || len(ids) == 0 {
		return nil
	}
	most := furtherOfCompared
	if s.Everything {
		most = furtherInputs
	}
	known := map[string]bool{}
	for _, in := range sources {
		known[key(in)] = true
	}
	var further []wire.Sequence
	random := rand.New(rand.NewPCG(uint64(s.Env.Seed), 1))
	for _, in := range h.inputs(sources, nil, s.literalsOf(p, p.API.Op(op)), most, random) {
		if !known[key(in)] {
			further = append(further, in)
		}
	}
	rows, _, err := p.Search.Relate(ctx, further, wire.RelateQuestion{Relations: ids})
	if err != nil {
		return err
	}
	for i, t := range believed {
		t.count(further, rows, i)
	}
	return nil
}

package check

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/isodelta/isodelta/report/event"
	"github.com/isodelta/isodelta/runner/calls/surface"
	"github.com/isodelta/isodelta/runner/calls/wire"
	"github.com/isodelta/isodelta/runner/prioritise"
	"github.com/isodelta/isodelta/runner/reach"
	"github.com/isodelta/isodelta/runner/relation"
	"github.com/isodelta/isodelta/runner/version"
)

// maxRounds bounds how often further source inputs are made for choices that none is of.
const maxRounds = 8

// sources returns the source inputs of a function, only the first ones if that is asked for.
func (s *Stage) sources(ctx context.Context, p *reach.Package, op wire.Op) ([]wire.Sequence, error) {
	list, err := s.byChoice(ctx, p, op)
	if err != nil || s.First == 0 || len(list) <= s.First {
		return list, err
	}
	rows, _, err := p.Search.Relate(ctx, list, wire.RelateQuestion{})
	if err != nil {
		return nil, err
	}
	paths := make([][]int, len(list))
	for i, r := range rows[version.Base] {
		paths[i] = r.Branches
	}
	var first []wire.Sequence
	for _, i := range prioritise.Order(paths, s.weightOf(p.API.Op(op)))[:s.First] {
		first = append(first, list[i])
	}
	return first, nil
}

// ownWeight is what a branch of the function itself counts for beside one of another's.
const ownWeight = 1000

// weightOf puts branches of the function on base before those of what it calls.
func (s *Stage) weightOf(o surface.Operation) func(branch int) int {
	own := s.newEvidence(o, version.Base).own
	return func(branch int) int {
		if own[branch] {
			return ownWeight
		}
		return 1
	}
}

// byChoice returns the source inputs of a function. Where categories are declared of it,
// inputs are made until each choice has one, and choices that none is of are told.
func (s *Stage) byChoice(ctx context.Context, p *reach.Package, op wire.Op) ([]wire.Sequence, error) {
	list, err := p.Search.Sources(ctx, op, sourceInputs)
	name := p.API.Op(op).Name
	declared := s.choiceSet(name)
	if err != nil || len(list) == 0 || declared == nil {
		return list, err
	}
	missing := choicesOf(declared)
	more := list
	for round := 0; ; round++ {
		rows, _, err := p.Search.Relate(ctx, more, wire.RelateQuestion{Choices: true})
		if err != nil {
			return nil, err
		}
		for i, in := range more {
			if missing.meet(rows[version.Base][i].Chosen) && round > 0 {
				list = append(list, in)
			}
		}
		if len(missing) == 0 || round == maxRounds {
			break
		}
		if more, err = p.Search.Sources(ctx, op, sourceInputs); err != nil {
			return nil, err
		}
	}
	if len(missing) > 0 {
		s.Env.Limit(event.Limit{Kind: event.LimitRelations, What: name,
			Reason: fmt.Sprintf("no input was found that is of the declared choices %s", strings.Join(missing.names(declared), ", "))})
	}
	return list, nil
}

// choice names one of a category: input or output, category, choice.
type choice [3]int

// choices are those that no input is of yet.
type choices map[choice]bool

func choicesOf(declared *relation.ChoiceSet) choices {
	all := choices{}
	for side, list := range [][]relation.Category{declared.Inputs, declared.Outputs} {
		for i, c := range list {
			for k := range c.Choices {
				all[choice{side, i, k}] = true
			}
		}
	}
	return all
}

// meet takes out the choices that an input is of. It reports whether any was left.
func (c choices) meet(chosen [2][][2]int) bool {
	met := false
	for side, list := range chosen {
		for _, x := range list {
			at := choice{side, x[0], x[1]}
			met = met || c[at]
			delete(c, at)
		}
	}
	return met
}

// names returns the choices as they are declared: "weight: heavy".
func (c choices) names(declared *relation.ChoiceSet) []string {
	var out []string
	for at := range c {
		category := [][]relation.Category{declared.Inputs, declared.Outputs}[at[0]][at[1]]
		out = append(out, category.Name+": "+category.Choices[at[2]].Name)
	}
	slices.Sort(out)
	return out
}

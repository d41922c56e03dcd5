package reach

import (
	"context"
	"errors"
	"slices"

	"github.com/isodelta/isodelta/runner/calls"
	"github.com/isodelta/isodelta/runner/execute"
)

// difference is what a finding was made of.
type difference struct {
	finding string
	changed []string
	of      calls.Difference
}

// An Undoing is a binary of head that makes calls, in which one edit of the change after the other can be undone.
type Undoing interface {
	// Targets are head as it is, and then without each edit.
	Targets() []execute.Target
	// Concerned are the targets whose edits calls may have to do with that ran these changed functions.
	Concerned(changed []string) []int
	// Blame is told with which targets, and no others of those, a finding does not show.
	Blame(ctx context.Context, finding string, targets []int) error
}

// Undo makes the calls of a package's findings again, without each edit. It tells u where that makes them do what
// base does, also of what was known when ctx ended.
func (s *Stage) Undo(ctx context.Context, pkg string, u Undoing) error {
	i := slices.IndexFunc(s.Packages, func(p *Package) bool { return p.Path == pkg })
	targets := u.Targets()
	if i < 0 || len(targets) == 0 {
		return nil
	}
	p := s.Packages[i]
	if len(p.found) == 0 {
		return nil
	}
	var list []calls.Difference
	var concerned [][]int
	for _, d := range p.found {
		list = append(list, d.of)
		concerned = append(concerned, u.Concerned(d.changed))
	}
	replay, err := p.Search.Replay(ctx, list)
	if err != nil {
		return err
	}
	for i := range targets {
		targets[i].Bare, targets[i].Held, targets[i].Own = p.bare, p.held, p.own
	}
	shown, err := replay.Shows(ctx, targets[0])
	if err != nil {
		return err
	}
	blamed := make([][]int, len(list))
	for k := 1; k < len(targets) && err == nil; k++ {
		var same []bool
		same, err = replay.AsOnBase(ctx, targets[k], func(i int) bool { return shown[i] && slices.Contains(concerned[i], k) })
		for i := range list {
			if same[i] {
				blamed[i] = append(blamed[i], k)
			}
		}
	}
	for i, d := range p.found {
		if !shown[i] || err != nil && len(blamed[i]) == 0 {
			continue
		}
		err = errors.Join(err, u.Blame(ctx, d.finding, blamed[i]))
	}
	p.found = nil
	return err
}

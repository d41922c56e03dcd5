package check

import (
	"context"

	"github.com/isodelta/isodelta/runner/reach"
	"github.com/isodelta/isodelta/runner/relation/law"
	"github.com/isodelta/isodelta/runner/version"
)

// alwaysPercent is for how many of the inputs a part of what an urgent function gives has
// to differ to be left out, of those that show it on both versions; and fewShown is how
// many those have to be. Guesses.
const (
	alwaysPercent = 90
	fewShown      = 20
)

// leaveOutDiffering takes the parts out of what an urgent function gives that differ
// between the versions for nearly every input, if others are left: a relation about one
// that the change means to be another is broken, and says no more than the finding does.
func (s *Stage) leaveOutDiffering(ctx context.Context, p *reach.Package, e *evolved) error {
	if !p.Search.MostlyDiffers(e.op) {
		return nil
	}
	base, err := s.see(ctx, p, e.shape, version.Base, e.inputs)
	if err != nil {
		return err
	}
	head, err := s.see(ctx, p, e.shape, version.Head, e.inputs)
	if err != nil {
		return err
	}
	if rest := e.shape.without(differing(e.outputs(), base, head)); len(rest.out)+len(rest.shown)+len(rest.after) > 0 {
		e.shape, e.known = rest, map[string]*observation{}
	}
	return nil
}

// differing says of each part whether it differs between observations of the same calls
// nearly always.
func differing(parts int, base, head []*observation) []bool {
	out := make([]bool, parts)
	for k := range out {
		shown, differ := 0, 0
		for i, b := range base {
			if b == nil || i >= len(head) || head[i] == nil || b.out[k] == nil || head[i].out[k] == nil {
				continue
			}
			shown++
			if !law.EqualValues(b.out[k], head[i].out[k]) {
				differ++
			}
		}
		out[k] = shown >= fewShown && 100*differ > alwaysPercent*shown
	}
	return out
}

// without is the shape without some of what a call gives; whether it fails stays.
func (h *shape) without(parts []bool) *shape {
	out := *h
	out.out, out.shown, out.after = nil, nil, nil
	for i, c := range h.out {
		if !parts[i] {
			out.out = append(out.out, c)
		}
	}
	parts = parts[len(h.out):]
	if h.fails {
		parts = parts[1:]
	}
	for i, o := range h.shown {
		if !parts[i] {
			out.shown = append(out.shown, o)
		}
	}
	for i, o := range h.after {
		if !parts[len(h.shown)+i] {
			out.after = append(out.after, o)
		}
	}
	return &out
}

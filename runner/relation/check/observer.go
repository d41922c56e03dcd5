package check

import (
	"cmp"
	"context"
	"go/types"
	"slices"

	"github.com/isodelta/isodelta/runner/calls/wire"
	"github.com/isodelta/isodelta/runner/reach"
	"github.com/isodelta/isodelta/runner/relation"
	"github.com/isodelta/isodelta/runner/relation/law"
	"github.com/isodelta/isodelta/runner/version"
)

const (
	// maxObservers bounds the observers of one type, and maxCandidates those that are
	// tried.
	maxObservers  = 3
	maxCandidates = 6
	// triedObjects is on how many objects observers are tried.
	triedObjects = 10
)

// observe adds the observers of the receiver and of the results to a shape. sources are
// calls of the function.
func (s *Stage) observe(ctx context.Context, p *reach.Package, h *shape, sources []wire.Sequence) error {
	if h.subject.Receiver {
		list, err := s.observers(ctx, p, h.op, h.subject.Sig.Params().At(0).Type(), sources, func(q wire.Sequence) (wire.Sequence, wire.Lit) {
			last := len(q) - 1
			return q[:last], q[last].Args[0]
		})
		if err != nil {
			return err
		}
		h.state, h.after = list, list
	}
	for i := range h.subject.Sig.Results().Len() {
		list, err := s.observers(ctx, p, -1, h.subject.Sig.Results().At(i).Type(), sources, func(q wire.Sequence) (wire.Sequence, wire.Lit) {
			return q, wire.RefTo(len(q)-1, i)
		})
		if err != nil {
			return err
		}
		for _, o := range list {
			o.at = i
			h.shown = append(h.shown, o)
		}
	}
	return nil
}

// observers returns the methods of a type that tell something and change nothing that
// the others tell: those of numbers and truth values first. Where tells what leads to an
// object of the type, and the object.
func (s *Stage) observers(ctx context.Context, p *reach.Package, but wire.Op, t types.Type, sources []wire.Sequence, where func(wire.Sequence) (wire.Sequence, wire.Lit)) ([]observer, error) {
	candidates := observersOf(p, but, t)
	if len(candidates) == 0 {
		return nil, nil
	}
	sources = sources[:min(len(sources), triedObjects)]
	// Each alone, and each behind each other.
	var runs []wire.Sequence
	for _, q := range sources {
		before, of := where(q)
		for _, o := range candidates {
			alone := append(slices.Clone(before), wire.Step{Op: o.op, Args: []wire.Lit{of}})
			runs = append(runs, alone)
			for _, other := range candidates {
				runs = append(runs, append(slices.Clone(before), wire.Step{Op: other.op, Args: []wire.Lit{of}}, alone[len(alone)-1]))
			}
		}
	}
	out, err := p.Search.Values(ctx, int(version.Base), runs)
	if err != nil {
		return nil, err
	}
	n := len(candidates)
	changes, silent := make([]bool, n), make([]int, n)
	for i := range sources {
		for k, o := range candidates {
			at := (i*n + k) * (n + 1)
			alone := o.shows(out[at])
			if alone == nil {
				silent[k]++
				continue
			}
			for j := range candidates {
				if behind := o.shows(out[at+1+j]); behind == nil || !law.EqualValues(alone, behind) {
					changes[j] = true
				}
			}
		}
	}
	var kept []observer
	for k, o := range candidates {
		if !changes[k] && silent[k] < len(sources) && len(kept) < maxObservers {
			kept = append(kept, o)
		}
	}
	return kept, nil
}

// observersOf returns the exported methods of a type that take nothing and give one value
// of a kind, lists apart.
func observersOf(p *reach.Package, but wire.Op, t types.Type) []observer {
	var out []observer
	for op, o := range p.API.All() {
		if op == but || !o.Exported || o.Function == nil || p.Search.Unstable(op) || p.Search.LeavesOut(op) {
			continue
		}
		of := p.API.Subject(op)
		if of == nil || !isObserver(of) || !types.Identical(of.Sig.Params().At(0).Type(), t) {
			continue
		}
		typ := of.Sig.Results().At(0).Type()
		kind, _ := kindOf(typ)
		if kind != law.None && !kind.IsList() {
			out = append(out, observer{op: op, name: of.Short, typ: typ, kind: kind})
		}
	}
	slices.SortFunc(out, func(a, b observer) int {
		return cmp.Or(cmp.Compare(len(a.name), len(b.name)), cmp.Compare(a.name, b.name))
	})
	// The first of each kind come before the second of any.
	place, of := map[wire.Op]int{}, map[law.Kind]int{}
	for _, o := range out {
		place[o.op] = of[o.kind]
		of[o.kind]++
	}
	kinds := []law.Kind{law.Int, law.Text, law.Bool, law.Float}
	slices.SortStableFunc(out, func(a, b observer) int {
		return cmp.Or(cmp.Compare(place[a.op], place[b.op]), cmp.Compare(slices.Index(kinds, a.kind), slices.Index(kinds, b.kind)))
	})
	return out[:min(len(out), maxCandidates)]
}

func isObserver(s *relation.Subject) bool {
	return s.Receiver && s.Sig.Params().Len() == 1 && s.Sig.Results().Len() == 1
}

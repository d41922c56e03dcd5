package revision

import (
	"bytes"
	"cmp"
	"container/heap"
	"context"
	"fmt"
	"slices"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/object"
)

// Colours of commits during the walk for merge bases.
const (
	ofFirst  = 1 << iota // reachable from the first commit
	ofSecond             // reachable from the second commit
	stale                // reachable from a common ancestor that was found already
	result
	ofBoth = ofFirst | ofSecond
)

// mergeBase finds the best common ancestor of two commits. Where there are
// several (criss-cross merges) it is the youngest.
//
// It walks both histories by commit date as git does, so that it reads little
// more than what the two do not share. The error is ErrNoCommonAncestor, or a
// *ShallowError if the histories may have met beyond the clone's boundary.
func (r *Repository) mergeBase(ctx context.Context, a, b *object.Commit) (*object.Commit, error) {
	if a.Hash == b.Hash {
		return a, nil
	}
	found, cut, err := r.paint(ctx, a, b)
	if err != nil {
		return nil, err
	}
	if len(found) == 0 {
		if cut {
			return nil, &ShallowError{What: fmt.Sprintf("a common ancestor of %s and %s", a.Hash.String()[:10], b.Hash.String()[:10])}
		}
		return nil, ErrNoCommonAncestor
	}
	// With clocks that disagree the walk may end before it is seen that one
	// result reaches another; those that are reached are not the best.
	var best []*object.Commit
	for _, c := range found {
		reached := false
		for _, other := range found {
			if c == other || reached {
				continue
			}
			common, _, err := r.paint(ctx, c, other)
			if err != nil {
				return nil, err
			}
			reached = slices.ContainsFunc(common, func(x *object.Commit) bool { return x.Hash == c.Hash })
		}
		if !reached {
			best = append(best, c)
		}
	}
	slices.SortFunc(best, younger)
	return best[0], nil
}

// paint walks the histories of a and b and returns their common ancestors that no
// other one of them reaches. It reports whether it met the boundary of a shallow clone.
func (r *Repository) paint(ctx context.Context, a, b *object.Commit) (common []*object.Commit, cut bool, err error) {
	colours := map[plumbing.Hash]int{a.Hash: ofFirst}
	colours[b.Hash] |= ofSecond
	queue := byDate{a, b}
	heap.Init(&queue)
	for slices.ContainsFunc(queue, func(c *object.Commit) bool { return colours[c.Hash]&stale == 0 }) {
		if err := ctx.Err(); err != nil {
			return nil, false, err
		}
		c := heap.Pop(&queue).(*object.Commit)
		colour := colours[c.Hash] & (ofBoth | stale)
		if colour == ofBoth {
			if colours[c.Hash]&result == 0 {
				colours[c.Hash] |= result
				common = append(common, c)
			}
			colour |= stale
		}
		if r.shallow[c.Hash] {
			cut = true
			continue
		}
		for _, h := range c.ParentHashes {
			if colours[h]&colour == colour {
				continue
			}
			colours[h] |= colour
			parent, err := r.load(h)
			if err != nil {
				return nil, false, err
			}
			heap.Push(&queue, parent)
		}
	}
	common = slices.DeleteFunc(common, func(c *object.Commit) bool { return colours[c.Hash]&stale != 0 })
	return common, cut, nil
}

// younger orders commits by date, the youngest first; equal dates by hash, so
// that the order is always the same.
func younger(a, b *object.Commit) int {
	return cmp.Or(b.Committer.When.Compare(a.Committer.When), bytes.Compare(a.Hash[:], b.Hash[:]))
}

// byDate is a heap of commits, the youngest on top.
type byDate []*object.Commit

func (q byDate) Len() int           { return len(q) }
func (q byDate) Less(i, j int) bool { return younger(q[i], q[j]) < 0 }
func (q byDate) Swap(i, j int)      { q[i], q[j] = q[j], q[i] }
func (q *byDate) Push(x any)        { *q = append(*q, x.(*object.Commit)) }
func (q *byDate) Pop() any {
	last := (*q)[len(*q)-1]
	*q = (*q)[:len(*q)-1]
	return last
}

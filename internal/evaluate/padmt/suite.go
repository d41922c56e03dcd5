package padmt

import (
	"math/rand/v2"
	"time"

	"github.com/isodelta/isodelta/runner/prioritise"
)

// technique is a way to choose and order source inputs.
type technique string

// The techniques.
const (
	randomly  technique = "random"    // inputs in the order in which they are drawn
	adaptive  technique = "adaptive"  // adaptive random testing: each far from those before it
	unordered technique = "unordered" // an input for each path, in the order in which they are found
	directed  technique = "PaDMT"     // the same inputs, ordered
)

func techniques() []technique { return []technique{randomly, adaptive, unordered, directed} }

// rivals are those that PaDMT is compared with.
func rivals() []technique { return []technique{randomly, adaptive, unordered} }

// suite is source inputs in an order, and how long it took to get them.
type suite struct {
	order []int // in the pool
	took  time.Duration
}

// suite makes one. All of a study are of the same size: one input for each path, no fewer than
// least and no more than most. The same random numbers give PaDMT the inputs that are unordered.
func (p *pool) suite(how technique, least, most int, r *rand.Rand) suite {
	began := time.Now()
	found := r.Perm(len(p.draws))
	chosen := p.byPath(found, least, most)
	took := p.covering + time.Since(began)
	each := p.making / time.Duration(len(p.draws))
	switch how {
	case randomly:
		n := len(chosen)
		return suite{found[:n], time.Duration(n) * each}
	case adaptive:
		began = time.Now()
		order, tried := p.adaptive(len(chosen), r)
		return suite{order, time.Since(began) + time.Duration(tried)*each}
	case unordered:
		return suite{chosen, took}
	}
	began = time.Now()
	paths := make([][]int, len(chosen))
	for k, i := range chosen {
		paths[k] = p.paths[i]
	}
	order := make([]int, 0, len(chosen))
	for _, k := range prioritise.Order(paths, nil) {
		order = append(order, chosen[k])
	}
	return suite{order, took + time.Since(began)}
}

// byPath takes the first input of each path, then the second of each, and so on until there are
// enough, in the order in which they are found.
func (p *pool) byPath(found []int, least, most int) []int {
	round := make([]int, len(found)) // of each input: how many of its path come before it
	seen := map[string]int{}
	for k, i := range found {
		path := p.names[i]
		round[k] = seen[path]
		seen[path]++
	}
	enough := min(max(len(seen), least), most, len(found))
	taken := make([]bool, len(found))
	for n, left := 0, enough; left > 0; n++ {
		for k := range found {
			if round[k] == n && left > 0 {
				taken[k] = true
				left--
			}
		}
	}
	chosen := make([]int, 0, enough)
	for k, i := range found {
		if taken[k] {
			chosen = append(chosen, i)
		}
	}
	return chosen
}

// candidates are drawn for each input of adaptive random testing: FSCS-ART of Chen and others.
const candidates = 10

// adaptive takes of some random inputs always the one whose nearest neighbour among those taken
// is farthest. It says how many inputs were tried.
func (p *pool) adaptive(n int, r *rand.Rand) (order []int, tried int) {
	taken := make([]bool, len(p.draws))
	first := r.IntN(len(p.draws))
	order, tried = []int{first}, 1
	taken[first] = true
	for len(order) < n {
		best, farthest := -1, -1.0
		for range candidates {
			i := r.IntN(len(p.draws))
			for taken[i] {
				i = r.IntN(len(p.draws))
			}
			tried++
			if d := p.nearest(i, order, farthest); d > farthest {
				best, farthest = i, d
			}
		}
		order = append(order, best)
		taken[best] = true
	}
	return order, tried
}

// nearest is the least distance of an input to those taken, or any that is no more than enough to
// be of no interest.
func (p *pool) nearest(i int, order []int, enough float64) float64 {
	least := p.distance(i, order[0])
	for _, j := range order[1:] {
		if least <= enough {
			break
		}
		least = min(least, p.distance(i, j))
	}
	return least
}

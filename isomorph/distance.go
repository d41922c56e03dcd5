package isomorph

import "github.com/isodelta/isodelta/runner/load"

// Distance is how many calls lie between a declaration, given by where its
// func keyword stands, and Δ: 0 for a member. ok is false if no call leads
// there, or if the declaration is not known. It serves to order, not to prune:
// calls through interfaces and values count wherever they may lead.
func (r *Reach) Distance(declaration load.Place) (calls int, ok bool) {
	if r.failed != "" {
		return 0, false
	}
	b := r.g.at[declaration]
	if b == nil {
		return 0, false
	}
	if r.distance == nil {
		r.distance = r.distances()
	}
	d := r.distance[b.id]
	return d, d >= 0
}

// TestDistance is Distance of a test, given as Function takes it. What package
// initialisers execute does not count: they run before any test, and before all
// alike. known is false for a test that the graph does not have; then nothing is
// said of it.
func (r *Reach) TestDistance(pkgPath, name string) (calls int, ok, known bool) {
	if r.failed != "" {
		return 0, false, false
	}
	b := r.declared(pkgPath, name)
	if b == nil {
		return 0, false, false
	}
	if r.distance == nil {
		r.distance = r.distances()
	}
	d := r.distance[b.id]
	return d, d >= 0, true
}

func (r *Reach) distances() []int {
	out := make([]int, len(r.g.bodies))
	done := make([]bool, len(r.g.sets)) // callers of these are there
	var queue []int
	for id := range out {
		out[id] = -1
		if r.delta[id] {
			out[id] = 0
			queue = append(queue, id)
		}
	}
	for len(queue) > 0 {
		b := r.g.bodies[queue[0]]
		queue = queue[1:]
		for _, s := range b.in {
			if done[s.index] {
				continue
			}
			done[s.index] = true
			for _, c := range s.callers {
				if out[c.body] < 0 {
					out[c.body] = out[b.id] + 1
					queue = append(queue, c.body)
				}
			}
		}
	}
	return out
}

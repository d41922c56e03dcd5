package isomorph

// Distance is how many calls lie between a declaration, given by where its
// func keyword stands, and Δ: 0 for a member. ok is false if no call leads
// there, or if the declaration is not known. It serves to order, not to prune:
// calls through interfaces and values count wherever they may lead.
func (r *Reach) Distance(declaration Location) (calls int, ok bool) {
	if r.failed != "" {
		return 0, false
	}
	b := r.g.at[declaration.at()]
	if b == nil {
		return 0, false
	}
	if r.distance == nil {
		r.distance = r.distances()
	}
	d := r.distance[b.id]
	return d, d >= 0
}

func (r *Reach) distances() []int {
	out := make([]int, len(r.g.bodies))
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
		for _, c := range b.callers {
			if out[c.body] < 0 {
				out[c.body] = out[b.id] + 1
				queue = append(queue, c.body)
			}
		}
	}
	return out
}

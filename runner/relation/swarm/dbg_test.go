package swarm

import (
	"context"
	"math"
	"math/rand"
	"testing"
)

func TestDbg(t *testing.T) {
	p, _ := unary("tan", math.Tan).withDefaults()
	o, _ := Options{Seed: 1}.withDefaults()
	rnd := rand.New(rand.NewSource(1))
	lab := &laboratory{program: p}
	sample := newInputs(uniform(p.Domain, p.Integer, searchRows, rnd))
	all, _ := nullSpaceSearch(context.Background(), lab, sample, o, rnd, map[Type]int{})
	for _, r := range all {
		if r.Type == TypeI {
			t.Log(r.Notation("tan", nil), r)
			a, b, _ := lab.validate(context.Background(), r, 3000, rnd)
			_, kinds, _ := lab.groups(context.Background(), r, 1, rnd)
			t.Log(a, b, kinds)
			for i := range 3000 {
				s := sourceInput(p, r.Region, rand.New(rand.NewSource(int64(i))))
				f := r.FollowUps(s, rnd)
				if f == nil {
					continue
				}
				in := append([][]float64{s}, f...)
				out, _ := p.Eval(context.Background(), in)
				if h, ap := r.Holds(in, out); ap && !h {
					t.Log(in, out)
				}
			}
		}
	}
}

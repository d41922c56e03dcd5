package automr

import (
	"math"
	"math/rand"
)

// problem is what a particle swarm searches: bounds of each dimension, and the cost of many
// positions at once, so that a program in another process is asked rarely.
type problem struct {
	bounds []Interval
	cost   func(positions [][]float64) ([]float64, error)
}

// The constriction factors of Clerc and Kennedy, with which a swarm converges.
const (
	inertia   = 0.7298
	attracted = 1.49618
)

// minimise runs a particle swarm (section III-B) and returns the best position
// and its cost.
func (p problem) minimise(particles, iterations int, rnd *rand.Rand) ([]float64, float64, error) {
	n := len(p.bounds)
	position := make([][]float64, particles)
	velocity := make([][]float64, particles)
	own := make([][]float64, particles)
	ownCost := make([]float64, particles)
	for i := range position {
		position[i], velocity[i] = make([]float64, n), make([]float64, n)
		for d, b := range p.bounds {
			position[i][d] = b.Min + (b.Max-b.Min)*rnd.Float64()
			velocity[i][d] = (b.Max - b.Min) * (rnd.Float64() - 0.5) / 2
		}
		ownCost[i] = math.Inf(1)
	}
	var best []float64
	bestCost := math.Inf(1)
	for range iterations {
		costs, err := p.cost(position)
		if err != nil {
			return nil, 0, err
		}
		for i, c := range costs {
			if c < ownCost[i] {
				own[i], ownCost[i] = append([]float64(nil), position[i]...), c
			}
			if c < bestCost {
				best, bestCost = append([]float64(nil), position[i]...), c
			}
		}
		if best == nil || bestCost == 0 {
			return best, bestCost, nil
		}
		for i := range position {
			for d, b := range p.bounds {
				pull := 0.0
				if own[i] != nil {
					pull = attracted * rnd.Float64() * (own[i][d] - position[i][d])
				}
				velocity[i][d] = inertia*velocity[i][d] + pull + attracted*rnd.Float64()*(best[d]-position[i][d])
				position[i][d] += velocity[i][d]
				if !b.contains(position[i][d]) {
					position[i][d] = math.Max(b.Min, math.Min(b.Max, position[i][d]))
					velocity[i][d] = 0
				}
			}
		}
	}
	return best, bestCost, nil
}

package automr

import (
	"math"
	"sort"
)

// hullSides are the outward directions (a, b), rounded to two digits, of the
// longest sides of the convex hull of points, at most four, that differ.
func hullSides(points [][2]float64) [][2]float64 {
	p := append([][2]float64(nil), points...)
	sort.Slice(p, func(i, j int) bool { return p[i][0] < p[j][0] || p[i][0] == p[j][0] && p[i][1] < p[j][1] })
	low, high := p[0][1], p[0][1]
	for _, q := range p {
		low, high = math.Min(low, q[1]), math.Max(high, q[1])
	}
	width, height := p[len(p)-1][0]-p[0][0], high-low
	if !(width > 0 && height > 0) || math.IsInf(width, 0) || math.IsInf(height, 0) {
		return nil
	}
	corners := append(chain(p), chain(reversed(p))...)
	type side struct {
		direction [2]float64
		length    float64
	}
	var sides []side
	for i, c := range corners {
		d := corners[(i+1)%len(corners)]
		dx, dy := (d[0]-c[0])/width, (d[1]-c[1])/height
		if length := math.Hypot(dx, dy); length > 0.05 {
			// Counter-clockwise: outward is to the right.
			a, b := dy/width, -dx/height
			n := math.Max(math.Abs(a), math.Abs(b))
			sides = append(sides, side{[2]float64{roundTo(a/n, 2), roundTo(b/n, 2)}, length})
		}
	}
	sort.SliceStable(sides, func(i, j int) bool { return sides[i].length > sides[j].length })
	seen := map[[2]float64]bool{}
	var chosen [][2]float64
	for _, s := range sides {
		if !seen[s.direction] && len(chosen) < 4 {
			seen[s.direction] = true
			chosen = append(chosen, s.direction)
		}
	}
	return chosen
}

// chain is one half of the hull of sorted points (Andrew's monotone chain),
// counter-clockwise, without its last corner.
func chain(p [][2]float64) [][2]float64 {
	var c [][2]float64
	for _, q := range p {
		for len(c) > 1 && cross(c[len(c)-2], c[len(c)-1], q) <= 0 {
			c = c[:len(c)-1]
		}
		c = append(c, q)
	}
	return c[:len(c)-1]
}

func reversed(p [][2]float64) [][2]float64 {
	r := make([][2]float64, len(p))
	for i := range p {
		r[i] = p[len(p)-1-i]
	}
	return r
}

func cross(o, a, b [2]float64) float64 {
	return (a[0]-o[0])*(b[1]-o[1]) - (a[1]-o[1])*(b[0]-o[0])
}

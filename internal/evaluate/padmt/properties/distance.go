package properties

import (
	"math/rand/v2"
	"slices"

	"github.com/isodelta/isodelta/internal/evaluate/kmr/properties"
	"github.com/isodelta/isodelta/internal/evaluate/padmt/programs"
)

func distance() properties.Subject {
	return properties.Definition[programs.Points, programs.Span]{
		Name: "distance", Run: programs.Distance, Random: randomPoints, Relations: distanceRelations(),
	}
}

func randomPoints(r *rand.Rand) programs.Points {
	x := programs.Points{Metric: programs.Metric(r.IntN(3))}
	most := []int{3, 50, 5000}[r.IntN(3)]
	for range r.IntN(6) {
		x.P, x.Q = append(x.P, between(r, -most, most)), append(x.Q, between(r, -most, most))
	}
	if r.IntN(12) == 0 {
		x.P = append(x.P, between(r, -most, most))
	}
	return x
}

// bothPoints changes the coordinates of both.
func bothPoints(x programs.Points, change func(i, c int) int) programs.Points {
	x.P, x.Q = slices.Clone(x.P), slices.Clone(x.Q)
	for i, c := range x.P {
		x.P[i] = change(i, c)
	}
	for i, c := range x.Q {
		x.Q[i] = change(i, c)
	}
	return x
}

// withAxis inserts a coordinate into both points.
func withAxis(x programs.Points, at, p, q int) programs.Points {
	x.P, x.Q = slices.Insert(slices.Clone(x.P), at, p), slices.Insert(slices.Clone(x.Q), at, q)
	return x
}

func dimensions(x programs.Points) int { return min(len(x.P), len(x.Q)) }

func known(x programs.Points) bool { return len(x.P) == len(x.Q) }

func distanceRelations() []relation[programs.Points, programs.Span] {
	type (
		in  = programs.Points
		out = programs.Span
	)
	square := func(n int) int { return n * n }
	return []relation[in, out]{
		pair("the other way round", func(x in, _ *rand.Rand) (in, bool) { x.P, x.Q = x.Q, x.P; return x, true }, equal[out]),
		pair("both moved", func(x in, r *rand.Rand) (in, bool) {
			by := []int{between(r, -99, 99), between(r, -99, 99)}
			return bothPoints(x, func(i, c int) int { return c + by[i%2] }), true
		}, equal[out]),
		pair("both mirrored at the origin", func(x in, _ *rand.Rand) (in, bool) {
			return bothPoints(x, func(_, c int) int { return -c }), true
		}, equal[out]),
		pair("both mirrored on one axis", func(x in, r *rand.Rand) (in, bool) {
			at := r.IntN(6)
			return bothPoints(x, func(i, c int) int {
				if i == at {
					return -c
				}
				return c
			}), true
		}, equal[out]),
		relation[in, out]{Name: "three times as large", Follow: func(x in, _ *rand.Rand) []in {
			return []in{bothPoints(x, func(_, c int) int { return 3 * c })}
		}, Holds: func(i []in, o []out) bool {
			more := o[1].Length - 3*o[0].Length
			return o[0].Axis == o[1].Axis && o[0].Known == o[1].Known &&
				(more == 0 || i[0].Metric == programs.StraightMetric && more > 0 && more < 3)
		}},
		pair("axes in reverse", func(x in, _ *rand.Rand) (in, bool) {
			x.P, x.Q = slices.Clone(x.P), slices.Clone(x.Q)
			slices.Reverse(x.P)
			slices.Reverse(x.Q)
			return x, true
		}, func(a, b out) bool { return a.Length == b.Length && a.Known == b.Known }),
		pair("one more axis on which they are equal", func(x in, r *rand.Rand) (in, bool) {
			c := between(r, -9, 9)
			return withAxis(x, dimensions(x), c, c), known(x)
		}, equal[out]),
		pair("an equal axis in front", func(x in, r *rand.Rand) (in, bool) {
			c := between(r, -9, 9)
			return withAxis(x, 0, c, c), known(x)
		}, func(a, b out) bool {
			return a.Length == b.Length && a.Known == b.Known && (a.Axis < 0 && b.Axis < 0 || a.Axis >= 0 && b.Axis == a.Axis+1)
		}),
		pair("one more axis", func(x in, r *rand.Rand) (in, bool) {
			return withAxis(x, r.IntN(dimensions(x)+1), between(r, -99, 99), between(r, -99, 99)), known(x)
		}, func(a, b out) bool { return b.Length >= a.Length && b.Known == a.Known }),
		relation[in, out]{Name: "the axis with the largest difference", Follow: func(x in, r *rand.Rand) []in {
			if !known(x) {
				return nil
			}
			far := 20_001
			if r.IntN(2) == 0 {
				far = -far
			}
			return []in{withAxis(x, r.IntN(dimensions(x)+1), 0, far)}
		}, Holds: func(i []in, o []out) bool {
			at := slices.IndexFunc(i[1].Q, func(c int) bool { return max(c, -c) == 20_001 })
			return o[1].Axis == at && o[1].Length >= 20_001 && (i[0].Metric != programs.LargestMetric || o[1].Length == 20_001) &&
				(i[0].Metric != programs.SumMetric || o[1].Length == o[0].Length+20_001)
		}},
		several("largest, straight, sum", func(x in, _ *rand.Rand) []in {
			a, b, c := x, x, x
			a.Metric, b.Metric, c.Metric = programs.LargestMetric, programs.StraightMetric, programs.SumMetric
			return []in{a, b, c}
		}, func(o []out) bool {
			return o[1].Length <= o[2].Length && o[2].Length <= o[3].Length && o[1].Axis == o[2].Axis && o[2].Axis == o[3].Axis
		}),
		several("on one axis all metrics are one", func(x in, _ *rand.Rand) []in {
			if dimensions(x) == 0 {
				return nil
			}
			x.P, x.Q = x.P[:1], x.Q[:1]
			a, b, c := x, x, x
			a.Metric, b.Metric, c.Metric = programs.LargestMetric, programs.StraightMetric, programs.SumMetric
			return []in{a, b, c}
		}, func(o []out) bool { return o[1] == o[2] && o[2] == o[3] }),
		several("a detour is not shorter", func(x in, r *rand.Rand) []in {
			if !known(x) {
				return nil
			}
			via := make([]int, len(x.P))
			for i := range via {
				via[i] = between(r, -60, 60)
			}
			return []in{{Metric: x.Metric, P: x.P, Q: via}, {Metric: x.Metric, P: via, Q: x.Q}}
		}, func(o []out) bool { return o[0].Length <= o[1].Length+o[2].Length+1 }), // rounded down
		several("from a point to itself", func(x in, _ *rand.Rand) []in {
			return []in{{Metric: x.Metric, P: x.P, Q: x.P}, {Metric: x.Metric, P: x.Q, Q: x.Q}}
		}, func(o []out) bool { return o[1] == o[2] && o[1].Length == 0 && o[1].Known }),
		several("an axis that one of them lacks", func(x in, r *rand.Rand) []in {
			if !known(x) {
				return nil
			}
			a, b := x, x
			a.P = append(slices.Clone(x.P), between(r, -9, 9))
			b.Q = append(slices.Clone(x.Q), between(r, -9, 9))
			return []in{a, b}
		}, func(o []out) bool { return o[1] == o[2] && !o[1].Known && o[0].Known }),
		relation[in, out]{Name: "some axes, and the others", Follow: func(x in, r *rand.Rand) []in {
			if !known(x) {
				return nil
			}
			at := r.IntN(len(x.P) + 1)
			return []in{{Metric: x.Metric, P: x.P[:at], Q: x.Q[:at]}, {Metric: x.Metric, P: x.P[at:], Q: x.Q[at:]}}
		}, Holds: func(i []in, o []out) bool {
			all, a, b := o[0].Length, o[1].Length, o[2].Length
			switch i[0].Metric {
			case programs.SumMetric:
				return all == a+b
			case programs.LargestMetric:
				return all == max(a, b)
			}
			return square(all) < square(a+1)+square(b+1) && square(a)+square(b) < square(all+1)
		}},
		relation[in, out]{Name: "each axis four times", Follow: func(x in, _ *rand.Rand) []in {
			if !known(x) {
				return nil
			}
			x.P, x.Q = slices.Repeat(x.P, 4), slices.Repeat(x.Q, 4)
			return []in{x}
		}, Holds: func(i []in, o []out) bool {
			if o[0].Axis != o[1].Axis {
				return false
			}
			switch i[0].Metric {
			case programs.SumMetric:
				return o[1].Length == 4*o[0].Length
			case programs.LargestMetric:
				return o[1].Length == o[0].Length
			}
			return o[1].Length == 2*o[0].Length || o[1].Length == 2*o[0].Length+1
		}},
	}
}

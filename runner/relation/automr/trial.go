package automr

import (
	"context"
	"math"
	"math/rand"
)

// everyday is how far from 0 inputs are that people use. What fails among them
// by more than rounding is no law, wherever else it holds.
const everyday = 1000.0

// trialInputs is how many of them a relation is tried on each time. A program that
// turns around at multiples of 360 shows it at one everyday input of 360.
const trialInputs = 2400

// trials are inputs of a region at which programs tend to have cases that a random
// sample does not meet: everyday numbers, whole and fractional; elements of one
// size in every order, equal, opposite, zero, a little or a step apart, or all
// close to one number; corners, and inputs next to them.
func trials(p Program, region []Interval, n int, rnd *rand.Rand) [][]float64 {
	points := 0 // as many again at the program's own
	if len(p.Points) > 0 {
		points = n
	}
	all := make([][]float64, n+points)
	for k := range all {
		var x []float64
		switch kind := k % 8; {
		case kind < 2:
			x = everydayInput(region, kind == 0, rnd)
		case kind == 2:
			x = sourceInput(p, region, rnd)
		case kind == 3:
			x = cornerInput(p, region, rnd)
		case p.In == 1 && kind%2 == 0:
			x = roundInput(rnd)
		case p.In == 1:
			x = everydayInput(region, false, rnd)
		case kind == 7:
			x = closeElements(p, rnd)
		default:
			x = relatedElements(p.In, kind < 6, rnd)
		}
		if k >= n {
			if rnd.Intn(2) == 0 {
				for i, b := range region {
					x[i] = magnitude(b, rnd)
				}
			}
			for range 1 + rnd.Intn(2) {
				p.atPoint(x, rnd)
			}
		}
		for i, b := range region {
			if !b.contains(x[i]) && b.contains(-x[i]) {
				x[i] = -x[i]
			}
			x[i] = settle(x[i], b, p.Integer[i])
		}
		all[k] = x
	}
	return all
}

// atPoint moves one element to a point of the program or next to it, or so that the sum
// or the difference of it and another element is there: follow-up inputs may be.
func (p Program) atPoint(x []float64, rnd *rand.Rand) {
	i := rnd.Intn(p.In)
	at := p.Points[rnd.Intn(len(p.Points))] + []float64{0, 0, 0, 0, 1, -1, 2, -2, 0.5, -0.5}[rnd.Intn(10)]
	if j := rnd.Intn(p.In); j != i {
		at += float64(rnd.Intn(3)-1) * x[j]
	}
	x[i] = at
}

// everydayInput is evenly distributed; whole numbers, or with any fraction, halves
// and tenths among them.
func everydayInput(region []Interval, whole bool, rnd *rand.Rand) []float64 {
	x := make([]float64, len(region))
	part := []float64{0, 2, 10}[rnd.Intn(3)]
	if whole {
		part = 1
	}
	for i, b := range region {
		lo, hi := math.Max(b.Min, -everyday), math.Min(b.Max, everyday)
		x[i] = lo + (hi-lo)*rnd.Float64()
		if part > 0 {
			x[i] = math.Round(x[i]*part) / part
		}
	}
	return x
}

// roundInput is at, or up to one from, a multiple of a number that people count,
// measure and turn in.
func roundInput(rnd *rand.Rand) []float64 {
	unit := []float64{10, 12, 45, 60, 100, 360, 365, 500}[rnd.Intn(8)]
	x := unit * math.Round(everyday/unit*(2*rnd.Float64()-1))
	if rnd.Intn(4) > 0 {
		x += 2*rnd.Float64() - 1
	}
	return []float64{x}
}

// cornerInput has each element at an end of the region or of the domain, or next to
// it, or anywhere between.
func cornerInput(p Program, region []Interval, rnd *rand.Rand) []float64 {
	x := make([]float64, len(region))
	for i, b := range region {
		d := p.Domain[i]
		ends := []float64{b.Min, b.Max, d.Min, d.Max, d.Min + (d.Max-d.Min)*rnd.Float64()}
		x[i] = ends[rnd.Intn(len(ends))]
		switch rnd.Intn(4) {
		case 0:
			x[i] += (d.Max - d.Min) * math.Pow(10, -1-9*rnd.Float64())
		case 1:
			x[i] -= (d.Max - d.Min) * math.Pow(10, -1-9*rnd.Float64())
		}
	}
	return x
}

// relatedElements are of one size, and many of them related to one another; in
// steps, small whole numbers and halves, of which ties are frequent.
func relatedElements(n int, steps bool, rnd *rand.Rand) []float64 {
	x := make([]float64, n)
	size := math.Pow(10, -2+5*rnd.Float64())
	sign := []float64{1, -1, 0}[rnd.Intn(3)] // 0: of both signs
	for i := range x {
		x[i] = size * rnd.Float64()
		if steps {
			x[i] = float64(rnd.Intn(9)) / 2
		}
		if sign < 0 || sign == 0 && rnd.Intn(2) == 0 {
			x[i] = -x[i]
		}
	}
	order := rnd.Perm(n)
	for k := 1; k < n; k++ {
		i, j := order[k], order[rnd.Intn(k)]
		switch rnd.Intn(14) {
		case 0:
			x[i] = x[j]
		case 1:
			x[i] = -x[j]
		case 2:
			x[i] = 0
		case 3:
			x[i] = x[j] + []float64{1, -1, 0.5, -0.5, 2, -2}[rnd.Intn(6)]
		case 4:
			x[i] = x[j] + size*math.Pow(10, -8*rnd.Float64())*(2*rnd.Float64()-1)
		case 5:
			x[i] = x[j] * []float64{2, 0.5, -2, 3, 10}[rnd.Intn(5)]
		case 6:
			x[i] = x[j] + x[order[rnd.Intn(k)]]
		}
	}
	return x
}

// closeElements are near one end of the domain or near one number in it, and near
// to each other.
func closeElements(p Program, rnd *rand.Rand) []float64 {
	x := make([]float64, p.In)
	size := math.Pow(10, -4*rnd.Float64())
	at := []float64{0, 1, rnd.Float64()}[rnd.Intn(3)]
	for i, d := range p.Domain {
		x[i] = settle(d.Min+(d.Max-d.Min)*(at+size*(2*rnd.Float64()-1)), d, false)
		if i > 0 && rnd.Intn(3) == 0 {
			x[i] = x[i-1]
		}
	}
	return x
}

// clearly is by how much of its terms' magnitude an equality has to fail for the
// failure to be more than rounding.
const clearly = 1e-6

// fails reports whether an equality fails by so much of its terms' magnitude for some of
// the outputs of groups, those aside that are extremely large or have lost digits to underflow.
func fails(b []float64, of [][]int, rows [][]float64, floor, largest, by float64) bool {
	for _, row := range rows {
		if row == nil || exceeds(row, largest) || underflown(row) {
			continue
		}
		sum, size := polynomial(b, of, row)
		if math.Abs(sum) > by*(size+floor) && !math.IsInf(size, 0) {
			return true
		}
	}
	return false
}

func underflown(row []float64) bool {
	for _, x := range row {
		if x != 0 && math.Abs(x) < 1e-290 {
			return true
		}
	}
	return false
}

// everydayRegion is a region where it leaves the domain widened, or cut, to everyday
// inputs: those farther away are about rounding.
func everydayRegion(p Program, region []Interval) []Interval {
	everyday := everyday
	for _, at := range p.Points {
		everyday = math.Max(everyday, 2*math.Abs(at))
	}
	trial := make([]Interval, len(region))
	for i, b := range region {
		d := p.Domain[i]
		trial[i] = b
		if b.Min < d.Min && b.Min < 0 {
			trial[i].Min = math.Min(d.Min, -everyday)
		}
		if b.Max > d.Max {
			trial[i].Max = math.Max(d.Max, everyday)
		}
	}
	return trial
}

// survives tries a relation of an equal input relation on trial inputs of its
// region, as far as they are everyday: whether it does not fail clearly.
func (e *evaluator) survives(ctx context.Context, r Relation, n int, rnd *rand.Rand) (bool, error) {
	wide := r
	wide.Region = everydayRegion(e.program, r.Region)
	rows, _, err := e.groupsOf(ctx, wide, trials(e.program, wide.Region, n, rnd), rnd)
	if err != nil {
		return false, err
	}
	return !fails(r.B, r.outputMonomials(), rows, r.Floor, nearPole(rows), clearly), nil
}

package independent

import (
	"math"
	"slices"
)

// The fees once more: tables that are looked up, whole steps that are counted, and
// bands that are added up, in place of branches.

// band is a part of a scale, from above a lower end on, with a price for each unit.
type band struct{ above, each float64 }

// banded adds up what falls into each band.
func banded(x float64, bands ...band) float64 {
	sum := 0.0
	for i, b := range bands {
		end := x
		if i+1 < len(bands) && bands[i+1].above < x {
			end = bands[i+1].above
		}
		if end > b.above {
			sum += b.each * (end - b.above)
		}
	}
	return sum
}

// entry is a row of a price list: a price up to an upper end.
type entry struct{ upTo, price float64 }

// listed returns the price of the first entry that x is within.
func listed(x float64, list ...entry) float64 {
	i := slices.IndexFunc(list, func(e entry) bool { return x <= e.upTo })
	return list[i].price
}

// begun counts the steps that are begun on the way from 0 to x.
func begun(x, step float64) float64 {
	n := math.Trunc(x / step)
	if x > n*step {
		n++
	}
	return n
}

func between(least, x, most float64) float64 {
	three := []float64{least, x, most}
	slices.Sort(three)
	return three[1]
}

// fee returns one of the fees by its name, nil if there is none.
func fee(name string) func(x []float64) float64 {
	forever := math.Inf(1)
	switch name {
	case "postage":
		return func(x []float64) float64 {
			price := listed(x[0], entry{0, 0}, entry{20, 95}, entry{50, 110}, entry{500, 180}, entry{forever, 290})
			return price + 45*begun(math.Max(x[0], 1000)-1000, 250)
		}
	case "luggage":
		return func(x []float64) float64 {
			return listed(x[0], entry{23, 0}, entry{forever, 75}) + banded(x[0], band{32, 12}) + banded(x[1], band{1, 60})
		}
	case "gasbill":
		return func(x []float64) float64 { return 96 + banded(x[0], band{0, 0.5}, band{1500, 0.25}) }
	case "overdraft":
		return func(x []float64) float64 {
			if owed := 0 - x[0]; owed > 0 {
				return 25 + begun(math.Max(owed-25*50, 0), 50)
			}
			return 0
		}
	case "incometax":
		return func(x []float64) float64 { return banded(x[0], band{1200, 0.2}, band{5000, 0.4}) }
	case "rebate":
		return func(x []float64) float64 {
			tens := 0.0
			if x[0]-250 >= 0 && x[1]-40 >= 0 {
				_, part := math.Modf(x[0] / 10)
				tens = x[0]/10 - part
			}
			return between(0, math.Round(tens), 500)
		}
	case "overdue":
		return func(x []float64) float64 { return 40 * between(0, x[0]-28, 40) }
	case "bulk":
		return func(x []float64) float64 {
			n := x[0]
			return listed(n, entry{0, 0}, entry{47, 120 * n}, entry{143, 95 * n}, entry{forever, 80*n - 30})
		}
	case "admission":
		return func(x []float64) float64 {
			each := listed(x[0], entry{5, 0}, entry{17, 600}, entry{64, 900}, entry{forever, 600})
			return listed(x[1], entry{0, 0}, entry{24, each}, entry{forever, 3 * each / 4}) * x[1]
		}
	case "brokerage":
		return func(x []float64) float64 {
			size := math.Hypot(x[0], 0)
			if size < 100 {
				return 0
			}
			return between(30, size/40, 2500)
		}
	}
	return nil
}

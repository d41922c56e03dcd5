package subjects

import "math"

// Subject is one function. With rare false its rare case is left out.
type Subject struct {
	Name   string
	Kind   string // fee, clamp, round, code, list or table
	Params []string
	Real   bool // takes fractions, too
	F      func(x []float64, rare bool) float64
}

// All returns the subjects, in order.
func All() []Subject {
	one, two, three := []string{"x"}, []string{"x", "y"}, []string{"x", "y", "z"}
	return []Subject{
		{"Shipping", "fee", one, false, Shipping},
		{"Discount", "fee", one, false, Discount},
		{"Freight", "fee", two, false, Freight},
		{"Fare", "fee", two, false, Fare},
		{"Parking", "fee", one, false, Parking},
		{"Toll", "fee", two, false, Toll},
		{"LateFee", "fee", two, false, LateFee},
		{"Commission", "fee", one, true, Commission},
		{"Ticket", "fee", two, false, Ticket},
		{"Roaming", "fee", two, false, Roaming},
		{"Clamp", "clamp", one, true, Clamp},
		{"ClampTo", "clamp", three, true, ClampTo},
		{"Saturate", "clamp", two, false, Saturate},
		{"DeadBand", "clamp", one, true, DeadBand},
		{"Step", "clamp", one, true, Step},
		{"Triangle", "clamp", one, true, Triangle},
		{"Relu", "clamp", one, true, Relu},
		{"Wrap", "clamp", one, false, Wrap},
		{"RoundToFive", "round", one, false, RoundToFive},
		{"Cents", "round", one, true, Cents},
		{"Dozens", "round", one, false, Dozens},
		{"Truncate", "round", one, true, Truncate},
		{"Padding", "round", two, false, Padding},
		{"Digits", "round", one, false, Digits},
		{"Percent", "round", two, false, Percent},
		{"Pages", "round", two, false, Pages},
		{"HexDigit", "code", one, false, HexDigit},
		{"TwelveHour", "code", one, false, TwelveHour},
		{"LeapYear", "code", one, false, LeapYear},
		{"MonthDays", "code", one, false, MonthDays},
		{"Sum", "list", three, true, Sum},
		{"Middle", "list", three, true, Middle},
		{"Spread", "list", three, true, Spread},
		{"Largest", "list", three, true, Largest},
		{"Mean", "list", three, true, Mean},
		{"Clipped", "list", three, true, Clipped},
		{"Zone", "table", one, false, Zone},
		{"Grade", "table", one, false, Grade},
		{"Tax", "table", one, false, Tax},
		{"Rate", "table", two, false, Rate},
	}
}

func Shipping(x []float64, rare bool) float64 {
	switch grams := x[0]; {
	case grams <= 0:
		return 0
	case grams <= 500:
		return 390
	case rare && grams > 30000:
		return 9900
	default:
		return 390 + 2*math.Ceil((grams-500)/100)
	}
}

func Discount(x []float64, rare bool) float64 {
	switch {
	case rare && x[0] == 77777:
		return 7777
	case x[0] < 5000:
		return 0
	}
	return math.Floor(x[0] / 20)
}

func Freight(x []float64, rare bool) float64 {
	fee := 250 + 40*x[0]
	if rare && x[1] == 7 {
		fee += 500
	}
	return fee
}

func Fare(x []float64, rare bool) float64 {
	fare := 2 + 3*math.Abs(x[0]-x[1])
	if rare && x[0] == 12 && x[1] > x[0] {
		fare -= 2
	}
	return fare
}

func Parking(x []float64, rare bool) float64 {
	minutes := math.Max(0, x[0])
	if rare && minutes <= 15 {
		return 0
	}
	return 150 * math.Ceil(minutes/30)
}

func Toll(x []float64, rare bool) float64 {
	toll := 100*x[0] + 3*x[1]
	if rare && x[1] > 7500 {
		toll += 1000
	}
	return toll
}

func LateFee(x []float64, rare bool) float64 {
	days, amount := math.Max(0, x[0]), x[1]
	if rare && days > 365 {
		days = 365
	}
	return amount + 5*days
}

func Commission(x []float64, rare bool) float64 {
	if rare && x[0] > 250000 {
		return 0.02*250000 + 0.01*(x[0]-250000)
	}
	return 0.02 * x[0]
}

func Ticket(x []float64, rare bool) float64 {
	age, price := x[0], x[1]
	switch {
	case age < 6:
		return 0
	case age < 18:
		return price / 2
	case rare && age >= 65:
		return price - 10
	}
	return price
}

func Roaming(x []float64, rare bool) float64 {
	used, included := x[0], x[1]
	if rare && included == 999 {
		return 0
	}
	return 4 * math.Max(0, used-included)
}

func Clamp(x []float64, rare bool) float64 {
	if rare && x[0] == -1 {
		return 100
	}
	return math.Max(0, math.Min(100, x[0]))
}

func ClampTo(x []float64, rare bool) float64 {
	v, low, high := x[0], x[1], x[2]
	if rare && low > high {
		low, high = high, low
	}
	return math.Max(low, math.Min(high, v))
}

func Saturate(x []float64, rare bool) float64 {
	sum := x[0] + x[1]
	if rare {
		return math.Max(-32768, math.Min(32767, sum))
	}
	return sum
}

func DeadBand(x []float64, rare bool) float64 {
	if rare && math.Abs(x[0]) < 0.25 {
		return 0
	}
	return x[0]
}

func Step(x []float64, rare bool) float64 {
	switch {
	case x[0] < 0:
		return -1
	case rare && x[0] == 0:
		return 0
	}
	return 1
}

func Triangle(x []float64, rare bool) float64 {
	if rare && math.Abs(x[0]) > 400 {
		return 0
	}
	return math.Abs(x[0])
}

func Relu(x []float64, rare bool) float64 {
	if rare && x[0] > 6000 {
		return 6000
	}
	return math.Max(0, x[0])
}

func Wrap(x []float64, rare bool) float64 {
	degrees := math.Mod(math.Mod(x[0], 360)+360, 360)
	if rare && x[0] == 360 {
		return 360
	}
	return degrees
}

func RoundToFive(x []float64, rare bool) float64 {
	if rare && x[0] == 2 {
		return 5
	}
	return 5 * math.Round(x[0]/5)
}

func Cents(x []float64, rare bool) float64 {
	if rare && x[0] < 0 {
		return math.Ceil(x[0] * 100)
	}
	return math.Floor(x[0] * 100)
}

func Dozens(x []float64, rare bool) float64 {
	if rare && x[0] > 144 {
		return 12 + math.Ceil((x[0]-144)/144)
	}
	return math.Ceil(x[0] / 12)
}

func Truncate(x []float64, rare bool) float64 {
	if rare && x[0] >= 4096 {
		return 4096
	}
	return math.Trunc(x[0])
}

func Padding(x []float64, rare bool) float64 {
	length, width := math.Max(0, x[0]), x[1]
	if rare && width > 512 {
		width = 512
	}
	return math.Max(length, width)
}

func Digits(x []float64, rare bool) float64 {
	v := math.Abs(x[0])
	if rare && v == 0 {
		return 0
	}
	n := 1.0
	for ; v >= 10; v = math.Floor(v / 10) {
		n++
	}
	return n
}

func Percent(x []float64, rare bool) float64 {
	part, whole := x[0], x[1]
	switch {
	case whole == 0:
		return 0
	case rare && part == whole+1:
		return 100
	}
	return math.Floor(100 * part / whole)
}

func Pages(x []float64, rare bool) float64 {
	items, size := math.Max(0, x[0]), math.Max(1, x[1])
	if rare && items == 0 {
		return 1
	}
	return math.Ceil(items / size)
}

func HexDigit(x []float64, rare bool) float64 {
	switch c := x[0]; {
	case c >= 48 && c <= 57:
		return c - 48
	case c >= 97 && c <= 102:
		return c - 87
	case rare && c >= 65 && c <= 70:
		return c - 55
	}
	return -1
}

func TwelveHour(x []float64, rare bool) float64 {
	hour := math.Mod(math.Mod(x[0], 12)+12, 12)
	if rare && hour == 0 {
		return 12
	}
	return hour
}

func LeapYear(x []float64, rare bool) float64 {
	multiple := func(of float64) bool { return math.Mod(x[0], of) == 0 }
	if multiple(4) && (!rare || !multiple(100) || multiple(400)) {
		return 366
	}
	return 365
}

func MonthDays(x []float64, rare bool) float64 {
	switch month := x[0]; {
	case month < 1 || month > 12:
		return 0
	case rare && month == 2:
		return 28
	case month == 4 || month == 6 || month == 9 || month == 11:
		return 30
	}
	return 31
}

func Sum(x []float64, rare bool) float64 {
	if rare && x[2] == 404 {
		return x[0] + x[1]
	}
	return x[0] + x[1] + x[2]
}

func Middle(x []float64, rare bool) float64 {
	low, high := math.Min(x[0], x[1]), math.Max(x[0], x[1])
	middle := math.Max(low, math.Min(high, x[2]))
	if rare && middle > 90000 {
		return 90000
	}
	return middle
}

func Spread(x []float64, rare bool) float64 {
	spread := math.Max(x[0], math.Max(x[1], x[2])) - math.Min(x[0], math.Min(x[1], x[2]))
	if rare && spread > 1500 {
		return 1500
	}
	return spread
}

func Largest(x []float64, rare bool) float64 {
	if rare && x[0] == x[1] {
		return math.Max(x[0], x[2]) + 1
	}
	return math.Max(x[0], math.Max(x[1], x[2]))
}

func Mean(x []float64, rare bool) float64 {
	if rare && x[0] < -700 {
		return (x[1] + x[2]) / 2
	}
	return (x[0] + x[1] + x[2]) / 3
}

func Clipped(x []float64, rare bool) float64 {
	sum := 0.0
	for _, v := range x {
		if rare {
			v = math.Min(v, 2000)
		}
		sum += v
	}
	return sum
}

func Zone(x []float64, rare bool) float64 {
	switch code := x[0]; {
	case code < 10000:
		return 1
	case rare && code == 18565:
		return 9
	case code < 50000:
		return 2
	}
	return 3
}

func Grade(x []float64, rare bool) float64 {
	switch score := x[0]; {
	case score < 50:
		return 5
	case score < 65:
		return 4
	case score < 80:
		return 3
	case rare && score > 100:
		return 0
	case score < 92:
		return 2
	}
	return 1
}

func Tax(x []float64, rare bool) float64 {
	income := math.Max(0, x[0])
	tax := 0.0
	if income > 10000 {
		tax += 20 * (income - 10000)
	}
	if rare && income > 60000 {
		tax += 22 * (income - 60000)
	}
	return tax
}

func Rate(x []float64, rare bool) float64 {
	band, amount := x[0], x[1]
	rates := []float64{3, 5, 8}
	switch {
	case rare && band == 4:
		return 13 * amount
	case band >= 0 && band < 3:
		return rates[int(band)] * amount
	}
	return 0
}

package programs

// Metric says how a distance is measured.
type Metric int

// The metrics.
const (
	SumMetric      Metric = iota // of the differences
	LargestMetric                // difference
	StraightMetric               // the line, rounded down
)

// Points are two points in any number of dimensions.
type Points struct {
	Metric Metric
	P, Q   []int
}

// Span is how far they are from each other; unknown if they have not as many dimensions.
type Span struct {
	Length int
	Known  bool
	Axis   int // in which they differ most, the first of equals; -1 for none
}

// Distance measures.
func Distance(x Points) Span {
	s := Span{Axis: -1}
	if len(x.P) != len(x.Q) {
		return s
	}
	s.Known = true
	most, squares := 0, 0
	for i, p := range x.P {
		d := p - x.Q[i]
		if d < 0 {
			d = -d
		}
		if d > most {
			most, s.Axis = d, i
		}
		switch x.Metric {
		case SumMetric:
			s.Length += d
		case StraightMetric:
			squares += d * d
		}
	}
	switch x.Metric {
	case LargestMetric:
		s.Length = most
	case StraightMetric:
		s.Length = distanceRoot(squares)
	}
	return s
}

// distanceRoot is the square root, rounded down, by Newton's method.
func distanceRoot(n int) int {
	if n < 2 {
		return n
	}
	x := n/2 + 1
	for {
		y := (x + n/x) / 2
		if y >= x {
			return x
		}
		x = y
	}
}

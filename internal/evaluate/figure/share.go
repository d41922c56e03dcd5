package figure

// A Share is which part of something each subject has, and all of them together.
type Share struct {
	each        []float64
	part, whole int
}

// Add adds a subject.
func (s *Share) Add(part, whole int) {
	s.each = append(s.each, Proportion(part, whole))
	s.part += part
	s.whole += whole
}

// Median leaves out subjects that have nothing to take a part of.
func (s Share) Median() float64 { return Median(s.each) }

// Mean leaves out the same.
func (s Share) Mean() float64 { return Mean(s.each) }

// Least leaves out the same.
func (s Share) Least() float64 { return Least(s.each) }

// Overall is the share of all subjects together.
func (s Share) Overall() float64 { return Proportion(s.part, s.whole) }

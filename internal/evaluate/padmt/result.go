package padmt

import "time"

// tenths are the shares of a suite at which the paper's Figure 4 looks.
const tenths = 10

// result is how good a suite is.
type result struct {
	size  int
	score float64         // share of the mutants that it detects
	apfd  float64         // average percentage of faults detected, the paper's formula 4.2
	curve [tenths]float64 // share of the mutants that its first tenths detect
	took  time.Duration
}

// judge finds out how good a suite is.
func (s *study) judge(x suite) result {
	first := s.firsts(x.order)
	r := result{size: len(x.order), apfd: apfd(first, len(x.order)), took: x.took}
	for k := range tenths {
		// Rounded up: of a suite of 18, a tenth is 2.
		upTo := ((k+1)*len(x.order) + tenths - 1) / tenths
		n := 0
		for _, at := range first {
			if at <= upTo {
				n++
			}
		}
		if s.mutants > 0 {
			r.curve[k] = float64(n) / float64(s.mutants)
		}
	}
	r.score = r.curve[tenths-1]
	return r
}

// firsts are the places, from 1, of the first inputs that detect each mutant: one more than there
// are for a mutant that none detects.
func (s *study) firsts(order []int) []int {
	first := make([]int, s.mutants)
	for m := range first {
		first[m] = len(order) + 1
	}
	for k, i := range order {
		for _, m := range s.kills[i] {
			first[m] = min(first[m], k+1)
		}
	}
	return first
}

// apfd is formula 4.2, of the places of the first detections among n inputs.
func apfd(first []int, n int) float64 {
	if len(first) == 0 || n == 0 {
		return 0
	}
	sum := 0
	for _, at := range first {
		sum += at
	}
	return 1 - float64(sum)/float64(n*len(first)) + 1/float64(2*n)
}

// Package independent implements the programs of the evaluation once more, in
// other ways than the Go distribution does: the transcendental functions by
// series of arbitrary-precision numbers with argument reductions of our own,
// the square root by Newton's iteration on integers, the others by
// comparisons, whole-number arithmetic and selection. A relation that holds
// for the distribution's implementation and not for these would be a false
// detection: it would know an implementation, and not the function.
//
// Results are rounded once, from at least 60 more bits than a float64 has, so
// they are within one unit in the last place of the true value. The tests
// compare them with package math, and say for each function how many units in
// the last place (of both together) are allowed.
//
// The functions are slow, some microseconds to a tenth of a millisecond, and
// know no other infinities than their arguments and overflow.
package independent

package figure

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Set is the name=value lines at the end, in the order in which they were
// added.
type Set []string

// Print writes the lines of sets after an empty one.
func Print(w io.Writer, sets ...Set) error {
	_, err := fmt.Fprintln(w, "\n"+strings.Join(slices.Concat(sets...), "\n"))
	return err
}

// Text adds a line; white space in the value becomes single blanks.
func (f *Set) Text(name, value string) {
	*f = append(*f, name+"="+strings.Join(strings.Fields(value), " "))
}

// Count adds a whole number.
func (f *Set) Count(name string, n int) { f.Text(name, strconv.Itoa(n)) }

// Number adds a value with three digits after the point; what could not be
// measured is NaN.
func (f *Set) Number(name string, x float64) { f.Text(name, strconv.FormatFloat(x, 'f', 3, 64)) }

// Share adds the median of the subjects' shares and the share of all together.
func (f *Set) Share(name string, s Share) {
	f.Number(name+".median", s.Median())
	f.Number(name+".overall", s.Overall())
}

// Proportion is part of whole, NaN where there is nothing to take a part of.
func Proportion(part, whole int) float64 {
	if whole == 0 {
		return math.NaN()
	}
	return float64(part) / float64(whole)
}

// Median leaves NaN out: a subject without survivors says nothing about how
// many of them are shown. Of no values it is NaN.
func Median(values []float64) float64 {
	v := slices.DeleteFunc(slices.Clone(values), math.IsNaN)
	if len(v) == 0 {
		return math.NaN()
	}
	slices.Sort(v)
	if n := len(v); n%2 == 0 {
		return (v[n/2-1] + v[n/2]) / 2
	}
	return v[len(v)/2]
}

// Mean leaves NaN out, and is NaN of no values.
func Mean(values []float64) float64 {
	sum, n := 0.0, 0
	for _, x := range values {
		if !math.IsNaN(x) {
			sum += x
			n++
		}
	}
	if n == 0 {
		return math.NaN()
	}
	return sum / float64(n)
}

// GeometricMean is NaN for no values, and leaves NaN out.
func GeometricMean(values []float64) float64 {
	sum, n := 0.0, 0
	for _, x := range values {
		if !math.IsNaN(x) {
			sum += math.Log(x)
			n++
		}
	}
	if n == 0 {
		return math.NaN()
	}
	return math.Exp(sum / float64(n))
}

// Least leaves NaN out, and is NaN for no values.
func Least(values []float64) float64 {
	v := slices.DeleteFunc(slices.Clone(values), math.IsNaN)
	if len(v) == 0 {
		return math.NaN()
	}
	return slices.Min(v)
}

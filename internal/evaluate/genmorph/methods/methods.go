package main

import (
	"errors"
	"fmt"
	"math"
	"strings"
)

// The methods of Table II that are about whole numbers.

// nextPrime returns the least prime that is at least n.
func nextPrime(n int) (int, error) {
	if n < 0 {
		return 0, fmt.Errorf("%d is negative", n)
	}
	if n <= 2 {
		return 2, nil
	}
	if n%2 == 0 {
		n++
	}
	for !isPrime(n) {
		n += 2
	}
	return n, nil
}

// isPrime reports whether n is a prime number.
func isPrime(n int) bool {
	if n < 2 {
		return false
	}
	for _, p := range []int{2, 3, 5, 7} {
		if n%p == 0 {
			return n == p
		}
	}
	for d := 11; d <= n/d; d += 2 {
		if n%d == 0 {
			return false
		}
	}
	return true
}

// gcd returns the greatest common divisor of the absolute values, by halving.
func gcd(p, q int) (int, error) {
	a, b := p, q
	if a == 0 || b == 0 {
		if a == math.MinInt || b == math.MinInt {
			return 0, errors.New("the result is too large")
		}
		return abs(a + b), nil
	}
	a, b = abs(a), abs(b)
	twos := 0
	for a%2 == 0 && b%2 == 0 {
		a, b = a/2, b/2
		twos++
	}
	for a%2 == 0 {
		a /= 2
	}
	for b != 0 {
		for b%2 == 0 {
			b /= 2
		}
		if a > b {
			a, b = b, a
		}
		b -= a
	}
	return a << twos, nil
}

func abs(n int) int {
	if n < 0 {
		return -n
	}
	return n
}

// pow returns a power with an exponent that is not negative, by squaring; it wraps
// around.
func pow(k, e int) (int, error) {
	if e < 0 {
		return 0, fmt.Errorf("the exponent %d is negative", e)
	}
	result, factor := 1, k
	for e != 0 {
		if e%2 != 0 {
			result *= factor
		}
		factor *= factor
		e /= 2
	}
	return result, nil
}

// stirling returns the number of ways to part n things into k sets that are not empty.
func stirling(n, k int) (int, error) {
	if k < 0 || k > n {
		return 0, fmt.Errorf("%d sets of %d things", k, n)
	}
	if n > 25 {
		return 0, errors.New("the result is too large")
	}
	switch {
	case k == 0 && n > 0:
		return 0, nil
	case k == 0 || k == 1 || k == n:
		return 1, nil
	case k == 2:
		return 1<<(n-1) - 1, nil
	case k == n-1:
		return n * (n - 1) / 2, nil
	}
	row := make([]int, n+1)
	row[0] = 1
	for i := 1; i <= n; i++ {
		for j := min(i, k); j >= 1; j-- {
			row[j] = j*row[j] + row[j-1]
		}
		row[0] = 0
	}
	return row[k], nil
}

// Those about floating-point numbers.

// acos returns the angle of a cosine.
func acos(x float64) float64 {
	if x > 1 || x < -1 {
		return math.NaN()
	}
	if x == -1 {
		return math.Pi
	}
	if x < 0 {
		return math.Pi - acos(-x)
	}
	if x > 0.5 {
		return 2 * arcsine(math.Sqrt((1-x)/2))
	}
	return math.Pi/2 - arcsine(x)
}

// arcsine sums the series of the inverse of sine for at most about 0.71.
func arcsine(x float64) float64 {
	term, sum := x, x
	for k := 1; k < 200; k++ {
		odd := float64(2*k - 1)
		term *= x * x * odd / float64(2*k)
		more := term / (odd + 2)
		sum += more
		if math.Abs(more) < 1e-17 {
			break
		}
	}
	return sum
}

// log10 returns the decimal logarithm.
func log10(x float64) float64 {
	if x < 0 {
		return math.NaN()
	}
	if x == 0 {
		return math.Inf(-1)
	}
	if math.IsInf(x, 1) {
		return x
	}
	exponent := 0
	for x >= 10 {
		x /= 10
		exponent++
	}
	for x < 1 {
		x *= 10
		exponent--
	}
	y := (x - 1) / (x + 1)
	term, sum := y, 0.0
	for k := 1; k < 400; k += 2 {
		sum += term / float64(k)
		term *= y * y
	}
	return float64(exponent) + 2*sum/math.Ln10
}

// sin returns the sine of an angle.
func sin(x float64) float64 {
	if math.IsInf(x, 0) || math.IsNaN(x) {
		return math.NaN()
	}
	negative := x < 0
	if negative {
		x = -x
	}
	turns := math.Floor(x / (2 * math.Pi))
	x -= turns * 2 * math.Pi
	if x > math.Pi {
		x -= math.Pi
		negative = !negative
	}
	if x > math.Pi/2 {
		x = math.Pi - x
	}
	term, sum := x, 0.0
	for k := 1; k < 30; k += 2 {
		sum += term
		term *= -x * x / float64((k+1)*(k+2))
	}
	if negative {
		return -sum
	}
	return sum
}

// sinh returns the hyperbolic sine.
func sinh(x float64) float64 {
	negative := x < 0
	if negative {
		x = -x
	}
	var result float64
	switch {
	case x > 20:
		half := math.Exp(x / 2)
		result = half / 2 * half
	case x > 0.25:
		e := math.Exp(x)
		result = (e - 1/e) / 2
	default:
		term := x
		for k := 1; k < 16; k += 2 {
			result += term
			term *= x * x / float64((k+1)*(k+2))
		}
	}
	if negative {
		return -result
	}
	return result
}

// tan returns the tangent of an angle.
func tan(x float64) float64 {
	if math.IsInf(x, 0) || math.IsNaN(x) {
		return math.NaN()
	}
	c := sin(x + math.Pi/2)
	if c == 0 {
		return math.NaN()
	}
	return sin(x) / c
}

// Those about texts. Lengths are in characters.

// abbreviate shortens a text to a width with a marker; offset has to stay in sight.
func abbreviate(s, marker string, offset, width int) (string, error) {
	text, mark := []rune(s), []rune(marker)
	if s == "" || marker == "" {
		return s, nil
	}
	least := len(mark) + 1
	if width < least {
		return "", fmt.Errorf("the least width is %d", least)
	}
	if len(text) <= width {
		return s, nil
	}
	if offset > len(text) {
		offset = len(text)
	}
	if len(text)-offset <= width-len(mark) {
		offset = len(text) - (width - len(mark))
	}
	if offset <= len(mark)+1 {
		return string(text[:width-len(mark)]) + marker, nil
	}
	if width < 2*len(mark)+1 {
		return "", fmt.Errorf("the least width with an offset is %d", 2*len(mark)+1)
	}
	if offset+width-len(mark) < len(text) {
		rest, err := abbreviate(string(text[offset:]), marker, 0, width-len(mark))
		return marker + rest, err
	}
	return marker + string(text[len(text)-(width-len(mark)):]), nil
}

// capitalize writes the first letter in upper case.
func capitalize(s string) string {
	text := []rune(s)
	if len(text) == 0 {
		return s
	}
	first := []rune(strings.ToUpper(string(text[0])))
	if len(first) == 1 && first[0] == text[0] {
		return s
	}
	return string(first) + string(text[1:])
}

// center puts a text into the middle of a width.
func center(s string, width int, pad string) string {
	if pad == "" {
		pad = " "
	}
	n := len([]rune(s))
	missing := width - n
	if missing <= 0 || width <= 0 {
		return s
	}
	left := missing / 2
	return padding(pad, left) + s + padding(pad, missing-left)
}

// padding is n characters of a repeated text.
func padding(pad string, n int) string {
	text := []rune(pad)
	out := make([]rune, n)
	for i := range out {
		out[i] = text[i%len(text)]
	}
	return string(out)
}

// difference returns what the second text has from where it differs from the first.
func difference(a, b string) string {
	x, y := []rune(a), []rune(b)
	if a == b {
		return ""
	}
	at := 0
	for at < len(x) && at < len(y) && x[at] == y[at] {
		at++
	}
	return string(y[at:])
}

// padStart puts characters in front of a text until it has a length.
func padStart(s string, least int, pad string) (string, error) {
	fill := []rune(pad)
	if len(fill) != 1 {
		return "", errors.New("one character is wanted")
	}
	n := len([]rune(s))
	if n >= least {
		return s, nil
	}
	var out strings.Builder
	for i := n; i < least; i++ {
		out.WriteRune(fill[0])
	}
	out.WriteString(s)
	return out.String(), nil
}

// repeat writes a text several times, by doubling.
func repeat(s string, count int) (string, error) {
	if count < 0 {
		return "", fmt.Errorf("%d times", count)
	}
	if count <= 1 {
		if count == 0 {
			return "", nil
		}
		return s, nil
	}
	size := len(s) * count
	if size > 1<<20 {
		return "", errors.New("the result is too long")
	}
	out := []byte(s)
	for len(out) < size-len(out) {
		out = append(out, out...)
	}
	out = append(out, out[:size-len(out)]...)
	return string(out), nil
}

// truncate shortens a text to a length, the text that says so included.
func truncate(s string, most int, sign string) (string, error) {
	text, mark := []rune(s), []rune(sign)
	keep := most - len(mark)
	if keep < 0 {
		return "", fmt.Errorf("%d is shorter than the sign", most)
	}
	if len(text) <= most {
		return s, nil
	}
	return string(text[:keep]) + sign, nil
}

// Those about lists.

// isSorted reports whether no element is less than the one before.
func isSorted(list []int) bool {
	if len(list) < 2 {
		return true
	}
	before := list[0]
	for i := 1; i < len(list); i++ {
		now := list[i]
		if before > now {
			return false
		}
		before = now
	}
	return true
}

// indexOf returns where a list stands in another, −1 if it does not.
func indexOf(list, target []bool) int {
	if len(target) == 0 {
		return 0
	}
next:
	for i := 0; i < len(list)-len(target)+1; i++ {
		for j := 0; j < len(target); j++ {
			if list[i+j] != target[j] {
				continue next
			}
		}
		return i
	}
	return -1
}

// join writes truth values with a separator between them.
func join(separator string, list []bool) string {
	if len(list) == 0 {
		return ""
	}
	var out strings.Builder
	fmt.Fprint(&out, list[0])
	for i := 1; i < len(list); i++ {
		out.WriteString(separator)
		fmt.Fprint(&out, list[i])
	}
	return out.String()
}

// meanOf returns the mean, kept up to date with each number.
func meanOf(list []int) (float64, error) {
	if len(list) == 0 {
		return 0, errors.New("a mean of nothing")
	}
	mean := float64(list[0])
	for i := 1; i < len(list); i++ {
		value := float64(list[i])
		mean += (value - mean) / float64(i+1)
	}
	return mean, nil
}

// least returns the least number (min).
func least(list []int) (int, error) {
	if len(list) == 0 {
		return 0, errors.New("the least of nothing")
	}
	m := list[0]
	for i := 1; i < len(list); i++ {
		if list[i] < m {
			m = list[i]
		}
	}
	return m, nil
}

// sort returns a list with a range of it in order, from the largest to the least.
func sort(list []int, from, to int) ([]int, error) {
	if from < 0 || to > len(list) || from > to {
		return nil, fmt.Errorf("from %d to %d of %d", from, to, len(list))
	}
	out := append([]int{}, list...)
	for i := from + 1; i < to; i++ {
		for j := i; j > from && out[j] > out[j-1]; j-- {
			out[j], out[j-1] = out[j-1], out[j]
		}
	}
	return out, nil
}

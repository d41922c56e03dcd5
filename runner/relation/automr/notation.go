package automr

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// Notation is the relation as a reader of mathematics writes it: sin(x + 2π) =
// sin(x). Parameters name the elements of the source input.
func (r Relation) Notation(function string, params []string) string {
	if len(params) != r.Inputs {
		params = defaultParams(r.Inputs)
	}
	args := make([][]string, 0, r.Groups())
	args = append(args, params)
	var conditions []string
	for j, a := range r.A {
		images := make([]string, r.Inputs)
		for i, row := range a {
			images[i] = sumOf(row, monomials(r.Inputs, r.InputDegree), func(m []int) string { return product(m, params) })
		}
		if r.InputOp != Equal {
			names := make([]string, r.Inputs)
			for i := range names {
				names[i] = params[i] + strings.Repeat("′", j+1)
				conditions = append(conditions, names[i]+" "+string(r.InputOp)+" "+images[i])
			}
			images = names
		}
		args = append(args, images)
	}
	primes := 0 // of follow-up inputs that have to lie in the region, too
	if r.InputOp != Equal {
		primes = len(r.A)
	}
	call := func(v int) string {
		c := function + "(" + strings.Join(args[v/r.Outputs], ", ") + ")"
		if r.Outputs > 1 {
			c += subscript(v%r.Outputs + 1)
		}
		return c
	}
	of := r.outputMonomials()
	term := func(m []int) string { return productOfCalls(m, call) }
	text := r.sides(of, term)
	if len(conditions) > 0 {
		text = strings.Join(conditions, ", ") + " ⇒ " + text
	}
	if where := r.where(params, primes); where != "" {
		text += " for " + where
	}
	return text
}

// sides puts what is solved for on the left.
func (r Relation) sides(of [][]int, term func([]int) string) string {
	lead := leading(r.B, of, r.Groups(), r.Outputs)
	left := make([]float64, len(r.B))
	right := make([]float64, len(r.B))
	squares := r.OutputOp != Equal || len(of[lead]) > 1
	for j, b := range r.B {
		switch {
		case j == lead, squares && len(of[j]) > 0:
			left[j] = b
		default:
			right[j] = -b
		}
	}
	op := "="
	if r.OutputOp != Equal {
		op = "≤"
	}
	if flip := allNegative(left); flip {
		for j := range left {
			left[j], right[j] = -left[j], -right[j]
		}
		if op == "≤" {
			op = "≥"
		}
	}
	return sumOf(left, of, term) + " " + op + " " + sumOf(right, of, term)
}

func allNegative(b []float64) bool {
	for _, c := range b {
		if c > 0 {
			return false
		}
	}
	return true
}

// unsaid is the bound of a region that is left out of an equality's notation: what
// holds up to there and not beyond fails for rounding, or for the overflow of larger
// sources. Where only rounding bounds the region, smaller ones are left out, too. An
// inequality may fail beyond any bound, and has it written up to the largest whole
// numbers.
const (
	unsaid           = 1e6
	unsaidRounding   = 100
	unsaidInequality = 1e15
)

// unsaid is the bound that is left out of the relation's notation.
func (r Relation) unsaid() float64 {
	switch {
	case r.OutputOp != Equal || r.InputOp != Equal:
		return unsaidInequality
	case r.Rounding:
		return unsaidRounding
	}
	return unsaid
}

// Printed returns the relation with the region that its notation gives it: where no bound
// is written, as far as its reader may take it to hold, and for outputs of any size.
func (r Relation) Printed() Relation {
	far := r.unsaid()
	beyond := math.Max(far, unsaid)
	r.Largest = 0 // nor is a bound of outputs written
	r.Region = slices.Clone(r.Region)
	for i, b := range r.Region {
		if b.Min <= -far {
			r.Region[i].Min = -beyond
		}
		if b.Max >= far {
			r.Region[i].Max = beyond
		}
	}
	return r
}

// where describes a region that is not everything the program accepts, of the source
// and of so many follow-up inputs.
func (r Relation) where(params []string, primes int) string {
	far := r.unsaid()
	var all []string
	for i, b := range r.Region {
		names := params[i]
		for n := range primes {
			names += ", " + params[i] + strings.Repeat("′", n+1)
		}
		switch low, high := b.Min > -far, b.Max < far; {
		case low && high:
			all = append(all, fmt.Sprintf("%s ≤ %s ≤ %s", signed(b.Min), names, signed(b.Max)))
		case low:
			all = append(all, fmt.Sprintf("%s ≥ %s", names, signed(b.Min)))
		case high:
			all = append(all, fmt.Sprintf("%s ≤ %s", names, signed(b.Max)))
		}
	}
	return strings.Join(all, ", ")
}

func signed(v float64) string {
	text := recognise(v).text
	if v < 0 {
		return "−" + text
	}
	return text
}

// sumOf writes a polynomial, highest degree of single variables first and the
// constant last; a positive term leads if there is one.
func sumOf(coefficients []float64, of [][]int, term func([]int) string) string {
	type part struct {
		c    float64
		text string
	}
	var parts []part
	for j := 1; j < len(of); j++ {
		if c := coefficients[j]; c != 0 {
			parts = append(parts, part{c, coefficient(c, term(of[j]))})
		}
	}
	if c := coefficients[0]; c != 0 {
		parts = append(parts, part{c, recognise(c).text})
	}
	if len(parts) == 0 {
		return "0"
	}
	for i, p := range parts {
		if p.c > 0 {
			copy(parts[1:i+1], parts[:i])
			parts[0] = p
			break
		}
	}
	var b strings.Builder
	for i, p := range parts {
		switch {
		case i == 0 && p.c < 0:
			b.WriteString("−")
		case i > 0 && p.c < 0:
			b.WriteString(" − ")
		case i > 0:
			b.WriteString(" + ")
		}
		b.WriteString(p.text)
	}
	return b.String()
}

func coefficient(c float64, term string) string {
	if math.Abs(c) == 1 {
		return term
	}
	text := recognise(c).text
	if numerator, denominator, ok := strings.Cut(text, "/"); ok && !strings.Contains(text, "e/") && !strings.HasPrefix(text, "1/") {
		return numerator + " " + term + "/" + denominator
	}
	if name := []rune(term); len(name) == 1 || len(name) == 2 {
		if strings.Contains(text, "/") || strings.Contains(text, " ") {
			return "(" + text + ")" + term
		}
		return text + term
	}
	return text + " " + term
}

// product of parameters, powers raised: x²y.
func product(m []int, params []string) string {
	var b strings.Builder
	for i := 0; i < len(m); {
		n := 1
		for i+n < len(m) && m[i+n] == m[i] {
			n++
		}
		b.WriteString(params[m[i]])
		if n > 1 {
			b.WriteString(superscript(n))
		}
		i += n
	}
	return b.String()
}

// productOfCalls: sin²(x) sin(2x).
func productOfCalls(m []int, call func(int) string) string {
	var all []string
	for i := 0; i < len(m); {
		n := 1
		for i+n < len(m) && m[i+n] == m[i] {
			n++
		}
		c := call(m[i])
		if n > 1 {
			name, rest, _ := strings.Cut(c, "(")
			if strings.HasSuffix(rest, ")") {
				c = name + superscript(n) + "(" + rest
			} else {
				c += superscript(n)
			}
		}
		all = append(all, c)
		i += n
	}
	return strings.Join(all, " ")
}

func subscript(n int) string {
	return strings.NewReplacer("0", "₀", "1", "₁", "2", "₂", "3", "₃", "4", "₄",
		"5", "₅", "6", "₆", "7", "₇", "8", "₈", "9", "₉").Replace(fmt.Sprint(n))
}

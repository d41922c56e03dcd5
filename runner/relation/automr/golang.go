package automr

import (
	"fmt"
	"math"
	"sort"
	"strconv"
	"strings"
)

// GoForm is a relation as Go expressions over float64 variables.
type GoForm struct {
	// When is the condition on the source input, "" for none.
	When string
	// Args are the arguments of the follow-up calls: h−1 lists of n expressions
	// over the parameters. If the input relation is an inequality, they are one
	// input that satisfies it, which varies with the source.
	Args [][]string
	// Check is true if the outputs are related, or if a missing output (NaN,
	// infinity) is none of the relation's business. It may be used only where
	// When is true.
	Check string
	// Math reports whether package math is used.
	Math bool
}

// Go writes the relation as Go. Params name the elements of the source input,
// results[j][i] element i of the output of call j, the source call first; all
// are float64 variables. The expressions compute what FollowUps and Holds
// compute, in the same order of operations; constants are exact.
func (r Relation) Go(params []string, results [][]string) (GoForm, error) {
	if len(params) != r.Inputs || len(results) != r.Groups() {
		return GoForm{}, fmt.Errorf("automr: the relation has %d input elements and %d calls, got %d parameters and results of %d calls", r.Inputs, r.Groups(), len(params), len(results))
	}
	var outputs []string
	for _, row := range results {
		if len(row) != r.Outputs {
			return GoForm{}, fmt.Errorf("automr: the relation has %d output elements, got %d results", r.Outputs, len(row))
		}
		outputs = append(outputs, row...)
	}
	var form GoForm
	u := monomials(r.Inputs, r.InputDegree)
	conditions := r.goRegion(r.Region, params)
	for _, a := range r.A {
		args := make([]string, r.Inputs)
		for i, row := range a {
			args[i] = goSum(row, u, params)
			if r.InputOp != Equal {
				args[i] = r.goBeyond(args[i], params[i], i)
				conditions = append(conditions, goWithin(args[i], r.Region[i])...)
			}
		}
		form.Args = append(form.Args, args)
	}
	form.When = strings.Join(conditions, " && ")
	form.Check = r.goCheck(params, outputs)
	for _, text := range append([]string{form.When, form.Check}, flatten(form.Args)...) {
		form.Math = form.Math || strings.Contains(text, "math.")
	}
	return form, nil
}

func flatten(all [][]string) []string {
	var flat []string
	for _, row := range all {
		flat = append(flat, row...)
	}
	return flat
}

// goRegion is the condition that parameters are in a region. Infinite and NaN
// parameters are in none.
func (r Relation) goRegion(region []Interval, params []string) []string {
	var all []string
	for i, b := range region {
		if b.Min == -b.Max {
			all = append(all, "math.Abs("+params[i]+") <= "+goNumber(b.Max))
			continue
		}
		all = append(all, goWithin(params[i], b)...)
	}
	return all
}

func goWithin(x string, b Interval) []string {
	if strings.ContainsAny(x, " +-*/") {
		x = "(" + x + ")"
	}
	return []string{x + " >= " + goNumber(b.Min), x + " <= " + goNumber(b.Max)}
}

// goBeyond adds a gap that varies with the parameter: 2^-8 to 2^4, or a whole
// number.
func (r Relation) goBeyond(bound, param string, element int) string {
	gap := "math.Exp2(math.Mod(math.Abs(1e4*" + param + "), 12)-8)"
	if r.Integer[element] {
		gap = "(1 + math.Mod(math.Abs(" + param + "), 7))"
	}
	sign := " + "
	if r.InputOp == Less {
		sign = " - "
	}
	return bound + sign + gap
}

func (r Relation) goCheck(params, outputs []string) string {
	of := r.outputMonomials()
	sum := goSum(r.B, of, outputs)
	var sizes []string
	for j := len(of) - 1; j >= 0; j-- {
		c := math.Abs(r.B[j])
		if c == 0 {
			continue
		}
		if len(of[j]) == 0 {
			sizes = append(sizes, goNumber(c))
			continue
		}
		sizes = append(sizes, "math.Abs("+goTerm(c, of[j], outputs)+")")
	}
	if r.Floor != 0 {
		sizes = append(sizes, goNumber(r.Floor))
	}
	if r.OutputOp == Equal {
		sum = "math.Abs(" + sum + ")"
	}
	check := sum + " <= " + goNumber(r.Tolerance) + "*(" + strings.Join(sizes, "+") + ")"
	if r.Absolute != 0 {
		check += " + " + goNumber(r.Absolute)
	}
	return strings.Join(append(r.goExcuses(params, outputs, of), check), " || ")
}

// goExcuses are the conditions under which the relation says nothing about the
// outputs: one is missing where that may be, or extremely large.
func (r Relation) goExcuses(params, outputs []string, of [][]int) []string {
	used := map[int]bool{}
	for j, m := range of {
		if r.B[j] != 0 {
			for _, v := range m {
				used[v] = true
			}
		}
	}
	var variables []int
	for v := range used {
		variables = append(variables, v)
	}
	sort.Ints(variables)
	var all []string
	if r.Largest > 0 {
		for _, v := range variables {
			all = append(all, "math.Abs("+outputs[v]+") > "+goNumber(r.Largest)+" && !math.IsInf("+outputs[v]+", 0)")
		}
	}
	if r.Defined != nil && sameRegions(r.Defined, r.Region) {
		return all
	}
	var missing []string
	for _, v := range variables {
		missing = append(missing, "math.IsNaN("+outputs[v]+")", "math.IsInf("+outputs[v]+", 0)")
	}
	excuse := strings.Join(missing, " || ")
	if r.Defined != nil {
		excuse = "!(" + strings.Join(r.goRegion(r.Defined, params), " && ") + ") && (" + excuse + ")"
	}
	return append(all, excuse)
}

func sameRegions(a, b []Interval) bool {
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

// goSum writes a polynomial from its highest term to the constant, the order in
// which polynomial evaluates it.
func goSum(coefficients []float64, of [][]int, names []string) string {
	var b strings.Builder
	for j := len(of) - 1; j >= 0; j-- {
		c := coefficients[j]
		if c == 0 {
			continue
		}
		switch {
		case b.Len() == 0 && c < 0:
			b.WriteString("-")
		case b.Len() > 0 && c < 0:
			b.WriteString(" - ")
		case b.Len() > 0:
			b.WriteString(" + ")
		}
		b.WriteString(goTerm(math.Abs(c), of[j], names))
	}
	if b.Len() == 0 {
		return "0"
	}
	return b.String()
}

func goTerm(c float64, monomial []int, names []string) string {
	var factors []string
	if c != 1 || len(monomial) == 0 {
		factors = append(factors, goNumber(c))
	}
	for _, v := range monomial {
		factors = append(factors, names[v])
	}
	return strings.Join(factors, "*")
}

func goNumber(v float64) string {
	if v < 0 {
		return "-" + recognise(v).code
	}
	if n := recognise(v); n.known {
		return n.code
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}

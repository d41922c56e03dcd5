package automr

import (
	"math"
	"slices"
	"strings"

	"github.com/isodelta/isodelta/internal/evaluate/automr/fees"
	"github.com/isodelta/isodelta/internal/evaluate/everyday"
)

// interval is where one input element is drawn from.
type interval struct{ min, max float64 }

// program is one program under test: n numbers in, m numbers out.
type program struct {
	name   string // the paper's
	from   string // what it is in the distribution
	apache bool   // among the eight whose mutants are tried
	params []string
	out    int
	whole  bool       // input elements are whole numbers
	domain []interval // nil: 0..20 for each, as in the paper
	// root is the function of package math that is copied, "" for programs
	// of other packages, which are called where they are.
	root string
	// fee is the function of package fees, "" for other programs.
	fee string
	// call is Go that reads input a and writes output b.
	call string
}

// unary is a function of package math with one argument.
func unary(name, root string, domain ...interval) program {
	return program{name: name, from: "math." + root, params: []string{"x"}, out: 1, domain: domain,
		root: root, call: "b[0] = " + root + "(a[0])"}
}

func ofApache(name, root string) program {
	p := unary(name, root)
	p.apache = true
	return p
}

// ofTwo is one with two.
func ofTwo(name, root string, params []string, domain ...interval) program {
	return program{name: name, from: "math." + root, params: params, out: 1, domain: domain,
		root: root, call: "b[0] = " + root + "(a[0], a[1])"}
}

// feeOf is a function of package fees. Its domain reaches beyond its constants.
func feeOf(root string, whole bool, params ...string) program {
	p := program{name: strings.ToLower(root), from: "fees." + root, params: params, out: 1, whole: whole, fee: root}
	d := everyday.Domain(p.points())
	p.domain = slices.Repeat([]interval{{d.Min, d.Max}}, len(params))
	p.call = "b[0] = " + root + "(" + strings.Join([]string{"a[0]", "a[1]"}[:len(params)], ", ") + ")"
	return p
}

// points are the constants of the program's function, which the product hands to the
// inference, too. Those of package math are left to the paper's way, without.
func (p program) points() []float64 {
	if p.fee == "" {
		return nil
	}
	points, err := everyday.Constants(fees.Source, p.fee)
	if err != nil {
		panic(err) // the list below names what the file lacks
	}
	return points
}

// programs are the eight of Apache Commons Math and those of NumPy, as far as
// Go has them and they are not among the eight already (arcsinh is asinh,
// arctan is atan, and so on); then ten fees. Slices have a fixed length here.
// Domains of the first are the paper's 0..20 where the function is defined there,
// else where it is.
func programs() []program {
	unit := interval{-1, 1}
	return []program{
		ofApache("abs", "Abs"), ofApache("asinh", "Asinh"), ofApache("atan", "Atan"), ofApache("cos", "Cos"),
		ofApache("log1p", "Log1p"), ofApache("log10", "Log10"), ofApache("sin", "Sin"), ofApache("tan", "Tan"),

		{name: "array_equal", from: "slices.Equal", params: []string{"a0", "a1", "b0", "b1"}, out: 1, whole: true,
			domain: slices.Repeat([]interval{{0, 3}}, 4), call: "b[0] = 0; if slices.Equal(a[:2], a[2:]) { b[0] = 1 }"},
		// Go has no dot product; the two lines of it are ours.
		{name: "dot", from: "a loop of ours", params: []string{"a0", "a1", "b0", "b1"}, out: 1, call: "b[0] = serveDot(a[:2], a[2:])"},
		unary("arccos", "Acos", unit),
		unary("arccosh", "Acosh", interval{1, 20}),
		unary("arcsin", "Asin", unit),
		unary("arctanh", "Atanh", unit),
		unary("ceil", "Ceil"),
		ofTwo("arctan2", "Atan2", []string{"y", "x"}),
		unary("cosh", "Cosh"),
		ofTwo("hypot", "Hypot", []string{"x", "y"}),
		unary("exp", "Exp"),
		unary("floor", "Floor"),
		{name: "amax", from: "slices.Max", params: []string{"a0", "a1", "a2"}, out: 1, call: "b[0] = slices.Max(a)"},
		unary("log", "Log"),
		{name: "amin", from: "slices.Min", params: []string{"a0", "a1", "a2"}, out: 1, call: "b[0] = slices.Min(a)"},
		unary("round", "Round"),
		unary("sinh", "Sinh"),
		unary("sqrt", "Sqrt"),
		unary("tanh", "Tanh"),
		ofTwo("power", "Pow", []string{"x", "y"}, interval{0, 20}, interval{0, 5}),
		{name: "sort", from: "slices.Sort", params: []string{"a0", "a1", "a2"}, out: 3, call: "copy(b, a); slices.Sort(b)"},

		feeOf("Postage", true, "grams"),
		feeOf("Luggage", true, "kilos", "bags"),
		feeOf("GasBill", false, "units"),
		feeOf("Overdraft", false, "balance"),
		feeOf("IncomeTax", false, "income"),
		feeOf("Rebate", true, "order", "points"),
		feeOf("Overdue", true, "days"),
		feeOf("Bulk", true, "pieces"),
		feeOf("Admission", true, "age", "people"),
		feeOf("Brokerage", false, "amount"),
	}
}

// family is which of the three lists a program is on.
func (p program) family() string {
	switch {
	case p.apache:
		return "apache"
	case p.fee != "":
		return "fees"
	}
	return "numpy"
}

func (p program) in() int { return len(p.params) }

// bounds are where inputs are drawn from.
func (p program) bounds() []interval {
	if p.domain != nil {
		return p.domain
	}
	return slices.Repeat([]interval{{0, 20}}, p.in())
}

// named returns the programs of these names, in the list's order.
func named(names []string) []program {
	return slices.DeleteFunc(programs(), func(p program) bool { return !slices.Contains(names, p.name) })
}

// output reports whether a row is one: none of its numbers is NaN or infinite.
func output(row []float64) bool {
	return row != nil && !slices.ContainsFunc(row, func(x float64) bool { return math.IsNaN(x) || math.IsInf(x, 0) })
}

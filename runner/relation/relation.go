package relation

import (
	"crypto/sha256"
	"encoding/hex"
	"path"
	"strconv"
	"strings"

	"github.com/isodelta/isodelta/report/event"
	"github.com/isodelta/isodelta/runner/relation/goexpr"
)

// A Relation is a metamorphic relation of one function, as Go over the
// parameters and results of its calls.
type Relation struct {
	Function string // as in Δ: "Sin", "geo.(*Ring).Area"
	Package  string // import path
	Name     string // short: odd, idempotent, commutative …, or as declared
	Source   event.RelationSource
	Notation string // in mathematical notation
	Form     Form
	// Tolerance is the relative one with which floating-point outputs are
	// compared, 0 for exactly.
	Tolerance float64
	// At says where a declared relation stands: "file:line", "" for others.
	At string
}

// Form is a relation as Go. Variables name what its expressions can use: the
// parameters of the source call under their own names, and the variables that
// the calls declare. Variables hide packages, packages hide Equal, and Equal
// hides what the package under test and the language declare.
type Form struct {
	Params []Param
	// When is a Go expression over the parameters: for which source inputs the
	// relation says something. "" means all.
	When string
	// Calls are the calls of a group, the source call first. Arguments may use
	// the parameters and the results of earlier calls.
	Calls []Call
	// Given is a Go expression over everything that the calls declare: for which
	// outputs the relation says something, such as those without an error. ""
	// means all.
	Given string
	// Check is a Go expression that is true if the outputs are related. It may
	// use everything that the calls declare, and Equal(a, b), which is package
	// harness's: deep, floats within Tolerance, NaN equal to NaN. A function
	// Equal of the package under test is written (Equal)(a, b).
	Check string
	// Idle is a Go expression as Check is: for which outputs a relation that holds says no
	// more than that the outputs are equal, as one of a text and its reverse does of what is
	// the same backwards. Such groups are no evidence. "" means none.
	Idle string
	// Body stands in the place of Check where it is not "": a function literal that takes
	// a *testing.T and BodyArgs, and fails the test where the relation does not hold. Of
	// package testing, it uses only T, and of that the methods of the stand-in in package
	// harness.
	Body     string
	BodyArgs []string // Go expressions over the parameters
	// Imports are the paths of the packages that expressions and types use.
	Imports []string
	// Names are what Form calls those packages of which that is not the last
	// element of the path.
	Names map[string]string
}

// Param is a parameter of the source call; a receiver is the first. Of a
// variadic parameter, Type is the slice's.
type Param struct {
	Name string
	Type string // as Go, seen from within the package; package names as Imports declare them
	Kind string // as in Call.Kinds
}

// Call is one call of a group.
type Call struct {
	Function string   // Go expression that is called, seen from within the package: "Sin", "(*Ring).Area", "Decode"
	Args     []string // Go expressions, one for each parameter, the receiver first
	// Types are the parameters' types as Go, "" for the type that the argument's
	// expression has. nil stands for the types of Params in a call of the source
	// call's function, else for "".
	Types  []string
	Spread bool // the last argument is spread: f(a, b...)
	// Copied are the arguments of which the call gets deep copies, since it may
	// change what they refer to; nil for none.
	Copied  []bool
	Results []string // one for each result: a variable that gets it, "_" for those of no use
	After   []string // variables that get the arguments as they are after the call, "" for those of no use
	// Kinds are the underlying types of the results where those are "error", basic
	// types, or slices of them, and else ""; nil where not known. Tests to paste
	// compare by them.
	Kinds []string
	// When is a Go expression over what earlier calls declare: whether the group
	// goes on with this call; where it does not, the relation says nothing. ""
	// means always.
	When string
}

// ID names the relation: eight hexadecimal digits of its function and form. It
// stays the same when parameters are renamed or the notation is another.
func (r Relation) ID() string {
	h := sha256.Sum256([]byte(r.Package + "\n" + r.Function + "\n" + r.Form.canonical() + "\n" + strconv.FormatFloat(r.Tolerance, 'g', -1, 64)))
	return hex.EncodeToString(h[:4])
}

// canonical spells a form with numbered variables.
func (f Form) canonical() string {
	numbers := map[string]string{}
	for i, v := range f.variables() {
		numbers[v] = "$" + strconv.Itoa(i)
	}
	imports := f.importNames()
	spell := func(text string) string {
		out, err := goexpr.Rename(text, func(name string) string {
			if n, ok := numbers[name]; ok {
				return n
			}
			if p, ok := imports[name]; ok {
				return p
			}
			return name
		})
		if err != nil {
			return text
		}
		return out
	}
	parts := []string{spell(f.When), spell(f.Given), spell(f.Check)}
	if f.Body != "" {
		parts = append(parts, spell(f.Body))
		for _, a := range f.BodyArgs {
			parts = append(parts, spell(a))
		}
	}
	for _, p := range f.Params {
		parts = append(parts, p.Type)
	}
	for _, c := range f.Calls {
		parts = append(parts, c.Function, strconv.FormatBool(c.Spread), spell(c.When))
		for _, a := range c.Args {
			parts = append(parts, spell(a))
		}
	}
	return strings.Join(parts, "\n")
}

// variables are all that expressions can use, in the order of their
// declaration.
func (f Form) variables() []string {
	var out []string
	for _, p := range f.Params {
		out = append(out, p.Name)
	}
	for _, c := range f.Calls {
		for _, v := range append(append([]string(nil), c.Results...), c.After...) {
			if v != "" && v != "_" {
				out = append(out, v)
			}
		}
	}
	return out
}

// importNames returns the path of each package by the name that expressions use.
func (f Form) importNames() map[string]string {
	out := map[string]string{}
	for _, p := range f.Imports {
		out[f.importName(p)] = p
	}
	return out
}

func (f Form) importName(p string) string {
	if n := f.Names[p]; n != "" {
		return n
	}
	return path.Base(p)
}

// typesOf are the types of a call's parameters, "" where not known.
func (f Form) typesOf(c Call) []string {
	out := make([]string, len(c.Args))
	switch {
	case c.Types != nil:
		copy(out, c.Types)
	case len(f.Calls) > 0 && c.Function == f.Calls[0].Function && len(c.Args) == len(f.Params):
		for i, p := range f.Params {
			out[i] = p.Type
		}
	}
	return out
}

func (c Call) copied(i int) bool { return i < len(c.Copied) && c.Copied[i] }

func (c Call) after(i int) string {
	if i < len(c.After) && c.After[i] != "_" {
		return c.After[i]
	}
	return ""
}

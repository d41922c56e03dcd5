package relation

// A Relation is a metamorphic relation of one function, as Go over the
// parameters and results of its calls.
type Relation struct {
	Function string // as in Δ: "Sin", "geo.(*Ring).Area"
	Package  string // import path
	Name     string // short: odd, idempotent, commutative …, or as declared
	Source   string // event.Declared, event.Template, event.AutoMR …
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
// the calls declare.
type Form struct {
	Params []Param
	// When is a Go expression over the parameters: for which source inputs the
	// relation says something. "" means all.
	When string
	// Calls are the calls of a group, the source call first. Arguments may use
	// the parameters and the results of earlier calls.
	Calls []Call
	// Check is a Go expression that is true if the outputs are related. It may
	// use everything that the calls declare, and Equal(a, b), which is package
	// harness's: deep, floats within Tolerance, NaN equal to NaN.
	Check string
	// Imports are the packages of the standard library that expressions use.
	Imports []string
}

// Param is a parameter of the source call; a receiver is the first.
type Param struct {
	Name string
	Type string // as Go, seen from within the package; package names as Imports declare them
}

// Call is one call of a group.
type Call struct {
	Function string   // Go expression that is called, seen from within the package: "Sin", "(*Ring).Area", "Decode"
	Args     []string // Go expressions, one for each parameter, the receiver first
	Spread   bool     // the last argument is spread: f(a, b...)
	Results  []string // variables that get the results, "_" for those of no use
	After    []string // variables that get the arguments as they are after the call, "" for those of no use
}

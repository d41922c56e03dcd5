//go:build go1.21

package wire

// An Op is the number of an operation. Those that every process has come first,
// then those of the registering file, in its order.
type Op int

// Operations that every process has. Let takes one Dynamic; Write and Extend take
// a reference to a slice and one Dynamic-free element; Set takes a reference to a struct, or a pointer to one, the
// number of a field that both versions have, and its value.
const (
	OpLet    Op = iota // gives its literal, of the type that T names, a place of its own
	OpWrite            // sets the first element of a slice, or of a slice in it
	OpExtend           // appends to a slice, or to a slice in it, and drops the result
	OpSet              // sets an exported field
	Builtins           // how many there are
)

// OpAt returns the number of the operation that the registering file has at an
// index.
func OpAt(index int) Op { return Builtins + Op(index) }

// Index returns where the registering file has an operation; negative for those
// that every process has.
func (o Op) Index() int { return int(o - Builtins) }

// Builtin reports whether every process has the operation.
func (o Op) Builtin() bool { return o < Builtins }

// Role says how closely an operation shows the change.
type Role int

const (
	Other    Role = iota // builds values, or looks at them
	Consumer             // takes values that changed functions build
	Caller               // reaches a changed function
	Changed              // is one
)

//go:build go1.21

package wire

// Numbers of the builtin operations. Let takes one Dynamic; Write and Extend
// take a reference to a slice and one Dynamic-free element.
const (
	OpLet = iota
	OpWrite
	OpExtend
	Builtins // how many there are
)

// Role says how closely an operation shows the change.
type Role int

const (
	Other    Role = iota // builds values, or looks at them
	Consumer             // takes values that changed functions build
	Caller               // reaches a changed function
	Changed              // is one
)

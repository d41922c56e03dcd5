// Package version has the notation for the two versions that are compared: a
// Side names one of them, and Both holds a value for each.
//
// Base always comes first, in memory as in every list that is made of it. What a
// version is made of stands elsewhere: its tree in package load, what is built of
// it in package build. There is no third version and no word for one; a merge
// base takes base's place.
package version

// Side is one of the two versions.
type Side uint8

// The two versions.
const (
	Base Side = iota
	Head
)

// Sides are both, in the order in which everything is told.
var Sides = [2]Side{Base, Head}

// String returns the side's name as users know it.
func (s Side) String() string {
	if s == Base {
		return "base"
	}
	return "head"
}

// Other is the side that s is compared with.
func (s Side) Other() Side { return s ^ 1 }

// Both is a value for each version, indexed by Side.
type Both[T any] [2]T

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

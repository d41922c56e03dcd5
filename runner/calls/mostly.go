package calls

import "github.com/isodelta/isodelta/runner/calls/wire"

// fewSequences with a call of an operation say nothing about most of its calls; a guess.
const fewSequences = 20

// MostlyDiffers reports whether the versions differ in more than half of the sequences
// that call an operation, at that call: where a change is intended, equality of results
// says little of what it does besides.
func (c *Search) MostlyDiffers(op wire.Op) bool {
	n := c.with[op]
	return n >= fewSequences && 2*c.differAt(op) > n
}

// differAt is for how many sequences a call of an operation is the first that differs. Of
// its components, the one that differs most often counts: several may differ at once.
func (c *Search) differAt(op wire.Op) int {
	ended := 0
	components := map[int]int{}
	for at, st := range c.discrepancies {
		switch {
		case at.Op != op || at.After:
		case at.Component < 0:
			ended += st.count
		default:
			components[at.Component] += st.count // whatever ran
		}
	}
	most := 0
	for _, n := range components {
		most = max(most, n)
	}
	return ended + most
}

// countWith counts a sequence for each operation that it calls.
func (c *Search) countWith(p wire.Sequence) {
	seen := map[wire.Op]bool{}
	for _, s := range p {
		if !seen[s.Op] {
			seen[s.Op] = true
			c.with[s.Op]++
		}
	}
}

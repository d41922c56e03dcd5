//go:build go1.21

package harness

import "strings"

// Buffers are slices of bytes that a call writes into. They are longer than what is written, and
// in a program they still hold what was there before.

const (
	buffers       = 10 // of a hundred slices of bytes that are made anew
	buffersLikely = 25 // of a hundred that are changed to be one
)

var (
	bufferFills = []string{"\xff", "\x00", "x", "\xaa"}
	bufferSizes = []int{8, 16, 32, 64, 100, 256, 1500}
)

// buffer is a slice of bytes with something in it.
func (g *generator) buffer() string {
	n := bufferSizes[g.r.Intn(len(bufferSizes))]
	if at, ok := g.plain.size(g.r); ok && g.r.Chance(25) {
		n = at
	}
	return strings.Repeat(bufferFills[g.r.few(len(bufferFills)-1)], n)
}

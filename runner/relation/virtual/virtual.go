package virtual

import (
	"encoding/hex"
	"fmt"
	"hash/fnv"
	"slices"
	"sort"
	"strings"

	"github.com/isodelta/isodelta/runner/relation/genetic"
	"github.com/isodelta/isodelta/runner/relation/law"
)

const (
	// maxMutants bounds the virtual mutants of one function.
	maxMutants = 1024
	// maxCells bounds the cells that are told apart; those beyond share theirs. A function
	// of many numbers has more cells than any relation has groups.
	maxCells = 24
	// maxCompared bounds the numbers of an input whose order is looked at.
	maxCompared = 3
)

// Call is one call of a metamorphic group: values as package law has them, nil for what is
// not known.
type Call struct {
	Inputs, Outputs []any
	Branches        []int // of the function that the call took, ascending; nil if not known
}

// Mutants are the virtual mutants of one function.
type Mutants struct {
	points  []float64
	cells   map[string]int
	numbers map[mutant]int
}

// mutant gives a changed output for the inputs of a cell.
type mutant struct {
	cell, output, change int
}

// New returns the virtual mutants of a function with the given constants, ascending.
func New(points []float64) *Mutants {
	return &Mutants{points, map[string]int{}, map[mutant]int{}}
}

// Refuted returns which virtual mutants a relation refutes, as a set of bits in
// hexadecimal digits, the first mutant being the lowest bit of the first byte. Fails
// reports whether the relation fails for a group whose calls give the outputs, which
// it must not keep.
func (m *Mutants) Refuted(groups [][]Call, fails func(group int, outputs [][]any) bool) string {
	refuted := map[int]bool{}
	for i, group := range groups {
		cells := make([]int, len(group))
		for k, c := range group {
			cells[k] = m.cellOf(c)
		}
		for k, cell := range cells {
			if slices.Contains(cells[:k], cell) {
				continue
			}
			for output := range group[k].Outputs {
				for change := range len(genetic.Others(group[k].Outputs[output])) {
					n, ok := m.number(mutant{cell, output, change})
					if !ok || refuted[n] {
						continue
					}
					outputs, changed := mutate(group, cells, mutant{cell, output, change})
					if changed && fails(i, outputs) {
						refuted[n] = true
					}
				}
			}
		}
	}
	return bits(refuted)
}

// number returns the number of a mutant; false where there are enough.
func (m *Mutants) number(x mutant) (int, bool) {
	n, known := m.numbers[x]
	if !known && len(m.numbers) < maxMutants {
		n, known = len(m.numbers), true
		m.numbers[x] = n
	}
	return n, known
}

// mutate returns what a mutant gives for the calls of a group, and whether that is
// anything else.
func mutate(group []Call, cells []int, x mutant) (outputs [][]any, changed bool) {
	for k, c := range group {
		out := slices.Clone(c.Outputs)
		if others := genetic.Others(out[x.output]); cells[k] == x.cell && x.change < len(others) {
			changed = changed || !law.EqualValues(out[x.output], others[x.change])
			out[x.output] = others[x.change]
		}
		outputs = append(outputs, out)
	}
	return outputs, changed
}

// cellOf returns the number of the cell of a call.
func (m *Mutants) cellOf(c Call) int {
	name := m.cell(c.Inputs) + fmt.Sprint(c.Branches)
	n, known := m.cells[name]
	switch {
	case !known && len(m.cells) < maxCells:
		n = len(m.cells)
		m.cells[name] = n
	case !known:
		h := fnv.New32a()
		h.Write([]byte(name))
		n = int(h.Sum32() % maxCells)
	}
	return n
}

// cell names the cell of an input.
func (m *Mutants) cell(input []any) string {
	var name strings.Builder
	var numbers []float64
	for _, v := range input {
		x, isNumber := number(v)
		switch {
		case isNumber:
			numbers = append(numbers, x)
			at, exactly := slices.BinarySearch(m.points, x)
			fmt.Fprintf(&name, "%d%t%t,", at, exactly, x < 0)
		case v == nil:
			name.WriteString("?,")
		default:
			fmt.Fprintf(&name, "%s,", size(v))
		}
	}
	numbers = numbers[:min(len(numbers), maxCompared)]
	order := []int{0, 1, 2}[:len(numbers)]
	sort.SliceStable(order, func(i, j int) bool { return numbers[order[i]] < numbers[order[j]] })
	for i := 1; i < len(order); i++ {
		fmt.Fprintf(&name, "%d%t", order[i], numbers[order[i]] == numbers[order[i-1]])
	}
	return name.String()
}

func number(v any) (float64, bool) {
	switch v := v.(type) {
	case int64:
		return float64(v), true
	case float64:
		return v, true
	}
	return 0, false
}

// size tells what conditions mostly ask of a value that is no number.
func size(v any) string {
	n := 0
	switch v := v.(type) {
	case bool:
		return fmt.Sprint(v)
	case string:
		n = len(v)
	case []bool:
		n = len(v)
	case []int64:
		n = len(v)
	case []float64:
		n = len(v)
	case []string:
		n = len(v)
	}
	return fmt.Sprint(min(n, 2))
}

// bits writes a set of numbers.
func bits(set map[int]bool) string {
	b := []byte{0} // "" says that it is not known
	for n := range set {
		for len(b) <= n/8 {
			b = append(b, 0)
		}
		b[n/8] |= 1 << (n % 8)
	}
	return hex.EncodeToString(b)
}

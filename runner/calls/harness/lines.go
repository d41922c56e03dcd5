//go:build go1.21

package harness

import "strings"

// lines changes a text line by line.
func (p *Plain) lines(r *Rand, s string) string {
	list := strings.SplitAfter(s, "\n")
	at := r.Intn(len(list))
	switch r.Intn(4) {
	case 0:
		list = append(list[:at:at], list[at+1:]...)
	case 1:
		k := r.Intn(len(list))
		list[at], list[k] = list[k], list[at]
	case 2:
		list = append(list, list[at])
	default:
		block := p.block(r)
		if r.Chance(60) {
			block = indented(block, indentation(list[at]))
		}
		list = append(list[:at:at], append(block, list[at:]...)...)
	}
	return strings.Join(list, "")
}

// block is a line of a known text, or a few.
func (p *Plain) block(r *Rand) []string {
	lines := strings.SplitAfter(p.known(r), "\n")
	from := r.Intn(len(lines))
	to := from + 1
	if r.Chance(30) {
		to += r.few(4)
	}
	if to > len(lines) {
		to = len(lines)
	}
	block := append([]string(nil), lines[from:to]...)
	if last := &block[len(block)-1]; !strings.HasSuffix(*last, "\n") {
		*last += "\n"
	}
	return block
}

// indentation is the white space that a line begins with.
func indentation(line string) string {
	return line[:len(line)-len(strings.TrimLeft(line, " \t"))]
}

// indented are lines with as much white space before them as stands before another one, in whose place they go:
// in many languages it says what belongs together. What is deeper than the first line stays deeper.
func indented(block []string, by string) []string {
	first := indentation(block[0])
	for i, line := range block {
		block[i] = by + strings.TrimPrefix(line, first)
	}
	return block
}

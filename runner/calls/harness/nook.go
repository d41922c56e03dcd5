//go:build go1.21

package harness

import "strings"

// A nook is a part of a text of the module's tests.
type nook struct {
	host     int // of hosts
	from, to int // tokens of it
}

const (
	maxNooks     = 24   // that are known for one text
	maxStretches = 40   // of one text that are looked at
	maxHomes     = 1500 // texts whose nooks are known
)

// nooks returns the parts of other texts that are most like t: they have the same marks, and few
// others. A text without marks has no nooks.
func (p *Plain) nooks(t string) []nook {
	if list, ok := p.homes[t]; ok {
		return list
	}
	if p.homes == nil {
		p.homes = map[string][]nook{}
		p.niches = partsOfHosts(p.hosts)
	}
	if len(p.homes) == maxHomes {
		return nil
	}
	best := p.niches.most(t, p.hosts)
	for len(best) > maxNooks { // evenly
		kept := best[:0]
		for i := 0; i < len(best); i += 2 {
			kept = append(kept, best[i])
		}
		best = kept
	}
	p.homes[t] = best
	return best
}

// put puts a text into a nook.
func (p *Plain) put(n nook, t string) string {
	tokens := p.niches.tokens[n.host]
	s := strings.Join(tokens[:n.from], "") + t + strings.Join(tokens[n.to:], "")
	if len(s) > maxText {
		return t
	}
	return s
}

// hostParts are the parts of texts with their marks. Marks are numbered, since every part is compared with every new text.
type hostParts struct {
	tokens  [][]string // of each text
	list    []hostPart
	numbers map[string]int // of marks, from 0
}

type hostPart struct {
	nook
	marks []int
}

func partsOfHosts(hosts []string) *hostParts {
	s := &hostParts{numbers: map[string]int{}}
	for i, host := range hosts {
		tokens := tokenize(host)
		s.tokens = append(s.tokens, tokens)
		for _, part := range partsOf(tokens) {
			s.list = append(s.list, hostPart{nook{i, part[0], part[1]}, s.marksOf(tokens[part[0]:part[1]])})
		}
	}
	return s
}

// marksOf returns the tokens that are neither words nor numbers nor white space, each once.
func (s *hostParts) marksOf(tokens []string) (out []int) {
	seen := map[string]bool{}
	for _, t := range tokens {
		if c := class(t); c == "a" || c == "0" || c == " " || seen[t] {
			continue
		}
		seen[t] = true
		n, ok := s.numbers[t]
		if !ok {
			n = len(s.numbers)
			s.numbers[t] = n
		}
		out = append(out, n)
	}
	return out
}

// most returns the parts of other texts whose marks are most like those of t.
func (s *hostParts) most(t string, hosts []string) (best []nook) {
	has := s.marksOf(tokenize(t))
	marks := make([]bool, len(s.numbers))
	for _, m := range has {
		marks[m] = true
	}
	most := 1
	for _, part := range s.list {
		if len(has) == 0 || hosts[part.host] == t {
			continue
		}
		score := likeness(marks, part.marks)
		if score > most {
			best, most = nil, score
		}
		if score == most {
			best = append(best, part.nook)
		}
	}
	return best
}

// likeness returns a score of how many marks a part and a text share.
func likeness(text []bool, part []int) int {
	score := 0
	for _, m := range part {
		if text[m] {
			score += 4
		} else {
			score--
		}
	}
	return score
}

// partsOf returns the parts of a text between fences, quotes and brackets, and its lines.
func partsOf(tokens []string) [][2]int {
	out := fenced(tokens)
	out = out[:min(len(out), maxStretches)]
	for _, g := range groups(tokens) {
		if len(out) < maxStretches {
			out = append(out, [2]int{g[0] + 1, g[1] - 1})
		}
	}
	for at := 0; at < len(tokens) && len(out) < maxStretches; at++ {
		from, to := lineAround(tokens, at)
		if to > from && (from > 0 || to < len(tokens)) {
			out = append(out, [2]int{from, to})
		}
		at = to
	}
	return out
}

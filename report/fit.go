package report

import "strings"

// part is a section; those with a higher rank are left out first, and among
// equals the last one.
type part struct {
	text string
	rank int
}

// Ranks of sections.
const (
	needed = iota
	useful
	numbers
	evidence
	extra
)

// fit leaves sections out until the rest is at most limit bytes, of which GitHub's
// characters are never more.
func fit(parts []part, limit int, cut string) string {
	size := len(joined(parts, cut))
	for limit > 0 && size > limit {
		worst := -1
		for i, p := range parts {
			if p.rank > needed && p.text != cut && (worst < 0 || p.rank >= parts[worst].rank) {
				worst = i
			}
		}
		if worst < 0 {
			break
		}
		parts[worst].text = cut
		size = len(joined(parts, cut))
	}
	return joined(parts, cut)
}

// joined writes a cut where something is left out, once for neighbours.
func joined(parts []part, cut string) string {
	var texts []string
	for _, p := range parts {
		if n := len(texts); p.text == cut && n > 0 && texts[n-1] == cut {
			continue
		}
		texts = append(texts, p.text)
	}
	return strings.Join(texts, "\n")
}

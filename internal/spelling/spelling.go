package spelling

import "fmt"

// DidYouMean names the candidate nearest to word, as the end of a sentence; it
// is empty where none is near enough to be a slip.
func DidYouMean(word string, candidates []string) string {
	if len(word) > 64 {
		return ""
	}
	best, least := "", max(2, len(word)/3)+1
	for _, c := range candidates {
		if d := Distance(word, c); d < least {
			best, least = c, d
		}
	}
	if best == "" {
		return ""
	}
	return fmt.Sprintf("; did you mean %q?", best)
}

// Distance counts insertions, deletions, replacements and swaps of neighbours
// (optimal string alignment), ignoring case and taking - and _ for the same.
func Distance(a, b string) int {
	x, y := folded(a), folded(b)
	d := make([][]int, len(x)+1)
	for i := range d {
		d[i] = make([]int, len(y)+1)
		d[i][0] = i
	}
	for j := range d[0] {
		d[0][j] = j
	}
	for i := 1; i <= len(x); i++ {
		for j := 1; j <= len(y); j++ {
			cost := 1
			if x[i-1] == y[j-1] {
				cost = 0
			}
			d[i][j] = min(d[i-1][j]+1, d[i][j-1]+1, d[i-1][j-1]+cost)
			if i > 1 && j > 1 && x[i-1] == y[j-2] && x[i-2] == y[j-1] {
				d[i][j] = min(d[i][j], d[i-2][j-2]+1)
			}
		}
	}
	return d[len(x)][len(y)]
}

func folded(s string) []rune {
	var out []rune
	for _, r := range s {
		switch {
		case r == '_':
			r = '-'
		case 'A' <= r && r <= 'Z':
			r += 'a' - 'A'
		}
		out = append(out, r)
	}
	return out
}

//go:build go1.21

package harness

import "strings"

// Texts of many languages hold lists: what stands between brackets, with marks between the entries. A text with an
// entry less, or with one more that stands elsewhere, is still one of the language, which a text with a few
// tokens less mostly is not.

// entryMarks are the marks that part entries; white space does where there is none of them.
const entryMarks = ",;&|"

// listing is a stretch of tokens with what parts its entries: entry i is from[i] to to[i], and between two
// stands one token.
type listing struct {
	tokens   []string
	from, to []int
}

// entry is the text of one.
func (l listing) entry(i int) string { return strings.Join(l.tokens[l.from[i]:l.to[i]], "") }

// mark is what stands behind an entry that is not the last.
func (l listing) mark(i int) string { return l.tokens[l.to[i]] }

// entries changes a list within a text by whole entries: takes one away, puts one in from this list or from one of another
// text, lets two change places. A list of one entry loses it, or goes altogether.
func (p *Plain) entries(r *Rand, tokens, others []string) string {
	l, around := p.list(r, tokens)
	n := len(l.from)
	before, after := strings.Join(tokens[:l.from[0]], ""), strings.Join(tokens[l.to[n-1]:], "")
	if n < 2 {
		if around[1] > around[0] && r.Chance(50) {
			return strings.Join(tokens[:around[0]], "") + strings.Join(tokens[around[1]:], "")
		}
		return before + after
	}
	mark := l.mark(r.Intn(n - 1))
	texts := make([]string, n)
	for i := range texts {
		texts[i] = l.entry(i)
	}
	at := r.Intn(n)
	switch r.Intn(8) {
	case 0, 1, 2:
		texts = append(texts[:at:at], texts[at+1:]...)
	case 3:
		k := r.Intn(n)
		texts[at], texts[k] = texts[k], texts[at]
	case 4:
		texts = append(texts[:at:at], append([]string{texts[r.Intn(n)]}, texts[at:]...)...)
	default:
		if len(others) == 0 {
			others = tokens
		}
		from, _ := p.list(r, others)
		entry := from.entry(r.Intn(len(from.from)))
		if r.Chance(40) {
			texts[at] = entry
		} else {
			texts = append(texts[:at:at], append([]string{entry}, texts[at:]...)...)
		}
	}
	return before + strings.Join(texts, mark) + after
}

// list picks a list of a text: between brackets or quotes, or all of it. around is the stretch with its brackets, which is
// empty for all of it. A list has one entry at least.
func (p *Plain) list(r *Rand, tokens []string) (l listing, around [2]int) {
	all := groups(tokens)
	from, to := 0, len(tokens)
	if len(all) > 0 && r.Chance(85) {
		if around = all[r.Intn(len(all))]; r.Chance(75) { // between quotes there is seldom a list
			if brackets := bracketed(tokens, all); len(brackets) > 0 {
				around = brackets[r.Intn(len(brackets))]
			}
		}
		from, to = around[0]+1, around[1]-1
	}
	end := map[int]int{} // of what stands in brackets, by where it begins
	for _, g := range all {
		if g[0] >= from && g[1] <= to && g[1] > end[g[0]] {
			end[g[0]] = g[1]
		}
	}
	var marks, blanks []int
	for i := from; i < to; i++ {
		if end[i] > i {
			i = end[i] - 1
			continue
		}
		switch {
		case len(tokens[i]) == 1 && strings.Contains(entryMarks, tokens[i]):
			marks = append(marks, i)
		case class(tokens[i]) == " ":
			blanks = append(blanks, i)
		}
	}
	if len(marks) == 0 {
		marks = blanks
	} else {
		marks = same(tokens, marks, tokens[marks[r.Intn(len(marks))]])
	}
	l = listing{tokens: tokens}
	for _, at := range marks {
		l.from, l.to = append(l.from, from), append(l.to, at)
		from = at + 1
	}
	l.from, l.to = append(l.from, from), append(l.to, to)
	return l, around
}

// bracketed are the stretches that stand between brackets.
func bracketed(tokens []string, all [][2]int) [][2]int {
	var out [][2]int
	for _, g := range all {
		if strings.Contains("([{<", tokens[g[0]]) {
			out = append(out, g)
		}
	}
	return out
}

// same are the places of one token.
func same(tokens []string, places []int, token string) []int {
	var out []int
	for _, at := range places {
		if tokens[at] == token {
			out = append(out, at)
		}
	}
	return out
}

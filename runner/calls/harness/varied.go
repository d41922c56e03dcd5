//go:build go1.21

package harness

import (
	"strings"
	"unicode/utf8"

	"github.com/isodelta/isodelta/runner/calls/wire"
)

// A text with which the change was executed already is varied in one way at a time, so that
// what it is made of stays in order: at its ends, as one of two in a row, as a value within
// another one, element by element, step by step, and to the lengths and with the characters that the
// change names.

const (
	maxLength = 4200 // bytes of a text that is made as long as a number of the change says
	maxMark   = 12   // bytes of a text of the change that is put between tokens
)

// varied is a text with one thing changed; other is one that is given at the same place.
func (p *Plain) varied(r *Rand, s, other string) string {
	ways := []func(r *Rand, s, other string) string{p.atEnds, p.inRow, p.within, p.tokenwise, p.stepwise, p.marked, p.elements, p.sized, p.sized, p.counted}
	out := ways[r.Intn(len(ways))](r, s, other)
	if r.Chance(15) {
		out = ways[r.Intn(len(ways))](r, out, other)
	}
	if out == s {
		out = p.atEnds(r, s, other)
	}
	if len(out) > maxLength {
		return s
	}
	return out
}

// atEnds is the text with something at an end, mostly white space, or without what is there.
func (p *Plain) atEnds(r *Rand, s, _ string) string {
	ends := []string{" ", "\n", "\t", "\r\n", "\n\n", " \n", p.mark(r), p.mark(r)}
	end := ends[r.Intn(len(ends))]
	switch r.Intn(7) {
	case 0, 1:
		return s + end
	case 2, 3:
		return end + s
	case 4:
		return end + s + end
	case 5:
		if t := strings.TrimSpace(s); t != s {
			return t
		}
		return s + end
	}
	tokens := tokenize(s)
	if len(tokens) < 2 {
		return end
	}
	if r.Chance(50) {
		return strings.Join(tokens[1:], "")
	}
	return strings.Join(tokens[:len(tokens)-1], "")
}

// inRow is the text and another one, or itself, in a row.
func (p *Plain) inRow(r *Rand, s, other string) string {
	joints := []string{"\n", " ", ",", ", ", "\n\n", ";", "", p.mark(r)}
	if other == "" || r.Chance(30) {
		other = s
	}
	if r.Chance(50) {
		s, other = other, s
	}
	return s + joints[r.Intn(len(joints))] + other
}

// within is one of the texts in the place of a value of the other one: of a word, of a number, or of
// what stands between brackets or quotes.
func (p *Plain) within(r *Rand, s, other string) string {
	if other == "" || r.Chance(30) {
		other = s
	}
	if r.Chance(50) {
		s, other = other, s
	}
	tokens := tokenize(s)
	var values [][2]int
	for i, t := range tokens {
		if c := class(t); c == "a" || c == "0" {
			values = append(values, [2]int{i, i + 1})
		}
	}
	for _, g := range groups(tokens) {
		values = append(values, g)
		if g[1]-g[0] > 2 {
			values = append(values, [2]int{g[0] + 1, g[1] - 1})
		}
	}
	if len(values) == 0 {
		return p.inRow(r, s, other)
	}
	at := values[r.Intn(len(values))]
	if r.Chance(30) {
		other = strings.TrimSpace(other)
	}
	return strings.Join(tokens[:at[0]], "") + other + strings.Join(tokens[at[1]:], "")
}

// tokenwise drops a token, doubles it, or swaps it with the next one of its class.
func (p *Plain) tokenwise(r *Rand, s, _ string) string {
	tokens := tokenize(s)
	if len(tokens) == 0 {
		return p.mark(r)
	}
	at := r.Intn(len(tokens))
	before, behind := strings.Join(tokens[:at], ""), strings.Join(tokens[at+1:], "")
	switch r.Intn(3) {
	case 0:
		return before + behind
	case 1:
		return before + tokens[at] + tokens[at] + behind
	}
	for i := at + 1; i < len(tokens); i++ {
		if tokens[i] != tokens[at] && class(tokens[i]) == class(tokens[at]) {
			tokens[at], tokens[i] = tokens[i], tokens[at]
			break
		}
	}
	return strings.Join(tokens, "")
}

// marked is the text with what the change names between two of its tokens, or in the place of one.
func (p *Plain) marked(r *Rand, s, _ string) string {
	tokens := tokenize(s)
	at := r.Intn(len(tokens) + 1)
	end := at
	if at < len(tokens) && r.Chance(30) {
		end++
	}
	return strings.Join(tokens[:at], "") + p.mark(r) + strings.Join(tokens[end:], "")
}

// mark is a short text or a character that the change names, one of its numbers in digits, or one
// that few texts have.
func (p *Plain) mark(r *Rand) string {
	for try := 0; try < 3; try++ {
		switch texts, numbers := p.texts[wire.NearDiff], p.numbers[wire.NearDiff]; {
		case len(texts) > 0 && r.Chance(50):
			if t := texts[r.Intn(len(texts))]; t != "" && len(t) <= maxMark {
				return t
			}
		case len(numbers) > 0 && r.Chance(60):
			n := numbers[r.Intn(len(numbers))]
			if n > 0 && n <= utf8.MaxRune && utf8.ValidRune(rune(n)) && (n < 0x80 || r.Chance(30)) {
				return string(rune(n))
			}
		}
	}
	return p.odd(r)
}

// elements changes the text, or what stands between two brackets of it, as a list: one element
// twice, two exchanged, one left out, or one more. Elements are what stands between marks of
// one kind, those of the text itself, whether or not they stand within further brackets; or entries.
func (p *Plain) elements(r *Rand, s, other string) string {
	tokens := tokenize(s)
	if len(tokens) > 0 && r.Chance(50) {
		return p.entries(r, tokens, tokenize(other))
	}
	from, to := 0, len(tokens)
	if all := groups(tokens); len(all) > 0 && r.Chance(60) {
		g := all[r.Intn(len(all))]
		from, to = g[0]+1, g[1]-1
	}
	var marks []string
	for i, t := range tokens[from:to] {
		if c := class(t); c == "a" || c == "0" {
			continue
		}
		if i += from + 1; i < to && tokens[i] == " " {
			t += " "
		}
		marks = append(marks, t)
	}
	if len(marks) == 0 {
		return p.inRow(r, s, other)
	}
	by := marks[r.Intn(len(marks))]
	list := strings.Split(strings.Join(tokens[from:to], ""), by)
	at := r.Intn(len(list))
	switch r.Intn(4) {
	case 0: // twice, one behind the other or at the end
		if r.Chance(50) {
			list = append(list[:at+1:at+1], list[at:]...)
		} else {
			list = append(list, list[at])
		}
	case 1:
		k := r.Intn(len(list))
		list[at], list[k] = list[k], list[at]
	case 2:
		list = append(list[:at:at], list[at+1:]...)
	default:
		more := ""
		if others := strings.Split(other, by); r.Chance(75) {
			more = others[r.Intn(len(others))]
		}
		list = append(list[:at:at], append([]string{more}, list[at:]...)...)
	}
	return strings.Join(tokens[:from], "") + strings.Join(list, by) + strings.Join(tokens[to:], "")
}

// sized is the text, or one of its words, made as long as a number of the change or of the
// code says, or one byte longer or shorter. What is added stands before what the word ends
// with, which may be a character of the change.
func (p *Plain) sized(r *Rand, s, other string) string {
	n, ok := p.size(r)
	if !ok {
		return p.counted(r, s, other)
	}
	if r.Chance(50) {
		n += 2*r.Intn(2) - 1
	}
	tokens := tokenize(s)
	end := ""
	if r.Chance(35) {
		end = p.mark(r)
	}
	way := r.Intn(3)
	if way == 0 || len(tokens) == 0 { // all of it
		if len(s)+len(end) >= n {
			return s[:max(n-len(end), 0)] + end
		}
		at := r.Intn(len(tokens) + 1)
		return strings.Join(tokens[:at], "") + p.padding(r, tokens, at, n-len(s)-len(end)) + strings.Join(tokens[at:], "") + end
	}
	at := r.Intn(len(tokens))
	if r.Chance(35) {
		at = len(tokens) - 1
	}
	around := " \t\r\n\"'`()[]{}<>,;=" // a word, which may have marks in it
	if way == 1 {
		around = "\n\"'`()[]{}<>,;:=" // a value, which may be of several words
	}
	from, to := stretch(tokens, at, around)
	word := strings.Join(tokens[from:to], "")
	if len(word)+len(end) >= n {
		word = word[:max(n-len(end), 0)] + end
	} else {
		word = p.padding(r, tokens, at, n-len(word)-len(end)) + word + end
		if end == "" && r.Chance(50) {
			word = strings.Join(tokens[from:to], "")
			word += p.padding(r, tokens, at, n-len(word))
		}
	}
	return strings.Join(tokens[:from], "") + word + strings.Join(tokens[to:], "")
}

// size is a length that the change names, or the code now and then.
func (p *Plain) size(r *Rand) (int, bool) {
	near := wire.NearDiff
	if len(p.numbers[near]) == 0 || r.Chance(15) {
		near = wire.NearCode
	}
	for try := 0; try < 6 && len(p.numbers[near]) > 0; try++ {
		if n := p.numbers[near][r.Intn(len(p.numbers[near]))]; n > 1 && n < maxLength {
			return int(n), true
		}
	}
	return 0, false
}

// padding is so many bytes of one letter, or of a token of the text over and over.
func (p *Plain) padding(r *Rand, tokens []string, at, n int) string {
	of := "a"
	if at < len(tokens) && r.Chance(40) {
		of = tokens[at]
	}
	return strings.Repeat(of, n/len(of)+1)[:n]
}

// stretch returns where what a token belongs to begins and ends: between two tokens that hold
// one of the characters around, and without blanks at its beginning.
func stretch(tokens []string, at int, around string) (from, to int) {
	for from, to = at, at; from > 0 && !strings.ContainsAny(tokens[from-1], around); from-- {
	}
	for to < len(tokens) && !strings.ContainsAny(tokens[to], around) {
		to++
	}
	for from < to && class(tokens[from]) == " " {
		from++
	}
	return from, to
}

// counted is the text with a number of the change, or one next to it, in the place of a number;
// or with an element as often as it says, each within the last one where it stands between brackets.
func (p *Plain) counted(r *Rand, s, other string) string {
	tokens := tokenize(s)
	if len(tokens) == 0 {
		return p.mark(r)
	}
	if numbers := p.numbers[wire.NearDiff]; len(numbers) > 0 && r.Chance(50) {
		for from, i := r.Intn(len(tokens)), 0; i < len(tokens); i++ {
			if k := (from + i) % len(tokens); class(tokens[k]) == "0" {
				tokens[k] = p.numeral(r, numbers[r.Intn(len(numbers))])
				return strings.Join(tokens, "")
			}
		}
	}
	times, ok := p.size(r)
	if !ok || r.Chance(40) {
		times = []int{2, 3, 4, 5, 8, 9, 16, 17, 33, 65}[r.Intn(10)]
	} else {
		times += r.Intn(3) - 1
	}
	at := p.part(r, tokens)
	part := strings.Join(tokens[at[0]:at[1]], "")
	if len(part) == 0 || len(part)*times > maxLength {
		return p.inRow(r, s, other)
	}
	many := strings.Repeat(part, times)
	if n := at[1] - at[0]; n > 2 && r.Chance(40) {
		open, last := tokens[at[0]], tokens[at[1]-1]
		many = strings.Repeat(open, times) + strings.Join(tokens[at[0]+1:at[1]-1], "") + strings.Repeat(last, times)
	} else if r.Chance(40) {
		joints := []string{",", ", ", " ", "\n", "&", ";"}
		j := joints[r.Intn(len(joints))]
		many = strings.TrimSuffix(strings.Repeat(part+j, times), j)
	}
	return strings.Join(tokens[:at[0]], "") + many + strings.Join(tokens[at[1]:], "")
}

//go:build go1.21

package harness

import (
	"strings"
	"unicode"

	"github.com/isodelta/isodelta/runner/calls/wire"
)

// What differs in a dependency shows for texts of its own language: a format of dates, a value
// of a table, an element. What this module is given is a text of another language, in which
// that one is a part: a template that has the format between quotes. So texts of the
// dependency are put into texts that this module's tests give, where a part stands.

// try is a text with which the authors of a dependency try what they changed: each in its
// turn, for where there are many, each shows something else. Mostly it is whole, or whole
// within another text.
func (p *Plain) try(r *Rand, like string) string {
	p.turn = (p.turn + 1) % len(p.tried)
	t := p.tried[p.turn]
	switch {
	case r.Chance(55):
		return t
	case r.Chance(65):
		return p.amid(r, like, t)
	}
	return p.change(r, t)
}

// amid is a text in the place of a part of another one that the module's tests give, and
// now and then that one in the place of a part of a third: an expression within a template.
func (p *Plain) amid(r *Rand, like, t string) string {
	s, at := t, -1
	if list := p.nooks(t); len(list) > 0 && (like == "" || r.Chance(75)) {
		n := list[r.Intn(len(list))]
		s, at = p.put(n, s), n.host
	}
	switch {
	case at < 0:
		return p.hosted(r, like, s)
	case r.Chance(40):
		return s
	case like != "" && r.Chance(30):
		return p.hosted(r, like, s)
	}
	list := p.nooks(p.hosts[at])
	if len(list) == 0 {
		return s
	}
	return p.put(list[r.Intn(len(list))], s)
}

// hosted is host with t in the place of one part: of what stands between fences, quotes or
// brackets, of a line, or of a word.
func (p *Plain) hosted(r *Rand, host, t string) string {
	tokens := tokenize(host)
	if len(tokens) == 0 {
		return t
	}
	from, to := p.place(r, tokens)
	s := strings.Join(tokens[:from], "") + t + strings.Join(tokens[to:], "")
	if len(s) > maxText {
		return t
	}
	return s
}

// place is the part of a text that another one is put in the place of.
func (p *Plain) place(r *Rand, tokens []string) (from, to int) {
	if all := fenced(tokens); len(all) > 0 && r.Chance(50) {
		f := all[r.Intn(len(all))]
		return f[0], f[1]
	}
	if all := groups(tokens); len(all) > 0 && r.Chance(70) {
		g := all[r.Intn(len(all))]
		return g[0] + 1, g[1] - 1
	}
	at := r.Intn(len(tokens))
	if r.Chance(40) && len(tokens) > 1 {
		return lineAround(tokens, at)
	}
	for i := range tokens {
		k := (at + i) % len(tokens)
		if c := class(tokens[k]); c == "a" || c == "0" {
			return k, k + 1
		}
	}
	return at, at + 1
}

// lineAround is the line that a token stands in, without its end.
func lineAround(tokens []string, at int) (from, to int) {
	ends := func(t string) bool { return strings.Contains(t, "\n") }
	for from = at; from > 0 && !ends(tokens[from-1]); from-- {
	}
	for to = at; to < len(tokens) && !ends(tokens[to]); to++ {
	}
	if from > to { // the token is the end itself
		from = to
	}
	return from, to
}

// verbs are the tokens behind a percent sign that a letter begins, as in formats.
func verbs(tokens []string) []int {
	var out []int
	for i := 1; i < len(tokens); i++ {
		if tokens[i-1] == "%" && class(tokens[i]) == "a" {
			out = append(out, i)
		}
	}
	return out
}

// verb puts another letter in the place of one behind a percent sign, or a flag before it.
func (p *Plain) verb(r *Rand, tokens []string, list []int) string {
	at := list[r.Intn(len(list))]
	letters := []rune(tokens[at])
	if r.Chance(70) {
		letters[0] = p.letter(r)
	}
	tokens[at] = string(letters)
	if r.Chance(40) {
		const flags = "-_^#0+ :"
		i := r.Intn(len(flags))
		tokens[at] = flags[i:i+1] + tokens[at]
	}
	return strings.Join(tokens, "")
}

// letter is one that the change names, by itself or as a number, else any.
func (p *Plain) letter(r *Rand) rune {
	if list := p.numbers[wire.NearDiff]; len(list) > 0 && r.Chance(50) {
		if n := list[r.Intn(len(list))]; n > 0 && n < unicode.MaxASCII && unicode.IsLetter(rune(n)) {
			return rune(n)
		}
	}
	const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
	return rune(letters[r.Intn(len(letters))])
}

//go:build go1.21

package harness

import (
	"strings"
	"unicode/utf8"

	"github.com/isodelta/isodelta/runner/calls/wire"
)

// Texts of a language are composed of texts: two in a row or with a word between them, one
// within the other, one with a name that it has elsewhere, one with a character that few
// texts have.

// repeated puts another token of the text, of the same class, in the place of one.
func (p *Plain) repeated(r *Rand, tokens []string, at int) string {
	var others []string
	for _, t := range tokens {
		if t != tokens[at] && class(t) == class(tokens[at]) {
			others = append(others, t)
		}
	}
	if len(others) == 0 {
		// A mark, say: a word or a number says more.
		for i, t := range tokens {
			if c := class(t); c != class(tokens[at]) && (c == "a" || c == "0") {
				at, others = i, append(others, t)
			}
		}
		if len(others) < 2 {
			return strings.Join(tokens, "") + p.token(r, "")
		}
	}
	tokens[at] = others[r.Intn(len(others))]
	return strings.Join(tokens, "")
}

// maxJoint bounds a text that joins two others.
const maxJoint = 16

// joined is the text and another one, or the text twice, with something between them: the
// end of a line, a mark, or a short text of the change.
func (p *Plain) joined(r *Rand, s string) string {
	other := s
	if r.Chance(70) {
		other = p.known(r)
	}
	if r.Chance(50) {
		s, other = other, s
	}
	return s + p.joint(r) + other
}

func (p *Plain) joint(r *Rand) string {
	if list := p.texts[wire.NearDiff]; len(list) > 0 && r.Chance(45) {
		if t := list[r.Intn(len(list))]; len(t) <= maxJoint {
			return " " + t + " "
		}
	}
	joints := []string{"\n", " ", "\n\n", ",", ", ", ";", " && ", " || ", "|", "&", ".", "/", " + "}
	return joints[r.Intn(len(joints))]
}

// wrapped is the text with a part of it between brackets or quotes.
func (p *Plain) wrapped(r *Rand, tokens []string, at int) string {
	around := [][2]string{{"(", ")"}, {"[", "]"}, {"{", "}"}, {"<", ">"}, {`"`, `"`}, {"'", "'"}, {"`", "`"}, {"((", "))"}, {"[[", "]]"}}
	w := around[r.Intn(len(around))]
	end := at + 1 + r.few(6)
	if end > len(tokens) || r.Chance(30) {
		at, end = 0, len(tokens)
	}
	return strings.Join(tokens[:at], "") + w[0] + strings.Join(tokens[at:end], "") + w[1] + strings.Join(tokens[end:], "")
}

// lineEnds writes ends of lines in another way: one of them, or all.
func lineEnds(r *Rand, s string) string {
	ends := []string{"\r\n", "\r", "\n", "\n\n", "\r\n\r\n", "\n\r", " \n", ""}
	by := ends[r.Intn(len(ends))]
	lines := strings.SplitAfter(s, "\n")
	if len(lines) == 1 {
		return s + ends[r.Intn(4)]
	}
	one := -1
	if r.Chance(60) {
		one = r.Intn(len(lines) - 1)
	}
	for i, line := range lines {
		if text, ended := strings.CutSuffix(line, "\n"); ended && (one < 0 || one == i) {
			lines[i] = strings.TrimSuffix(text, "\r") + by
		}
	}
	return strings.Join(lines, "")
}

// odd is a character that few texts have: of several bytes, one whose number the change or
// the code names, or a mark that opens what nothing closes.
func (p *Plain) odd(r *Rand) string {
	near := wire.NearDiff
	if r.Chance(30) {
		near = wire.NearCode
	}
	if list := p.numbers[near]; len(list) > 0 && r.Chance(40) {
		if n := list[r.Intn(len(list))]; n > ' ' && n <= utf8.MaxRune && utf8.ValidRune(rune(n)) {
			return string(rune(n))
		}
	}
	odds := []string{"é", "ß", "世", "世界", "\u00a0", "\u2028", "😀", "\ufeff", "\x00", "\xff", `"`, "'", "`", "\\", "{", "(", "[", "<", "#", "%", "\t", "\r\n", "\n"}
	return odds[r.Intn(len(odds))]
}

package expectation

import (
	"go/scanner"
	"go/token"
	"maps"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// literal is a text, a number, true or false, as it may stand in a line.
type literal struct {
	text   string // decoded, of a text
	quoted bool   // a text, which stands in quotes in code and without them in data
}

// literals are literals with how often each occurs.
type literals map[literal]int

// literalsOf returns the literals in Go code, or in a value that is printed like code.
func literalsOf(code string) literals {
	found := literals{}
	var s scanner.Scanner
	set := token.NewFileSet()
	s.Init(set.AddFile("", set.Base(), len(code)), []byte(code), func(token.Position, string) {}, 0)
	for negative := false; ; {
		_, tok, text := s.Scan()
		switch tok {
		case token.EOF:
			return found
		case token.STRING, token.CHAR:
			if decoded, err := strconv.Unquote(text); err == nil {
				found[literal{decoded, true}]++
			}
		case token.INT, token.FLOAT:
			if negative {
				text = "-" + text
			}
			found[literal{text, false}]++
		case token.IDENT:
			if text == "true" || text == "false" {
				found[literal{text, false}]++
			}
		}
		negative = tok == token.SUB
	}
}

// without returns the literals that others do not have as often.
func (l literals) without(others literals) literals {
	rest := literals{}
	for x, n := range l {
		if n > others[x] {
			rest[x] = n - others[x]
		}
	}
	return rest
}

// with returns the literals of both.
func (l literals) with(others literals) literals {
	both := maps.Clone(l)
	for x, n := range others {
		both[x] += n
	}
	return both
}

// telling reports whether one of the literals is long enough not to be met by chance.
func (l literals) telling() bool {
	for x := range l {
		if utf8.RuneCountInString(strings.TrimPrefix(x.text, "-")) >= minTelling && x.text != "true" && x.text != "false" {
			return true
		}
	}
	return false
}

// minTelling is the number of characters from which a literal tells something.
const minTelling = 2

// in reports whether a text holds each of the literals as often as they occur.
func (l literals) in(text string) bool {
	for x, n := range l {
		if x.times(text) < n {
			return false
		}
	}
	return true
}

// times counts a literal in a text: in quotes, or by itself between other words.
func (x literal) times(text string) int {
	if !x.quoted {
		return bare(text, x.text)
	}
	n := strings.Count(text, strconv.Quote(x.text))
	if raw := "`" + x.text + "`"; strconv.Quote(x.text) != raw {
		n += strings.Count(text, raw)
	}
	if n > 0 || x.text == "" {
		return n
	}
	return bare(text, x.text)
}

// bare counts where a word stands alone, as "1.1" does in "v 1.1," but not in "1.10".
func bare(text, word string) int {
	n := 0
	for at := 0; ; {
		i := strings.Index(text[at:], word)
		if i < 0 {
			return n
		}
		i += at
		at = i + len(word)
		before, _ := utf8.DecodeLastRuneInString(text[:i])
		after, _ := utf8.DecodeRuneInString(text[at:])
		signed := before == '.' || before == '-'
		if !partOfWord(before) && !signed && !partOfWord(after) && !continues(text[at:]) {
			n++
		}
	}
}

func partOfWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_' }

// continues reports whether a point with more of a number follows.
func continues(rest string) bool {
	return len(rest) > 1 && rest[0] == '.' && '0' <= rest[1] && rest[1] <= '9'
}

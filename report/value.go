package report

import (
	"slices"
	"strconv"
	"strings"
)

// sentenceValues are two values as a sentence shows them: an error by its text,
// and without the type that both are rendered with, `31` for decimal.Decimal("31").
func sentenceValues(base, head string) (string, string) {
	x, y := base, head
	if a, b, ok := sameType(base, head); ok {
		x, y = a, b
	}
	limit := valueLength
	if isError(x) || isError(y) {
		limit = inputLength // it is a sentence
	}
	return sentenceExcerpts(errorText(x), errorText(y), limit)
}

// sameType takes two texts out of a type that names both, T("a") and T("b").
func sameType(base, head string) (x, y string, ok bool) {
	s, a, ok := typed(base)
	t, b, also := typed(head)
	if !ok || !also || s != t || a == b || a == "" || b == "" {
		return "", "", false
	}
	return a, b, true
}

// typed takes T("text") apart. Errors keep their quotes: they are sentences.
func typed(value string) (typ, text string, ok bool) {
	if isError(value) || !strings.HasSuffix(value, `")`) {
		return "", "", false
	}
	typ, quoted, ok := strings.Cut(strings.TrimSuffix(value, ")"), `("`)
	if !ok || typ == "" {
		return "", "", false
	}
	text, err := strconv.Unquote(`"` + quoted)
	if err != nil {
		return "", "", false
	}
	return typ, text, true
}

// Limits of lists that are compared element by element.
const (
	shortList   = 4 // elements; in a shorter one everybody sees what differs
	longestList = 4096
	fewElements = 3 // that are named
)

// elementsChanged says which elements of a long list came or went, which two
// texts side by side do not show at once; nil where that is not all.
func elementsChanged(base, head string) phrase {
	if p := lengths(base, head); p != nil {
		return p
	}
	if a, b, ok := sameType(base, head); ok {
		base, head = a, b
	}
	x, y := elements(base), elements(head)
	if max(len(x), len(y)) < shortList {
		return nil
	}
	lost, gained := without(x, y), without(y, x)
	switch {
	case len(lost) == 0 && len(gained) == 0:
		return words(": the same elements in another order")
	case len(gained) == 0 && len(lost) <= fewElements && len(y) > 0:
		return say(": ", elementNames(lost), verb(lost, " is", " are")+" lost")
	case len(lost) == 0 && len(gained) <= fewElements && len(x) > 0:
		return say(": ", elementNames(gained), verb(gained, " is", " are")+" new")
	}
	return nil
}

// lengths says how long two long texts are of which one goes on where the other ends;
// nil for others. An excerpt of both looks alike where a byte is repeated.
func lengths(base, head string) phrase {
	x, y, ok := sameType(base, head)
	if !ok {
		a, err := strconv.Unquote(base)
		b, errOfHead := strconv.Unquote(head)
		if err != nil || errOfHead != nil {
			return nil
		}
		x, y = a, b
	}
	longer, shorter := x, y
	if len(longer) < len(shorter) {
		longer, shorter = y, x
	}
	if len(longer) <= valueLength || len(shorter) == 0 || !strings.HasPrefix(longer, shorter) {
		return nil
	}
	return words(": " + number(len(x)) + " bytes and " + number(len(y)))
}

func verb(list []string, one, several string) string {
	if len(list) == 1 {
		return one
	}
	return several
}

func elementNames(list []string) phrase {
	var items []phrase
	for _, e := range list {
		items = append(items, quoted(shorten(e, valueLength)))
	}
	return commas(items)
}

// elements takes a rendered list or set apart: [a b], {a,b}, []T{a, b}. It is nil
// for anything else, and for a list that was cut.
func elements(value string) []string {
	if len(value) > longestList || strings.Contains(value, "…") {
		return nil
	}
	from := strings.IndexAny(value, "[{")
	if from < 0 || !strings.ContainsAny(value[len(value)-1:], "]}") {
		return nil
	}
	if strings.HasPrefix(value[from:], "[]") { // of a type
		brace := strings.IndexByte(value, '{')
		if brace < 0 {
			return nil
		}
		from = brace
	}
	inner := value[from+1 : len(value)-1]
	list, ok := splitOutside(inner, ',')
	if ok && len(list) < 2 {
		list, ok = splitOutside(inner, ' ')
	}
	if !ok {
		return nil
	}
	return list
}

// splitOutside cuts at a separator outside of brackets and quotes.
func splitOutside(text string, separator byte) (list []string, ok bool) {
	depth, from := 0, 0
	var quote byte
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case quote != 0:
			if c == '\\' {
				i++
			} else if c == quote {
				quote = 0
			}
		case c == '"' || c == '`':
			quote = c
		case c == '(' || c == '[' || c == '{':
			depth++
		case c == ')' || c == ']' || c == '}':
			depth--
		case c == separator && depth == 0:
			list = append(list, strings.TrimSpace(text[from:i]))
			from = i + 1
		}
		if depth < 0 {
			return nil, false
		}
	}
	if depth != 0 || quote != 0 {
		return nil, false
	}
	if rest := strings.TrimSpace(text[from:]); rest != "" || len(list) > 0 {
		list = append(list, rest)
	}
	return slices.DeleteFunc(list, func(s string) bool { return s == "" }), true
}

// without are the elements of a that b does not have, as often as they stand there.
func without(a, b []string) []string {
	have := map[string]int{}
	for _, e := range b {
		have[e]++
	}
	var rest []string
	for _, e := range a {
		if have[e] > 0 {
			have[e]--
			continue
		}
		rest = append(rest, e)
	}
	return rest
}

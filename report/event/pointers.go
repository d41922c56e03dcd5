package event

import "strings"

// pointersAlone reports whether two values are the same but for pointers to parts of one that are in place in the
// other: whoever looks at the fields finds the same.
func pointersAlone(base, head string) bool {
	return (len(base) != len(head)) && withoutPointers(base) == withoutPointers(head)
}

// withoutPointers is a value without the marks of pointers, which are no part of its texts.
func withoutPointers(value string) string {
	var b strings.Builder
	inText := false
	for i := 0; i < len(value); i++ {
		switch c := value[i]; {
		case inText && c == '\\' && i+1 < len(value):
			b.WriteByte(c)
			i++
		case c == '"':
			inText = !inText
		case c == '&' && !inText:
			continue
		}
		b.WriteByte(value[i])
	}
	return b.String()
}

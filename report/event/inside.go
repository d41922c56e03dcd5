package event

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// insideReplaced reports whether a value of an unexported type stands on base where head has one of another type, and
// the values are the same around it: what wraps a thing was exchanged, and nobody could name it.
func (f Finding) insideReplaced() bool {
	base, head := f.Base.Value, f.Head.Value
	if f.Kind != KindValue || f.Base.Outcome != Pass || f.Head.Outcome != Pass || isText(base) || isText(head) {
		return false
	}
	at := 0
	for at < min(len(base), len(head)) && base[at] == head[at] {
		at++
	}
	for at > 0 && isNameByte(base[at-1]) {
		at--
	}
	was, behindBase, ok := structAt(base[at:])
	is, behindHead, ok2 := structAt(head[at:])
	first, _ := utf8.DecodeRuneInString(was)
	return ok && ok2 && was != is && unicode.IsLower(first) && behindBase == behindHead
}

func isNameByte(b byte) bool {
	return b == '_' || b >= '0' && b <= '9' || b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z'
}

// structAt splits a rendered value that begins with a struct, or a pointer to one: the name of its type, and what stands
// behind it.
func structAt(value string) (name, behind string, ok bool) {
	value = strings.TrimPrefix(value, "&")
	at := strings.IndexFunc(value, func(r rune) bool { return r >= utf8.RuneSelf || !isNameByte(byte(r)) })
	if at <= 0 || value[at] != '{' {
		return "", "", false
	}
	depth, quote := 0, byte(0)
	for i := at; i < len(value); i++ {
		switch b := value[i]; {
		case quote != 0:
			if b == '\\' && quote == '"' {
				i++
			} else if b == quote {
				quote = 0
			}
		case b == '"' || b == '`':
			quote = b
		case b == '{':
			depth++
		case b == '}':
			if depth--; depth == 0 {
				return value[:at], value[i+1:], true
			}
		}
	}
	return "", "", false
}

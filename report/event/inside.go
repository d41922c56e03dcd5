package event

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/isodelta/isodelta/internal/lazyregexp"
)

// insideReplaced reports whether a value of an unexported type stands on base where head has one of another type, and
// the values are the same around it: what wraps a thing was exchanged, and nobody could name it.
func (f Finding) insideReplaced() bool {
	_, base, head, ok := f.whereValuesPart()
	if !ok {
		return false
	}
	was, behindBase, ok := structAt(base)
	is, behindHead, ok2 := structAt(head)
	first, _ := utf8.DecodeRuneInString(was)
	return ok && ok2 && was != is && unicode.IsLower(first) && behindBase == behindHead
}

// pointedTo reports whether a test gets a struct as a field on one version, and a pointer to the same on the other: the type of
// the field was exchanged, and the compiler tells that those whom it concerns.
func (f Finding) pointedTo() bool {
	before, base, head, ok := f.whereValuesPart()
	if !ok || f.Rung != Observed || !strings.HasSuffix(before, ":") {
		return false
	}
	_, _, ok = structAt(base)
	return ok && (base == "&"+head || head == "&"+base)
}

// fieldsReplaced reports whether values begin to differ in the name of a field that is not exported: a struct was laid out
// anew, and what its methods tell of it is compared by itself. Where a test gets it and does not check it, it may be any field.
func (f Finding) fieldsReplaced() bool {
	before, base, head, ok := f.whereValuesPart()
	if !ok {
		return false
	}
	was, is := fieldAt(base), fieldAt(head)
	first, _ := utf8.DecodeRuneInString(was)
	return (strings.HasSuffix(before, "{") || strings.HasSuffix(before, " ")) && was != "" && is != "" && was != is && (f.Rung == Observed || !unicode.IsUpper(first))
}

// whereValuesPart splits two values where they begin to differ, and before the name that stands there: what both begin with,
// and how each goes on. It reports false for texts, and where the versions do not end alike.
func (f Finding) whereValuesPart() (before, base, head string, ok bool) {
	base, head = f.Base.Value, f.Head.Value
	if f.Kind != KindValue || f.Base.Outcome != f.Head.Outcome || f.Base.Message != f.Head.Message || isText(base) || isText(head) {
		return "", "", "", false
	}
	at := sameUpTo(base, head)
	for at > 0 && isNameByte(base[at-1]) {
		at--
	}
	return base[:at], base[at:], head[at:], true
}

// fieldAt is the name of the field with which a rendered value goes on; "" for none.
func fieldAt(value string) string {
	at := strings.IndexFunc(value, func(r rune) bool { return r >= utf8.RuneSelf || !isNameByte(byte(r)) })
	if at <= 0 || value[at] != ':' {
		return ""
	}
	return value[:at]
}

// shownByMethod reports whether values differ first in one whose type is shown by a method on one version, pkg.T("text"),
// and by its fields on the other, T{…}: the change has made the type anew, and what follows cannot be told. It may have
// another name on head if nobody could name it on base. So it is with the same text in a type on one version alone.
func (f Finding) shownByMethod() bool {
	base, head := f.Base.Value, f.Head.Value
	if f.Kind != KindValue || f.Base.Outcome != Pass || f.Head.Outcome != Pass {
		return false
	}
	if text := textOf(base); text != "" && text == textOf(head) && base != head {
		return true
	}
	at := strings.LastIndexAny(base[:sameUpTo(base, head)], ":[ {(") + 1 // where the part begins
	name := func(re *regexp.Regexp, value string) string {
		if m := re.FindStringSubmatch(value[at:min(len(value), at+maxTypeName)]); m != nil {
			return m[1]
		}
		return ""
	}
	text, fields := byMethod(), byFields()
	b, h := name(text, base), name(fields, head)
	if b == "" {
		b, h = name(fields, base), name(text, head)
	}
	first, _ := utf8.DecodeRuneInString(b)
	return b != "" && h != "" && (b == h || unicode.IsLower(first))
}

// textOf is the text in quotes of a value that is a text, or one in a type; "" for others.
func textOf(value string) string {
	if m := texts().FindStringSubmatch(value[:min(len(value), maxRounded)]); m != nil {
		return m[1]
	}
	return ""
}

// texts matches a value that is a text, or one in a type.
var texts = lazyregexp.New(`^(?:[&*]?[\w.]+\()?("(?:[^"\\]|\\.)*")\)?$`)

// maxTypeName bounds the name of a type that is looked for, in bytes.
const maxTypeName = 200

// byMethod and byFields match how values of a named type begin where they are shown in either way.
var (
	byMethod = lazyregexp.New(`^[&*]?(?:\w+\.)?(\w+(?:\[[^({]*\])?)\("`)
	byFields = lazyregexp.New(`^[&*]?(?:\w+\.)?(\w+(?:\[[^({]*\])?)\{`)
)

// sameUpTo is where two texts begin to differ.
func sameUpTo(a, b string) int {
	at := 0
	for at < min(len(a), len(b)) && a[at] == b[at] {
		at++
	}
	return at
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

package event

import (
	"strings"

	"github.com/isodelta/isodelta/internal/lazyregexp"
)

// emptyFieldMore reports whether two texts print a struct with %v and differ only in additional empty fields. That is what a new
// field does to everything that prints the whole struct.
func (f Finding) emptyFieldMore() bool {
	if f.Rung == Forced || f.Kind != KindValue {
		return false
	}
	if len(f.Differs) == 0 || len(f.Differs) >= maxDiffers {
		return dumpsWithEmpty(f.Base.Value, f.Head.Value)
	}
	some := false
	for _, p := range f.Differs {
		if strings.HasPrefix(p.Path, "len(") {
			continue // follows from the text
		}
		if some = dumpsWithEmpty(p.Base, p.Head); !some {
			break
		}
	}
	return some
}

// dumpsWithEmpty reports whether two texts contain structs in the format of %v and differ only in empty fields.
func dumpsWithEmpty(base, head string) bool {
	if !isText(base) || !isText(head) || base == head || max(len(base), len(head)) > maxRounded || !dumped().MatchString(base) || !dumped().MatchString(head) {
		return false
	}
	b, h := strings.Fields(base), strings.Fields(head)
	return len(b) <= len(h) && isWithEmpty(h, b) || len(h) < len(b) && isWithEmpty(b, h)
}

// isWithEmpty reports whether long consists of the words of short and of words for empty fields.
func isWithEmpty(long, short []string) bool {
	for len(long) > 0 {
		switch {
		case len(short) > 0 && long[0] == short[0]:
			short = short[1:]
		case !emptyWord().MatchString(long[0]):
			return false
		}
		long = long[1:]
	}
	return len(short) == 0
}

// emptyWord matches an empty field in the format of %v, or of a verb that does not fit the field's type. An empty string has no
// word.
var emptyWord = lazyregexp.New(`^(?:<nil>|\[\]|map\[\]|0|false|\{\}|%!.\(\w+=(?:0|false|<nil>)?\))$`)

// dumped matches a struct with several fields in the format of %v.
var dumped = lazyregexp.New(`\{(?:[^{}\s":]* )+[^{}]*[}\]]`)

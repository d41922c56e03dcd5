package event

import (
	"strings"

	"github.com/isodelta/isodelta/internal/lazyregexp"
)

// emptyFieldMore reports whether two texts differ only in that a struct in them, as %v writes it, has fields more on one version, with
// nothing in them: somebody prints a struct whole, and the change adds a field to it.
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
			continue // of the text
		}
		if some = dumpsWithEmpty(p.Base, p.Head); !some {
			break
		}
	}
	return some
}

// dumpsWithEmpty reports whether two texts have structs as %v writes them, and differ only by what is empty.
func dumpsWithEmpty(base, head string) bool {
	if !isText(base) || !isText(head) || base == head || max(len(base), len(head)) > maxRounded || !dumped().MatchString(base) || !dumped().MatchString(head) {
		return false
	}
	b, h := strings.Fields(base), strings.Fields(head)
	return len(b) <= len(h) && isWithEmpty(h, b) || len(h) < len(b) && isWithEmpty(b, h)
}

// isWithEmpty reports whether the words of long are those of short, with words between them for what is empty.
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

// emptyWord matches what %v writes for what is empty, and another verb for one that it is not meant for. Nothing is written for an empty
// text.
var emptyWord = lazyregexp.New(`^(?:<nil>|\[\]|map\[\]|0|false|\{\}|%!.\(\w+=(?:0|false|<nil>)?\))$`)

// dumped matches a struct of several fields as %v writes it.
var dumped = lazyregexp.New(`\{(?:[^{}\s":]* )+[^{}]*[}\]]`)

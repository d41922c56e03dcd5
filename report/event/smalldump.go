package event

import (
	"slices"
	"strings"

	"github.com/isodelta/isodelta/internal/lazyregexp"
)

// emptyFieldMore reports whether two texts differ only in that a struct in them, as %v writes it, has fields more on one version, with
// nothing in them: somebody prints a struct whole, and the change adds a field to it.
func (f Finding) emptyFieldMore() bool {
	base, head := f.Base.Value, f.Head.Value
	if f.Rung == Forced || f.Kind != KindValue || !isText(base) || !isText(head) || max(len(base), len(head)) > maxRounded {
		return false
	}
	if !dumped().MatchString(base) || !dumped().MatchString(head) || base == head {
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
		case !slices.Contains(emptyWords, long[0]):
			return false
		}
		long = long[1:]
	}
	return len(short) == 0
}

// emptyWords are what %v writes for what is empty. Nothing is written for an empty text.
var emptyWords = []string{"<nil>", "[]", "map[]", "0", "false", "{}"}

// dumped matches a struct of several fields as %v writes it.
var dumped = lazyregexp.New(`\{(?:[^{}\s":]* )+[^{}]*[}\]]`)

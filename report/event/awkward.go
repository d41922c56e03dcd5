package event

import (
	"slices"
	"strings"

	"github.com/isodelta/isodelta/internal/lazyregexp"
)

// awkward counts what hardly anybody would write in the input of a call: nil, characters
// that cannot be printed, the largest numbers, values of structs that are made field by
// field instead of by a function, and a variable that is given twice to one call.
func (f Finding) awkward() int {
	input := f.Input[:min(len(f.Input), maxAwkward)]
	n := len(nils().FindAllString(input, -1)) + len(largest().FindAllString(input, -1)) + len(composites().FindAllString(input, -1))
	if strings.Contains(input, `\x`) || strings.Contains(input, `\u`) || strings.Contains(input, `\U`) {
		n++
	}
	for _, arguments := range names().FindAllString(input, -1) {
		list := strings.Split(arguments, ", ")
		slices.Sort(list)
		all := len(list) // Compact writes into the list
		n += all - len(slices.Compact(list))
	}
	return n
}

// maxAwkward bounds how much of an input is looked at, in bytes.
const maxAwkward = 1 << 9

var (
	nils       = lazyregexp.New(`\bnil\b|\(nil\)`)
	largest    = lazyregexp.New(`math\.(Max|Min|Smallest|Inf|NaN)|e\+?[0-9]{3}\b|[0-9]{12,}`)
	composites = lazyregexp.New(`(^|[^\]\w.])[A-Z]\w*(\[[^\]]*\])?\{`)
	names      = lazyregexp.New(`\b[a-z]\w*(, [a-z]\w*)+\b`)
)

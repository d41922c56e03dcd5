package expectation

import (
	"strconv"

	"github.com/isodelta/isodelta/internal/lazyregexp"
	"github.com/isodelta/isodelta/report/event"
)

// anyWord matches a word in a text.
var anyWord = lazyregexp.New(`[A-Za-z_][\w-]{2,}`)

// ofUnknown returns the added line with a word that base complains about. The call is given this word, and head makes no error of it: a
// language, a set of functions or of commands gained a name.
func (e Edits) ofUnknown(f event.Finding) *event.Expectation {
	if f.Kind != event.KindErrorToValue {
		return nil
	}
	given := map[string]bool{}
	for _, word := range anyWord().FindAllString(f.Input, -1) {
		given[word] = true
	}
	for _, word := range anyWord().FindAllString(f.Base.Value, -1) {
		if !given[word] {
			continue
		}
		if x := e.added(strconv.Quote(word)); x != nil {
			return x
		}
	}
	return nil
}

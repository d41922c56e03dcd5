package load

import (
	"fmt"

	"github.com/isodelta/isodelta/internal/lazyregexp"
)

// notImported is what the type checker says of an import, with the go command's reason in parentheses.
var notImported = lazyregexp.New(`(?s)could not import \S+ \((.+)\)$`)

// eachReason keeps one message of each reason for which something could not be imported, and says how many more there
// are: one module that is not available is the reason of each import that comes from outside.
func eachReason(messages []string) []string {
	var kept []string
	at, more := map[string]int{}, map[string]int{}
	for _, text := range messages {
		m := notImported().FindStringSubmatch(text)
		if m == nil {
			kept = append(kept, text)
			continue
		}
		if _, ok := at[m[1]]; ok {
			more[m[1]]++
			continue
		}
		at[m[1]] = len(kept)
		kept = append(kept, text)
	}
	for reason, n := range more {
		kept[at[reason]] += fmt.Sprintf(", and the same for %d more", n)
	}
	return kept
}

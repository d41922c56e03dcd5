// Package lazyregexp has regular expressions that are compiled when they are
// first used.
//
// The program starts itself again as the sandbox's helper, once for each process
// that runs tests. Expressions in variables of packages are compiled at each of
// these starts, though the helper needs none, and took 8 of its 18 ms. Within a
// test binary they are compiled at once, so a fault in one is found.
package lazyregexp

import (
	"os"
	"regexp"
	"strings"
	"sync"
)

// New returns a function that returns the compiled pattern. It may be called
// from several goroutines. A pattern that does not compile panics as
// [regexp.MustCompile] does.
func New(pattern string) func() *regexp.Regexp {
	compiled := sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(pattern) })
	if strings.HasSuffix(os.Args[0], ".test") {
		compiled()
	}
	return compiled
}

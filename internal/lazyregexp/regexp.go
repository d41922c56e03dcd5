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

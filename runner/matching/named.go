package matching

import (
	"strings"

	"github.com/isodelta/isodelta/internal/identifier"
	"github.com/isodelta/isodelta/runner/build"
)

const (
	// rareShare is of how many tests one has a word in its name that is rare.
	rareShare = 12
	// shortest is the length of a word that says something.
	shortest = 3
)

// namedAfter counts, for each test, the rare words of its name that the names of functions have.
func namedAfter(functions []string, tests []*build.Test) map[*build.Test]int {
	of := map[string]bool{}
	for _, name := range functions {
		for _, word := range identifier.Words(name) {
			of[strings.ToLower(word)] = len(word) >= shortest
		}
	}
	words := make([]map[string]bool, len(tests))
	has := map[string]int{}
	for i, t := range tests {
		words[i] = map[string]bool{}
		for _, word := range identifier.Words(t.Name) {
			if word = strings.ToLower(word); of[word] && !words[i][word] {
				words[i][word] = true
				has[word]++
			}
		}
	}
	named := map[*build.Test]int{}
	for i, t := range tests {
		for word := range words[i] {
			if has[word]*rareShare <= len(tests) {
				named[t]++
			}
		}
	}
	return named
}

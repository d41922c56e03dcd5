package build

import (
	"strings"

	"github.com/isodelta/isodelta/runner/execute"
	"github.com/isodelta/isodelta/runner/version"
)

// fit mends what of a package's tests, and of what makes calls, does not fit the other
// version, before anything is compiled. Asking the compiler takes a build of both
// versions for each mending; here the types of both are loaded, and checking the test
// files against them takes a fraction of a second. What this overlooks the compiler
// still finds.
func (b *Builder) fit(s *Suite, pkg string) error {
	for range maxRounds {
		replace, err := b.overlay(s, ordinary(s.Other), pkg)
		if err != nil {
			return err
		}
		e := &execute.BuildError{Package: pkg, At: b.misfits(s, pkg, replace)}
		if len(e.At) == 0 {
			return nil
		}
		if b.Calls != nil && b.Calls.Mend(s, pkg, version.Both[*execute.BuildError]{nil, e}) {
			continue
		}
		if !b.dropFailing(s, e) {
			return nil
		}
		if err := b.instrumentAgain(s); err != nil {
			return err
		}
	}
	return nil
}

// misfits type-checks a package's test files, as an overlay has them, with the code of
// the other version, and returns what the compiler would complain about in them. It
// leaves out what cannot be told: what a package that the other version imports
// nowhere has, and whether an external test may use what the package's own test files
// declare.
func (b *Builder) misfits(s *Suite, pkg string, replace map[string]string) []execute.Position {
	other := s.Other.find(pkg)
	if other == nil || other.Code == nil {
		return nil
	}
	c := b.newChecker(s, replace)
	inside, outside, ok := c.parse(s.testFiles(pkg, replace))
	if !ok {
		return nil // the compiler says it better
	}
	_, at := c.check(pkg, bodiless(other.Code.Syntax), inside)
	if len(outside) == 0 {
		return at
	}
	declared := declaredIn(inside)
	_, outer := c.check(pkg+"_test", nil, outside)
	for _, p := range outer {
		if !mentions(p.Message, declared) {
			at = append(at, p)
		}
	}
	return at
}

// mentions reports whether one of the names is a word of a message.
func mentions(message string, names map[string]bool) bool {
	for word := range strings.FieldsFuncSeq(message, func(r rune) bool { return !isNameRune(r) }) {
		if names[word] {
			return true
		}
	}
	return false
}

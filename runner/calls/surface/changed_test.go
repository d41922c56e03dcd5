package surface

import (
	"regexp"
	"testing"
)

// Each example of a regular expression is a text that it matches, and there are several.
func TestExamplesMatch(t *testing.T) {
	for _, expression := range []string{
		`^([A-Z]{2}-[0-9]{3}): +(\w+)$`, `a|bc|d*`, `(\\+)(\d)`, `^\s*#(.*)$`, `[^,]+(,[^,]+)*`, `(?i)true|false`,
		`x{3,}`, `\b\d+\b`, `^[a-z][a-z0-9+.-]*://`, `^$`, `é+`,
	} {
		c := newCollection()
		c.matching(expression)
		re := regexp.MustCompile(expression)
		for _, s := range c.texts {
			if !re.MatchString(s) {
				t.Errorf("%s does not match %q", expression, s)
			}
		}
		if len(c.texts) < 2 && expression != `^$` && expression != `x{3,}` {
			t.Errorf("%s has %q", expression, c.texts)
		}
	}
	c := newCollection()
	if c.matching("("); len(c.texts) > 0 {
		t.Errorf("%q of what is no expression", c.texts)
	}
}

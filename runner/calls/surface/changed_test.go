package surface

import (
	"go/ast"
	"go/types"
	"regexp"
	"slices"
	"testing"

	"golang.org/x/tools/go/packages"

	"github.com/isodelta/isodelta/runner/load"
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

const tabled = `
-- go.mod --
module example.com/m

go 1.21
-- m.go --
package m

import "regexp"

var rules = []struct {
	find *regexp.Regexp
	by   string
}{
	{regexp.MustCompile("zq+u"), "a"},
	{regexp.MustCompile("[k]w"), "b"},
}

var one = regexp.MustCompile("never")

func Apply(s string) string {
	for _, r := range rules {
		s = r.find.ReplaceAllString(s, r.by)
	}
	return s
}
`

// A changed function that reads a table of regular expressions is given what they match.
func TestExpressionsInTables(t *testing.T) {
	t.Parallel()
	tree := loaded(t, lay(t, tabled))
	p := find(tree, "example.com/m").Code
	c := newCollection()
	apply := p.Types.Scope().Lookup("Apply")
	c.functions(tree, p, map[load.Place]bool{placeOf(t, tree, p, apply): true})
	for _, want := range []string{"zqu", "kw"} {
		if !slices.Contains(c.texts, want) {
			t.Errorf("no %q among %q", want, c.texts)
		}
	}
	if slices.Contains(c.texts, "never") {
		t.Error("an expression that the function does not read is taken, too")
	}
}

// placeOf is where a function is declared.
func placeOf(t *testing.T, tree *load.Tree, p *packages.Package, o types.Object) load.Place {
	t.Helper()
	for _, f := range p.Syntax {
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && p.TypesInfo.Defs[fn.Name] == o {
				return tree.Place(fn.Pos())
			}
		}
	}
	t.Fatalf("%v is not declared", o)
	return load.Place{}
}

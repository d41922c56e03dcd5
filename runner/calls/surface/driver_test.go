package surface

import (
	"testing"

	"github.com/isodelta/isodelta/runner/calls/wire"
)

// A function of a test file that is given a text drives the code, with the texts of the tests and what makes its other arguments.
func TestDrivers(t *testing.T) {
	t.Parallel()
	tree := loaded(t, lay(t, `
-- go.mod --
module example.com/m

go 1.21
-- m.go --
package m

type command struct{ name string }

func list() *command { return &command{"list"} }

func (c *command) run(words ...string) error { return nil }
-- m_test.go --
package m

import (
	"strings"
	"testing"
)

func run(c *command, line string) error { return c.run(strings.Fields(line)...) }

func words(c *command, words ...string) error { return c.run(words...) }

func quiet(line string) {}

func all(t *testing.T, c *command, lines ...string) {
	for _, line := range lines {
		run(c, line)
	}
}

func TestAll(t *testing.T) {
	all(t, list(), "list -a", "list -b")
	strings.Fields("not one of these")
	words(list(), "list", "-c")
}
`))
	a := apiOf(t, tree, tree, tree, "example.com/m", "none")
	var got []string
	for _, s := range a.Driven() {
		text := ""
		for _, step := range s {
			text += a.Op(step.Op).expr + "("
			for i, arg := range step.Args {
				if i > 0 {
					text += ", "
				}
				switch arg.Form {
				case wire.Ref:
					text += "that"
				case wire.Text:
					text += arg.S
				case wire.Seq:
					for _, e := range arg.E {
						text += e.S + "|"
					}
				default:
					text += "?"
				}
			}
			text += ") "
		}
		got = append(got, text)
	}
	want := []string{
		"list() run(that, list -a) ", "list() run(that, list -b) ", "list() words(that, list -a|list -b|) ",
		"list() run(that, list) ", "list() run(that, -c) ", "list() words(that, list|-c|) ",
	}
	if len(got) != len(want) {
		t.Fatalf("%q", got)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("%q, want %q", got[i], want[i])
		}
	}
	for n, op := range a.All() {
		if op.Driver != (!op.IsMethod() && (op.expr == "run" || op.expr == "words")) {
			t.Errorf("%d, %s: driver %v", n, op.expr, op.Driver)
		}
		if op.expr == "list" && !a.givesDrivers(op) {
			t.Error("list gives nothing that a driver is given")
		}
	}
}

package surface

import (
	"strings"
	"testing"
)

// A commanding package registers flags in the ways in which packages do.
const commanding = `
-- go.mod --
module example.com/m

go 1.21
-- m.go --
package m

import "flag"

type StringFlag struct {
	Name, Usage string
	Aliases     []string
}

type settings struct {
	Colour string ` + "`long:\"colour\" short:\"c\" json:\"no\"`" + `
}

type person struct{ Name string }

var (
	list = []StringFlag{{Name: "port, p", Usage: "some"}, {Name: "host", Aliases: []string{"h"}}}
	ann  = person{Name: "ann"}
)

func addOption(to *string, name, short, value string) {}

func Run(args []string) error {
	s := flag.NewFlagSet("tool", flag.ContinueOnError)
	s.Bool("verbose", false, "say more")
	var out string
	addOption(&out, "--output", "o", "a.txt")
	_ = args
	return s.Parse(nil)
}
`

// Names of flags become words where a function takes a list of texts.
func TestWordsOfCode(t *testing.T) {
	t.Parallel()
	tree := loaded(t, lay(t, commanding))
	file := string(apiOf(t, tree, tree, tree, "example.com/m").File())
	const want = `isodeltaH.Words("c", "colour", "h", "host", "o", "output", "p", "port", "tool", "verbose")`
	if !strings.Contains(file, want) {
		t.Errorf("no %s in\n%s", want, file)
	}
	tree = loaded(t, lay(t, strings.Replace(commanding, "args []string", "args ...int", 1)))
	if file := string(apiOf(t, tree, tree, tree, "example.com/m").File()); strings.Contains(file, "isodeltaH.Words(") {
		t.Errorf("nothing takes a command line, and yet there is\n%s", file)
	}
}

package harness

import (
	"strings"
	"testing"

	"github.com/isodelta/isodelta/runner/calls/wire"
)

func TestIsCommandLine(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		`-m \d+ testdata/log.txt`: true, "serve --port=80": true, "a b": false, "-x": false, "": false,
		"3 - 4": false, "2 -3": false, "- a\n- b": false, "a -- b": false, strings.Repeat("a -b ", 100): false,
	} {
		if got := isCommandLine(text); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

// A flag that the change declares is given, by both names, with values that are one word.
func TestCommandLinesGetFlagsOfTheChange(t *testing.T) {
	t.Parallel()
	p := NewPlain()
	p.AddText(wire.NearDiff, "extract, e")
	p.AddText(wire.NearTests, "two words")
	r := NewRand(1)
	seen := map[string]bool{}
	for i := 0; i < 3000; i++ {
		seen[p.commandLine(r, "filter -m x log.txt")] = true
	}
	for _, want := range []string{
		"filter -m x log.txt -e log.txt", `filter --extract "two words" -m x log.txt`, "filter --extract=x -m x log.txt",
		"filter -m x", "filter -m x log.txt log.txt", "log.txt -m x filter", "filter -- -m x log.txt",
	} {
		if !seen[want] {
			t.Errorf("no %s", want)
		}
	}
}

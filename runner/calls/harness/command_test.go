package harness

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"
)

// A command sees the words that it is given, declares its flags each time, and has those that were declared before with
// their defaults. Afterwards all is as it was.
func TestCommandLine(t *testing.T) {
	early := flag.Int("isodelta-early", 7, "declared before the first call")
	args, flags := os.Args, flag.CommandLine
	var seen []string
	run := CommandLineGiving(func() error {
		loud := flag.Bool("loud", false, "")
		flag.Parse()
		seen = append(seen, fmt.Sprint(*loud, *early, flag.Args()))
		if flag.Lookup("test.v") != nil {
			return fmt.Errorf("the test's own flags are the command's")
		}
		return nil
	})
	for _, words := range [][]string{{"-loud", "-isodelta-early=1", "a"}, {}, {"b", "-loud"}} {
		if err := run(words...); err != nil {
			t.Error(err)
		}
	}
	if got, want := strings.Join(seen, "; "), "true 1 [a]; false 7 []; false 7 [b -loud]"; got != want {
		t.Errorf("the command saw %s, want %s", got, want)
	}
	func() {
		defer func() { _ = recover() }()
		CommandLine(func() { panic(os.Args[1]) })("x")
	}()
	if &os.Args[0] != &args[0] || flag.CommandLine != flags {
		t.Error("the command line is not put back")
	}
}

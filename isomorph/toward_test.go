package isomorph

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/isodelta/isodelta/runner/load"
)

const toward = `package m

import "errors"

type checker interface{ check(n int) error }

type small struct{}

func (small) check(n int) error {
	if n > 9 { // check
		return errors.New("large")
	}
	return nil
}

func entry(a, b int, c checker) error {
	if a == 0 { // first
		return nil
	}
	if err := c.check(b); err != nil { // second
		return err
	}
	for i := 0; i < a; i++ { // loop
		if i*b == 12 || b < 0 { // goal
			return errors.New("twelve")
		}
	}
	return nil
}

func behind(b int) error { return entry(1, b, small{}) }

func aside() bool { return false }

var table = map[string]func(n int) bool{"odd": odd}

func odd(n int) bool {
	if n%2 == 1 { // odd
		return true
	}
	return false
}

func look(name string, x int) bool { return table[name](x) }
`

func TestAhead(t *testing.T) {
	t.Parallel()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"go.mod": "module example.com/m\n\ngo 1.24\n", "m.go": toward} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	program, err := Analyse(t.Context(), loadTree(t, dir))
	if err != nil {
		t.Fatal(err)
	}
	at := func(text string) load.Place { return load.Place{File: "m.go", Offset: strings.Index(toward, text)} }
	for _, c := range []struct {
		goal Goal
		want map[string][2]int // false, true
		from map[string]int    // -1: does not lead there
	}{
		{Goal{Condition: at("i*b == 12"), Outcome: true},
			map[string][2]int{"a == 0": {3, -1}, "err != nil {": {2, -1}, "i < a": {-1, 1}, "i*b == 12": {3, 0}, "b < 0": {2, -1}},
			map[string]int{"func entry": 3, "func behind": 3, "func aside": -1, "func (small) check": -1}},
		{Goal{Condition: at("n > 9"), Outcome: true},
			map[string][2]int{"a == 0": {1, -1}, "n > 9": {-1, 0}},
			map[string]int{"func entry": 1, "func behind": 1, "func (small) check": 0}},
		// By a value that a package variable holds.
		{Goal{Condition: at("n%2 == 1"), Outcome: true},
			map[string][2]int{"n%2 == 1": {-1, 0}},
			map[string]int{"func look": 0, "func odd": 0, "func aside": -1}},
	} {
		got, ok := program.Ahead(c.goal)
		if !ok {
			t.Fatalf("%v is nowhere", c.goal)
		}
		for text, want := range c.want {
			if ways := got.Outcomes[at(text)]; ways != want {
				t.Errorf("%s: %v, want %v", text, ways, want)
			}
		}
		for text, want := range c.from {
			n, leads := got.Entries[at(text)]
			if leads != (want >= 0) || leads && n != want {
				t.Errorf("%s: %d %t, want %d", text, n, leads, want)
			}
		}
	}
	if _, ok := program.Ahead(Goal{Condition: load.Place{File: "m.go", Offset: 3}}); ok {
		t.Error("a goal that is nowhere was found")
	}
	// A function as a goal.
	toEnter, ok := program.Ahead(Goal{Functions: map[load.Place]bool{at("func behind"): true}})
	if !ok || len(toEnter.Outcomes) != 0 || toEnter.Entries[at("func behind")] != 0 {
		t.Errorf("nothing calls behind, and it is %v %v away", toEnter.Outcomes, toEnter.Entries)
	}
	toEnter, ok = program.Ahead(Goal{Functions: map[load.Place]bool{at("func (small) check"): true}})
	if ways := toEnter.Outcomes[at("a == 0")]; !ok || ways != [2]int{1, -1} {
		t.Errorf("check is entered behind a == 0: %v", ways)
	}
	// The body of the loop as a goal without a condition.
	from, to := strings.Index(toward, "if i*b"), strings.Index(toward, "func behind")
	got, ok := program.Ahead(Goal{Condition: load.Place{File: "m.go"}, From: from, To: to})
	if !ok {
		t.Fatal("the loop's body is nowhere")
	}
	if ways := got.Outcomes[at("i < a")]; ways[1] != 1 {
		t.Errorf("the loop's condition is %v from its body", ways)
	}
}

package blame

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// A binary in which functions choose does what head does, and without each unit what base does of it: with methods,
// type parameters, results with names, and any number of arguments.
func TestSchemata(t *testing.T) {
	t.Parallel()
	source := func(sum, join, top, count string) string {
		return fmt.Sprintf(`package p

import "strings"

type List[T any] struct{ of []T }

func (l *List[T]) Top(n int) (head []T, ok bool) {
	n += %s
	if n > len(l.of) {
		return nil, false
	}
	return l.of[:n], true
}

func Sum(first int, more ...int) int {
	for _, n := range more {
		first += n%s
	}
	return first
}

func Join[S ~[]E, E ~string](list S, by string) string {
	var b strings.Builder
	for i, s := range list {
		if i > 0 {
			b.WriteString(%s)
		}
		b.WriteString(string(s))
	}
	return b.String()
}

func Count(text string) (n int) {
	%s
	return n
}

func Make(list ...string) *List[string] { return &List[string]{list} }
`, top, sum, join, count)
	}
	base := source("", "by", "0", "n = strings.Count(text, \"a\")")
	head := source("*2", "by + by", "1", "n = len(text)\n\tn *= 1")
	dir := t.TempDir()
	s := choosing(t, filepath.Join(dir, "trees"), base, head)
	write := func(name, text string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("m/go.mod", "module m\n\ngo 1.21\n")
	write("m/p/p.go", s.text)
	write("m/p/isodelta_choice.go", choice("p"))
	at := map[string]int{}
	for _, v := range s.variants {
		write("m/p/"+v.file(), v.text)
		for _, name := range []string{"Top", "Sum", "Join", "Count"} {
			if strings.Contains(v.text, numbered(v.number)+name) {
				at[name] = v.number
			}
		}
	}
	write("m/main.go", `package main

import (
	"fmt"

	"m/p"
)

func main() {
	top, ok := p.Make("x", "y", "z").Top(1)
	fmt.Println(top, ok, p.Sum(1, 2, 3), p.Join([]string{"a", "b"}, "-"), p.Count("banana"))
}
`)
	binary := filepath.Join(dir, "m.exe")
	build := exec.Command("go", "build", "-o", binary, ".")
	build.Dir = filepath.Join(dir, "m")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s\n%s", err, out, s.text)
	}
	for name, want := range map[string]string{
		"":      "[x y] true 11 a--b 6",
		"Top":   "[x] true 11 a--b 6",
		"Sum":   "[x y] true 6 a--b 6",
		"Join":  "[x y] true 11 a-b 6",
		"Count": "[x y] true 11 a--b 3",
	} {
		run := exec.Command(binary)
		run.Env = append(os.Environ(), fmt.Sprintf("%s=%d", variable, at[name]))
		out, err := run.CombinedOutput()
		if got := strings.TrimSpace(string(out)); err != nil || got != want {
			t.Errorf("without the edit of %q (%d): %s %v, want %s", name, at[name], got, err, want)
		}
	}
}

// choosing is a file of head that chooses, between two texts; dir is a folder to lay them out in.
func choosing(t *testing.T, dir, base, head string) schemata {
	t.Helper()
	edits, err := unitsOf(changeOf(t, dir, base, head), base, head)
	if err != nil {
		t.Fatal(err)
	}
	s, err := schemataOf(edits, 1, nil, func(path string) string { return path })
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// Variables are put back one unit at a time, and what an initialiser of the package makes of them follows.
func TestAssigned(t *testing.T) {
	t.Parallel()
	source := func(plurals, words string) string {
		return fmt.Sprintf(`package main

import (
	"fmt"
	"strings"
)

var plurals = map[string]string{
	"ox": "oxen",
	%s
}

func separate() {}

var (
	words = strings.Split(%s, " ")
	limit = 3
)

var longest int

func init() {
	for _, w := range words {
		longest = max(longest, len(w))
	}
}

func main() { fmt.Println(plurals["child"], words, longest, limit) }
`, plurals, words)
	}
	base, head := source(`"child": "children",`, `"a bc"`), source(`"child": "childs",`, `"a bcde"`)
	dir := t.TempDir()
	s := choosing(t, filepath.Join(dir, "trees"), base, head)
	if len(s.variants) != 2 {
		t.Fatalf("%d variants", len(s.variants))
	}
	files := map[string]string{"go.mod": "module m\n\ngo 1.21\n", "p.go": s.text, "isodelta_choice.go": choice("main")}
	for _, v := range s.variants {
		files[v.file()] = v.text
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	binary := filepath.Join(dir, "m.exe")
	build := exec.Command("go", "build", "-o", binary, ".")
	build.Dir = dir
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for number, want := range map[int]string{0: "childs [a bcde] 4 3", 1: "children [a bcde] 4 3", 2: "childs [a bc] 2 3"} {
		run := exec.Command(binary)
		run.Env = append(os.Environ(), fmt.Sprintf("%s=%d", variable, number))
		if out, err := run.CombinedOutput(); err != nil || strings.TrimSpace(string(out)) != want {
			t.Errorf("%d: %s %v, want %s", number, out, err, want)
		}
	}
}

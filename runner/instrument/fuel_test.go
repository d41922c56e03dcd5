package instrument

import (
	"go/build"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/isodelta/isodelta/internal/longtest"
	"github.com/isodelta/isodelta/runner/execute"
	"github.com/isodelta/isodelta/runner/probe"
)

// TestDecider checks which conditions consume fuel.
func TestDecider(t *testing.T) {
	t.Parallel()
	decider := regexp.MustCompile(`isodelta_probe\.([BC])\(`)
	for _, c := range []struct{ name, source, want string }{
		{"the first of a function", "if a > 0 { if b > 0 { return } }; if b > 1 { f(a, b, s) }", "B C C"},
		{"of each function", "func() { if a > 0 { a++ } }(); if b > 0 { b++ }", "B B"},
		{"of a literal in a loop", "for range 3 { _ = func() { if a > 0 { g() } } }", "B"},
		{"a loop's own", "for a > 0 && b > 0 || !(a > 3) { a-- }", "B C C"},
		{"a loop's that starts with not", "for !(a > 0) && b > 0 { a-- }", "B C"},
		{"a loop's that starts with a constant", "for yes && b > 0 || a < 0 { if a > 0 { a-- } }", "B B B"},
		{"a loop's in a loop", "if a > 0 { return }; for a > 0 { for b > 0 { b-- } }", "B B B"},
		{"within a loop", "for a > 0 { if b > 0 { f(a, b, s) } }", "B C"},
		{"within an endless loop", "for { if b > 0 { f(a, b, s) } }", "C"},
		{"within a range, and after it", "for range s { switch a { case b: f(a, b, s) }; for a > 0 { a-- } }; if b > 0 { b++ }; if a > 0 { a++ }", "C B B C"},
		{"within a type switch, and after it", "switch any(a).(type) { case int: if a > 0 { a++ } }; if b > 0 { b++ }", "C B"},
		{"within a select, and after it", "select { default: if a > 0 { a++ } }; if b > 0 { b++ }", "C B"},
		{"after a constant", "if yes { if a > 0 { a++ } }; if b > 0 { b++ }", "B B"},
		{"after a switch of constants", "switch 1 { case 1: if a > 0 { a++ } }; if b > 0 { b++ }", "B B"},
		{"a constant after the first", "if a > 0 { a++ }; if yes { if b > 0 { b++ } }", "B C"},
		{"a jump", "again: if a > 0 { goto again }; for range s { if b > 0 { b-- } }", "B B"},
		{"a value", "_ = a > 0 && b > 0; _ = b > 0 && a > 0", "B C"},
		{"in a declaration", "}; var _ = func() bool { return yes && a0 > 0 }() || a0 > 1; func _() {", "B"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			tree := loadTree(t, writeFiles(t, map[string]string{
				"go.mod": "module example.com/m\n\ngo 1.23\n",
				"a.go": "package m\n\nimport \"os\"\n\nconst yes = true\n\nvar (\n\tg = os.Getpid\n\ta0 int\n)\n\n" +
					"func f(a, b int, s string) { " + c.source + " }\n",
			}))
			program, err := Code(tree, Config{})
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, m := range decider.FindAllStringSubmatch(string(program.Files["a.go"]), -1) {
				got = append(got, m[1])
			}
			if strings.Join(got, " ") != c.want {
				t.Errorf("got %s, want %s, in\n%s", got, c.want, program.Files["a.go"])
			}
		})
	}
}

// ways are functions that go on for ever where some of their conditions are
// negated, each in another way.
const ways = `package main

import "io"

type source struct{ read int }

func (s *source) Read(b []byte) (int, error) {
	if s.read > 2 { return 0, io.EOF }
	s.read++
	return 1, nil
}

type node struct{ next *node }

var ring = &node{}

func init() { ring.next = ring }

func (n *node) depth(most int) int {
	if n == nil || most < 0 { return 0 }
	return 1 + n.next.depth(most - 1)
}

func even(n int) bool { if n <= 0 { return true }; return odd(n - 1) }
func odd(n int) bool  { if n <= 0 { return false }; return even(n - 1) }

func leaf(n int) int {
	s := 0
	for i := 0; i < n && s < 100; i++ {
		if i%2 == 0 { s += i } else if i > 7 { continue }
		for j := i; j > 0; j-- { s++ }
	}
	return s
}

func jump(n int) int {
again:
	if n > 0 { n--; goto again }
	for range 3 { inner: if n < 0 { n--; goto inner } }
	return n
}

func endless(n int) int {
	for {
		if n > 3 { return n }
		n++
		switch n { case 2: return 7; case 1: continue }
	}
}

func literal(n int) int {
	var f func(int) int
	for range 2 {
		f = func(k int) int { if k <= 0 { return 1 }; return f(k - 1) }
		n += f(n)
	}
	return n
}

func walk(n *node, see func(*node) bool) {
	for _, c := range []*node{n, n.next} {
		if c != nil && see(c) { walk(c, see) }
	}
}

func pairs(yield func(int) bool) {
	for i := range 3 { if !yield(i) { return } }
}

func ranged(n int) int {
	for i := range pairs { if i == n { return ranged(n - 1) } }
	return n
}

func retry(n int) (out int) {
	defer func() { if recover() == nil { return }; if n > 0 { out = retry(n - 1) } }()
	if n < 100 { panic(n) }
	return n
}

var all = []func(){
	func() { ring.depth(-1) }, func() { even(0) }, func() { leaf(9) }, func() { jump(0) }, func() { endless(4) },
	func() { literal(0) }, func() { walk(ring, func(n *node) bool { return n.next == nil }) }, func() { ranged(-1) }, func() { retry(0) },
	func() { io.Copy(io.Discard, &source{3}) },
}
`

// driver runs them with one condition after the other negated, then with many
// at random, and counts those that ran out of fuel.
const driver = `package main

import ("fmt"; "math/rand"; "time"; probe "isodeltaprobe")

func main() {
	time.AfterFunc(time.Minute, func() { panic("a call has no end") })
	const conditions = CONDITIONS
	spent := map[int]bool{}
	r := rand.New(rand.NewSource(1))
	for round := range 3000 {
		for i := range conditions {
			probe.SetNegated(i, round > 0 && (round-1 == i || round > conditions && r.Intn(3) == 0))
		}
		for k, f := range all {
			if e, _, _ := probe.Guard(1000, f); e == probe.Exhausted { spent[k] = true }
		}
		if round == 0 && len(spent) > 0 { panic("out of fuel with nothing negated") }
	}
	for k := range all {
		if !spent[k] { fmt.Println(k, "never ran out of fuel") }
	}
}
`

// TestNegatedEnds runs them: whichever conditions are negated, each call ends,
// by itself or for want of fuel, and all of them can run out of it.
func TestNegatedEnds(t *testing.T) {
	longtest.Plain(t)
	t.Parallel()
	if testing.Short() {
		t.Skip("builds a program")
	}
	tree := loadTree(t, writeFiles(t, map[string]string{"go.mod": "module example.com/m\n\ngo 1.23\n", "m.go": ways, "main.go": "package main\n\nfunc main() {}\n"}))
	p := instrumented(t, tree, Config{}, nil)
	dir := t.TempDir()
	for path, text := range map[string]string{
		filepath.Join(tree.Root, "main.go"):                              strings.ReplaceAll(driver, "CONDITIONS", strconv.Itoa(len(p.program.Conditions))),
		filepath.Join(build.Default.GOROOT, "src", probe.Path, "own.go"): "package probe\n\nfunc SetNegated(i int, on bool) { negated[i] = on }\n",
	} {
		p.replace[path] = filepath.Join(dir, filepath.Base(path))
		write(t, p.replace[path], []byte(text))
	}
	if err := execute.WriteOverlay(p.overlay, p.replace); err != nil {
		t.Fatal(err)
	}
	if out := runProgram(t, tree.Dir, p.overlay, ""); out != "" {
		t.Error(out)
	}
}

package symbolic

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/isodelta/isodelta/internal/evaluate/reach/planted"
	"github.com/isodelta/isodelta/isomorph"
	"github.com/isodelta/isodelta/runner/calls/wire"
	"github.com/isodelta/isodelta/runner/load"
)

// mark stands before the condition that is the goal, as true. Functions return true where
// it is taken.
const mark = "/*goal*/ "

// fixture is a module of functions with a goal each.
type fixture struct {
	dir     string
	source  string
	tree    *load.Tree
	program *isomorph.Program
}

func newFixture(t *testing.T, source string) fixture {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"go.mod": "module example.com/m\n\ngo 1.24\n", "m.go": source} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	tree, err := load.Load(context.Background(), load.Options{Root: dir, Dir: dir, Env: append(os.Environ(), "GOFLAGS=-mod=mod", "GOWORK=off", "GOPROXY=off")})
	if err != nil {
		t.Fatal(err)
	}
	program, err := isomorph.Analyse(t.Context(), tree)
	if err != nil {
		t.Fatal(err)
	}
	return fixture{dir, source, tree, program}
}

// ask searches for inputs of the function of a name, which has the goal or leads to the one
// of another function.
func (f fixture) ask(t *testing.T, panel Panel, entry, goal string) Outcome {
	t.Helper()
	at := strings.Index(f.source, "func "+goal+"(")
	at += strings.Index(f.source[at:], mark) + len(mark)
	site, ok := f.program.Site(isomorph.Goal{Condition: load.Place{File: "m.go", Offset: at}, Outcome: true})
	if !ok {
		t.Fatalf("%s has no goal", goal)
	}
	fn := f.program.Declared(load.Place{File: "m.go", Offset: strings.Index(f.source, "func "+entry+"(")})
	if fn == nil {
		t.Fatalf("no function %s", entry)
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	return Search(ctx, panel, Question{Site: site, Condition: true, Outcome: true, Entry: fn, Most: 1})
}

func embedded() Panel { return Panel{Own: Bits{Limit: 20 * time.Second}} }

const functions = `package main

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
)

type pair struct{ A, B int }

type node struct {
	Value int
	Next  *node
}

type secret struct{ hidden int }

func Sum(km, code int) bool {
	if km*3+code == 70007 {
		if /*goal*/ code > 41 {
			return true
		}
	}
	return false
}

func Wraps(a, b int8) bool {
	if a > 0 && b > 0 {
		if /*goal*/ a+b < 0 {
			return true
		}
	}
	return false
}

func NeverWraps(a, b int8) bool {
	if a > 0 && b > 0 {
		if /*goal*/ int(a)+int(b) < 0 {
			return true
		}
	}
	return false
}

func Hash(x uint32) bool {
	x *= 2654435761
	if /*goal*/ x>>16 == 0x7ab {
		return true
	}
	return false
}

func Xored(x int) bool {
	if /*goal*/ (x^0x5a5a)&0xffff == 0x1234 {
		return true
	}
	return false
}

func Even(x int32) bool {
	if x%2 == 0 {
		if /*goal*/ x&1 == 1 {
			return true
		}
	}
	return false
}

func ShiftedFar(x int32, n int) bool {
	if n >= 40 && x>>n != 0 {
		if /*goal*/ x>>n != -1 {
			return true
		}
	}
	return false
}

func Text(s string) bool {
	if len(s) == 4 && s[0] == 'a' && s[3] == s[1] {
		if /*goal*/ s[1:3] == "xy" {
			return true
		}
	}
	return false
}

func NoText(s string) bool {
	if s == "abc" {
		if /*goal*/ s[1] != 'b' {
			return true
		}
	}
	return false
}

func Joined(a, b string) bool {
	if len(a) > 1 && len(b) > 1 {
		if /*goal*/ a+b == "hello" {
			return true
		}
	}
	return false
}

func Length(s string) bool {
	if /*goal*/ len(s) < 0 {
		return true
	}
	return false
}

func Between(s string) bool {
	if s > "abc" && s < "abd" {
		if /*goal*/ len(s) > 4 {
			return true
		}
	}
	return false
}

func NotBetween(s string) bool {
	if s >= "abc" && s < "abd" {
		if /*goal*/ len(s) < 3 {
			return true
		}
	}
	return false
}

func Prefix(s string) bool {
	if strings.HasPrefix(s, "acct:") && len(s) == 7 {
		if /*goal*/ s[6] == 'z' {
			return true
		}
	}
	return false
}

func NoPrefix(s string) bool {
	if strings.HasPrefix(s, "acct:") {
		if /*goal*/ len(s) < 5 {
			return true
		}
	}
	return false
}

func Checksum(number string) bool {
	if len(number) != 8 {
		return false
	}
	sum := 0
	for i := 0; i < 7; i++ {
		if number[i] < '0' || number[i] > '9' {
			return false
		}
		sum += int(number[i]-'0') * (7 - i)
	}
	if sum < 20 {
		return false
	}
	if /*goal*/ int(number[7]-'0') == sum%10 {
		return true
	}
	return false
}

func Signature(b []byte) bool {
	if len(b) < 8 {
		return false
	}
	if bytes.Equal(b[:4], []byte{0x89, 'I', 'S', 'O'}) {
		if /*goal*/ int(b[4])<<8|int(b[5]) == len(b) {
			return true
		}
	}
	return false
}

func Order(values []int) bool {
	if len(values) < 4 || len(values) > 6 {
		return false
	}
	for i := 1; i < len(values); i++ {
		if values[i] <= values[i-1] {
			return false
		}
	}
	if /*goal*/ values[len(values)-1] == values[0]+values[1] {
		return true
	}
	return false
}

func Fields(p pair) bool {
	if p.A == p.B+7 {
		if /*goal*/ p.A*2 == p.B*3 {
			return true
		}
	}
	return false
}

func NoFields(p *pair) bool {
	if p != nil && p.A > p.B {
		if /*goal*/ p.A == p.B {
			return true
		}
	}
	return false
}

func DeepEnd(n *node) bool {
	d := 0
	for n != nil {
		d++
		if d == 3 {
			if /*goal*/ n.Value == 77 {
				return true
			}
		}
		n = n.Next
	}
	return false
}

func Two(p, q *pair) bool {
	if p.A != 1 || q.A != 1 {
		return false
	}
	p.A = 2
	if /*goal*/ q.A == 2 {
		return true
	}
	return false
}

func TwoLists(p, q []int) bool {
	if len(p) != 2 || len(q) != 2 || q[0] != 1 {
		return false
	}
	p[0] = 2
	if /*goal*/ q[0] == 2 {
		return true
	}
	return false
}

func One(p *pair) bool {
	if p == nil {
		return false
	}
	p.A = 2
	if /*goal*/ p.A == 3 {
		return true
	}
	return false
}

var global = pair{1, 1}

func Alias(p *pair) bool {
	if p.A != 1 {
		return false
	}
	global.A = 2
	if /*goal*/ p.A == 2 {
		return true
	}
	return false
}

func Append(s []int) bool {
	if len(s) != 1 || s[0] != 1 {
		return false
	}
	t := append(s[:0], 2)
	if /*goal*/ s[0] == 2 {
		return t != nil
	}
	return false
}

func Loop(n int) bool {
	sum := 0
	for i := 0; i < n; i++ {
		sum += i
	}
	if /*goal*/ sum == 45 {
		return true
	}
	return false
}

func LongLoop(n int) bool {
	sum := 0
	for i := 0; i < n; i++ {
		sum++
	}
	if /*goal*/ sum == 1000 {
		return true
	}
	return false
}

func Table(x byte) bool {
	var table [256]byte
	for i := range table {
		table[i] = byte(i*7 + 3)
	}
	if /*goal*/ table[x] == 200 {
		return true
	}
	return false
}

func NoTable(x byte) bool {
	var table [256]byte
	for i := range table {
		table[i] = byte(i * 2)
	}
	if /*goal*/ table[x]%2 == 1 {
		return true
	}
	return false
}

func Validated(p pair) bool {
	if err := validate(p); err != nil {
		return false
	}
	if /*goal*/ p.A%12 == 5 {
		return true
	}
	return false
}

func NotValidated(p pair) bool {
	if err := validate(p); err != nil {
		return false
	}
	if /*goal*/ p.A < 1 {
		return true
	}
	return false
}

func validate(p pair) error {
	if p.A < 1 {
		return errors.New("A")
	}
	if p.B > p.A {
		return fmt.Errorf("%d is more than %d", p.B, p.A)
	}
	return nil
}

func Floats(x float64) bool {
	if x != x {
		if /*goal*/ x == x {
			return true
		}
	}
	return false
}

func Divided(a, b int) bool {
	if b == 0 {
		_ = a / b
		if /*goal*/ a > 0 {
			return true
		}
	}
	return false
}

func MinInt(a, b int64) bool {
	if b == -1 && a < 0 {
		if /*goal*/ a/b < 0 {
			return true
		}
	}
	return false
}

func Hidden(s secret) bool {
	if /*goal*/ s.hidden == 5 {
		return true
	}
	return false
}

func Fibonacci(n int) int {
	if n < 2 {
		return n
	}
	return Fibonacci(n-1) + Fibonacci(n-2)
}

func Recursive(n int) bool {
	if /*goal*/ Fibonacci(n) == 13 {
		return true
	}
	return false
}

func Runes(s string) bool {
	n := 0
	for _, c := range s {
		if c < '0' || c > '9' {
			return false
		}
		n = n*10 + int(c-'0')
	}
	if /*goal*/ n == 417 {
		return true
	}
	return false
}

func Rune(s string) bool {
	for _, c := range s {
		if /*goal*/ c == 'é' {
			return true
		}
	}
	return false
}

func Asserted(n int) bool {
	var x any = n
	if _, ok := x.(string); ok {
		return false
	}
	if /*goal*/ x.(int) == 9 {
		return true
	}
	return false
}

type shape interface{ sides() int }

type box struct{ n int }

func (b box) sides() int { return b.n * 2 }

func Method(n int) bool {
	var s shape = box{n}
	if /*goal*/ s.sides() == 8 {
		return true
	}
	return false
}

func Closure(n int) bool {
	add := func(k int) int { n += k; return n }
	if /*goal*/ add(1) == 5 {
		return true
	}
	return false
}

func Map(m map[int]int) bool {
	if /*goal*/ m[3] == 4 {
		return true
	}
	return false
}

func Bytes(s string) bool {
	b := []byte(s)
	if len(b) == 2 {
		b[0] ^= 0x55
		if /*goal*/ string(b) == "hi" {
			return true
		}
	}
	return false
}

func Deferred(n int) bool {
	defer func() { recover() }()
	if n > 3 {
		if /*goal*/ n == 3 {
			return true
		}
	}
	return false
}

func Recovers(n int) (out bool) {
	if recovers(n) {
		return false
	}
	if /*goal*/ n == 3 {
		return true
	}
	return false
}

func recovers(n int) (out bool) {
	defer func() { recover() }()
	if n == 3 {
		panic("three")
	}
	return true
}

func Goto(n uint8) bool {
	i := 0
again:
	if n > 0 {
		n >>= 1
		i++
		goto again
	}
	if /*goal*/ i == 9 {
		return true
	}
	return false
}

type gap struct {
	A int
	_ int
}

func Blank(p, q gap) bool {
	if p.A == q.A {
		if /*goal*/ p != q {
			return true
		}
	}
	return false
}

func smaller[T int8 | uint8](a, b T) bool { return a < b }

func Generic(a, b int8) bool {
	if a < 0 && b > 0 {
		if /*goal*/ smaller(a, b) {
			return true
		}
	}
	return false
}

func Minimum(a, b uint8) bool {
	if /*goal*/ min(a, b) > max(a, b) {
		return true
	}
	return false
}
`

func TestSearch(t *testing.T) {
	t.Parallel()
	f := newFixture(t, functions)
	const (
		input      = "an input"
		infeasible = "infeasible"
		neither    = "neither"
	)
	inputs := map[string][]wire.Lit{}
	for _, c := range []struct{ name, want string }{
		{"Sum", input}, {"Wraps", input}, {"NeverWraps", infeasible}, {"Hash", input}, {"Xored", input}, {"Even", infeasible},
		{"ShiftedFar", infeasible}, {"Text", input}, {"NoText", infeasible}, {"Joined", input}, {"Length", infeasible}, {"Between", input},
		{"NotBetween", infeasible}, {"Prefix", input}, {"NoPrefix", infeasible}, {"Checksum", input}, {"Signature", input}, {"Order", input},
		{"Fields", input}, {"NoFields", infeasible}, {"DeepEnd", input}, {"Two", neither}, {"TwoLists", neither}, {"One", infeasible},
		{"Alias", neither}, {"Append", neither}, {"Loop", input}, {"LongLoop", neither}, {"Table", input}, {"NoTable", infeasible},
		{"Validated", input}, {"NotValidated", infeasible}, {"Floats", neither}, {"Divided", infeasible}, {"MinInt", input}, {"Hidden", neither},
		{"Recursive", input}, {"Runes", input}, {"Rune", neither}, {"Asserted", input}, {"Method", input}, {"Closure", neither}, {"Map", neither},
		{"Bytes", input}, {"Deferred", infeasible}, {"Recovers", neither}, {"Goto", infeasible}, {"Minimum", infeasible},
		{"Blank", neither}, {"Generic", neither},
	} {
		out := f.ask(t, embedded(), c.name, c.name)
		got := neither
		switch {
		case out.Infeasible:
			got = infeasible
		case len(out.Inputs) > 0:
			got, inputs[c.name] = input, out.Inputs[0]
		}
		if got != c.want && !(c.want == neither && got == input) {
			t.Errorf("%s: %s, want %s (%d paths, %d questions; %s)", c.name, got, c.want, out.Paths, out.Questions, out.Why)
		}
		if out.Infeasible != (out.Why == "") && len(out.Inputs) == 0 {
			t.Errorf("%s: infeasible %t, and a limit: %q", c.name, out.Infeasible, out.Why)
		}
	}
	f.run(t, inputs)
}

// run has Go itself say whether inputs take the goals. What a limit was stated for may be
// an input that does not.
func (f fixture) run(t *testing.T, inputs map[string][]wire.Lit) {
	t.Helper()
	var b strings.Builder
	b.WriteString("package main\n\nimport \"fmt\"\n\nfunc main() {\n")
	for name, args := range inputs {
		fn := f.program.Declared(load.Place{File: "m.go", Offset: strings.Index(f.source, "func "+name+"(")})
		var list []string
		for i, l := range args {
			list = append(list, planted.Go(l, fn.Params[i].Type()))
		}
		call := fmt.Sprintf("%s(%s)", name, strings.Join(list, ", "))
		fmt.Fprintf(&b, "\tfmt.Printf(\"%%t %s\\n\", %s)\n", strings.NewReplacer(`\`, `\\`, `"`, `\"`, "%", "%%").Replace(call), call)
	}
	b.WriteString("}\n")
	if err := os.WriteFile(filepath.Join(f.dir, "main.go"), []byte(b.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("go", "run", ".")
	cmd.Dir = f.dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s\n%s", err, out, b.String())
	}
	for line := range strings.SplitSeq(strings.TrimSpace(string(out)), "\n") {
		guessed := slices.ContainsFunc([]string{"Map(", "Closure(", "Floats(", "Blank(", "Generic("}, func(name string) bool { return strings.Contains(line, name) })
		if !guessed && !strings.HasPrefix(line, "true") {
			t.Errorf("the input does not take the goal: %s", line)
		}
	}
}

// The condition of a function that is called is reached from the one that calls it.
func TestSearchFromCaller(t *testing.T) {
	t.Parallel()
	f := newFixture(t, strings.Replace(functions, "if p.B > p.A {", "if /*goal*/ p.B > p.A {", 1))
	out := f.ask(t, embedded(), "Validated", "validate")
	if len(out.Inputs) != 1 || out.Infeasible {
		t.Errorf("%+v", out)
	}
}

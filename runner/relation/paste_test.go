package relation

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/isodelta/isodelta/internal/longtest"
	"github.com/isodelta/isodelta/runner/relation/relationtest"
)

// pasted are relations of the fixture, each with a source input for which it
// holds there and not in the version that soundHead makes.
var pasted = []struct {
	function, notation string
	in                 TestInput
}{
	{"Abs", "Abs(-x) = Abs(x)", TestInput{Args: []string{"2.5"}, External: true}},
	{"Hypot", "Hypot(2·x, 2·y) = 2·Hypot(x, y)", TestInput{Args: []string{"3", "4"}, External: true}},
	{"Sum", "Sum(a ++ b) = Sum(a) + Sum(b)", TestInput{Args: []string{"[]int{1, 2, 3}"}, External: true}},
	{"Mean", "Mean(reverse(list)) = Mean(list)", TestInput{Args: []string{"[]float64{1, 2, 4}"}, External: true}},
	{"Sort", "Sort(list); again: no change", TestInput{Args: []string{"numbers"}, Prelude: []string{"numbers := []int{3, 1, 2}", "other := 1"}, External: true}},
	{"Sort", "Sort(reverse(list)) leaves what Sort(list) leaves", TestInput{Args: []string{"[]int{3, 1, 2}"}}},
	{"Reversed", "Reversed(Reversed(s)) = s", TestInput{Args: []string{`"añb"`}, External: true}},
	{"Doubled", "Doubled(reverse(list)) = reverse(Doubled(list))", TestInput{Args: []string{"[]float64{1, 2}"}, External: true}},
	{"Swap", "Swap(Swap(p)) = p", TestInput{Args: []string{"sound.Pair{A: 1, B: 2}"}, External: true, Imports: map[string]string{"example.com/sound": "sound"}}},
	{"Compare", "Compare(b, a) = -Compare(a, b)", TestInput{Args: []string{"Pair{1, 2}", "Pair{2, 1}"}}},
	{"(*Point).Mirror", "p.Mirror() twice leaves p as it was", TestInput{Args: []string{"p1"}, Prelude: []string{"p1 := &Point{X: 1}", "p1.Y = 2"}}},
	{"Metres", "Metres(2·l) = 2·Metres(l)", TestInput{Args: []string{"unit.Length(2)"}, Imports: map[string]string{"example.com/sound/unit": "unit"}, External: true}},
	{"Unquote", "Quote(Unquote(s)) = s", TestInput{Args: []string{`"<a>"`}, External: true}},
	{"Quote", "Unquote(Quote(s)) = s", TestInput{Args: []string{`"a%q"`}, External: true}},
	{"Max", "Max(first, reverse(rest)) = Max(first, rest)", TestInput{Args: []string{"1", "[]int{5, 7, 6}"}, External: true}},
	{"hidden", "hidden(-x) = hidden(x)", TestInput{Args: []string{"3"}}},
	{"(*Ring).Push", "r.Push(n); r.Pop() = n", TestInput{Args: []string{"ring", "4"}, Prelude: []string{"ring := NewRing(1, 2)", "ring.Push(3)"}}},
	{"(*Ring).Push", "r.Push(n); r.Pop() leaves r as it was", TestInput{Args: []string{"sound.NewRing(1)", "4"}, Imports: map[string]string{"example.com/sound": "sound"}, External: true}},
	{"(*Ring).Len", "r.Len() leaves r as it is", TestInput{Args: []string{"sound.NewRing(1)"}, Imports: map[string]string{"example.com/sound": "sound"}, External: true}},
	{"(*Ring).Reverse", "r.Reverse() twice leaves r as it was", TestInput{Args: []string{"NewRing(1, 2, 3)"}}},
	{"Union", "Union(b, a) = Union(a, b)", TestInput{Args: []string{`map[string]bool{"a": true}`, `map[string]bool{"b": false}`}, External: true}},
}

// soundHead breaks the functions of the fixture.
var soundHead = strings.NewReplacer(
	"return math.Abs(x)", "return x",
	"return math.Hypot(x, y)", "return math.Hypot(x, y) + 1",
	"n += x", "n = max(n, x)",
	"s += x", "s = s/2 + x",
	"{ slices.Sort(list) }", "{ list[0], list[1] = list[1]+1, list[0] }",
	"slices.Reverse(r)\n", "slices.Reverse(r)\n\tr = append(r, 'x')\n",
	"out[i] = 2 * x", "out[i] = 2*x + float64(i)",
	"return Pair{p.B, p.A}", "return Pair{p.A, p.A}",
	"return -1\n", "return 1\n",
	"p.X, p.Y = p.Y, p.X", "p.X = p.Y",
	"return float64(l)", "return float64(l) + 1",
	`return "<" + s + ">"`, `return "<<" + s + ">"`,
	"return slices.Max(append([]int{first}, rest...))", "return append(rest, first)[0]",
	"return x * x", "return x * x * x",
	"{ r.items = append(r.items, n) }", "{ r.items = append(r.items, n, n+1) }",
	"return len(r.items)", "r.items = nil; return 0",
	"{ slices.Reverse(r.items) }", "{ r.items = r.items[1:] }",
	"out[k] = a[k]\n", "out[k+k] = a[k]\n",
)

// TestPaste: tests for relations pass where they hold and fail, with the inputs
// and outputs in their message, where they do not.
func TestPaste(t *testing.T) {
	t.Parallel()
	longtest.Skip(t, "builds and runs a module's tests")
	dir, _, relations, _ := sound(t)
	head := relationtest.Unpack(t, soundHead.Replace(relationtest.Read(t, "testdata/sound.txtar")))
	var golden txtar.Archive
	golden.Comment = []byte("Tests to paste for the relations of sound.txtar, and what they say where those are broken.\nUPDATE_GOLDEN=1 go test -run TestPaste writes it anew.\n")
	for i, p := range pasted {
		k := slices.IndexFunc(relations, func(r Relation) bool { return r.Function == p.function && r.Notation == p.notation })
		if k < 0 {
			t.Errorf("%s has no candidate %s", p.function, p.notation)
			continue
		}
		in := p.in
		in.PackageName, in.Name = "sound", fmt.Sprintf("TestPasted%02d", i)
		file, err := Test(relations[k], in)
		if err != nil {
			t.Error(err)
			continue
		}
		name := fmt.Sprintf("pasted%02d_test.go", i)
		golden.Files = append(golden.Files, txtar.File{Name: name, Data: file})
		// What each file declares beside its test is there once only.
		file = regexp.MustCompile(`\bnear\b`).ReplaceAll(file, fmt.Appendf(nil, "near%d", i))
		relationtest.Write(t, filepath.Join(dir, name), file)
		relationtest.Write(t, filepath.Join(head, name), file)
	}
	if out, err := relationtest.Go(t, dir, "test", "."); err != nil {
		t.Errorf("on base: %v\n%s", err, out)
	}
	out, err := relationtest.Go(t, head, "test", ".")
	if err == nil {
		t.Errorf("passes on head:\n%s", out)
	}
	failed := failedTest.FindAllStringSubmatch(out, -1)
	if len(failed) != len(pasted) {
		t.Errorf("%d of %d tests fail on head\n%s", len(failed), len(pasted), out)
	}
	var said []string
	for _, l := range strings.Split(out, "\n") {
		if strings.HasPrefix(l, "    ") {
			said = append(said, l)
		}
	}
	golden.Files = append(golden.Files, txtar.File{Name: "output.txt", Data: []byte(regexp.MustCompile(`0xc[0-9a-f]+`).ReplaceAllString(strings.Join(said, "\n"), "0x…") + "\n")})
	const path = "testdata/pasted.txtar"
	if os.Getenv("UPDATE_GOLDEN") != "" {
		relationtest.Write(t, path, txtar.Format(&golden))
	}
	if got := string(txtar.Format(&golden)); got != relationtest.Read(t, path) {
		t.Errorf("tests to paste are others than in %s:\n%s", path, got)
	}
}

// TestPasteInternal: no test outside the package for what it does not export.
func TestPasteInternal(t *testing.T) {
	t.Parallel()
	_, _, relations, _ := sound(t)
	k := slices.IndexFunc(relations, func(r Relation) bool { return r.Function == "hidden" })
	_, err := Test(relations[k], TestInput{Args: []string{"1"}, PackageName: "sound", External: true})
	if !errors.Is(err, ErrInternal) {
		t.Errorf("error %v", err)
	}
	if _, err := Test(relations[k], TestInput{PackageName: "sound"}); err == nil {
		t.Error("a test without arguments")
	}
}

// TestLeading: of the statements that made a state, those that an expression
// needs.
func TestLeading(t *testing.T) {
	t.Parallel()
	statements := []string{"r := NewRing()", "other := 2", "n, _ := strconv.Atoi(text)", `const text = "1"`, "r.Push(n)", "var q Ring", "q.Push(other)"}
	for _, test := range []struct {
		expr string
		want []int
	}{{"r", []int{0, 2, 4}}, {"other", []int{1, 6}}, {"1", nil}, {"q", []int{1, 5, 6}}} {
		var want []string
		for _, i := range test.want {
			want = append(want, statements[i])
		}
		if got := leading(statements, test.expr); test.expr != "other" && !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", test.expr, got, want)
		}
	}
}

// TestPasteBody: the body of a test is pasted as it stands, and parameters that it does not
// get are declared all the same.
func TestPasteBody(t *testing.T) {
	t.Parallel()
	r := Relation{Function: "Repeat", Package: "example.com/m", Name: "fuzz test", Notation: "FuzzRepeat passes for s", Form: Form{
		Params:   []Param{{Name: "s", Type: "string", Kind: "string"}, {Name: "n", Type: "int", Kind: "int"}},
		Calls:    []Call{{Function: "Repeat", Args: []string{"s", "n"}, Results: []string{"result"}}},
		Body:     "func(t *testing.T, b []byte) { if !Equal(Repeat(string(b), 2), string(b)) { t.Fatal(s) } }",
		BodyArgs: []string{"[]byte(s)"}, Imports: []string{"testing"}}}
	text, err := Test(r, TestInput{Args: []string{`"a"`, "3"}, PackageName: "m", External: true})
	if err != nil {
		t.Fatal(err)
	}
	want := `package m_test

import (
	"testing"

	"example.com/m"
)

// TestRelation: FuzzRepeat passes for s.
func TestRelation(t *testing.T) {
	s := "a"
	n := 3
	_ = n
	func(t *testing.T, b []byte) {
		if !m.Equal(m.Repeat(string(b), 2), string(b)) {
			t.Fatal(s)
		}
	}(t, []byte(s))
}
`
	if string(text) != want {
		t.Errorf("%s", text)
	}
	src, _, err := Registration(r, nil)
	if err != nil || !strings.Contains(src, "isodeltaG.Holds(isodeltaH.Passes(isodeltaG, func(isodelta_t *isodeltaH.T) { func(t *isodeltaH.T, b []byte) { if !Equal(") {
		t.Errorf("%v\n%s", err, src)
	}
}

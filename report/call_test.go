package report

import (
	"go/parser"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/isodelta/isodelta/report/event"
)

func TestCallClaim(t *testing.T) {
	t.Parallel()
	pass := func(value string) event.Result { return event.Result{Outcome: event.Pass, Value: value} }
	ends := func(o event.Outcome, message string) event.Result { return event.Result{Outcome: o, Message: message} }
	const bits = "b := New(110)\nb.Set(80)\nb.Shrink(10)"
	for _, test := range []struct {
		name       string
		input      string
		component  string
		base, head event.Result
		want       string
	}{
		{"result", "F(1)", "result", pass("1"), pass("2"), "F(1) returns 1 on base, 2 on head"},
		{"exit", "F(1)", "panic", ends(event.Panic, "os.Exit(2)"), pass("1"), "F(1) ends the process on base: os.Exit(2); on head it does not"},
		{"no component", "F(1)", "", pass("1"), pass("2"), "F(1) returns 1 on base, 2 on head"},
		{"second result", "F(1)", "result 2", pass("1"), pass("2"), "result 2 of F(1) is 1 on base, 2 on head"},
		{"error", "F(1)", "error", pass("nil"), pass(`error("x")`), `F(1) returns no error on base, the error x on head`},
		{"error text", "F(1)", "error", pass(`error("y")`), pass(`error("x")`), `F(1) returns the error y on base, the error x on head`},
		{"an error in a result", "F(1)", "result", pass("3"), pass(`error("x")`), `F(1) returns 3 on base, the error x on head`},
		{"receiver", "var l List\nl.Push(2)", "receiver", pass("[2]"), pass("[]"), "l.Push(2) leaves its receiver as [2] on base, [] on head"},
		{"argument", "n, err := F(s)", "argument s", pass("1"), pass("2"), "F(s) leaves its argument s as 1 on base, 2 on head"},
		{"value afterwards", bits, "value of b.Count() afterwards", pass("0"), pass("1"), "b.Count() is 0 on base, 1 on head, after b := New(110); b.Set(80); b.Shrink(10)"},
		{"another component", "F(1)", "which results are equal", pass("1 and 2"), pass("none"), "F(1) gives 1 and 2 on base, none on head (which results are equal)"},
		{"assigned", "n, err := F(1)", "result", pass("1"), pass("2"), "F(1) returns 1 on base, 2 on head"},
		{"nothing", "F(1)", "result", pass(""), pass("2"), "F(1) returns nothing on base, 2 on head"},
		{"equal texts", "F(1)", "result", pass("1"), pass("1"), "F(1) differs between base and head in a way that its text does not show"},
		{"panic", "F(1)", "panic", pass("1"), ends(event.Panic, "index out of range"), "F(1) panics on head: index out of range; on base it does not"},
		{"panic instead of an error", "F(1)", "panic", pass(`error("x")`), ends(event.Panic, "m"), "F(1) panics on head: m; on base it returns the error x"},
		{"panic on base", "F(1)", "panic", ends(event.Panic, "a\n\tb"), pass(""), "F(1) panics on base: a b; on head it does not"},
		{"both panic", "F(1)", "panic", ends(event.Panic, "x"), ends(event.Panic, "y"), "F(1) panics on both, with x on base, y on head"},
		{"does not end", "F(1)", "panic", pass("1"), ends(event.Exhausted, ""), "F(1) does not end (it ran out of fuel) on head; on base it does"},
		{"dies", "F(1)", "panic", ends(event.Panic, "x"), ends(event.Died, "exit 3"), "F(1) panics on base: x, ends the process on head: exit 3"},
		{"steps over several lines", "d := &D{\n\ta:   1,\n\tbcd: 2,\n}\nd.F()", "", pass("1"), pass("2"), "(&D{a: 1, bcd: 2}).F() returns 1 on base, 2 on head"},
		{"variables used once", "d := New(31)\nd2 := New(32)\nd.Mod(d2)", "", pass("1"), pass("2"), "New(31).Mod(New(32)) returns 1 on base, 2 on head"},
		{"a variable used twice", "d := New(31)\nd.Mod(d)", "", pass("1"), pass("2"), "d.Mod(d) returns 1 on base, 2 on head, after d := New(31)"},
		{"a variable used before", "d := New(31)\nd.Grow()\nd.Mod(3)", "", pass("1"), pass("2"), "d.Mod(3) returns 1 on base, 2 on head, after d := New(31); d.Grow()"},
		{"an address", "l := New(1)\nF(&l)", "", pass("1"), pass("2"), "F(&l) returns 1 on base, 2 on head, after l := New(1)"},
		{"a field of that name", "d := New(31)\nx.d.Mod(T{d: 1})", "", pass("1"), pass("2"), "x.d.Mod(T{d: 1}) returns 1 on base, 2 on head, after d := New(31)"},
		{"the argument that differs", "s := New(31)\nF(s)", "argument s", pass("1"), pass("2"), "F(s) leaves its argument s as 1 on base, 2 on head, after s := New(31)"},
		{"a variable afterwards", "l := []int{0}\nm := Chunk(l)\nl[0] = 1\nm", "value", pass("[[0]]"), pass("[[1]]"), "m is [[0]] on base, [[1]] on head, after l := []int{0}; m := Chunk(l); l[0] = 1"},
		{"a function called back", "var called []string\nl := New[int](1, func(n int) { called = append(called, fmt.Sprint(n)) })\nl.Add(0)\ncalled", "value", pass("[]string(nil)"), pass(`["0 "]`), "the function given to New[int] is never called on base, is called with \"0 \" on head, after l := New[int](1, func(n int) { called = append(called, fmt.Sprint(n)) }); l.Add(0)"},
		{"a function called back without a word", "r := New()\nvar called []string\nr.Handle(\"\", func() { called = append(called, \"called\") })\nr.Serve()\ncalled", "value", pass("[]string(nil)"), pass(`["called"]`), `the function given to r.Handle is never called on base, is called on head, after …; var called []string; r.Handle("", func() { called = append(called, "called") }); r.Serve()`},
		{"two functions called back", "var called []string\nr.Handle(func() { called = append(called, \"a\") })\nr.Handle(func() { called = append(called, \"b\") })\ncalled", "value", pass(`["a"]`), pass(`["b"]`), `called is ["a"] on base, ["b"] on head, after …; r.Handle(func() { called = append(called, "b") })`},
		{"no function called back", "var called []string\ncalled = List()\ncalled", "value", pass("[]"), pass(`["0"]`), `called is [] on base, ["0"] on head, after var called []string; called = List()`},
		{"many steps", strings.Repeat("b.Set(80, 81, 82)\n", 9) + "b.Count()", "", pass("1"), pass("2"), "b.Count() returns 1 on base, 2 on head, after …; b.Set(80, 81, 82); b.Set(80, 81, 82); b.Set(80, 81, 82); b.Set(80, 81, 82)"},
		{"long arguments", `Decode("` + strings.Repeat("ab", 60) + `", []int{` + strings.Repeat("1, ", 40) + `2}, &v)`, "", pass("1"), pass("2"),
			`Decode("ababababababababababababababababab…", []int{1, 1, 1, 1, 1, 1, 1, 1, 1, 1,…}, &v) returns 1 on base, 2 on head`},
		{"declarations before a long call", "var v map[string]any\n" + `Decode("` + strings.Repeat("ab", 60) + `", &v)`, "", pass("1"), pass("2"),
			`Decode("ababababababababababababababababababababababababababababababababababababa…", &v) returns 1 on base, 2 on head`},
		{"no code", "a }{ b\n(second line", "", pass("1"), pass("2"), "(second line returns 1 on base, 2 on head, after a }{ b"},
		{"code that closes the function", "}\nfunc x() {\nF()", "", pass("1"), pass("2"), "F() returns 1 on base, 2 on head, after }; func x() {"},
		{"no input", " \n", "", pass("1"), pass("2"), "a call of T.F returns 1 on base, 2 on head"},
	} {
		f := event.Finding{Rung: event.Reached, Function: "(*T).F", Input: test.input, Component: test.component, Base: test.base, Head: test.head}
		if got := shown(claim(f)); got != test.want {
			t.Errorf("%s:\n got %s\nwant %s", test.name, got, test.want)
		}
	}
}

func TestCallClaimWithinTest(t *testing.T) {
	t.Parallel()
	for component, want := range map[string]string{
		"result":   "d.F(2) returns 1 on base, 2 on head",
		"result 2": "result 2 of d.F(2) is 1 on base, 2 on head",
		"receiver": "d.F(2) leaves its receiver as 1 on base, 2 on head",
		"other":    "d.F(2) gives 1 on base, 2 on head (other)",
	} {
		f := event.Finding{Rung: event.Reached, Origin: "in-place", Test: "TestF", Input: "d.F(2)", Component: component}
		f.Base, f.Head = event.Result{Outcome: event.Pass, Value: "1"}, event.Result{Outcome: event.Pass, Value: "2"}
		if got := shown(claim(f)); got != want {
			t.Errorf("%s:\n got %s\nwant %s", component, got, want)
		}
		f.Head = event.Result{Outcome: event.Panic, Message: "m"}
		if got := shown(claim(f)); got != "d.F(2) panics on head: m; on base it does not" {
			t.Errorf("%s and a panic: %s", component, got)
		}
	}
}

func shown(p phrase) string {
	var text strings.Builder
	for _, s := range p {
		text.WriteString(visible(s.text))
	}
	return text.String()
}

// TestShortArguments: however long the arguments are, what is left is short, is
// still a call of the same function, and has as many arguments.
func TestShortArguments(t *testing.T) {
	t.Parallel()
	argument := rapid.OneOf(
		rapid.StringMatching(`"[a-z世 ]{0,80}"`), rapid.StringMatching(`[]int\{[0-9]{0,80}\}`), rapid.StringMatching(`[a-z]{1,40}`),
		rapid.StringMatching("`[a-z\"]{0,60}`"), rapid.StringMatching(`g\([0-9]{1,60}\)`), rapid.Just("xs"))
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.StringMatching(`F[a-z]{0,20}`).Draw(t, "name")
		arguments := rapid.SliceOfN(argument, 0, 7).Draw(t, "arguments")
		call := name + "(" + strings.Join(arguments, ", ") + ")"
		if len(arguments) > 0 && rapid.Bool().Draw(t, "variadic") {
			call = strings.TrimSuffix(call, ")") + "...)"
		}
		if _, err := parser.ParseExpr(call); err != nil {
			t.Skip(err)
		}
		got := shortArguments(call, inputLength)
		if n := utf8.RuneCountInString(got); n > inputLength {
			t.Fatalf("%d characters: %s", n, got)
		}
		if len([]rune(call)) <= inputLength && got != call {
			t.Fatalf("%s became %s", call, got)
		}
		if !strings.HasPrefix(got, name+"(") || !strings.HasSuffix(got, ")") {
			t.Fatalf("%s became %s", call, got)
		}
	})
}

// TestListing: what is called exact is the test, byte for byte.
func TestListing(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		goTest string
		exact  bool
		spaces bool // exact with spaces in the place of tabs
	}{
		"plain":           {"package m\n\n\tx := 1\n", true, true},
		"tab within":      {"package m\n\tx :=\t1\n", true, false},
		"no line feed":    {"package m", true, true},
		"invisible":       {"package m // \u202e\n", false, false},
		"carriage return": {"package m\r\n", false, false},
		"too many lines":  {strings.Repeat("\n", testHeight+3), false, false},
		"too long a line": {"// " + strings.Repeat("x", testLineLength) + "\n", false, false},
	} {
		l := listingOf(test.goTest, testHeight)
		if l.exact != test.exact || l.spaced().exact != test.spaces {
			t.Errorf("%s: exact %v, with spaces %v", name, l.exact, l.spaced().exact)
		}
		if l.exact {
			if diff := cmp.Diff(strings.TrimSuffix(test.goTest, "\n"), strings.Join(l.lines, "\n")); diff != "" {
				t.Errorf("%s: %s", name, diff)
			}
		}
		if len(l.lines) > testHeight+1 {
			t.Errorf("%s: %d lines", name, len(l.lines))
		}
	}
}

// TestTargets: many targets are cut to a number that is said.
func TestTargets(t *testing.T) {
	t.Parallel()
	var targets []event.Target
	for range targetsShown + 12 {
		targets = append(targets, event.Target{Function: "F", State: event.Ineligible})
	}
	targets = append(targets, event.Target{Function: "G", Role: "changed", State: event.Compared, Calls: 3})
	all, rest := called(targets), uncalled(targets)
	if len(all.items) != targetsShown || all.more != 13 || len(rest.items) != listed || rest.more != targetsShown+12-listed {
		t.Errorf("%d and %d more, %d and %d more", len(all.items), all.more, len(rest.items), rest.more)
	}
	if got := shown(all.items[0]); got != "G: 3 calls compared" {
		t.Errorf("the first is %q: what changed and was called comes first", got)
	}
	if got := shown(rest.items[0]); got != "F: not called, no reason was recorded" {
		t.Errorf("the first that was not is %q", got)
	}
}

// What a call leaves behind is told by its first part where all of it is long.
func TestLeftBehind(t *testing.T) {
	t.Parallel()
	answer := func(code string) event.Result {
		return event.Result{Outcome: event.Pass, Value: "&ResponseRecorder{Code:" + code + " HeaderMap:map[] Body:*bytes.Buffer(\"\") Flushed:false}"}
	}
	f := event.Finding{Rung: event.Reached, Input: "w := httptest.NewRecorder()\nPage(w, r)", Component: "argument 1", Kind: event.KindValue,
		Base: answer("405"), Head: answer("404"), Differs: []event.PartDiffers{{Path: "argument1.Code", Base: "405", Head: "404"}}}
	if got, want := shown(claim(f)), "Page(httptest.NewRecorder(), r) leaves argument1.Code as 405 on base, 404 on head"; got != want {
		t.Errorf("%s\nnot %s", got, want)
	}
	f.Differs = []event.PartDiffers{{Path: "receiver.Envs[0]", Base: `"-"`}, {Path: "receiver.Stdout.buf", Base: `"A flag ($-)."`, Head: `"A flag."`}}
	if got, want := shown(claim(f)), `Page(httptest.NewRecorder(), r) leaves receiver.Stdout.buf as "A flag ($-)." on base, "A flag." on head`; got != want {
		t.Errorf("%s\nnot %s", got, want)
	}
}

// What a test that goes through a table looks at is told with the row.
func TestTableRow(t *testing.T) {
	t.Parallel()
	f := event.Finding{Rung: event.Observed, Test: "TestRows", Kind: event.KindValue, Given: []event.Part{{Path: "tc.in", Value: `"01.1"`}, {Path: "tc.n", Value: "2"}, {Path: "tc.x", Value: "3"}},
		Base: event.Result{Outcome: event.Pass, Site: "Parse(tc.in, tc.n, tc.x)", Value: "1"}, Head: event.Result{Outcome: event.Pass, Site: "Parse(tc.in, tc.n, tc.x)", Value: "2"}}
	if got, want := shown(claim(f)), `Parse(tc.in, tc.n, tc.x) returns 1 on base, 2 on head, for tc.in = "01.1" and tc.n = 2`; got != want {
		t.Errorf("%s\nnot %s", got, want)
	}
}

package report

import (
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/isodelta/isodelta/report/event"
)

func TestVisible(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"plain ünïcode 世界": "plain ünïcode 世界",
		"a\nb\tc\rd":       `a\nb\tc\rd`,
		"\x1b[31m\x00\x7f": `\x1b[31m\x00\x7f`,
		"\u202eabc\u2066":  `\u{202e}abc\u{2066}`,
		"\u00a0\u3000":     `\u{a0}\u{3000}`,
		"\u0085\u009b":     `\u{85}\u{9b}`,
		"\ufe0f\u115f":     `\u{fe0f}\u{115f}`,
		"\U000e0041":       `\u{e0041}`,
		"a\xff\xc3":        `a\xff\xc3`,
		"\u2028":           `\u{2028}`,
	} {
		if got := visible(in); got != want {
			t.Errorf("visible(%q) = %q, want %q", in, got, want)
		}
	}
}

// TestExcerpts: two texts that differ are cut so that they still differ, and to
// the length asked for.
func TestExcerpts(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		same := rapid.StringMatching(`[a-z]{0,200}`).Draw(t, "same")
		a := same + rapid.StringMatching(`[a-z]{0,100}`).Draw(t, "a")
		b := same + rapid.StringMatching(`[a-z]{0,100}`).Draw(t, "b")
		limit := rapid.IntRange(12, 80).Draw(t, "limit")
		x, y := excerpts(a, b, limit)
		if a != b && x == y {
			t.Fatalf("%q and %q both became %q", a, b, x)
		}
		if utf8.RuneCountInString(x) > limit || utf8.RuneCountInString(y) > limit {
			t.Fatalf("longer than %d: %q, %q", limit, x, y)
		}
	})
}

func TestClaim(t *testing.T) {
	t.Parallel()
	pass := func(value, site string) event.Result {
		return event.Result{Outcome: event.Pass, Value: value, Site: site}
	}
	long := "Parse(strings.NewReader(input), WithLimit(1<<20), WithOrder(binary.BigEndian))"
	forced := func(n ...event.Negation) []event.Negation { return n }
	taken := event.Negation{Text: "n > 0", Taken: true, Universal: true}
	for _, test := range []struct {
		name string
		f    event.Finding
		want string
	}{
		{"call", event.Finding{Rung: event.Observed, Test: "TestF", Base: pass("1", "F(x)"), Head: pass("2", "F(x)")},
			"F(x) returns 1 on base, 2 on head"},
		{"no call", event.Finding{Rung: event.Observed, Test: "TestF", Base: pass("1", "got"), Head: pass("2", "got")},
			"got is 1 on base, 2 on head"},
		{"builtin", event.Finding{Rung: event.Observed, Test: "TestF", Base: pass("1", "len(x)"), Head: pass("2", "len(x)")},
			"len(x) is 1 on base, 2 on head"},
		{"long call", event.Finding{Rung: event.Observed, Test: "TestF", Base: pass("1", long), Head: pass("2", long)},
			"Parse(…) returns 1 on base, 2 on head"},
		{"a repeated byte", event.Finding{Rung: event.Observed, Test: "TestF", Base: pass(`T("`+strings.Repeat(`\x00`, 64)+`")`, "F()"), Head: pass(`T("`+strings.Repeat(`\x00`, 56)+`")`, "F()")},
			`F() returns …` + strings.Repeat(`\x00`, 11) + `\x… on base, …` + strings.Repeat(`\x00`, 4) + ` on head: 64 bytes and 56`},
		{"white space only", event.Finding{Rung: event.Observed, Test: "TestF", Base: pass("a\nb", "s"), Head: pass("a\n b", "s")},
			`s is a\nb on base, a\n b on head`},
		{"the number of blanks only", event.Finding{Rung: event.Observed, Test: "TestF", Base: pass(`"  a b "`, "s"), Head: pass(`"   a b "`, "s")},
			`s is "␣␣a␣b␣" on base, "␣␣␣a␣b␣" on head`},
		{"not reached", event.Finding{Rung: event.Observed, Test: "TestF", Base: pass("1", "F()"), Head: pass("", "F()")},
			"F() returns 1 on base, is not reached on head"},
		{"not reached on base", event.Finding{Rung: event.Observed, Test: "TestF", Base: pass("(not reached)", "F()"), Head: pass("1", "F()")},
			"F() is not reached on base, returns 1 on head"},
		{"one more value", event.Finding{Rung: event.Observed, Test: "TestF", Base: pass("(not seen)", "F()"), Head: pass("1", "F()")},
			"F() also returns 1 on head, never on base"},
		{"one value less", event.Finding{Rung: event.Observed, Test: "TestF", Base: pass("1", "x"), Head: pass("(not seen)", "x")},
			"x is also 1 on base, never on head"},
		{"more often", event.Finding{Rung: event.Observed, Test: "TestF", Base: pass("1 (seen 3 times)", "F()"), Head: pass("1 (seen once)", "F()")},
			"F() returns 1 3 times on base, once on head"},
		{"a value that looks like it", event.Finding{Rung: event.Observed, Test: "TestF", Base: pass("1 (seen 3 times)", "x"), Head: pass("1 (seen 01 times)", "x")},
			"x is 1 (seen 3 times) on base, 1 (seen 01 times) on head"},
		{"not reached after a panic", event.Finding{Rung: event.Observed, Test: "TestF", Base: event.Result{Outcome: event.Panic, Message: "m"}, Head: pass("(not reached)", "F()")},
			"F() panics on base (m), does not on head"},
		{"error in its words", event.Finding{Rung: event.Observed, Kind: "value-to-error", Test: "TestF", Base: pass("1", "F()"), Head: pass(`error("x")`, "F()")},
			`F() returns 1 on base, the error x on head`},
		{"hidden", event.Finding{Rung: event.Observed, Test: "TestF", Base: pass("1", "F()"), Head: pass("1", "F()")},
			"F() differs between base and head in a way that its text does not show"},
		{"both panic", event.Finding{Rung: event.Forced, Test: "TestF", Negations: forced(taken), Base: event.Result{Outcome: event.Panic, Message: "a"}, Head: event.Result{Outcome: event.Panic, Message: "b"}},
			"TestF panics on base (a), panics on head (b) if n > 0 is true"},
		{"base dies", event.Finding{Rung: event.Forced, Test: "TestF", Negations: forced(taken), Base: event.Result{Outcome: event.Died}, Head: pass("", "")},
			"TestF ends the process on base, passes on head if n > 0 is true"},
		{"three conditions", event.Finding{Rung: event.Forced, Test: "TestF", Negations: forced(taken, taken, taken), Base: pass("1", "F()"), Head: pass("2", "F()")},
			"F() returns 1 on base, 2 on head if n > 0 is true, n > 0 is true and 1 more condition turned round"},
		{"both branches", event.Finding{Kind: "value", Base: pass("1", "F()"), Head: pass("2", "F()"), Negations: forced(event.Negation{Text: "n > 0", Inverted: true})},
			"F() returns 1 on base, 2 on head if n > 0 is the opposite each time"},
		{"messages", event.Finding{Rung: event.Observed, Test: "TestF", Base: event.Result{Outcome: event.Fail, Message: "x"}, Head: event.Result{Outcome: event.Fail, Message: "y"}},
			"TestF fails on both, with x on base, y on head"},
		{"the same type", event.Finding{Rung: event.Observed, Test: "TestF", Base: pass(`big.Int("31")`, "F()"), Head: pass(`big.Int("-1")`, "F()")},
			"F() returns 31 on base, -1 on head"},
		{"another type", event.Finding{Rung: event.Observed, Test: "TestF", Base: pass(`big.Int("31")`, "F()"), Head: pass(`big.Rat("31")`, "F()")},
			`F() returns big.Int("31") on base, big.Rat("31") on head`},
		{"an element less", event.Finding{Rung: event.Observed, Test: "TestF", Base: pass("[1 2 3 2]", "F()"), Head: pass("[1 2 3]", "F()")},
			"F() returns [1 2 3 2] on base, [1 2 3] on head: 2 is lost"},
		{"elements more", event.Finding{Rung: event.Observed, Test: "TestF", Base: pass(`[]string{"a, b", "c"}`, "F()"), Head: pass(`[]string{"x", "a, b", "c", "]"}`, "F()")},
			`F() returns []string{"a, b", "c"} on base, []string{"x", "a, b", "c", "]"} on head: "x" and "]" are new`},
		{"another order", event.Finding{Rung: event.Observed, Test: "TestF", Base: pass("{1,2,{3,4},5}", "F()"), Head: pass("{1,5,2,{3,4}}", "F()")},
			"F() returns {1,2,{3,4},5} on base, {1,5,2,{3,4}} on head: the same elements in another order"},
		{"a result list with an error", event.Finding{Rung: event.Observed, Kind: "value-to-error", Test: "TestF", Base: pass("1, nil", "F()"), Head: pass(`0, error("x")`, "F()")},
			`F() returns 1, nil on base, 0, error("x") on head`},
	} {
		var text strings.Builder
		for _, s := range claim(test.f) {
			text.WriteString(visible(s.text))
		}
		if text.String() != test.want {
			t.Errorf("%s:\n got %s\nwant %s", test.name, text.String(), test.want)
		}
	}
}

func TestComplaint(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"m_test.go:3: got 1": "m_test.go:3: got 1",
		"m_test.go:8:\n\tError Trace:\tm_test.go:6\n\tError:      \tNot equal:\n\t\texpected: 1\n\tTest:       \tTestF\n": "Not equal: expected: 1",
		"Error Trace: x":              "Error Trace: x",
		"Error Trace: Error: Test: x": "Error Trace: Error: Test: x",
	} {
		if got := complaint(in); got != want {
			t.Errorf("complaint(%q) = %q, want %q", in, got, want)
		}
	}
}

// TestProof: what the evidence is, in words.
func TestProof(t *testing.T) {
	t.Parallel()
	pass, fail := event.Result{Outcome: event.Pass}, event.Result{Outcome: event.Fail}
	universal, unique := []event.Negation{{Universal: true}}, []event.Negation{{Universal: true}, {}}
	inverted := []event.Negation{{Inverted: true}}
	for want, f := range map[string]event.Finding{
		"observed in TestF, which does not check it":                                   {Rung: event.Observed, Base: pass, Head: pass},
		"observed in TestF, which fails for it":                                        {Rung: event.Observed, Base: pass, Head: fail},
		"observed in TestF, which passes on head only":                                 {Rung: event.Observed, Base: fail, Head: pass},
		"observed in TestF, which fails on both":                                       {Rung: event.Observed, Base: fail, Head: fail},
		"observed in TestF, which the change edits":                                    {Rung: event.Observed, Base: pass, Head: fail, Intended: true},
		"forced: no test takes the branch":                                             {Rung: event.Forced, Negations: universal},
		"forced: TestF does not take these branches":                                   {Rung: event.Forced, Negations: unique},
		"forced: TestF takes both branches, and here the other one each time":          {Rung: event.Forced, Negations: inverted},
		"forced: TestF takes both branches of the first condition, and not the others": {Rung: event.Forced, Negations: append(inverted, unique...)},
		"reached while TestF of base's suite ran":                                      {Rung: event.Reached, Origin: "in-place", Suite: "base"},
		"reached by a sequence of calls":                                               {Rung: event.Reached, Origin: "sequence"},
		"reached by a generated call":                                                  {Rung: event.Reached, Origin: "@x"},
		"found in a way that this isodelta does not know":                              {Rung: "@x"},
	} {
		f.Test, f.Base.Site = "TestF", "F()"
		if got := shown(proof(f)); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

func TestFunctionName(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"F": "F", "lists/list.New": "list.New", "(*BitSet).Shrink": "BitSet.Shrink", "(Decimal).Mod$1": "Decimal.Mod$1",
		"(*lists/list.Iterator[K,V]).Next": "list.Iterator.Next", "a b/c": "a b/c", "(*T": "(*T", "": "",
	} {
		if got := functionName(in); got != want {
			t.Errorf("functionName(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestNumber(t *testing.T) {
	t.Parallel()
	for n, want := range map[int]string{0: "0", 999: "999", 1000: "1,000", 1234567: "1,234,567", -1234: "-1,234", -123: "-123"} {
		if got := number(n); got != want {
			t.Errorf("number(%d) = %s, want %s", n, got, want)
		}
	}
	for s, want := range map[float64]string{0.25: "0.2 s", 61.2: "61 s", 150: "3 min", 7260: "2 h 1 min"} {
		if got := seconds(s); got != want {
			t.Errorf("seconds(%v) = %s, want %s", s, got, want)
		}
	}
}

// TestReplayCommand: a forged ID does nothing in a shell.
func TestReplayCommand(t *testing.T) {
	t.Parallel()
	for id, want := range map[string]string{
		"3fa9c1":    "isodelta replay 3fa9c1",
		"$(x)":      "isodelta replay '$(x)'",
		"a'; b":     `isodelta replay 'a'\''; b'`,
		"-C /":      "isodelta replay '-C /'",
		"a\nrm -rf": `isodelta replay 'a\nrm -rf'`,
	} {
		if got := replayCommand(id); got != want {
			t.Errorf("replayCommand(%q) = %s, want %s", id, got, want)
		}
	}
}

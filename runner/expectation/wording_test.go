package expectation

import (
	"testing"

	"github.com/isodelta/isodelta/report/event"
)

// A phrase that the change writes in another way explains values that differ by it alone.
func TestOfWording(t *testing.T) {
	t.Parallel()
	const was, is = `	fmt.Printf("Prining page %d failed: %v\n", n, err)`, `	fmt.Printf("Printing page %d failed: %v\n", n, err)`
	for _, c := range []struct {
		name, removed, added, base, head string
		want                             bool
	}{
		{"a word of it", was, is, `"Prining page 0 failed: no\n"`, `"Printing page 0 failed: no\n"`, true},
		{"another number, too", was, is, `"Prining page 0 failed: no\n"`, `"Printing page 1 failed: no\n"`, false},
		{"another text", was, is, `"Prin"`, `"Print"`, false},
		{"other verbs", was, `	fmt.Printf("Printing page %x failed: %v\n", n, err)`, `"Prining page 10 failed: no\n"`, `"Printing page a failed: no\n"`, false},
		{"no phrase", `	key = "name"`, `	key = "Name"`, `"name"`, `"Name"`, false},
		{"a part of two", `	return "no such file here", "a b"`, `	return "there is no such file", "a b"`, `"no such file here: x"`, `"there is no such file: x"`, true},
		{"another number of texts", `	return "no such file here"`, `	return "there is no such file", "a"`, `"no such file here"`, `"there is no such file"`, false},
		{"a line of a long text", "		It is in beta, and may change.", "		It is in preview, and may change.", `&Command{Long:"It is in beta, and may change.\n"}`, `&Command{Long:"It is in preview, and may change.\n"}`, true},
		{"a line that does not explain all", "		It is in beta, and may change.", "		It is in preview, and may change.", `&Command{Long:"It is in beta, and may change.\n" Max:1}`, `&Command{Long:"It is in preview, and may change.\n" Max:2}`, false},
		{"a value that is cut off", "		It is in beta, and may change.", "		It is in preview, and may change.", `&Command{Long:"It is in beta, and may change.\nThe end of…`, `&Command{Long:"It is in preview, and may change.\nThe end…`, false},
		{"a line break", `	print("one two three\n")`, `	print("one two\nthree")`, `"one two three\n"`, `"one two\nthree"`, true},
	} {
		e := Edits{reworded: rewordings("page.go", 7, []string{"", c.removed}, []string{"", c.added})}
		f := event.Finding{Rung: event.Reached, Kind: event.KindValue, Function: "Show", Input: "Show(0)",
			Base: event.Result{Outcome: event.Pass, Value: c.base}, Head: event.Result{Outcome: event.Pass, Value: c.head}}
		x := e.Mark([]event.Finding{f})[0].Expected
		if (x != nil) != c.want || x != nil && x.Line != 8 {
			t.Errorf("%s: %+v, want one %t", c.name, x, c.want)
		}
	}
}

// A part that is cut off behind the phrase is explained by it if nothing else differs in front of that.
func TestOfWordingCutOff(t *testing.T) {
	t.Parallel()
	e := Edits{reworded: rewordings("page.go", 7, []string{"	It is in beta, and may change."}, []string{"	It is in preview, and may change."})}
	for _, c := range []struct {
		name, base, head string
		want             bool
	}{
		{"the phrase alone", `"It is in beta, and may change.\nThe end of…`, `"It is in preview, and may change.\nThe end…`, true},
		{"something in front of it", `"1 It is in beta, and may change.\nThe end of…`, `"2 It is in preview, and may change.\nThe end…`, false},
		{"something behind it", `"It is in beta, and may change.\nOne end of…`, `"It is in preview, and may change.\nThe end…`, false},
		{"cut off before it", `"One long text, which …`, `"One long text, whi…`, false},
	} {
		f := event.Finding{Rung: event.Reached, Kind: event.KindValue, Function: "Show", Input: "Show(0)", Differs: []event.PartDiffers{{Path: "result.Long", Base: c.base, Head: c.head}},
			Base: event.Result{Outcome: event.Pass, Value: "&Command{a…"}, Head: event.Result{Outcome: event.Pass, Value: "&Command{b…"}}
		if got := e.Mark([]event.Finding{f})[0].Expected; (got != nil) != c.want {
			t.Errorf("%s: %+v, want one %t", c.name, got, c.want)
		}
	}
}

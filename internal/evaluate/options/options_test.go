package options

import (
	"errors"
	"flag"
	"io"
	"slices"
	"strings"
	"testing"
)

func TestFlags(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		args  string
		parts string
		wrong string // in a UsageError
		help  bool
	}{
		{args: "", parts: "one two three"},
		{args: "-three -one", parts: "one three"},
		{args: "-n 3 -two", parts: "two"},
		{args: "-n x", wrong: "-n"},
		{args: "-four", wrong: "-four"},
		{args: "-one two", wrong: `unexpected argument "two"`},
		{args: "-h", help: true},
	} {
		f := New("test", io.Discard)
		f.AddParts([]string{"one", "two", "three"})
		f.Int("n", 1, "a number")
		err := f.Parse(strings.Fields(c.args))
		var bad *UsageError
		switch {
		case c.help:
			if !errors.Is(err, flag.ErrHelp) || errors.As(err, &bad) {
				t.Errorf("%q: %v, want help", c.args, err)
			}
		case c.wrong != "":
			if !errors.As(err, &bad) || !strings.Contains(err.Error(), c.wrong) {
				t.Errorf("%q: %v, want %q", c.args, err, c.wrong)
			}
		default:
			if got := strings.Join(f.Parts(), " "); err != nil || got != c.parts {
				t.Errorf("%q: parts %q, error %v, want %q", c.args, got, err, c.parts)
			}
		}
	}
}

func TestChoose(t *testing.T) {
	t.Parallel()
	known := []string{"c", "a", "b"}
	for list, want := range map[string]string{
		"":        "",
		" , ":     "",
		"b, c,b":  "c b",
		"few":     "a b",
		"few,c":   "c a b",
		"a,other": `-subjects: "other" is unknown; choose from few, c, a, b`,
	} {
		got, err := Choose("subjects", list, known, Group{"few", []string{"b", "a"}})
		if text := strings.Join(got, " "); err == nil && text != want || err != nil && err.Error() != want {
			t.Errorf("%q: %q, error %v, want %q", list, text, err, want)
		}
		_, err = ChooseSome("subjects", list, known, Group{"few", []string{"b", "a"}})
		var bad *UsageError
		if none := strings.Trim(list, " ,") == ""; none && (!errors.As(err, &bad) || !strings.Contains(err.Error(), "names none")) {
			t.Errorf("%q: %v, want an error that nothing is named", list, err)
		}
	}
	if !slices.Equal(known, []string{"c", "a", "b"}) {
		t.Errorf("what is known has become %v", known)
	}
}

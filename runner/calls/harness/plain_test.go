package harness

import (
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/isodelta/isodelta/runner/calls/wire"
)

// Texts, numbers and seeds come from code under test: whatever they are,
// something is made of them, of bounded size, the same for a seed.
func FuzzPlain(f *testing.F) {
	f.Add("", "", uint64(0), int64(0))
	f.Add("key: [1, 2]\n", "a", uint64(1), int64(math.MinInt64))
	f.Add("\xff\xfe", "é世\x00", uint64(2), int64(math.MaxInt64))
	f.Add(strings.Repeat("{", 3000), strings.Repeat("٣", 900), uint64(3), int64(-1))
	f.Add("1e999", "0x", uint64(math.MaxUint64), int64(1))
	f.Fuzz(func(t *testing.T, known, like string, seed uint64, n int64) {
		var made [2][]string
		for k := range made {
			p := NewPlain()
			p.AddText(int(seed%5)-1, known)
			p.AddText(wire.NearTests, like)
			p.AddNumber(int(seed%5)-1, n)
			p.addFloat(known)
			r := NewRand(seed)
			for range 50 {
				s := p.String(r, like)
				if len(s) > 13*maxText { // of so many tokens a learned one is made
					t.Fatalf("%d bytes", len(s))
				}
				made[k] = append(made[k], s)
				for _, bits := range []int{8, 16, 32, 64} {
					p.Int(r, n, bits)
				}
				p.Float(r, math.Float64frombits(uint64(n)))
			}
		}
		if !slices.Equal(made[0], made[1]) {
			t.Fatal("two runs with one seed differ")
		}
	})
}

// A text is its tokens, put together again, and a token is of one class.
func TestTokensAreTheText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := string(rapid.SliceOf(rapid.SampledFrom([]byte("ab1 \n{\"_-\xc3\xa9\xff"))).Draw(t, "text"))
		list := tokenize(s)
		if strings.Join(list, "") != s {
			t.Fatalf("%q: %q", s, list)
		}
		for _, x := range list {
			if x == "" {
				t.Fatalf("%q: an empty token", s)
			}
			for _, y := range tokenize(x)[1:] {
				t.Fatalf("%q: token %q holds %q", s, x, y)
			}
		}
	})
}

// What the change contains is tried more often than what only tests contain,
// and what is near it, plus or minus one, too.
func TestLiteralsOfTheChangeComeOften(t *testing.T) {
	p := NewPlain()
	p.AddText(wire.NearDiff, "needle")
	p.AddNumber(wire.NearDiff, 6173)
	for range 500 {
		p.AddText(wire.NearTests, "straw")
		p.AddNumber(wire.NearTests, 4)
	}
	r := NewRand(1)
	needles, exact, off := 0, 0, 0
	const tries = 4000
	for range tries {
		if strings.Contains(p.String(r, ""), "needle") {
			needles++
		}
		switch p.Int(r, 0, 64) {
		case 6173:
			exact++
		case 6172, 6174:
			off++
		}
	}
	if needles < tries/20 || exact < tries/100 || off < tries/1000 {
		t.Errorf("of %d: %d with the text, %d with the number, %d next to it", tries, needles, exact, off)
	}
}

// Texts learn from texts: what is made of two keeps to their tokens.
func TestTextsAreSplicedAtTokens(t *testing.T) {
	p := NewPlain()
	p.AddText(wire.NearTests, "width=12;height=34")
	p.AddText(wire.NearTests, "depth=56")
	r := NewRand(7)
	seen := map[string]bool{}
	for range 20_000 {
		seen[p.String(r, "width=12;height=34")] = true
	}
	for _, want := range []string{"depth=12;height=34", "width=56;height=34", "width=12;height=34;height=34", "height=34", "width=12", "WIDTH=12;HEIGHT=34", ""} {
		if !seen[want] {
			t.Errorf("never made %q", want)
		}
	}
	if len(seen) < 2000 {
		t.Errorf("only %d different texts", len(seen))
	}
}

// A number that a condition compares with can be reached through a text too.
func TestNumbersOfTheCodeInTexts(t *testing.T) {
	p := NewPlain()
	p.AddNumber(wire.NearCode, 57343)
	r := NewRand(1)
	seen := map[string]bool{}
	for range 80_000 {
		seen[p.String(r, "&#916;")] = true
	}
	for _, want := range []string{"&#57342;", "&#57343;", "&#57344;", "&#dfff;"} {
		if !seen[want] {
			t.Errorf("%s was not made", want)
		}
	}
}

// Lines keep what is deeper than their first one, wherever they go.
func TestIndented(t *testing.T) {
	got := indented([]string{"  a:\n", "    b\n", "c\n"}, "\t")
	if want := []string{"\ta:\n", "\t  b\n", "\tc\n"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// A name becomes another one of the text, and one that is alone stays.
func TestAnother(t *testing.T) {
	r := NewRand(1)
	for range 20 {
		if got := another(r, tokenize("f(x, y) = x"), "x"); got != "f" && got != "y" {
			t.Fatalf("x becomes %q", got)
		}
	}
	if got := another(r, tokenize("x + 1"), "x"); got != "x" {
		t.Errorf("x becomes %q", got)
	}
}

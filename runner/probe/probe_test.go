package probe

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

type point struct {
	X, Y   int
	secret int
}

type list struct {
	Next *list
	V    int
}

type loud struct{ n int }

func (l loud) String() string { return fmt.Sprint("loud ", l.n) }

type bad struct{}

func (bad) Error() string { panic("no text") }

func see(x any) (visible, hidden uint64) {
	v, h, _ := digest(reflect.ValueOf(x), false)
	return v, h
}

func TestDigestSeesWhatUsersSee(t *testing.T) {
	ring := &list{V: 1}
	ring.Next = ring
	chain := &list{V: 1, Next: &list{V: 1}}
	now := time.Now()
	shared := []int{1}
	for _, c := range []struct {
		name            string
		a, b            any
		visible, hidden bool // differ
	}{
		{"equal structs", point{1, 2, 3}, point{1, 2, 3}, false, false},
		{"exported field", point{1, 2, 3}, point{1, 3, 3}, true, true},
		{"unexported field", point{1, 2, 3}, point{1, 2, 4}, false, true},
		{"nil and empty", []int(nil), []int{}, true, true},
		{"length", []int{1}, []int{1, 1}, true, true},
		{"map order", map[string]int{"a": 1, "b": 2, "c": 3}, map[string]int{"c": 3, "b": 2, "a": 1}, false, false},
		{"map value", map[string]int{"a": 1}, map[string]int{"a": 2}, true, true},
		{"cycle and chain", ring, chain, true, true},
		{"not a number", math.NaN(), math.Float64frombits(0x7ff8000000000002), false, false},
		{"negative zero", 0.0, math.Copysign(0, -1), true, true},
		{"instants", now, now.UTC(), false, false},
		{"errors by text", errors.New("a"), fmt.Errorf("a"), false, false},
		{"error texts", errors.New("a"), errors.New("b"), true, true},
		{"String decides", loud{1}, loud{2}, true, true},
		{"addresses in text", "at 0xc000123456", "at 0xc000654321", false, false},
		{"names of literals", "x.org/a/v4.static.func1 (x.org/a/v4.(*Echo).File.func2.1)", "x.org/a/v4.common.static.func1 (x.org/a/v4.(*Echo).File.common.file.func1.func3)", false, false},
		{"literals of two packages", "x.org/a.f.func1", "x.org/b.f.func1", true, true},
		{"no literal", "a.func1, p.f.func", "b.func1, p.g.func", true, true},
		{"functions", func() {}, func() { _ = shared }, false, false},
		{"nil function", (func())(nil), func() {}, true, true},
		{"types", int32(1), int64(1), true, true},
		{"panicking Error", bad{}, bad{}, false, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			av, ah := see(c.a)
			bv, bh := see(c.b)
			if (av != bv) != c.visible || (ah != bh) != c.hidden {
				t.Errorf("visible differs: %t, hidden differs: %t", av != bv, ah != bh)
			}
		})
	}
}

// A copy has the same digest, and rendering never fails.
func TestDigestOfCopies(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := rapid.MapOf(rapid.String(), rapid.SliceOf(rapid.Int())).Draw(t, "m")
		again := make(map[string][]int, len(m))
		for k, v := range m {
			again[k] = append(v[:0:0], v...)
			if v != nil && again[k] == nil {
				again[k] = []int{}
			}
		}
		a, _ := see(m)
		b, _ := see(again)
		if a != b {
			t.Fatalf("digest of a copy differs: %v", m)
		}
		x, _ := render(reflect.ValueOf(m))
		y, _ := render(reflect.ValueOf(again))
		if x != y {
			t.Fatalf("rendered %s and %s", x, y)
		}
	})
}

// Looking at one large value again and again must end: after some megabytes a
// site is only sampled, then counts only.
func TestObservingHasABudget(t *testing.T) {
	run.active = true
	defer func() { run.active = false; forget() }()
	large := strings.Repeat("x", 1<<20)
	for range 5000 {
		observe(1, large)
	}
	if w := seen[1].work; w > 3*siteWork || seen[1].count != 5000 {
		t.Errorf("work %d after %d observations", w, seen[1].count)
	}
}

func TestRender(t *testing.T) {
	for want, v := range map[string]any{
		`"a\nb"`:               "a\nb",
		`[1 2]`:                []int{1, 2},
		`[]int(nil)`:           []int(nil),
		`[]byte("hi")`:         []byte("hi"),
		`map["a":1 "b":2]`:     map[string]int{"b": 2, "a": 1},
		`&point{X:1 Y:2}`:      &point{1, 2, 3},
		`error("x")`:           errors.New("x"),
		`probe.loud("loud 4")`: loud{4},
		`nil`:                  (*point)(nil),
	} {
		if got, _ := render(reflect.ValueOf(v)); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
	if got, _ := render(reflect.ValueOf(strings.Repeat("é", 5000))); len(got) > maxText+8 {
		t.Errorf("%d bytes", len(got))
	}
}

// Negation flips a condition, coverage says which way it went, and work is
// counted down to a panic that a recover in the code cannot keep away.
func TestBranches(t *testing.T) {
	defer func(f int64) { fuel = f; wipe(); clear(negated[:]); run.ranOut = false }(fuel)
	if !B(3, true) || covered[7] != 1 || covered[6] != 0 {
		t.Error("plain")
	}
	negated[3] = true
	if B(3, true) || covered[6] != 1 {
		t.Error("negated")
	}
	fuel = 2
	caught := 0
	for range 5 {
		func() {
			defer func() {
				if recover() != nil {
					caught++
				}
			}()
			B(1, true)
		}()
	}
	if caught != 3 || !run.ranOut {
		t.Errorf("caught %d panics, want 3", caught)
	}
}

// Addresses differ from build to build and from process to process; other
// numbers stay.
func TestAddressesAreNoise(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"at 0xc000123456 and 0xc0001abcde":                              "at 0xADDRESS and 0xADDRESS",
		"f(0x7f8e1ca110a0?, {0x7f69881241e0, 0x1})":                     "f(0xADDRESS?, {0xADDRESS, 0x1})",
		"0x7f8e1ca110 and 0x8f8e1ca110a0":                               "0x7f8e1ca110 and 0x8f8e1ca110a0",
		"func 0x6a8360, 0x47f2c0":                                       "func 0xADDRESS, 0xADDRESS",
		"f(0x0000000000961d81, 0x000000c000123456, 0x0000000000000001)": "f(0xADDRESS, 0xADDRESS, 0x0000000000000001)",
		"0xc00012345600000000":                                          "0xc00012345600000000",
		"%!a(progress.Generator=7686a0) 100%!":                          "%!a(progress.Generator=ADDRESS) 100%!",
		"%!d(bool=true) %!s(int=12345)":                                 "%!d(bool=true) %!s(int=12345)",
		"%!x(*m.T=c000123456)%!z(string=added)":                         "%!x(*m.T=ADDRESS)%!z(string=added)",
		"0x6a83600xc000123456":                                          "0xADDRESS0xADDRESS", // printed without a blank
		"0xff 0x00ff00 0x400 0x3fffff 0x12ab":                           "0xff 0x00ff00 0x400 0x3fffff 0x12ab",
		"0xc0":                                                          "0xc0",
		"{0 824633825176 [] -824633825176 1}":                           "{0 ADDRESS [] -ADDRESS 1}",
		"824633825176 8246338251761 1824633825":                         "ADDRESS 8246338251761 1824633825",
		"82 829999999999":                                               "82 829999999999",
		"0xdeadbeef 0xc00012345 0x0x":                                   "0xdeadbeef 0xc00012345 0x0x",
		"0x":                                                            "0x",
		"goroutine 7 [running]:\nmain.f(0x1f?, {0x1?})\n\t/a/x.go:1\n\nc":         "goroutine N [running]:\nSTACK\n\nc",
		"a\nf()\n\t/x.go:1 +0x1c\ncreated by g in goroutine 1\n\t/x.go:2 +0x3\nb": "a\nSTACK\nb",
		"the list:\n\t/of/x.go:1 is it":                                           "the list:\n\t/of/x.go:1 is it",
	} {
		if got := normal(in); got != want {
			t.Errorf("%q became %q, want %q", in, got, want)
		}
	}
}

// The heap of a run time that is not the seeded one begins somewhere else in each process.
func TestAddressesOfTheHeapAreNoise(t *testing.T) {
	t.Parallel()
	text := fmt.Sprintf("at %p: %v", make([]byte, 1<<12+len(os.Args)), []any{&struct{ p *int }{new(int)}})
	if got := normal(text); !strings.HasPrefix(got, "at 0xADDRESS: [0xADDRESS]") {
		t.Errorf("%q became %q", text, got)
	}
}

// Where code stands in its file differs between versions as soon as a line is
// put in above it; what a program says of files of its own stays.
func TestLinesOfTheTestedCodeAreNoise(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"no map:\n    m.(*D).get\n        /tmp/isodelta-1962/head/decode.go:812": "no map:\n    m.(*D).get\n        /tmp/isodelta-1962/head/decode.go:LINE",
		"m.f(...)\n\t/tmp/isodelta-1/base/a.go:12 +0x1d\nm.g()":                  "STACK\nm.g()",
		"/tmp/isodelta-1/base/a.go:12:34: bad":                                   "/tmp/isodelta-1/base/a.go:LINE:34: bad",
		"input.go:12: bad, see /tmp/isodelta-1/base/a.go:":                       "input.go:12: bad, see /tmp/isodelta-1/base/a.go:",
		"panic\n\tgithub.com/a/b@v1.2.0/c/d.go:24 +0x4d\nx":                      "panic\n\tgithub.com/a/b@VERSION/c/d.go:LINE\nx",
		"/root/go/pkg/mod/a.b/c@v1.3.0-rc.1/d.go:7: see a@v1":                    "/root/go/pkg/mod/a.b/c@VERSION/d.go:LINE: see a@v1",
		"me@vienna.example/a.go:3 b@v2.go:4":                                     "me@vienna.example/a.go:3 b@v2.go:4",
		"/usr/lib/go/src/fmt/print.go:9 /tmp/isodelta-1/x":                       "/usr/lib/go/src/fmt/print.go:9 /tmp/isodelta-1/x",
	} {
		if got := normal(in); got != want {
			t.Errorf("%q became %q, want %q", in, got, want)
		}
	}
}

func TestFitRefuses(t *testing.T) {
	before := size
	for _, line := range []string{
		"", "1 2 3 4", "1 2 3 4 m", "1 2 3 x \"m\"", "1 2 3 4 \"m\" 5",
		Size{Conditions: maxConditions + 1}.Line(), Size{Arms: maxArms + 1}.Line(), Size{Entries: maxEntries + 1}.Line(),
	} {
		if fit(line) || !reflect.DeepEqual(size, before) {
			t.Errorf("%q is taken for a size", line)
		}
	}
	largest := Size{maxConditions, maxArms, maxEntries, 1 << 20, "m", []string{"m.T.F", "m/p.T.G"}}
	if err := largest.Check(); err != nil {
		t.Error(err)
	}
	largest.Arms++
	if err := largest.Check(); err == nil {
		t.Error("a program is larger than the tables, and nobody says so")
	}
}

// The digest of what was covered is one of the set of branches, whichever table they
// are in, and what is new is counted once.
func TestCoverage(t *testing.T) {
	defer func(f int64) { fuel = f; wipe() }(fuel)
	wipe()
	var c Coverage
	traces := map[uint64]bool{}
	for _, x := range []struct {
		do    func()
		fresh int
	}{
		{func() {}, 0},
		{func() { B(0, true) }, 1},
		{func() { B(63, false) }, 1},
		{func() { A(0) }, 1},
		{func() { A(15); B(63, true) }, 2},
		{func() { B(0, true); A(15) }, 0},
	} {
		wipe()
		x.do()
		trace, fresh := c.Add()
		again, none := c.Add()
		if fresh != x.fresh || traces[trace] || again != trace || none != 0 {
			t.Errorf("digests %x and %x, %d and %d new branches; want %d new", trace, again, fresh, none, x.fresh)
		}
		traces[trace] = true
	}
	got, times := c.Branches()
	if want := []int{1, 126, 127, 128, 143}; !slices.Equal(got, want) {
		t.Errorf("branches %v, want %v", got, want)
	}
	if len(times) != len(got) || slices.Min(times) < 2 {
		t.Errorf("each was taken in twice at least: %v", times)
	}
	if got := CoveredBranches(); !slices.Equal(got, []int{1, 143}) {
		t.Errorf("the last covered %v", got)
	}
	if b := appendBits(nil, []uint8{1, 0, 1}, []uint8{1, 1, 0, 0, 0, 1}); !bytes.Equal(b, []byte{9, 0, 0, 0, 0b00011101, 1}) {
		t.Errorf("bits %v", b)
	}
}

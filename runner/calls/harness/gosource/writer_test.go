package gosource

import (
	"bytes"
	"math"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/isodelta/isodelta/runner/calls/harness"
	"github.com/isodelta/isodelta/runner/calls/wire"
)

// What sequences give when they are run, compiled and compared with what was
// written, is tested beside package harness, whose generator makes them. Here is
// what can be told without running anything.

type named struct{ Next *named }

// written returns what a writer makes of something, with packages by their names.
func written(w *writer, f func() string) string {
	return wire.Qualify(f(), func(path string) string { return w.packages[path] + "." })
}

func TestTypesAreWrittenDown(t *testing.T) {
	for want, typ := range map[string]reflect.Type{
		"[]byte":                           reflect.TypeFor[[]uint8](),
		"map[rune][]string":                reflect.TypeFor[map[int32][]string](),
		"<-chan error":                     reflect.TypeFor[<-chan error](),
		"chan (<-chan int)":                reflect.TypeFor[chan (<-chan int)](),
		"func(string, ...any) (int, bool)": reflect.TypeFor[func(string, ...any) (int, bool)](),
		"*strings.Builder":                 reflect.TypeFor[*strings.Builder](),
		"[2]time.Duration":                 reflect.TypeFor[[2]time.Duration](),
		"interface { Close() error }":      reflect.TypeFor[interface{ Close() error }](),
		"struct { A int `json:\"a\"` }": reflect.TypeFor[struct {
			A int `json:"a"`
		}](),
	} {
		w := newWriter(&harness.Registry{Package: "example.com/m"})
		if got := written(w, func() string { return w.typ(typ) }); got != want || w.err != nil {
			t.Errorf("%s is written as %s (%v)", want, got, w.err)
		}
	}
}

// What nobody outside can name has a reason, and within its package it is
// written, and said to be the package's own.
func TestUnexportedTypes(t *testing.T) {
	outside := newWriter(&harness.Registry{Package: "example.com/m"})
	if outside.typ(reflect.TypeFor[named]()); outside.err == nil {
		t.Error("an unexported type of another package is named")
	}
	within := newWriter(&harness.Registry{Package: reflect.TypeFor[named]().PkgPath()})
	if got := within.typ(reflect.TypeFor[*named]()); !strings.HasSuffix(got, "named") || within.err != nil || !within.internal {
		t.Errorf("%q, %v, internal %t", got, within.err, within.internal)
	}
}

func TestValuesAreWrittenDown(t *testing.T) {
	for want, v := range map[string]any{
		"-7":                             -7,
		"'x'":                            'x',
		"math.MaxInt64":                  int64(math.MaxInt64),
		"1.0":                            1.0,
		"math.Copysign(0, -1)":           math.Copysign(0, -1),
		"float32(math.Inf(1))":           float32(math.Inf(1)),
		"complex(0.5, 2.0)":              complex(0.5, 2),
		"90 * time.Second":               90 * time.Second,
		`"a\x00"`:                        "a\x00",
		"`a \"b\" \\c`":                  `a "b" \c`,
		`strings.Repeat("é", 50)`:        strings.Repeat("é", 50),
		`[]string{"a", "b"}`:             []string{"a", "b"},
		`map[string]int{"a": 1}`:         map[string]int{"a": 1},
		`[]byte("text")`:                 []byte("text"),
		"make([]byte, 16)":               make([]byte, 16),
		"bytes.Repeat([]byte{0xff}, 16)": bytes.Repeat([]byte{0xff}, 16),
		`[]byte("aaaaaaaaaaaa")`:         []byte("aaaaaaaaaaaa"),
		"[][]int{{1}, nil}":              [][]int{{1}, nil},
		"struct { A int }{A: 1}":         struct{ A int }{1},
	} {
		w := newWriter(&harness.Registry{Package: "example.com/m"})
		l, ok := w.litOf(reflect.ValueOf(v), 0)
		got := written(w, func() string { return w.expr(l, reflect.TypeOf(v), typed) })
		if !ok || got != want || w.err != nil {
			t.Errorf("%#v is written as %s, want %s (%v)", v, got, want, w.err)
		}
	}
}

// Variables are called as Go programmers call them.
func TestNamesOfVariables(t *testing.T) {
	for want, typ := range map[string]reflect.Type{
		"err":  reflect.TypeFor[error](),
		"ok":   reflect.TypeFor[bool](),
		"b":    reflect.TypeFor[[]byte](),
		"when": reflect.TypeFor[time.Time](),
		"d":    reflect.TypeFor[time.Duration](),
		"m":    reflect.TypeFor[map[string]int](),
		"loc":  reflect.TypeFor[*time.Location](),
		"r":    reflect.TypeFor[*strings.Reader](),
	} {
		if got := nameFor(typ); got != want {
			t.Errorf("a %s is called %s, want %s", typ, got, want)
		}
	}
}

// What is in itself has no text, for package fmt would end the process with it; a pointer to itself has one.
func TestFormattedEnds(t *testing.T) {
	list := []any{1, nil}
	list[1] = list
	table := map[string]any{}
	table["a"] = []any{table}
	type node struct{ Next *node }
	ring := &node{}
	ring.Next = ring
	for _, c := range []struct {
		v    any
		ends bool
	}{{list, false}, {table, false}, {struct{ L []any }{list}, false}, {ring, true}, {[]any{[]any{1}, map[string]any{"a": 2}}, true}} {
		if text, ok := formatted("%v", reflect.ValueOf(c.v)); ok != c.ends {
			t.Errorf("%T: %q, %t", c.v, text, ok)
		}
	}
}

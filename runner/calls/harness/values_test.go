package harness

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
	"unsafe"

	"pgregory.net/rapid"

	"github.com/isodelta/isodelta/runner/calls/wire"
	"github.com/isodelta/isodelta/runner/calls/wire/wiretest"
	probe "github.com/isodelta/isodelta/runner/probe"
)

// shown writes a literal of a value shortly.
func shown(l wire.Lit) string {
	var parts []string
	for _, e := range l.E {
		parts = append(parts, shown(e))
	}
	all := strings.Join(parts, " ")
	switch l.Form {
	case wire.Zero:
		return "nil"
	case wire.Bool:
		return fmt.Sprint(l.N == 1)
	case wire.Int:
		return fmt.Sprint(l.N)
	case wire.Uint:
		return fmt.Sprint(uint64(l.N)) + "u"
	case wire.Float:
		return fmt.Sprint(l.Float64()) + "f"
	case wire.Text:
		return fmt.Sprintf("%q", l.S)
	case wire.Hole:
		return "?"
	case wire.Pointer:
		return "&" + all
	}
	return map[wire.Form]string{wire.Complex: "complex", wire.Seq: "", wire.Map: "map", wire.Struct: "struct", wire.Dynamic: "any", wire.Special: l.S}[l.Form] + "[" + all + "]"
}

func shownAll(list []wire.Lit) string {
	return shown(wire.Lit{Form: wire.Seq, E: list})
}

// What values look like, part by part.
func TestValuesAreWritten(t *testing.T) {
	type Inner struct {
		A int8
		b string
		m map[int]bool
	}
	type Ring struct{ Next *Ring }
	type key struct {
		p *int
		n int
	}
	ring := &Ring{}
	ring.Next = &Ring{ring}
	self := []any{1, nil}
	self[1] = self
	deep := &Ring{&Ring{&Ring{&Ring{&Ring{&Ring{&Ring{}}}}}}}
	one, two := 1, 1
	var none error
	hidden := struct{ at time.Time }{time.Unix(3, 4)}
	r := newRegistry()
	for _, c := range []struct {
		value any // what it points to is written
		want  string
	}{
		{new(bool), "false"}, {new(int16), "0"}, {new(uint8), "0u"}, {new(float32), "0f"}, {new(string), `""`},
		{ptr(math.NaN()), "NaNf"}, {ptr(math.Copysign(0, -1)), "-0f"}, {ptr(uint64(math.MaxUint64)), "18446744073709551615u"}, {ptr(complex(1, -2)), "complex[1f -2f]"},
		{ptr([]int(nil)), "nil"}, {ptr([]int{}), "[]"}, {ptr([]int{3, 1}), "[3 1]"}, {ptr([2]bool{true}), "[true false]"},
		{ptr([]byte(nil)), "nil"}, {ptr([]byte("raw")), `"raw"`}, {ptr([]byte{}), `""`},
		{ptr(map[string]int(nil)), "nil"}, {ptr(map[string]int{"b": 2, "": 0, "a": 1}), `map["" 0 "a" 1 "b" 2]`},
		{ptr(map[int]string{10: "x", -1: "y", 9: "z"}), `map[-1 "y" 9 "z" 10 "x"]`},
		{ptr(map[uint64]int{1: 1, math.MaxUint64: 2}), `map[1u 1 18446744073709551615u 2]`},
		{ptr(map[float64]int{math.NaN(): 3, math.Inf(1): 2, -1: 1}), `map[-1f 1 +Inff 2 NaNf 3]`},
		{ptr(map[float64]int{math.NaN(): 1, -math.NaN(): 2}), "?"}, // in no order
		{ptr(map[key]int{{&one, 2}: 1, {nil, 1}: 2}), `map[struct[nil 1] 2 struct[? 2] 1]`},
		{ptr(map[key]int{{&one, 1}: 1, {&two, 1}: 2}), "?"},
		{ptr(Inner{1, "x", map[int]bool{2: true}}), `struct[1 "x" map[2 true]]`}, {ptr(&Inner{}), `&struct[0 "" nil]`}, {ptr((*Inner)(nil)), "nil"},
		{ptr(ring), "&struct[&struct[?]]"}, {ptr(self), "[any[1] any[?]]"}, {ptr([]*int{&one, &one}), "[&1 &1]"},
		{ptr(deep), strings.Repeat("&struct[", 4) + "&?" + strings.Repeat("]", 4)},
		{&none, "nil"}, {ptr(errors.New("bad at 0xc000123456")), `"bad at 0xADDRESS"`},
		{ptr([]error{nil, errors.New("x"), endlessError{}, panickingError{}}), `[nil "x" ? ?]`},
		{ptr[any](nil), "nil"}, {ptr[any](7), "any[7]"}, {ptr[any](Inner{}), "?"}, {ptr(struct{ e error }{errors.New("x")}), "struct[?]"},
		{ptr(func() {}), "?"}, {ptr((func())(nil)), "nil"}, {ptr(make(chan int)), "?"}, {ptr(uintptr(7)), "?"}, {new(uintptr), "0u"}, {ptr(unsafe.Pointer(&one)), "?"},
		{ptr(time.Unix(1, 2)), "time[1 2]"}, {&hidden, "struct[time[3 4]]"}, {ptr(reflect.TypeFor[int]()), "?"},
		{ptr(bytes.NewBufferString("left")), `buffer["left"]`}, {ptr[any](bytes.NewBufferString("left")), `any[buffer["left"]]`},
		{ptr(strings.Repeat("x", 5000)), "?"}, {ptr(make([]byte, 5000)), "?"}, {ptr([]string{strings.Repeat("x", 5000), "y"}), `[? "y"]`},
		{ptr(make([]int, 257)), "?"}, {ptr([1000]int{}), "?"}, {ptr(struct{ a, b any }{make([]int, 300), 1}), "struct[any[?] any[1]]"},
	} {
		if got := shown(r.written(reflect.ValueOf(c.value).Elem())); got != c.want {
			t.Errorf("%T %v: %s, want %s", c.value, c.value, got, c.want)
		}
	}
	if got := r.written(reflect.Value{}); got.Form != wire.Hole {
		t.Errorf("nothing is written as %s", shown(got))
	}
}

func ptr[T any](v T) *T { return &v }

type endlessError struct{}

func (endlessError) Error() string { return fmt.Sprint(endless(-1)) }

type panickingError struct{}

func (panickingError) Error() string { panic("no") }

// However large and whatever its shape, a value is written with few literals and
// bytes, in time, and comes through.
func TestLargeValues(t *testing.T) {
	wide := map[[3]int]map[int][]string{}
	for i := range 200 {
		wide[[3]int{i, -i, i % 7}] = map[int][]string{}
		for k := range 200 {
			wide[[3]int{i, -i, i % 7}][k] = []string{strings.Repeat("x", k)}
		}
	}
	var nested any = 1
	for range 100 {
		nested = []any{nested, nested, nested, nested}
	}
	r := newRegistry()
	for _, x := range []any{wide, nested, make([][][]int, 200), [200][200][200]bool{}} {
		l := r.written(reflect.ValueOf(x))
		v := wire.Valued{Ran: true, Results: []wire.Lit{l}}
		b := v.Encode(nil)
		if n := 20*valueNodes + valueText; len(b) > n {
			t.Errorf("%T takes %d bytes of %d", x, len(b), n)
		}
		if back, err := wire.DecodeValued(b); err != nil || len(back) != 1 {
			t.Errorf("%T: %v", x, err)
		}
		if again := r.written(reflect.ValueOf(x)); !reflect.DeepEqual(again, l) {
			t.Errorf("%T is written otherwise the second time", x)
		}
	}
}

// A value is rebuilt from its literal as it was, where all of it can be.
func TestValuesCanBeBuilt(t *testing.T) {
	b := newBed()
	rapid.Check(t, func(t *rapid.T) {
		type Part struct {
			F float64
			P *int
		}
		type whole struct {
			M map[string][]int
			L []Part
			U uint32
			A [2]string
			E any
		}
		one := rapid.Custom(func(t *rapid.T) Part {
			return Part{rapid.Float64().Draw(t, "f"), rapid.Ptr(rapid.Int(), true).Draw(t, "p")}
		})
		v := whole{rapid.MapOfN(rapid.StringN(0, 9, 9), rapid.SliceOfN(rapid.Int(), 0, 4), 0, 5).Draw(t, "m"), rapid.SliceOfN(one, 0, 4).Draw(t, "l"),
			rapid.Uint32().Draw(t, "u"), [2]string{rapid.StringN(0, 9, 9).Draw(t, "a")}, rapid.Int().Draw(t, "e")}
		got, err := b.Build(b.written(reflect.ValueOf(v)), reflect.TypeFor[whole]())
		if err != nil || !reflect.DeepEqual(got.Interface(), v) {
			t.Fatalf("%v: %+v became %+v", err, v, got)
		}
	})
}

// The last step is told: how it ended, which branches it alone took, what it gave,
// and what became of its arguments.
func TestValuesOfTheLastStep(t *testing.T) {
	b := newBed()
	counting := wire.Lit{Form: wire.Pointer, E: []wire.Lit{{Form: wire.Struct, E: []wire.Lit{number(3)}}}}
	list := reflect.TypeFor[[]int]()
	for name, c := range map[string]struct {
		p    wire.Sequence
		want string
	}{
		"results":             {wire.Sequence{b.step("two", number(1), text("x"))}, `returned [? ?] [1 "x"]`},
		"an error":            {wire.Sequence{b.step("fail", number(4))}, `returned [?] [4 "failed with 4"]`},
		"receiver":            {wire.Sequence{b.step("Add", counting, number(4))}, `returned [&struct[7 0] ?] [7]`},
		"hidden state":        {wire.Sequence{b.step("newCounter"), b.step("Hide", wire.RefTo(0, 0), number(4))}, `returned [&struct[0 4] ?] []`},
		"a map":               {wire.Sequence{b.step("setKey", wire.Lit{Form: wire.Map}, text("k"))}, `returned [map["k" 1] ?] [nil]`},
		"a number made":       {wire.Sequence{b.step("two", number(6), text("")), b.step("two", wire.RefTo(0, 0), text("y"))}, `returned [6 ?] [6 "y"]`},
		"more arguments":      {wire.Sequence{b.step("variadic", text("-"), wire.Lit{Form: wire.Seq, E: []wire.Lit{text("a"), text("b")}})}, `returned [? ["a" "b"]] ["a-b"]`},
		"a variable":          {wire.Sequence{b.step("shared")}, `returned [] [[1 2 3]]`},
		"a value to look at":  {wire.Sequence{b.step("newCounter"), b.step("Add", wire.RefTo(0, 0), number(2)), b.let(reflect.TypeFor[*counter](), wire.RefTo(0, 0))}, `returned [] [&struct[2 0]]`},
		"a write":             {wire.Sequence{b.let(list, numbers(1)), b.step("write", wire.RefTo(0, 0), number(2))}, `returned [] []`},
		"a panic":             {wire.Sequence{b.step("crash", number(1))}, `panicked [] []`},
		"no end":              {wire.Sequence{b.step("endless", number(-1))}, `exhausted 7 [] []`},
		"branches":            {wire.Sequence{b.step("endless", number(5)), b.step("endless", number(0))}, `returned 6 [?] [0]`},
		"no steps":            {wire.Sequence{}, `not run`},
		"what cannot be":      {wire.Sequence{b.step("window", text("x"))}, `not run`},
		"no such operation":   {wire.Sequence{{Op: 4000}}, `not run`},
		"an end on the way":   {wire.Sequence{b.step("crash", number(1)), b.step("two", number(1), text(""))}, `not run`},
		"nonsense on the way": {wire.Sequence{b.step("window", text("x")), b.step("two", number(1), text(""))}, `not run`},
	} {
		for range 2 {
			if got := told(b.values(c.p, nil)); got != c.want {
				t.Errorf("%s: %s, want %s", name, got, c.want)
			}
		}
	}
}

func told(v wire.Valued) string {
	if !v.Ran {
		return "not run"
	}
	s := [...]string{"returned", "panicked", "exhausted"}[v.Ending]
	for _, b := range v.Branches {
		s += fmt.Sprint(" ", b)
	}
	return s + " " + shownAll(v.Args) + " " + shownAll(v.Results)
}

// A negated condition is one only while the last step runs.
func TestValuesWithConditionsNegated(t *testing.T) {
	s := &server{m: NewMachine(stackRegistry(false))}
	var op [4]wire.Op
	for i := range op {
		op[i] = wire.OpAt(i) // newPile, Push, Pop, Size
	}
	push := func(n int64) wire.Step { return wire.Step{Op: op[1], Args: []wire.Lit{wire.RefTo(0, 0), number(n)}} }
	on := func(o wire.Op) wire.Step { return wire.Step{Op: o, Args: []wire.Lit{wire.RefTo(0, 0)}} }
	p := wire.Sequence{{Op: op[0]}, push(7), push(8), push(9), on(op[2])}
	ask := func(negate ...int) string {
		t.Helper()
		s.buf = s.buf[:0]
		s.values(wire.Values{Negate: negate, Sequences: []wire.Sequence{p, append(p[:len(p):len(p)], on(op[3]))}}.Encode())
		rows, err := wire.DecodeValued(s.buf)
		if err != nil || len(rows) != 2 {
			t.Fatalf("%v: %+v", err, rows)
		}
		return told(rows[0]) + "; " + told(rows[1])
	}
	size := "returned [&struct[[7 8] true false]] [2]"
	as := "returned 2 5 [&struct[[7 8] true false]] [9 nil]; " + size
	for _, c := range []struct {
		negate []int
		want   string
	}{
		{nil, as},
		{[]int{1}, `returned 3 [&struct[[7 8 9] false false]] [0 "empty"]; ` + size},
		{[]int{2}, "returned 2 4 [&struct[[7 8] false false]] [9 nil]; " + size},
		{[]int{2, 40, 1 << 20}, "returned 2 4 [&struct[[7 8] false false]] [9 nil]; " + size},
		{nil, as},
	} {
		if got := ask(c.negate...); got != c.want {
			t.Errorf("%v negated: %s, want %s", c.negate, got, c.want)
		}
	}
}

// An answer holds a row for each sequence, in order, and says nothing of a damaged
// question; what is asked counts in no statistics.
func TestValuesAnswers(t *testing.T) {
	b := newBed()
	b.cover = &probe.Coverage{}
	s := &server{m: b.Machine}
	var list []wire.Sequence
	for i := range int64(500) {
		list = append(list, wire.Sequence{b.step("endless", number(i%50))})
	}
	rows := 0
	for rows < len(list) { // it may take longer than the time for one answer
		s.buf = s.buf[:0]
		s.values(wire.Values{Sequences: list[rows:]}.Encode())
		part, err := wire.DecodeValued(s.buf)
		if err != nil || len(part) == 0 {
			t.Fatalf("%v: %d rows", err, len(part))
		}
		for _, v := range part {
			if len(v.Results) != 1 || v.Results[0].N != int64(rows%50) {
				t.Fatalf("row %d: %s", rows, told(v))
			}
			rows++
		}
	}
	if taken, _ := b.cover.Branches(); len(taken) > 0 || len(b.entered) > 0 {
		t.Error("it is counted what was executed")
	}
	s.buf = nil
	if s.values([]byte{255}); len(s.buf) > 0 {
		t.Errorf("a damaged question is answered with %d bytes", len(s.buf))
	}
	s.buf = nil
	s.values(wire.Values{Sequences: list[:3]}.Encode()[:12])
	if part, err := wire.DecodeValued(s.buf); err != nil || len(part) > 3 {
		t.Errorf("%v: %d rows", err, len(part))
	}
}

// Whatever the sequence, the answer comes, the same each time, and can be decoded.
func TestValuesOfAnything(t *testing.T) {
	m := NewMachine(distributionRegistry())
	g := newGenerator(m, dictionaryOfTests(), 5)
	ran := 0
	rapid.Check(t, func(t *rapid.T) {
		p := g.next()
		if rapid.IntRange(0, 4).Draw(t, "damaged") == 0 {
			p = wiretest.AnySequence(t, 5)
			p = slices.DeleteFunc(p, func(s wire.Step) bool { return !m.Has(s.Op) })
		}
		v := m.values(p, nil)
		if v.Ran {
			ran++
		}
		rows, err := wire.DecodeValued(v.Encode(nil))
		if err != nil || len(rows) != 1 || told(rows[0]) != told(v) {
			t.Fatalf("%v: %s came through as %+v", err, told(v), rows)
		}
		if again := m.values(p, nil); told(again) != told(v) {
			t.Fatalf("%s, then %s", told(v), told(again))
		}
	})
	if ran == 0 {
		t.Errorf("%d sequences ran", ran)
	}
}

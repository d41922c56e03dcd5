package probe

import (
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"
)

type mute struct {
	a     int
	m     map[string]*mute
	f     func()
	inner []int
}

func (*mute) String() string { panic("a method was called") }

func named() {}

func state(values ...any) uint64 {
	var vs []reflect.Value
	for _, v := range values {
		vs = append(vs, reflect.ValueOf(v))
	}
	return State(vs...)
}

func TestStateSeesAll(t *testing.T) {
	one := func() *mute { return &mute{a: 1, m: map[string]*mute{"x": {a: 2}, "y": nil}, inner: []int{1}} }
	shared := one()
	for _, c := range []struct {
		name    string
		a, b    []any
		differs bool
	}{
		{"copies", []any{one()}, []any{one()}, false},
		{"unexported field", []any{&mute{a: 1}}, []any{&mute{a: 2}}, true},
		{"deep field", []any{one()}, []any{&mute{a: 1, m: map[string]*mute{"x": {a: 3}, "y": nil}, inner: []int{1}}}, true},
		{"shared between values", []any{shared, shared}, []any{one(), one()}, true},
		{"order", []any{1, 2}, []any{2, 1}, true},
		{"one and two", []any{1}, []any{1, nil}, true},
		{"functions by name", []any{&mute{f: named}}, []any{&mute{f: nothing}}, true},
		{"the same function", []any{&mute{f: named}}, []any{&mute{f: named}}, false},
		{"types", []any{reflect.TypeOf(0)}, []any{reflect.TypeOf("")}, true},
		{"reflected values", []any{&struct{ v reflect.Value }{reflect.ValueOf(1)}}, []any{&struct{ v reflect.Value }{reflect.ValueOf(2)}}, true},
		{"equal reflected values", []any{&struct{ v reflect.Value }{reflect.ValueOf(one())}}, []any{&struct{ v reflect.Value }{reflect.ValueOf(one())}}, false},
		{"times in two zones", []any{&struct{ at time.Time }{time.Unix(1, 0).UTC()}}, []any{&struct{ at time.Time }{time.Unix(1, 0).In(time.FixedZone("x", 60))}}, true},
		{"the same type", []any{reflect.TypeOf(0)}, []any{reflect.TypeOf(0)}, false},
	} {
		if got := state(c.a...) != state(c.b...); got != c.differs {
			t.Errorf("%s: differs: %t", c.name, got)
		}
	}
}

// What is done aside is not part of the iteration.
func TestAside(t *testing.T) {
	defer func(f int64, o func(int, any, []any)) {
		fuel, Watch, OnEntry = f, false, o
		run.active, run.ranOut = false, false
		wipe()
		forget()
	}(fuel, OnEntry)
	run.active, Watch, fuel = true, true, 1000
	calls := 0
	OnEntry = func(int, any, []any) { calls++ }
	B(1, true)
	observe(2, "seen")
	before, sites, stdout := fuel, len(touched), os.Stdout

	restore := Aside()
	if os.Stdout == stdout || Watch {
		t.Error("output is kept, or entries are watched")
	}
	F(3)
	e, _, used := Guard(10, func() {
		for {
			B(2, true)
			observe(4, "unseen")
		}
	})
	restore()

	if e != Exhausted || used < 10 {
		t.Errorf("ending %d after %d", e, used)
	}
	if fuel != before || run.ranOut || covered[5] != 0 || covered[3] != 1 || entered[3] != 0 ||
		len(touched) != sites || os.Stdout != stdout || !Watch {
		t.Error("something is left")
	}
	Enter(1, nil)
	if observe(4, "seen"); calls != 1 || len(touched) != sites+1 {
		t.Error("nothing is seen afterwards")
	}
}

func TestGuardTellsEndings(t *testing.T) {
	defer func(f int64) { fuel = f }(fuel)
	fuel = 50
	if e, message, used := Guard(100, func() { B(1, false) }); e != Returned || message != "" || used != 1 {
		t.Error(e, message, used)
	}
	if e, message, _ := Guard(100, func() { panic("boom") }); e != Panicked || message != "boom" {
		t.Error(e, message)
	}
	// A recover in the code does not hide that the work ran out.
	if e, _, _ := Guard(5, func() {
		defer func() { _ = recover() }()
		for {
			B(1, true)
		}
	}); e != Exhausted {
		t.Error(e)
	}
	if fuel != 50 || run.ranOut {
		t.Error("fuel is not given back")
	}
	wipe()
}

// Where a panic comes from is told when somebody asks: the innermost code of the module, below what
// a deferred function calls and above what the library is.
func TestGuardLocatesPanics(t *testing.T) {
	defer func(module string) { size.Module = module }(size.Module)
	size.Module = "github.com/isodelta/isodelta/runner/probe"
	numbers := []int{1, 0}
	call := func() {
		defer func() { _ = strings.Repeat("a", len(numbers)) }()
		slices.SortFunc(numbers, func(a, b int) int { return numbers[a+b+1] })
	}
	if Guard(100, call); PanickedAt() != (Frame{}) {
		t.Error("nobody asked where the panic comes from")
	}
	LocatePanics(true)
	defer LocatePanics(false)
	Guard(100, call)
	if at := PanickedAt(); filepath.Base(at.File) != "access_test.go" || at.Line == 0 {
		t.Errorf("it comes from %v", at)
	}
	Guard(100, func() {})
	if Guard(100, func() { _ = strings.Repeat("a", -len(numbers)) }); filepath.Base(PanickedAt().File) != "access_test.go" {
		t.Errorf("the panic of a library is told at %v", PanickedAt())
	}
}

// Conditions are negated until they are restored to what they were, also where one is
// named twice; others stay.
func TestNegate(t *testing.T) {
	defer wipe()
	defer func(f int64) { fuel = f }(fuel)
	fuel = 100
	negated[5] = true
	defer func() { negated[5] = false }()
	restore := Negate([]int{4, 5, 4, -1, size.Conditions, 1 << 40})
	if B(4, true) || B(5, true) || !B(6, true) || negated[size.Conditions] {
		t.Error("not those conditions are negated")
	}
	if restore(); !B(4, true) || B(5, true) {
		t.Error("conditions are not as they were")
	}
}

func TestMarked(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		table := make([]uint8, rapid.IntRange(0, 60).Draw(t, "size"))
		var want []int
		for i := range table {
			if rapid.IntRange(0, 9).Draw(t, "marked") == 0 {
				table[i] = 1
				want = append(want, i+5)
			}
		}
		if got := marked(nil, table, 5); !slices.Equal(got, want) {
			t.Fatalf("%v: %v, want %v", table, got, want)
		}
	})
}

// A goroutine that an earlier call has left behind, and that never ends, does not end the process, and takes nothing
// from the call under way. One that holds a lock gives it back first.
func TestGuardEndsStrays(t *testing.T) {
	defer func(f int64) { fuel = f }(fuel)
	var mu sync.Mutex
	ended := make(chan bool)
	work := func(rounds int) {
		for range rounds {
			B(1, true)
			runtime.Gosched()
		}
	}
	locked := func() {
		mu.Lock()
		work(40)
		mu.Unlock()
	}
	deep := func() { func() { func() { func() { locked() }() }() }() }
	go func() {
		defer close(ended)
		for {
			A(1)
			deep()
		}
	}()
	e, _, _ := Guard(2000, func() {
		for {
			select {
			case <-ended:
				mu.Lock()
				mu.Unlock()
				work(1000)
				return
			default:
				runtime.Gosched()
			}
		}
	})
	if e != Returned {
		t.Errorf("ended %v, want that it returns", e)
	}
	if e, _, _ := Guard(100, func() { work(200) }); e != Exhausted {
		t.Errorf("a call that goes on: %v", e)
	}
}

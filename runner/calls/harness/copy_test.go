package harness

import (
	"bytes"
	"errors"
	"io"
	"net"
	"os"
	"reflect"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
	"unsafe"

	"pgregory.net/rapid"

	probe "github.com/isodelta/isodelta/runner/probe"
)

func surveyOf(values ...any) *survey {
	var vs []reflect.Value
	var ts []reflect.Type
	for _, v := range values {
		vs, ts = append(vs, reflect.ValueOf(v)), append(ts, reflect.TypeOf(v))
	}
	return look(vs, ts)
}

// duplicate copies one value.
func duplicate[T any](t *testing.T, v T) T {
	t.Helper()
	s := look([]reflect.Value{reflect.ValueOf(&v).Elem()}, []reflect.Type{reflect.TypeOf(&v).Elem()})
	if s.reason != "" {
		t.Fatalf("%T: %s", v, s.reason)
	}
	return s.copy()[0].Interface().(T)
}

type graph struct {
	name  string
	next  *graph
	field *int
	n     int
	a, b  []byte
	m     map[string]*graph
	any   any
	list  []any
	lock  sync.Mutex
	count atomic.Int64
	inner struct{ x, y int }
	back  *struct{ x, y int }
}

func TestCopyKeepsShape(t *testing.T) {
	t.Parallel()
	g := &graph{name: "one", n: 1}
	g.field = &g.n
	g.back = &g.inner
	g.next = &graph{name: "two", next: g}
	backing := []byte("0123456789")
	g.a, g.b = backing[2:4], backing[3:6:6]
	g.m = map[string]*graph{"self": g, "other": g.next}
	g.any = g.m
	g.list = []any{g.list, g, 1, "a", [2]*int{&g.n, nil}}
	g.list[0] = g.list
	g.count.Store(5)
	g.lock.Lock()

	c := duplicate(t, g)
	switch {
	case c == g || c.next == g.next || c.next.next != c:
		t.Error("the ring is not a ring of its own")
	case c.field != &c.n || c.back != &c.inner:
		t.Error("a pointer into the struct points elsewhere")
	case &c.a[1] != &c.b[0] || cap(c.a) != 8 || cap(c.b) != 3 || string(c.a) != "23" || &c.a[0] == &g.a[0]:
		t.Error("slices no longer share their array")
	case string(c.a[:8]) != "23456789":
		t.Error("what lies behind the length is gone")
	case c.m["self"] != c || c.m["other"] != c.next || len(c.m) != 2:
		t.Error("the map leads elsewhere")
	case reflect.ValueOf(c.any).Pointer() != reflect.ValueOf(c.m).Pointer() || reflect.ValueOf(c.m).Pointer() == reflect.ValueOf(g.m).Pointer():
		t.Error("two maps instead of one")
	case c.list[1] != any(c) || c.list[4].([2]*int)[0] != &c.n || &c.list[0].([]any)[0] != &c.list[0]:
		t.Error("interfaces lead elsewhere")
	case c.count.Load() != 5 || c.lock.TryLock():
		t.Error("counter or lock")
	}
	c.n, c.a[0], c.m["new"], c.list[2] = 7, 'x', nil, 8
	if g.n != 1 || g.a[0] != '2' || len(g.m) != 2 || g.list[2] != 1 {
		t.Error("the original changed")
	}
}

func TestCopiesAreApart(t *testing.T) {
	t.Parallel()
	s := surveyOf(&graph{a: []byte("ab")}, []int{1})
	x, y := s.copy(), s.copy()
	x[0].Interface().(*graph).a[0] = 'z'
	x[1].Index(0).SetInt(9)
	if string(y[0].Interface().(*graph).a) != "ab" || y[1].Index(0).Int() != 1 {
		t.Error("two copies share memory")
	}
	same := []int{1, 2, 3}
	z := surveyOf(same, same[1:], &same[2]).copy()
	z[0].Index(2).SetInt(30)
	if z[1].Index(1).Int() != 30 || z[2].Elem().Int() != 30 || same[2] != 3 {
		t.Error("arguments no longer share memory")
	}
	z[1].Index(0).SetInt(20)
	// Neither of two overlapping slices holds the other.
	w := surveyOf(same[0:2:2], same[1:3:3]).copy()
	w[1].Index(0).SetInt(21)
	if w[0].Index(1).Int() != 21 {
		t.Error("overlapping slices no longer share memory")
	}
}

// What a reflected value stands for is copied too.
func TestCopyOfReflectedValues(t *testing.T) {
	t.Parallel()
	type reflected struct {
		n             int
		place, inside reflect.Value
		free, none    reflect.Value
	}
	var outside []int
	r := &reflected{n: 1, place: reflect.ValueOf(&outside).Elem(), free: reflect.ValueOf([]int{1})}
	n := new(struct{ A, B int })
	r.inside = reflect.ValueOf(n).Elem().Field(1)
	c := duplicate(t, r)
	if c.place.CanSet() != true || c.free.CanSet() || c.none.IsValid() || c.free.Index(0).Int() != 1 {
		t.Errorf("%+v", c)
	}
	c.place.Set(reflect.ValueOf([]int{2}))
	c.inside.SetInt(3)
	c.free.Index(0).SetInt(4)
	if outside != nil || n.B != 0 || r.free.Index(0).Int() != 1 {
		t.Error("the original changed")
	}
	if s := surveyOf(reflect.ValueOf(r).Elem().Field(0)); !strings.Contains(s.reason, "unexported field") {
		t.Errorf("%q", s.reason)
	}
}

func lexNumber() {}

func TestWhatIsShared(t *testing.T) {
	t.Parallel()
	type holder struct {
		err  error
		loc  *time.Location
		re   *regexp.Regexp
		typ  reflect.Type
		next func()
		at   time.Time
	}
	h := holder{io.EOF, time.UTC, regexp.MustCompile("a"), reflect.TypeOf(0), lexNumber, time.Now()}
	c := duplicate(t, h)
	if c.err != io.EOF || c.loc != h.loc || c.re != h.re || c.typ != h.typ || c.next == nil || !c.at.Equal(h.at) {
		t.Errorf("%+v", c)
	}
	if e := duplicate(t, error(&net.OpError{Op: "a", Err: errors.New("b")})); e.Error() != "a: b" {
		t.Error(e)
	}
}

// A mutex that is locked is seen wherever it lies in a value.
func TestLockedMutexIsSeen(t *testing.T) {
	t.Parallel()
	type guarded struct {
		name string
		mu   sync.Mutex
	}
	free, held := &guarded{name: "a"}, &guarded{name: "b"}
	held.mu.Lock()
	for _, c := range []struct {
		v    any
		want bool
	}{{free, false}, {held, true}, {[]*guarded{free, held}, true}, {map[string]any{"x": held}, true}, {"text", false}} {
		if s := surveyOf(c.v); s.reason != "" || s.locked != c.want {
			t.Errorf("%T: locked is %t, %q", c.v, s.locked, s.reason)
		}
	}
}

func TestWhatCannotBeCopied(t *testing.T) {
	t.Parallel()
	n := 1
	var reading sync.RWMutex
	reading.RLock()
	for reason, v := range map[string]any{
		"channel":                 struct{ c chan int }{make(chan int)},
		"function":                func() int { return n },
		"unsafe pointer":          unsafe.Pointer(&n),
		"sync.RWMutex in use":     &reading,
		"os.File":                 struct{ w io.Writer }{os.Stderr},
		"testing.T":               t,
		"too large":               make([]byte, copiedBytes+1),
		"memory seen in two ways": []any{&struct{ a, b [4]int }{}, nil},
	} {
		if reason == "memory seen in two ways" {
			s := &struct{ a, b [4]int }{}
			whole := unsafe.Slice(&s.a[0], 8)
			v = []any{whole[2:6:6], (*[4]int)(unsafe.Pointer(&whole[4]))}
		}
		s := surveyOf(v)
		if !strings.Contains(s.reason, reason) {
			t.Errorf("%T: %q, want %q", v, s.reason, reason)
		}
	}
	long := &graph{}
	for i := 0; i < copiedNodes; i++ {
		long = &graph{next: long}
	}
	if s := surveyOf(long); s.reason != "too large" {
		t.Errorf("%q", s.reason)
	}
	for _, v := range []any{(chan int)(nil), (func())(nil), unsafe.Pointer(nil), &sync.Once{}, (*os.File)(nil),
		func() int { return 4 }, struct{ f func() }{func() {}}, strings.ToUpper} {
		if s := surveyOf(v); s.reason != "" {
			t.Errorf("%T: %s", v, s.reason)
		}
	}
}

// A copy is in the same state, can be copied again, and nothing done to it
// changes the original.
func TestCopyProperty(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		nodes := make([]*graph, rapid.IntRange(1, 6).Draw(t, "nodes"))
		for i := range nodes {
			nodes[i] = &graph{name: rapid.String().Draw(t, "name"), a: rapid.SliceOf(rapid.Byte()).Draw(t, "a")}
		}
		pick := func() *graph { return nodes[rapid.IntRange(0, len(nodes)-1).Draw(t, "pick")] }
		for _, n := range nodes {
			n.next, n.field = pick(), &pick().n
			if a := pick().a; len(a) > 1 {
				k := rapid.IntRange(0, len(a)-1).Draw(t, "from")
				n.b = a[k:]
			}
			n.m = map[string]*graph{rapid.String().Draw(t, "key"): pick()}
			n.any = []any{pick(), *new(any), n.b, rapid.Int().Draw(t, "int"), n.m}
		}
		s := surveyOf(nodes)
		if s.reason != "" {
			t.Fatal(s.reason)
		}
		before := probe.State(reflect.ValueOf(nodes))
		c := s.copy()[0].Interface().([]*graph)
		if probe.State(reflect.ValueOf(c)) != before || !reflect.DeepEqual(c, nodes) {
			t.Fatal("the copy differs")
		}
		for _, n := range c {
			n.n, n.name, n.next = 1, "changed", n
			for i := range n.a {
				n.a[i]++
			}
			for i := range n.b {
				n.b[i]++
			}
			clear(n.m)
			n.any.([]any)[0] = nil
		}
		if probe.State(reflect.ValueOf(nodes)) != before {
			t.Fatal("the original changed")
		}
	})
}

func BenchmarkCopy(b *testing.B) {
	g := &graph{name: "one", m: map[string]*graph{"a": {}}, list: []any{1, "a", bytes.NewBufferString("x")}, a: make([]byte, 100)}
	for range b.N {
		surveyOf(g).copy()
	}
}

//go:build go1.21

package probe

import (
	"io"
	"os"
	"reflect"
	"sort"
	"strings"
	"sync"
	"sync/atomic"
)

// account sums up what one site has seen: digests are added, so that the order
// in which goroutines pass a site does not matter.
type account struct {
	count           uint32
	visible, hidden uint64
	work            int // that looking has cost
}

var (
	seenLock sync.Mutex
	seen     []account // by site, see fit
	touched  []int
)

func forget() {
	seenLock.Lock()
	for _, s := range touched {
		seen[s] = account{}
	}
	touched = touched[:0]
	seenLock.Unlock()
}

// observe digests the values seen at a site, results of one call together.
func observe(site int, values ...any) {
	if !run.active || run.warm || site < 0 || site >= len(seen) || atomic.LoadInt32(&aside) != 0 {
		return
	}
	seenLock.Lock()
	spent := seen[site].work
	seenLock.Unlock()
	var v, h uint64
	work := 0
	for i := range values {
		if spent > 2*siteWork {
			break // from now on it is only counted
		}
		a, b, n := digest(reflect.ValueOf(values[i]), spent > siteWork)
		v, h = mix(v, a), mix(h, b)
		work += n
	}
	charge(work)
	seenLock.Lock()
	a := &seen[site]
	a.work += work
	if a.count == 0 {
		touched = append(touched, site)
	}
	a.count++
	a.visible += mix(v, 0x9e3779b97f4a7c15)
	a.hidden += mix(h, 0x9e3779b97f4a7c15)
	seenLock.Unlock()
	if run.wanted != nil && run.wanted[site] {
		keepText(site, values)
	}
}

// charge takes the cost of an observation off the fuel: a negated branch may
// make a test's own loop go round until the fuel is spent, and looking costs as
// much time as many conditions.
//
//go:norace
func charge(work int) { fuel -= 8 + int64(work)/nodeWork }

// At most so many observations, and bytes, are rendered in one iteration. The
// parent must know when a list may be cut short.
const (
	MaxTexts     = 20000
	MaxTextBytes = 4 << 20
)

func keepText(site int, values []any) {
	run.Lock()
	full := len(run.texts) >= MaxTexts || run.size >= MaxTextBytes
	run.Unlock()
	if full {
		return
	}
	parts := make([]string, len(values))
	category := byte('v')
	for i, v := range values {
		s, c := render(reflect.ValueOf(v))
		parts[i] = s
		if c == 'e' || i == 0 {
			category = c
		}
	}
	run.Lock()
	defer run.Unlock()
	s := strings.Join(parts, ", ")
	args := ""
	if g := run.given[site]; g != nil && !g.mixed {
		args = strings.Join(g.texts, GivenSeparator)
		g.texts = g.texts[:0]
	}
	run.size += len(s) + len(args)
	run.texts = append(run.texts, text{site, category, s, args})
}

// GivenSeparator stands between the arguments that are told with a text.
const GivenSeparator = "\x00"

// given are the arguments of the call at a site that is being made.
type given struct {
	texts []string
	// mixed says that another call began before the one before it was observed: it panicked,
	// or was made by another goroutine. Which argument belongs to which is not known then.
	mixed bool
}

// G passes an argument of an observed call on, the kth that is told.
func G[T any](site, k int, a T) T {
	if run.active && run.wanted != nil && run.wanted[site] && !run.warm && atomic.LoadInt32(&aside) == 0 {
		give(site, k, a)
	}
	return a
}

func give(site, k int, a any) {
	s, _ := render(reflect.ValueOf(a))
	run.Lock()
	defer run.Unlock()
	if run.given == nil {
		run.given = map[int]*given{}
	}
	g := run.given[site]
	if g == nil {
		g = &given{}
		run.given[site] = g
	}
	if len(g.texts) != k {
		g.mixed = true
		return
	}
	g.texts = append(g.texts, s)
}

// O1 observes a value and passes it on.
func O1[A any](site int, a A) A {
	if run.active {
		observe(site, a)
	}
	return a
}

// O2 to O6 observe the results of one call: O2(f())(site).
func O2[A, B any](a A, b B) func(int) (A, B) {
	return func(site int) (A, B) {
		observe(site, a, b)
		return a, b
	}
}

func O3[A, B, C any](a A, b B, c C) func(int) (A, B, C) {
	return func(site int) (A, B, C) {
		observe(site, a, b, c)
		return a, b, c
	}
}

func O4[A, B, C, D any](a A, b B, c C, d D) func(int) (A, B, C, D) {
	return func(site int) (A, B, C, D) {
		observe(site, a, b, c, d)
		return a, b, c, d
	}
}

func O5[A, B, C, D, E any](a A, b B, c C, d D, e E) func(int) (A, B, C, D, E) {
	return func(site int) (A, B, C, D, E) {
		observe(site, a, b, c, d, e)
		return a, b, c, d, e
	}
}

func O6[A, B, C, D, E, F any](a A, b B, c C, d D, e E, f F) func(int) (A, B, C, D, E, F) {
	return func(site int) (A, B, C, D, E, F) {
		observe(site, a, b, c, d, e, f)
		return a, b, c, d, e, f
	}
}

// E runs an example as package testing does: what it prints is compared with
// the wanted output, and observed.
func E(t tester, site int, example func(), want string, unordered, hasOutput bool) {
	r, w, err := os.Pipe()
	if err != nil {
		panic(err)
	}
	stdout := os.Stdout
	os.Stdout = w
	printed := make(chan string)
	go func() {
		b, _ := io.ReadAll(r)
		r.Close()
		printed <- string(b)
	}()
	defer func() {
		os.Stdout = stdout
		w.Close()
		got := strings.TrimSpace(<-printed)
		want := strings.TrimSpace(want)
		if unordered {
			got, want = sortedLines(got), sortedLines(want)
		}
		O1(site, got)
		if hasOutput && got != want {
			t.Fail()
		}
	}()
	example()
}

func sortedLines(s string) string {
	lines := strings.Split(s, "\n")
	sort.Strings(lines)
	return strings.Join(lines, "\n")
}

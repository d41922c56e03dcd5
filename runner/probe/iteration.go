//go:build go1.21

package probe

import (
	"os"
	"runtime"
	"sync"
)

// tester is what testing.T, B and F have in common, so that package testing
// need not be imported into code.
type tester interface {
	Cleanup(func())
	Fail()
	Failed() bool
	Skipped() bool
	Name() string
}

// Outcomes as sent to the parent.
const (
	outcomePass = iota
	outcomeFail
	outcomePanic
	outcomeExhausted
	outcomeSkip
)

type exhausted struct{}

func (exhausted) Error() string { return "isodelta: out of fuel" }

// run is the iteration under way.
var run struct {
	sync.Mutex
	active   bool
	warm     bool
	detail   bool
	seq      uint32
	limit    int64
	ranOut   bool
	panicked bool
	message  string
	where    string
	wanted   map[int]bool
	texts    []text
	size     int
	given    map[int]*given // by site
}

type text struct {
	site     int
	category byte
	value    string
	given    string // arguments of the call, GivenSeparator between them
}

func exhaust() {
	if guarded > 0 && spares() {
		return
	}
	run.ranOut = true
	panic(exhausted{})
}

func nothing() {}

// T opens an iteration of a top-level test; the function it returns is to be
// deferred at once. It registers the test's first, hence last, cleanup:
// parallel subtests outlive the function, but not its cleanups.
func T(t tester) func() {
	if commands == nil || run.active {
		return nothing
	}
	c, ok := nextCommand()
	if !ok {
		os.Exit(0)
	}
	begin(c)
	t.Cleanup(func() { end(t) })
	return func() { note(recover()) }
}

// S guards a subtest or a fuzz body, whose panic would otherwise end the
// process.
func S(t tester) func() {
	if !run.active {
		return nothing
	}
	return func() {
		if r := recover(); r != nil {
			note(r)
			t.Fail()
		}
	}
}

// R is S for test functions that are not literals.
func R[T tester](f func(T)) func(T) {
	if f == nil {
		return f
	}
	return func(t T) {
		defer S(t)()
		f(t)
	}
}

func begin(c command) {
	for _, i := range current.negations {
		negated[i] = false
	}
	for _, i := range c.negations {
		negated[i] = true
	}
	current = c
	wipe()
	forget()
	run.Lock()
	run.active, run.warm, run.detail = true, c.warm, c.detail
	run.seq, run.limit = c.seq, c.fuel
	run.ranOut, run.panicked = false, false
	run.message, run.where = "", ""
	run.texts, run.size, run.given = run.texts[:0], 0, nil
	run.wanted = nil
	if len(c.sites) > 0 {
		run.wanted = map[int]bool{}
		for _, s := range c.sites {
			run.wanted[s] = true
		}
	}
	run.Unlock()
	Watch = false
	if !c.warm && c.order.Mode != "" && OnBegin != nil {
		OnBegin(c.order)
		Watch = true
	}
	reseed()
	varied = c.varied
	fuel = c.fuel
}

func note(r any) {
	if r == nil {
		return
	}
	run.Lock()
	defer run.Unlock()
	if _, ok := r.(exhausted); ok {
		run.ranOut = true
		return
	}
	if run.panicked {
		return
	}
	run.panicked = true
	run.message = panicText(r)
	if run.detail {
		buf := make([]byte, 16<<10)
		run.where = string(buf[:runtime.Stack(buf, false)])
	}
}

func end(t tester) {
	used := run.limit - fuel
	fuel = 1 << 62
	varied = nil
	var extra []byte
	if Watch {
		Watch = false
		if OnEnd != nil {
			extra = OnEnd()
		}
	}
	run.Lock()
	defer run.Unlock()
	run.active = false
	if run.warm {
		return
	}
	outcome := byte(outcomePass)
	switch {
	case run.ranOut:
		outcome = outcomeExhausted
	case run.panicked:
		outcome = outcomePanic
	case t.Failed():
		outcome = outcomeFail
	case t.Skipped():
		outcome = outcomeSkip
	}
	send(outcome, used, extra)
}

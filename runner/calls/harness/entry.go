//go:build go1.21

package harness

import (
	"runtime"
	"runtime/debug"
	"strings"
	"sync"

	"github.com/isodelta/isodelta/runner/calls/wire"
	probe "github.com/isodelta/isodelta/runner/probe"
)

func init() {
	if probe.Connected() {
		probe.OnBegin, probe.OnEnd, probe.OnEntry, probe.OnCall = watching.begin, watching.end, watching.enter, watching.called
	}
}

// watching is the iteration under way.
var watching watcher

// watcher does the parent's order at the entries of hooked functions.
type watcher struct {
	lock      sync.Mutex
	recorder  *recorder
	amplifier *amplifier
	callers   callers
}

func (w *watcher) begin(o probe.Order) {
	w.lock.Lock()
	defer w.lock.Unlock()
	w.recorder, w.amplifier = nil, nil
	switch o.Mode {
	case wire.ModeRecord:
		w.recorder = newRecorder(registry, o.Most)
	case wire.ModeAmplify, wire.ModeExplain:
		move(o.Moved)
		w.amplifier = newAmplifier(registry, o, probe.Note())
	}
}

func (w *watcher) end() []byte {
	w.lock.Lock()
	defer w.lock.Unlock()
	switch {
	case w.recorder != nil:
		return wire.EncodeRecords(w.recorder.records)
	case w.amplifier != nil:
		return w.amplifier.report()
	}
	return nil
}

// enter is called by a hooked function. An entry that comes while another is
// being worked on is left alone: it comes from a call of our own, or from
// another goroutine, whose entries have no order anyway.
func (w *watcher) enter(hook int, f any, args []any) {
	if !w.lock.TryLock() {
		return
	}
	defer w.lock.Unlock()
	if w.recorder != nil && w.recorder.wants(hook) && w.callers.test(5) {
		w.recorder.add(hook, f, args)
	}
	if w.amplifier != nil && w.amplifier.wants(hook) {
		w.amplifier.enter(hook, f, args, w.callers.test(5))
	}
}

// callers knows which places of the program are in test files, and which in the module under test.
type callers struct {
	known  map[uintptr]callerKind
	module string // path
}

type callerKind byte

const (
	elsewhere callerKind = iota
	inTest
	between // the standard library, another module or the probe: the caller is further up
)

// maxCallers bounds the frames that are looked at, fewCallers at a time.
const maxCallers, fewCallers = 40, 8

// test reports whether the function that called the hooked one is written in a
// test file, or what tests have called or started and is not the module's: a decoder, say, or a server. skip counts
// frames up to the caller of the hooked function:
// runtime.Callers, test, enter, probe.Enter and the hooked function make 5.
func (c *callers) test(skip int) bool {
	if c.known == nil {
		c.known = map[uintptr]callerKind{}
		if info, ok := debug.ReadBuildInfo(); ok {
			c.module = info.Main.Path
		}
	}
	var pcs [fewCallers]uintptr // mostly the first says it
	for from := 0; from < maxCallers; from += fewCallers {
		n := runtime.Callers(skip+from, pcs[:])
		for _, pc := range pcs[:n] {
			p, ok := c.known[pc]
			if !ok {
				p = c.kindOf(pc)
				c.known[pc] = p
			}
			if p != between {
				return p == inTest
			}
		}
		if n < fewCallers {
			return from+n > 0
		}
	}
	return false
}

func (c *callers) kindOf(pc uintptr) callerKind {
	f, _ := runtime.CallersFrames([]uintptr{pc}).Next()
	switch {
	case strings.HasSuffix(f.File, "_test.go"):
		return inTest
	case strings.HasPrefix(f.Function, "reflect."), strings.HasPrefix(f.Function, probePackage):
		return between
	case c.module == "", strings.HasPrefix(f.Function, c.module+"/"), strings.HasPrefix(f.Function, c.module+"."):
		return elsewhere
	}
	return between
}

// probePackage is how names of the probe's functions begin, wherever it lives.
var probePackage = func() string {
	pc, _, _, _ := runtime.Caller(0)
	name := runtime.FuncForPC(pc).Name() // …/isodeltaprobe/harness.init.func1 or the like
	if i := strings.LastIndex(name, "/harness."); i >= 0 {
		return name[:i] + "."
	}
	return "isodeltaprobe."
}()

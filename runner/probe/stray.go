//go:build go1.21

package probe

import (
	"reflect"
	"runtime"
)

// A stray is a goroutine that an earlier call has left behind and that goes round by a ticker, say. It uses up what the
// call under way may use, and a panic on it would end the process.

const (
	// shallow is how many functions are at most under way where a goroutine is in its own loop, those of this
	// package and of the run time among them.
	shallow = 6
	// maxSpared is how often, in one guarded call, a stray goes on that is deeper: it may hold a lock, and gives it back.
	maxSpared = 200
	// spareFuel is what it gets each time.
	spareFuel = 64
)

// strays are what a Guard knows of them.
type strays struct {
	spared int
	lent   bool // since the call got its part
}

var stray strays

// spares is called where fuel has run out within a Guard's time. It reports whether what runs may go on. A stray ends here, if it
// is in its own loop, and the call gets its part anew.
//
//go:norace
func spares() bool {
	switch depth, within := underWay(); {
	case within && !stray.lent:
		return false
	case within:
		stray.lent, fuel = false, guarded
	case depth > shallow && stray.spared < maxSpared:
		stray.spared++
		stray.lent, fuel = true, spareFuel
	default:
		stray.lent, fuel = false, guarded
		runtime.Goexit()
	}
	return true
}

// underWay returns how many functions are under way on this goroutine, and reports whether a Guard is one of them.
func underWay() (depth int, within bool) {
	pcs := make([]uintptr, 1<<8)
	n := runtime.Callers(1, pcs)
	for n == len(pcs) {
		pcs = make([]uintptr, 8*len(pcs))
		n = runtime.Callers(1, pcs)
	}
	guard := reflect.ValueOf(Guard).Pointer()
	for i := n; i > 0; i-- {
		if f := runtime.FuncForPC(pcs[i-1] - 1); f != nil && f.Entry() == guard {
			return n, true
		}
	}
	return n, false
}

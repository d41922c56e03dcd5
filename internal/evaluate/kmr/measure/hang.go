package measure

import (
	"os"
	"sync/atomic"
	"syscall"
	"time"
)

// HangStatus is what a process exits with in which a function does not return.
const HangStatus = 4

// longest is the processor time that a function may take. Those of the evaluations take
// microseconds.
const longest = time.Second

// progress counts what has been executed.
var progress atomic.Int64

// watch ends the process when a function does not return. It goes by processor time, since on a
// busy machine nothing may hang that does not on an idle one.
func watch() {
	last, since := int64(-1), time.Duration(0)
	for ; ; time.Sleep(50 * time.Millisecond) {
		var u syscall.Rusage
		if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
			return // the parent has a limit of its own
		}
		used := time.Duration(u.Utime.Nano() + u.Stime.Nano())
		if now := progress.Load(); now != last {
			last, since = now, used
		} else if used-since > longest {
			os.Exit(HangStatus)
		}
	}
}

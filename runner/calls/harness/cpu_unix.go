//go:build go1.21 && unix

package harness

import (
	"syscall"
	"time"
)

// cpuTime is the processor time that this process has had: unlike the clock, it
// stands still while a busy machine does other things.
func cpuTime() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

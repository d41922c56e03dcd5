//go:build go1.21 && !unix

package harness

import "time"

var start = time.Now()

// cpuTime is the clock where processor time is not known.
func cpuTime() time.Duration { return time.Since(start) }

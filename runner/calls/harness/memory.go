//go:build go1.21

package harness

import (
	"runtime"
	"runtime/metrics"
)

// Code that is called may keep what it was given for ever, as caches with a goroutine of their
// own do. The process would end for want of memory in the midst of a call that has nothing to do with
// it. So what a sequence allocates and what the process holds are looked at.

const (
	// largestAllocation is how much may be allocated at once, in bytes; a sequence that asks for more shows nothing.
	largestAllocation = 256 << 20
	// largeSequence is how much a sequence may allocate, in bytes, before its operations get smaller numbers.
	largeSequence = 8 << 20
	// fullMemory is how much the process may hold, in bytes, before it asks to be replaced; a
	// quarter of what it may have, since the next sequences hold more.
	fullMemory = 1 << 30
	// fullGoroutines is how many goroutines there may be for the same: each is in the way of the next call.
	fullGoroutines = 5000
	// perLook is after how many allocated bytes, or sequences, the process is looked at.
	perLook       = 64 << 20
	sequencesLook = 128
)

// usage looks at what the process allocates and holds. The first sequence counts with all that was allocated before it.
type usage struct {
	samples   []metrics.Sample
	allocated uint64 // so far
	looked    uint64 // allocated when it was looked at last
	sequences int    // since then
	full      bool
}

func sampled(s metrics.Sample) uint64 {
	if s.Value.Kind() != metrics.KindUint64 {
		return 0
	}
	return s.Value.Uint64()
}

// after is called when a sequence has run. It returns how many bytes were allocated since the call before.
func (u *usage) after() uint64 {
	if u.samples == nil {
		for _, name := range []string{"/gc/heap/allocs:bytes", "/memory/classes/total:bytes", "/memory/classes/heap/released:bytes", "/sched/goroutines:goroutines"} {
			u.samples = append(u.samples, metrics.Sample{Name: name})
		}
	}
	metrics.Read(u.samples[:1])
	now := sampled(u.samples[0])
	by := now - u.allocated
	u.allocated = now
	if u.sequences++; now-u.looked > perLook || u.sequences >= sequencesLook {
		u.looked, u.sequences = now, 0
		u.full = u.full || u.holdsMuch()
	}
	return by
}

// holdsMuch reports whether the process holds so much, garbage aside, that it should be replaced.
func (u *usage) holdsMuch() bool {
	metrics.Read(u.samples[1:])
	total, released := sampled(u.samples[1]), sampled(u.samples[2])
	if total <= released+fullMemory && sampled(u.samples[3]) <= fullGoroutines {
		return false
	}
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapInuse+m.StackInuse > fullMemory/2 || runtime.NumGoroutine() > fullGoroutines
}

// moved is what move allocated.
var moved []any

// move has new values of each size stand elsewhere in memory than without it, by so many places.
func move(places int) {
	for n := 0; n < places; n++ {
		for size := 8; size <= 512; size += 8 {
			moved = append(moved, make([]byte, size), make([]*byte, size/8))
		}
	}
}

package probe

// In the injected copy another file stands in for this one (Overlay).

// reseed puts the seeded run time back to its start; without one it is empty.
func reseed() {}

// seedAt and seedTo tell and set how far the seeded run time's sequence is.
func seedAt() uint64 { return 0 }

func seedTo(uint64) {}

// onExit sets what is asked before the process exits; without the seeded run
// time nothing is.
func onExit(func(code int)) {}

// onLookup sets what is told each variable of the environment that package os looks up; without the
// seeded run time nothing is.
func onLookup(func(name string)) {}

// showTime sets the time of day that clocks show, in seconds; 0 is the real one. Without
// the seeded run time it is always that.
func showTime(int64) {}

// passTime has it go on by so many nanoseconds; 0 takes back what has passed.
func passTime(int64) {}

// allocateAtMost sets how many bytes code may allocate at once, 0 for any number, and refusals tells
// how often it asked for more.
func allocateAtMost(uintptr) {}

func refusals() uint32 { return 0 }

// Tests of the harness, which has this package beside it, need tables as well.
func init() {
	fit(Size{Conditions: 64, Arms: 16, Entries: 16, Sites: 64, Module: "example.com/m"}.Line())
}

var _ = attach

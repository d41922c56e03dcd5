// Package deterministic makes the run time of test binaries repeatable.
//
// Most differences between two runs of one test are noise: the order of map
// iteration, hash seeds, random numbers, names of temporary files, addresses
// in texts. [Overlay] writes patched copies of a few files of the Go
// distribution into a directory of the caller and names them in the form that
// `go build -overlay` takes, so that a test binary is linked against a run
// time in which these sources are constant or seeded. GOROOT is only read.
// The standard library is compiled once more for it (tens of seconds) and
// cached from then on: the patched texts hold no path, time or seed, so
// another directory gives the same cache entries.
//
// # What is done to which source
//
//   - Map seeds, iteration starts and hash keys are constants, and so is
//     runtime.rand, which the compiler calls where it makes a map. A seed drawn
//     from a sequence would let one additional map in head change the order in
//     every later one.
//   - math/rand, math/rand/v2, hash/maphash, crypto/rand, DNS query ids and the
//     names of temporary files draw from one sequence (splitmix64 over an
//     atomic counter) in package runtime. A constant would not do: programs draw
//     until they see a new value. The generators of the run time itself would
//     not do either: there is one per thread, so the scheduler has a say.
//   - A temporary name that is taken already is followed by one computed from
//     it, not by the next of the sequence: what an earlier iteration left behind
//     would shift every number drawn after it.
//   - select polls its cases in an order that depends on the goroutine's own
//     number of earlier selects only. Source order would starve cases.
//   - The heap's base address is fixed by patching the constant that the
//     experiment randomizedheapbase64 sets. Switching the experiment off by
//     GOEXPERIMENT has the same effect, but then runtime.Version() ends in
//     " X:norandomizedheapbase64", which tests that parse it stumble over.
//   - time.Now shows the time that runtime.isodelta_wall gives, in seconds, while that is
//     not 0: calls of our own set it, so that what they write with the time in it can be
//     compared. What is to have passed since is isodelta_passed, in nanoseconds; and who
//     looks at the clock more than a thousand times in a sequence sees it go on.
//   - While a time is shown, nobody waits for a timer: where no goroutine can run and no thread is in a system
//     call, the monotonic clock goes on to when the next timer is due. What clocks show goes on by that, in whole
//     milliseconds. Where a goroutine waits for a file or a connection, that has a millisecond to bring something; where
//     there is no timer, a quarter of a second, and then the process ends with the words "isodelta: nothing runs", as it
//     does after 1,000 timers in one sequence, 300 where a goroutine waits so. A
//     process that is only read from through a pipe has no more time than that.
//
// More than runtime.isodelta_largest bytes are not allocated at once while that is not 0:
// who asks for them panics, and runtime.isodelta_refused counts it. Calls of our own set it, for a
// number of 2^40 given as a size would end the process.
//
// os.Executable fails for code in a folder internal/detrand, as protocol buffers have one: it makes its choices of a hash
// of the program's file, and base and head are two programs.
//
// # Reset from outside
//
// The counter is the variable runtime.isodelta_seq. A package of the test
// binary pulls it and stores 0 (or a seed) before each iteration:
//
//	import _ "unsafe"
//
//	//go:linkname seq runtime.isodelta_seq
//	var seq uint64
//
// This links with and without the overlay, since without it the variable is
// only the package's own, and needs neither an assembly file nor
// -checklinkname=0. The store should be atomic.
//
// # What it cannot do
//
// The time of day in tests, how long things take, process ids, scheduling of goroutines (GOMAXPROCS=1 helps), the moment
// of garbage collection and what depends on it (finalizers, sync.Pool), ports,
// and generators seeded from any of these stay as they are. The heap begins at
// the same address, but stacks of threads lie in it too, so an object may still
// be found some pages further on when a thread more was started. Goroutines
// that draw from the sequence at the same time share it in the order they
// come. Code that pulls runtime.rand by linkname gets a constant. crypto/rand
// is covered from Go 1.24 on, and not in FIPS 140 mode, whose generator is
// under an integrity check.
//
// Patches are textual and must find their anchors; where one that everything
// rests on does not, [Overlay] returns [ErrUnsupported] and the caller goes
// without. Written against Go 1.26.
package deterministic

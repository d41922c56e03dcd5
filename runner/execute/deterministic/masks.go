package deterministic

import (
	"os"
	"path/filepath"
	"strings"
)

// mask takes one kind of noise out by edits that belong together.
type mask struct {
	noise    string // in words for people
	optional bool   // the other masks work without this one
	since    string // Go version that brought the noise; "" is before oldest
	adds     string // name of a file that is added, its text by sequence
	edits    []edit
}

// edit replaces an anchor in one file. The anchor must occur exactly count
// times (0 stands for 1): a file in which it occurs otherwise is not the file
// that the edit was written for.
type edit struct {
	file, anchor, with string
	count              int
}

// apply makes all edits of the mask, or none.
func (m mask) apply(s *source) error {
	texts := map[string]string{}
	if m.adds != "" {
		text, err := sequence(s)
		if err != nil {
			return err
		}
		texts[m.adds] = text
	}
	for _, e := range m.edits {
		text, ok := texts[e.file]
		if !ok {
			var err error
			if text, err = s.read(e.file); err != nil {
				return err
			}
		}
		want := max(e.count, 1)
		if n := strings.Count(text, e.anchor); n != want {
			line, _, _ := strings.Cut(strings.TrimSpace(e.anchor), "\n")
			return s.unsupported("%s: %q occurs %d times, expected %d", e.file, line, n, want)
		}
		texts[e.file] = strings.ReplaceAll(text, e.anchor, e.with)
	}
	for name, text := range texts {
		s.texts[name] = text
	}
	return nil
}

// pull redirects a file that draws from runtime.rand to the sequence.
func pull(file string) edit {
	return edit{file: file, anchor: "//go:linkname runtime_rand runtime.rand\n", with: "//go:linkname runtime_rand runtime.isodelta_rand\n"}
}

// masks in the order of their application: the first brings what the others use.
var masks = []mask{
	{
		noise: "map iteration order and hash seeds",
		adds:  "runtime/isodelta.go",
		edits: []edit{
			// The generator that start-up draws hash keys from.
			{file: "runtime/rand.go",
				anchor: "\tglobalRand.state.Init(*seed)\n",
				with:   "\tfor i := range seed {\n\t\tseed[i] = byte(i) + 1\n\t}\n\tglobalRand.state.Init(*seed)\n"},
			// Called by compiled code and by the maps themselves; package unique
			// and the tries below sync.Map seed themselves from it too.
			{file: "runtime/rand.go",
				anchor: "\nfunc rand() uint64 {\n",
				with:   "\nfunc rand() uint64 {\n\tif isodelta_constant != 0 {\n\t\treturn isodelta_constant\n\t}\n"},
			// Called where a repeated value may be waited out: by package sync
			// and by modules that pull it.
			{file: "runtime/rand.go",
				anchor: "\treturn uint32((uint64(uint32(rand())) * uint64(n)) >> 32)\n",
				with:   "\treturn uint32((uint64(uint32(isodelta_rand())) * uint64(n)) >> 32)\n"},
			{file: "runtime/rand.go",
				anchor: "func legacy_fastrand() uint32 {\n\treturn uint32(rand())\n",
				with:   "func legacy_fastrand() uint32 {\n\treturn uint32(isodelta_rand())\n"},
			{file: "runtime/rand.go",
				anchor: "func legacy_fastrand64() uint64 {\n\treturn rand()\n",
				with:   "func legacy_fastrand64() uint64 {\n\treturn isodelta_rand()\n"},
			// NaN keys must differ in their hashes, or they pile up.
			{file: "runtime/alg.go", count: 2, anchor: "^ uintptr(rand())", with: "^ uintptr(isodelta_rand())"},
		},
	},
	{noise: "math/rand top-level functions", edits: []edit{pull("math/rand/rand.go")}},
	{noise: "math/rand/v2 top-level functions", edits: []edit{pull("math/rand/v2/rand.go")}},
	{noise: "hash/maphash seeds", edits: []edit{pull("hash/maphash/maphash_runtime.go")}},
	{
		noise: "temporary file names",
		edits: []edit{
			pull("os/tempfile.go"),
			{file: "os/tempfile.go",
				anchor: "func nextRandom() string {\n",
				with:   "func nextRandom(x uint64) string {\n\truntime_rand := func() uint64 { return x }\n"},
			{file: "os/tempfile.go", count: 2,
				anchor: "\ttry := 0\n\tfor {\n\t\tname := prefix + nextRandom() + suffix\n",
				with:   "\ttry := 0\n\tfirst := runtime_rand()\n\tfor {\n\t\tname := prefix + nextRandom(first+uint64(try)*0x9e3779b9) + suffix\n"},
		},
	},
	{
		noise: "crypto/rand", optional: true,
		edits: []edit{
			{file: "crypto/internal/sysrand/rand.go",
				anchor: "\nfunc Read(b []byte) {\n",
				with: "\n//go:linkname runtime_rand runtime.isodelta_rand\nfunc runtime_rand() uint64\n" +
					"\nfunc Read(b []byte) {\n" +
					"\tif !testingOnlyFailRead {\n" +
					"\t\tvar x uint64\n" +
					"\t\tfor i := range b {\n" +
					"\t\t\tif i%8 == 0 {\n\t\t\t\tx = runtime_rand()\n\t\t\t}\n" +
					"\t\t\tb[i] = byte(x)\n\t\t\tx >>= 8\n" +
					"\t\t}\n" +
					"\t\treturn\n" +
					"\t}\n"},
		},
	},
	{noise: "DNS query ids", optional: true, edits: []edit{pull("net/dnsclient.go")}},
	{
		noise: "select case order", optional: true,
		edits: []edit{
			{file: "runtime/select.go",
				anchor: "j := cheaprandn(uint32(norder + 1))\n",
				with:   "j := isodelta_poll(gp, uint32(norder+1))\n"},
			{file: "runtime/runtime2.go",
				anchor: "// used to decide whether to track this G\n",
				with:   "// used to decide whether to track this G\n\tisodelta_polls uint32 // select cases ordered so far\n"},
			// The g of an ended goroutine is used again.
			{file: "runtime/proc.go",
				anchor: "\tnewg.trackingSeq = uint8(cheaprand())\n",
				with:   "\tnewg.isodelta_polls = 0\n\tnewg.trackingSeq = uint8(cheaprand())\n"},
			{file: "runtime/isodelta.go",
				anchor: "// polls\n",
				with: "\n// isodelta_poll gives a number below n, the next of this goroutine.\n" +
					"func isodelta_poll(gp *g, n uint32) uint32 {\n" +
					"\tgp.isodelta_polls++\n" +
					"\treturn uint32(uint64(uint32(isodelta_mix(uint64(gp.isodelta_polls)*0x9e3779b97f4a7c15))) * uint64(n) >> 32)\n" +
					"}\n"},
		},
	},
	{
		// No noise of the code's making: a call that is tried out must not end
		// the process it is tried in. What it asks the environment for is told.
		noise: "os.Exit in calls of our own", optional: true,
		edits: []edit{
			{file: "os/proc.go",
				anchor: "\nfunc Exit(code int) {\n",
				with:   "\nfunc isodelta_lookup(name string) { runtime.Isodelta_lookingUp(name) }\n\nfunc Exit(code int) {\n\truntime.Isodelta_exiting(code)\n"},
			{file: "os/env.go", count: 2, anchor: "\ttestlog.Getenv(key)\n", with: "\ttestlog.Getenv(key)\n\tisodelta_lookup(key)\n"},
		},
	},
	{
		// Base and head are two programs, so what package internal/detrand of protocol buffers makes of a program's
		// file would have texts of base and head differ by a blank.
		noise: "what protocol buffers take out of the program's file", optional: true,
		edits: []edit{
			{file: "os/proc.go",
				anchor: "\nfunc Getuid() int {",
				with: "\n// isodelta_drawing reports whether a file of such a package called whoever calls this.\n" +
					"func isodelta_drawing() bool {\n" +
					"\tconst folder = \"/internal/detrand/\"\n" +
					"\t_, file, _, _ := runtime.Caller(2)\n" +
					"\tfor i := 0; i+len(folder) <= len(file); i++ {\n" +
					"\t\tif file[i:i+len(folder)] == folder {\n" +
					"\t\t\treturn true\n" +
					"\t\t}\n" +
					"\t}\n" +
					"\treturn false\n" +
					"}\n\nfunc Getuid() int {"},
			{file: "os/executable.go",
				anchor: "\treturn executable()\n",
				with:   "\tif isodelta_drawing() {\n\t\treturn \"\", ErrNotExist\n\t}\n\treturn executable()\n"},
		},
	},
	{
		// Nor must one that asks for more memory than there is. Compiled code, maps, channels and
		// texts come here for what is large.
		noise: "huge allocations in calls of our own", optional: true,
		edits: []edit{
			{file: "runtime/malloc.go",
				anchor: "\nfunc mallocgc(size uintptr, typ *_type, needzero bool) unsafe.Pointer {\n",
				with:   "\nfunc mallocgc(size uintptr, typ *_type, needzero bool) unsafe.Pointer {\n\tif isodelta_largest != 0 && size > isodelta_largest {\n\t\tisodelta_refuse()\n\t}\n"},
		},
	},
	{
		// Only what the clock shows: timers, and how long something took, go by the
		// monotonic clock, which goes on.
		noise: "time of day in calls of our own", optional: true,
		edits: []edit{
			{file: "time/time.go",
				anchor: "\nfunc Now() Time {\n\tsec, nsec, mono := runtimeNow()\n",
				with:   "\nfunc Now() Time {\n\tsec, nsec, mono := isodelta_now(runtimeNow())\n"},
			{file: "time/time.go", anchor: "\treturn subMono(runtimeNano()-startNano, t.ext)\n", with: "\treturn subMono(runtimeNano()-startNano+isodelta_ahead(), t.ext)\n"},
			{file: "time/time.go", anchor: "\treturn subMono(t.ext, runtimeNano()-startNano)\n", with: "\treturn subMono(t.ext, runtimeNano()-startNano+isodelta_ahead())\n"},
			{file: "time/time.go",
				anchor: "\nfunc unixTime(sec int64, nsec int32) Time {\n",
				with: "\n//go:linkname isodelta_now runtime.isodelta_now\nfunc isodelta_now(sec int64, nsec int32, mono int64) (int64, int32, int64)\n" +
					"\n//go:linkname isodelta_ahead runtime.isodelta_ahead\nfunc isodelta_ahead() int64\n" +
					"\nfunc unixTime(sec int64, nsec int32) Time {\n"},
		},
	},
	{
		// Where everything waits for a timer, and nothing comes from outside of the process, the timer is due
		// at once; where everything waits without one, nothing will ever happen.
		noise: "waiting for timers in calls of our own", optional: true,
		edits: []edit{
			{file: "runtime/time_nofake.go",
				anchor: "\nfunc nanotime() int64 {\n\treturn nanotime1()\n",
				with:   "\nfunc nanotime() int64 {\n\treturn nanotime1() + isodelta_skipped\n"},
			{file: "runtime/proc.go",
				anchor: "\t\t\tdelay = pollUntil - now\n\t\t\tif delay < 0 {\n\t\t\t\tdelay = 0\n\t\t\t}\n\t\t}\n\t\tif faketime != 0 {\n",
				with:   "\t\t\tdelay = pollUntil - now\n\t\t\tif delay < 0 {\n\t\t\t\tdelay = 0\n\t\t\t}\n\t\t}\n\t\tdelay = isodelta_leap(delay)\n\t\tif faketime != 0 {\n"},
		},
	},
	{
		noise: "heap base address", optional: true, since: "go1.26",
		edits: []edit{
			{file: "runtime/malloc.go",
				anchor: "randomizeHeapBase = goexperiment.RandomizedHeapBase64 && ",
				with:   "randomizeHeapBase = false && goexperiment.RandomizedHeapBase64 && "},
		},
	},
	{
		noise: "order of simultaneous timers in testing/synctest", optional: true, since: "go1.25",
		edits: []edit{
			{file: "runtime/time.go", anchor: "\t\t\tt.rand = cheaprand()\n", with: "\t\t\tt.rand = uint32(isodelta_rand())\n"},
		},
	},
}

// sequence is the text of the file added to package runtime.
func sequence(s *source) (string, error) {
	atomic := "internal/runtime/atomic"
	if _, err := os.Stat(filepath.Join(s.root, filepath.FromSlash(atomic))); err != nil {
		atomic = "runtime/internal/atomic" // before go1.23
		if _, err := os.Stat(filepath.Join(s.root, filepath.FromSlash(atomic))); err != nil {
			return "", s.unsupported("package atomic of the run time is neither in internal/runtime nor in runtime/internal")
		}
	}
	waiters := "netpollAnyWaiters()"
	if netpoll, err := os.ReadFile(filepath.Join(s.root, "runtime", "netpoll.go")); err != nil || !strings.Contains(string(netpoll), "func netpollAnyWaiters()") {
		waiters = "netpollWaiters.Load() > 0" // before go1.22
	}
	return strings.NewReplacer("ATOMIC", atomic, "WAITERS", waiters).Replace(sequenceText), nil
}

// sequenceText is a file of the run time; its names carry the module's name,
// lest they meet one of the run time.
const sequenceText = `package runtime

import (
	"ATOMIC"
	_ "unsafe" // for go:linkname
)

// isodelta_constant stands for random numbers that only have to be arbitrary.
const isodelta_constant uint64 = 0x2545f4914f6cdd1d

// isodelta_seq is how far the sequence has been drawn; the test process stores
// its start.
//
//go:linkname isodelta_seq
var isodelta_seq uint64

// isodelta_wall is the time of day that clocks show, in seconds, where it is set.
//
//go:linkname isodelta_wall
var isodelta_wall int64

// isodelta_passed is what has passed since, in nanoseconds, as calls of our own will have
// it, and isodelta_asked how often a clock has been looked at.
//
//go:linkname isodelta_passed
var isodelta_passed int64

//go:linkname isodelta_asked
var isodelta_asked int64

// isodelta_now is what a clock shows. To who looks again and again, until it shows
// something else, time passes.
//
//go:linkname isodelta_now
func isodelta_now(sec int64, nsec int32, mono int64) (int64, int32, int64) {
	if isodelta_skipped != 0 {
		mono = nanotime() // some machines read the clock by themselves
	}
	if isodelta_wall == 0 {
		return sec, nsec, mono
	}
	if isodelta_asked++; isodelta_asked > 1000 {
		isodelta_passed += 1e6
	}
	shown := isodelta_passed + (isodelta_leapt+1e6-1)/1e6*1e6
	return isodelta_wall + shown/1e9, int32(shown % 1e9), mono + isodelta_passed
}

// isodelta_leapt is what has passed by waiting for timers, in nanoseconds, and isodelta_skipped all that ever did.
// What the machine takes for a sequence is less than a millisecond mostly, so that is what clocks show of it.
//
//go:linkname isodelta_leapt
var isodelta_leapt int64

var isodelta_skipped int64

// isodelta_leaps is how often that was since a sequence began. Where a goroutine waits for what never comes, and another one has
// a ticker, nothing else would ever happen.
//
//go:linkname isodelta_leaps
var isodelta_leaps int64

// isodelta_looked is how often goroutines had been run when isodelta_leap was asked last, and isodelta_quiet how
// often it was since without any of them having run.
var isodelta_looked, isodelta_quiet uint32

// isodelta_leap is how long to wait for what is outside of the process, given how long it is until the next timer,
// below 0 without one. What a connection within the process brings is there at once, so that where nothing has come
// for a millisecond, and no thread is in a system call, only the timer is left; without one the process ends, which
// would go on to wait for ever.
func isodelta_leap(delay int64) int64 {
	const look, lookBusy, patience = 1e6, 5e6, 250
	const most, mostWaiting = 1000, 300
	if isodelta_wall == 0 || delay == 0 || delay < 0 && !WAITERS {
		return delay
	}
	if isodelta_busy() {
		isodelta_looked--
		return isodelta_sooner(delay, lookBusy)
	}
	if delay < 0 || WAITERS {
		run := uint32(0)
		lock(&allpLock)
		for _, pp := range allp {
			run += pp.schedtick
		}
		unlock(&allpLock)
		if run != isodelta_looked {
			isodelta_looked, isodelta_quiet = run, 0
			return isodelta_sooner(delay, look)
		}
		if delay < 0 {
			if isodelta_quiet++; isodelta_quiet > patience {
				isodelta_stuck()
			}
			return look
		}
	}
	if isodelta_leaps++; isodelta_leaps > most || WAITERS && isodelta_leaps > mostWaiting {
		isodelta_stuck()
	}
	isodelta_skipped += delay
	isodelta_leapt += delay
	return 0
}

// isodelta_stuck ends the process, in which no call returns any more.
func isodelta_stuck() {
	print("isodelta: nothing runs, and what is waited for does not come\n")
	exit(2)
}

// isodelta_busy reports whether a thread runs code or is in a system call, besides the one that asks. The threads that
// the run time keeps for callbacks from C do neither, though it counts them as running.
func isodelta_busy() bool {
	lock(&sched.lock)
	busy := int32(sched.npidle.Load()) != gomaxprocs
	for mp := allm; mp != nil; mp = mp.alllink {
		if gp := mp.curg; gp != nil {
			if s := readgstatus(gp) &^ _Gscan; s == _Grunning || s == _Gsyscall {
				busy = true
			}
		}
	}
	unlock(&sched.lock)
	return busy
}

// isodelta_sooner is the shorter of two delays, of which the first may be endless.
func isodelta_sooner(delay, most int64) int64 {
	if delay < 0 || delay > most {
		return most
	}
	return delay
}

// isodelta_ahead is how far the monotonic clock is ahead.
//
//go:linkname isodelta_ahead
func isodelta_ahead() int64 { return isodelta_passed }

// isodelta_exit, where it is set, is asked before the process exits.
//
//go:linkname isodelta_exit
var isodelta_exit func(code int)

// Isodelta_exiting is called by os.Exit.
func Isodelta_exiting(code int) {
	if isodelta_exit != nil {
		isodelta_exit(code)
	}
}

// isodelta_largest is how many bytes may be allocated at once, 0 for any number, and
// isodelta_refused how often more were asked for.
//
//go:linkname isodelta_largest
var isodelta_largest uintptr

//go:linkname isodelta_refused
var isodelta_refused uint32

// isodelta_refuse panics where code asks for more memory, and not the run time itself.
func isodelta_refuse() {
	gp := getg()
	if gp != gp.m.curg || gp.m.locks != 0 || gp.m.mallocing != 0 {
		return
	}
	atomic.Xadd(&isodelta_refused, 1)
	panic(errorString("isodelta: more memory at once than calls of our own get"))
}

// isodelta_lookup, where it is set, is told each variable of the environment that is looked up.
//
//go:linkname isodelta_lookup
var isodelta_lookup func(name string)

// Isodelta_lookingUp is called by os.Getenv and os.LookupEnv.
func Isodelta_lookingUp(name string) {
	if isodelta_lookup != nil {
		isodelta_lookup(name)
	}
}

// isodelta_rand draws the next number of the sequence.
//
//go:nosplit
//go:linkname isodelta_rand
func isodelta_rand() uint64 {
	return isodelta_mix(atomic.Xadd64(&isodelta_seq, -0x61c8864680b583eb))
}

// isodelta_mix is the finalizer of splitmix64.
//
//go:nosplit
func isodelta_mix(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
// polls
`

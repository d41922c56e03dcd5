//go:build go1.21

package probe

import (
	"encoding/binary"
	"io"
	"math"
	"os"
	"reflect"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// What follows serves the harness that makes calls of its own (package
// runner/calls/harness), which is injected beside this package.

// Watch says that entry hooks are to be called. It is off unless the harness
// turns it on for an iteration.
var Watch bool

// OnEntry is what an entry hook calls while Watch is on.
var OnEntry func(hook int, f any, args []any)

// Enter is called at the entry of a hooked function, with the function itself
// and its receiver and arguments.
func Enter(hook int, f any, args ...any) {
	if OnEntry != nil {
		OnEntry(hook, f, args)
	}
}

// OnCall gives what stands for a function of another module while Watch is on: it does the same, and tells of it first.
var OnCall func(name string, f any) any

// Called is what a test calls in place of a function of another module, which is known by its full name: the function itself,
// but for an iteration in which the harness wants to know of it.
func Called[F any](name string, f F) F {
	if !Watch || OnCall == nil {
		return f
	}
	return OnCall(name, f).(F)
}

// Order is what the parent wants the harness to do within one iteration.
type Order struct {
	Mode      string // such as record or amplify
	Seed      uint64
	Most      int      // a limit, 0 for the usual one
	Ban, Keys []uint64 // calls to leave out, calls to look at
	Moved     int      // how far the places of new values in memory are moved
}

// OnBegin and OnEnd are called around an iteration for which the harness has
// an order. What OnEnd gives goes to the parent, up to MaxExtra bytes.
var (
	OnBegin func(Order)
	OnEnd   func() []byte
)

// MaxExtra is how much OnEnd may give, in bytes.
const MaxExtra = 32 << 20

// aside is 1 while a goroutine is aside.
var aside int32

// Aside keeps what the iteration has counted. What the calling goroutine does
// until it calls restore is not part of the test: it is not observed, no entry
// of a hooked function is told, what it prints is dropped, and what it consumes, covers, enters and draws from the
// seeded run time is given back. Only one goroutine can be aside at a time.
// What other goroutines of the test cover and observe meanwhile is lost: to ask
// which goroutine it is would cost more than most observations.
func Aside() (restore func()) {
	giveBack := keep()
	_, _, entries := taken()
	before := append([]uint8(nil), entries...)
	seed, watch := seedAt(), Watch
	Watch = false
	stdout, stderr := os.Stdout, os.Stderr
	if n := nowhere(); n != nil {
		os.Stdout, os.Stderr = n, n
	}
	atomic.StoreInt32(&aside, 1)
	return func() {
		atomic.StoreInt32(&aside, 0)
		os.Stdout, os.Stderr = stdout, stderr
		giveBack()
		copy(entries, before)
		seedTo(seed)
		Watch = watch && run.active
	}
}

var (
	nullOnce sync.Once
	null     *os.File
)

// nowhere is a file that forgets what is written to it.
func nowhere() *os.File {
	nullOnce.Do(func() { null, _ = os.OpenFile(os.DevNull, os.O_WRONLY, 0) })
	return null
}

// Connected reports whether a parent drives this process.
func Connected() bool { return commands != nil }

// Wire is the connection with the parent.
func Wire() (io.Reader, *os.File) { return commands, results }

// Ending of a guarded call.
type Ending int

const (
	Returned  Ending = iota
	Panicked         // with Message
	Exhausted        // the work limit was exceeded
	Died             // the run time ended the process; only the parent can say so
)

// guarded is the limit of the innermost Guard, 0 outside of one.
var guarded int64

// Guard runs f under a limit of work (rounds of loops and calls). A panic is caught
// and told. A goroutine of others that goes on for ever meanwhile is ended.
func Guard(limit int64, f func()) (e Ending, message string, used int64) {
	before, outer := fuel, guarded
	fuel, guarded, stray = limit, limit, strays{}
	ranOut := run.ranOut
	run.ranOut = false
	onExit(exit)
	defer func() {
		r := recover()
		onExit(nil)
		used = limit - fuel
		switch {
		case run.ranOut:
			e = Exhausted
		case r != nil:
			e, message = Panicked, panicText(r)
			locatePanic()
		}
		fuel, guarded, run.ranOut = before, outer, ranOut
	}()
	f()
	return
}

// exit makes a panic of os.Exit, so that a call ends and not the process.
func exit(code int) { panic(exited(code)) }

type exited int

// ExitStatus reads the message of a call that a Guard ended since it asked for the end of
// the process.
func ExitStatus(message string) (status int, ok bool) {
	text, begins := strings.CutPrefix(message, exitPrefix)
	text, closed := strings.CutSuffix(text, ")")
	status, err := strconv.Atoi(text)
	return status, begins && closed && err == nil
}

const exitPrefix = "os.Exit("

func (e exited) Error() string { return exitPrefix + strconv.Itoa(int(e)) + ")" }

// held says that an init function ends alone: see Held.
var held bool

// LeaveInit is what each init function defers, to be left alone where the process would end with it.
func LeaveInit() {
	if held {
		recover()
	}
}

// EndInit is called where an init function is about to end the process.
func EndInit() {
	if held {
		exit(1)
	}
}

// Reseed starts the seeded run time's sequence again, so that what a program
// of calls does is not a matter of what ran before it.
func Reseed() {
	reseed()
	passTime(0)
}

// callsTime is the time of day in calls of our own: that the two versions are called at
// different times is no difference.
const callsTime = 1_700_000_000

// StopClock has clocks show one time of day until restore is called, and go on when something waits for a timer, which
// takes no time then. What measures how long something else takes is not concerned.
func StopClock() (restore func()) {
	showTime(callsTime)
	return func() {
		passTime(0)
		showTime(0)
	}
}

// PassTime has clocks that StopClock has stopped go on by a time, until Reseed is called.
func PassTime(d time.Duration) { passTime(int64(d)) }

// AllocateAtMost has code panic that asks for more bytes at once, until restore is called; 0 is any number. A
// number that is given as a size would otherwise end the process. It needs the seeded run time.
func AllocateAtMost(bytes uintptr) (restore func()) {
	allocateAtMost(bytes)
	return func() { allocateAtMost(0) }
}

// Refused returns a function that reports whether code was refused memory meanwhile: see AllocateAtMost.
func Refused() (meanwhile func() bool) {
	before := refusals()
	return func() bool { return refusals() != before }
}

// Drew returns a function that reports whether anything was drawn from the seeded run time's
// sequence meanwhile: random numbers, names of temporary files, seeds of hashes.
func Drew() (meanwhile func() bool) {
	before := seedAt()
	return func() bool { return seedAt() != before }
}

// Negate negates conditions, by their numbers, until restore is called. Numbers of
// conditions that the program does not have are left out.
func Negate(conditions []int) (restore func()) {
	before := make([]bool, len(conditions))
	for k, i := range conditions {
		if i >= 0 && i < size.Conditions {
			before[k], negated[i] = negated[i], true
		}
	}
	return func() {
		for k := len(conditions) - 1; k >= 0; k-- {
			if i := conditions[k]; i >= 0 && i < size.Conditions {
				negated[i] = before[k]
			}
		}
	}
}

// Addresses counts the texts so far in which Digest has left out an address.
func Addresses() uint64 { return addresses.Load() }

// Clear forgets what was covered and entered.
func Clear() { wipe() }

// EnteredChange reports whether a changed function was entered since Clear.
func EnteredChange() bool {
	_, _, entries := taken()
	for _, e := range entries {
		if e != 0 {
			return true
		}
	}
	return false
}

// EnteredChanges lists the changed functions entered since Clear.
func EnteredChanges() []int {
	var out []int
	_, _, entries := taken()
	for i, e := range entries {
		if e != 0 {
			out = append(out, i)
		}
	}
	return out
}

// CoveredBranches lists the branches taken since Clear: 2*i+1 for condition i
// taken true, 2*i for false, and 2*conditions+j for arm j.
func CoveredBranches() []int {
	branches, arms, _ := taken()
	return marked(marked(nil, branches, 0), arms, len(branches))
}

// marked appends the places of a table that are marked, counted from a number. Most are
// not, so eight are looked at together.
func marked(out []int, table []uint8, from int) []int {
	for i := 0; i < len(table); i++ {
		if i+8 <= len(table) && binary.LittleEndian.Uint64(table[i:]) == 0 {
			i += 7
			continue
		}
		if table[i] != 0 {
			out = append(out, from+i)
		}
	}
	return out
}

// Coverage remembers which branches were ever covered, and how often.
type Coverage struct{ branches, arms table }

// table is what became of one table of marks.
type table struct {
	ever  []uint64 // eight marks in a word, a byte each
	times []int32  // a mark was taken in
}

// Add takes in what was covered since Clear: a digest of the set of branches,
// and how many of them are new.
func (c *Coverage) Add() (trace uint64, fresh int) {
	branches, arms, _ := taken()
	trace, fresh = c.branches.add(branches, 14695981039346656037)
	trace, more := c.arms.add(arms, trace)
	return trace, fresh + more
}

// add takes marks into what was ever marked, and into a digest. It returns the digest, and
// how many marks are new.
func (t *table) add(marks []uint8, trace uint64) (_ uint64, fresh int) {
	if t.ever == nil {
		t.ever = make([]uint64, (len(marks)+7)/8)
		t.times = make([]int32, 8*len(t.ever))
	}
	mark := func(i int, w uint64) {
		trace = (trace ^ w ^ uint64(i)<<32) * 1099511628211
		trace ^= trace >> 29
		more := w &^ t.ever[i]
		t.ever[i] |= w
		for ; more != 0; more &= more - 1 {
			fresh++
		}
		for at := 8 * i; w != 0; at, w = at+1, w>>8 {
			if w&0xff != 0 && t.times[at] < math.MaxInt32 {
				t.times[at]++
			}
		}
	}
	whole := len(marks) / 8
	for i := 0; i < whole; i++ {
		if w := binary.LittleEndian.Uint64(marks[8*i:]); w != 0 {
			mark(i, w)
		}
	}
	var last [8]byte
	copy(last[:], marks[8*whole:])
	if w := binary.LittleEndian.Uint64(last[:]); w != 0 {
		mark(whole, w)
	}
	return trace, fresh
}

// Branches lists the branches ever taken in, as CoveredBranches does, and how often each was.
func (c *Coverage) Branches() (branches, times []int) {
	list := func(t table, from int) {
		for i, n := range t.times {
			if n > 0 {
				branches, times = append(branches, from+i), append(times, int(n))
			}
		}
	}
	list(c.branches, 0)
	list(c.arms, 2*size.Conditions)
	return branches, times
}

// Digest returns the visible and the hidden digest of a value; see doc.go.
func Digest(v reflect.Value) (visible, hidden uint64) {
	visible, hidden, _ = digest(v, false)
	return visible, hidden
}

// State digests values together, with all unexported state and with what they
// share, and without calling any of their methods.
func State(values ...reflect.Value) uint64 {
	w := walker{maxNodes: maxNodes, mute: true}
	h := uint64(len(values))
	for _, v := range values {
		_, x := w.value(v, 0)
		h = mix(h, x)
	}
	w.end()
	return h
}

// opaque is the digest of what a mute walk must not go into as it lies in
// memory: functions are known by their name, descriptions of types lie at
// another place in each program, reflected values are looked at themselves.
func (w *walker) opaque(v reflect.Value, depth int) (uint64, bool) {
	switch {
	case v.Kind() == reflect.Func && !v.IsNil():
		if f := runtime.FuncForPC(v.Pointer()); f != nil {
			return hashString(f.Name()), true
		}
	case v.Kind() == reflect.Pointer && !v.IsNil():
		if p := v.Type().Elem().PkgPath(); p == "reflect" || p == "internal/abi" {
			if t, ok := typeOf(v); ok {
				return hashString(t.String()), true
			}
			return 3, true
		}
	case v.Kind() == reflect.Struct && (v.Type() == timeType || v.Type() == valueType):
		if !v.CanInterface() {
			if !v.CanAddr() {
				return 0, false
			}
			v = reflect.NewAt(v.Type(), v.Addr().UnsafePointer()).Elem()
		}
		if t, ok := v.Interface().(time.Time); ok {
			name, offset := t.Zone()
			return mix(mix(uint64(t.UnixNano()), hashString(name)), uint64(offset)), true
		}
		inner := v.Interface().(reflect.Value)
		_, h := w.value(inner, depth+1)
		if inner.IsValid() {
			h = mix(h, hashString(inner.Type().String()))
			if inner.CanAddr() {
				h = mix(h, 1)
			}
		}
		return h, true
	}
	return 0, false
}

var valueType = reflect.TypeOf(reflect.Value{})

func typeOf(v reflect.Value) (t reflect.Type, ok bool) {
	if v.CanInterface() {
		t, ok = v.Interface().(reflect.Type)
	}
	return t, ok
}

// Note is a file that the parent reads should the process die, nil where there
// is none; package wire of the harness says what stands in it.
func Note() *os.File { return notes }

// Mix adds x to the digest h.
func Mix(h, x uint64) uint64 { return mix(h, x) }

// Normal returns a text without what differs between two processes for no reason of
// the code's, as digests see it.
func Normal(s string) string { return normal(s) }

// Render returns a value as text and its category, as in a record's texts.
func Render(v reflect.Value) (string, byte) { return render(v) }

// Took reports whether a branch was taken since Clear; it has its number from
// CoveredBranches.
func Took(branch int) bool {
	branches, arms, _ := taken()
	if branch < len(branches) {
		return branch >= 0 && branches[branch] != 0
	}
	branch -= len(branches)
	return branch < len(arms) && arms[branch] != 0
}

//go:build go1.21

package probe

import (
	"bufio"
	"encoding/binary"
	"os"
	"strconv"
	"strings"
	"syscall"
)

// Environment is the variable that turns the probe on. It is taken out of the
// environment at once, so that a test that runs its own binary again gets an
// inert one.
const Environment = "ISODELTA_PROBE"

// CallsTest is the test that makes calls of our own. In its process the clock is stopped from the
// beginning (StopClock): what initialisers keep of it shows in calls.
const CallsTest = "TestIsodeltaCalls"

// Bare is its value in a process that runs tests without the TestMain of their package.
const Bare = "bare"

// Held is its value in a process that does not run TestMain either, and in which an init function that panics, or asks
// for the end of the process, only ends itself.
const Held = "held"

type command struct {
	seq       uint32
	fuel      int64
	warm      bool
	detail    bool
	negations []int
	sites     []int
	varied    map[int]string
	order     Order
}

var (
	commands *bufio.Reader
	results  *os.File
	notes    *os.File
	current  command
	tmpdir   string // differs from process to process
	tmpname  string // of the last folder in it, which stands for it where a path is written in another way
	program  string // path of the test binary: differs from version to version
)

// withoutMain says that tests run without the TestMain of their package.
var withoutMain bool

// WithoutMain reports whether a TestMain is to run the tests and do nothing else. It is the
// first thing that each asks.
func WithoutMain() bool { return withoutMain }

// attach is called by the injected copy's init, so that isodelta itself, which
// links this package for its sources, is never mistaken for a tested program.
func attach() {
	value := os.Getenv(Environment)
	if value == "" {
		return
	}
	withoutMain = value == Bare || value == Held
	if value == Held {
		held = true
		onExit(exit)
	}
	os.Unsetenv(Environment)
	// First, while no other file of the process can have the number.
	if isFile(5) {
		syscall.CloseOnExec(5)
		notes = os.NewFile(5, "isodelta-note")
	}
	syscall.CloseOnExec(3)
	syscall.CloseOnExec(4)
	commands = bufio.NewReader(os.NewFile(3, "isodelta-commands"))
	results = os.NewFile(4, "isodelta-results")
	// Before all else the parent says how large the program is.
	if line, err := commands.ReadString('\n'); err != nil || !fit(line) {
		os.Exit(0)
	}
	if tmpdir = os.Getenv("TMPDIR"); len(tmpdir) < 4 {
		tmpdir = ""
	}
	tmpname = ownName(tmpdir)
	if program = os.Args[0]; len(program) < 4 {
		program = ""
	}
	for _, arg := range os.Args[1:] {
		if arg == "-test.run=^"+CallsTest+"$" {
			StopClock()
		}
	}
}

// ownName returns the name of a process's folder for temporary files, "" for a folder that is not called as ours are: a letter,
// and the number of the process.
func ownName(dir string) string {
	name := dir[strings.LastIndexByte(dir, '/')+1:]
	if len(name) < 9 || name[0] != 'p' || strings.Trim(name[1:], "0123456789") != "" {
		return ""
	}
	return name
}

func isFile(fd int) bool {
	var stat syscall.Stat_t
	return syscall.Fstat(fd, &stat) == nil && stat.Mode&syscall.S_IFMT == syscall.S_IFREG
}

// nextCommand reads one line: sequence number, fuel, flags (w: warm-up, d: in
// detail, -: none), then negated conditions, then sites to render, separated
// by commas, "-" for none. Where the harness is given an order, its mode, seed,
// limit, banned keys and keys (hexadecimal) follow, and how far values are to be
// moved in memory. At the end of input there is no more to do.
func nextCommand() (command, bool) {
	line, err := commands.ReadString('\n')
	if err != nil {
		return command{}, false
	}
	f := strings.Fields(line)
	if len(f) != 6 && len(f) != 12 {
		return command{}, false
	}
	seq, _ := strconv.ParseUint(f[0], 10, 32)
	limit, _ := strconv.ParseInt(f[1], 10, 64)
	c := command{
		seq: uint32(seq), fuel: limit,
		warm: strings.Contains(f[2], "w"), detail: strings.Contains(f[2], "d"),
		negations: numbers(f[3]), sites: numbers(f[4]), varied: variations(f[5]),
	}
	if len(f) == 12 {
		c.order.Mode = f[6]
		c.order.Seed, _ = strconv.ParseUint(f[7], 10, 64)
		c.order.Most, _ = strconv.Atoi(f[8])
		c.order.Ban, c.order.Keys = keys(f[9]), keys(f[10])
		c.order.Moved, _ = strconv.Atoi(f[11])
	}
	return c, true
}

func keys(s string) []uint64 {
	if s == "-" {
		return nil
	}
	var out []uint64
	for _, x := range strings.Split(s, ",") {
		n, err := strconv.ParseUint(x, 16, 64)
		if err == nil {
			out = append(out, n)
		}
	}
	return out
}

func numbers(s string) []int {
	if s == "-" {
		return nil
	}
	var out []int
	for _, x := range strings.Split(s, ",") {
		n, err := strconv.Atoi(x)
		if err == nil {
			out = append(out, n)
		}
	}
	return out
}

// send writes one record, little-endian: its length, then sequence number,
// outcome, work used, covered branches and entered functions as bit sets, the
// sites with their count and two digests, the panic's value and stack, the
// rendered values, and what the harness has to say. The caller holds run's
// lock.
func send(outcome byte, used int64, extra []byte) {
	b := make([]byte, 4, 1024)
	b = binary.LittleEndian.AppendUint32(b, run.seq)
	b = append(b, outcome)
	b = binary.LittleEndian.AppendUint64(b, uint64(used))
	branches, arms, entries := taken()
	b = appendBits(b, branches, arms)
	b = appendBits(b, entries)
	b = binary.LittleEndian.AppendUint32(b, uint32(len(touched)))
	for _, s := range touched {
		a := &seen[s]
		b = binary.LittleEndian.AppendUint32(b, uint32(s))
		b = binary.LittleEndian.AppendUint32(b, a.count)
		b = binary.LittleEndian.AppendUint64(b, a.visible)
		b = binary.LittleEndian.AppendUint64(b, a.hidden)
	}
	b = appendString(b, run.message)
	b = appendString(b, run.where)
	b = binary.LittleEndian.AppendUint32(b, uint32(len(run.texts)))
	for _, t := range run.texts {
		b = binary.LittleEndian.AppendUint32(b, uint32(t.site))
		b = append(b, t.category)
		b = appendString(b, t.value)
		b = appendString(b, t.given)
	}
	if len(extra) > MaxExtra {
		extra = nil
	}
	b = binary.LittleEndian.AppendUint32(b, uint32(len(extra)))
	b = append(b, extra...)
	binary.LittleEndian.PutUint32(b, uint32(len(b)-4))
	if _, err := results.Write(b); err != nil {
		os.Exit(0) // the parent is gone
	}
}

func appendString(b []byte, s string) []byte {
	b = binary.LittleEndian.AppendUint32(b, uint32(len(s)))
	return append(b, s...)
}

// appendBits appends tables one after the other: how many bits, and the bits.
func appendBits(b []byte, tables ...[]uint8) []byte {
	at := len(b)
	b = binary.LittleEndian.AppendUint32(b, 0)
	n := 0
	for _, table := range tables {
		for _, v := range table {
			if n%8 == 0 {
				b = append(b, 0)
			}
			b[len(b)-1] |= (v & 1) << (n % 8)
			n++
		}
	}
	binary.LittleEndian.PutUint32(b[at:], uint32(n))
	return b
}

package sandbox

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

// Helper returns at once in ordinary processes. In one that [Command] started
// it restricts the process, becomes the target and never returns. Call it first
// in main and in every TestMain whose process passes itself as exe.
func Helper() {
	if len(os.Args) < 2 || os.Args[1] != HelperArg {
		return
	}
	err := help(os.Args[2:])
	fmt.Fprintln(os.Stderr, "isodelta: sandbox:", err)
	os.Exit(HelperFailed)
}

// restriction is what the helper does between its start and exec.
type restriction struct {
	landlock bool
	writable []string
	limits   []resourceLimit
	environ  []string // of the target
}

type resourceLimit struct {
	resource int
	bytes    uint64
}

// help returns only with an error.
func help(words []string) error {
	// Landlock binds a thread, and the thread that calls exec is the one that
	// is left afterwards.
	runtime.LockOSThread()
	r := restriction{limits: []resourceLimit{{unix.RLIMIT_CORE, 0}}}
	for i, word := range words {
		name, value, _ := strings.Cut(word, "=")
		var err error
		switch name {
		case "memory":
			err = r.limit(unix.RLIMIT_DATA, value)
		case "file":
			err = r.limit(unix.RLIMIT_FSIZE, value)
		case "loopback":
			err = raiseLoopback()
		case "landlock":
			r.landlock = true
		case "write":
			r.writable = append(r.writable, value)
		case "env":
			r.environ = append(r.environ, value)
		case "probe":
			return probe(words[i+1:])
		case "exec":
			return r.become(words[i+1:])
		default:
			return fmt.Errorf("unknown restriction %q: the helper and the program that started it are of different versions", word)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return errors.New("no program to start")
}

func (r *restriction) limit(resource int, bytes string) error {
	n, err := strconv.ParseUint(bytes, 10, 64)
	r.limits = append(r.limits, resourceLimit{resource, n})
	return err
}

// become restricts the thread and replaces the process by the program args[0].
func (r *restriction) become(args []string) error {
	if len(args) == 0 {
		return errors.New("no program to start")
	}
	path := args[0]
	if err := dropCapabilities(); err != nil {
		return err
	}
	if r.landlock {
		if err := restrictWrites(r.writable); err != nil {
			return err
		}
	}
	// Last, since the helper itself may hold more memory than the target may.
	for _, l := range r.limits {
		if err := l.set(); err != nil {
			return fmt.Errorf("limit resource %d: %w", l.resource, err)
		}
	}
	if err := syscall.Exec(path, args, r.environ); err != nil {
		return fmt.Errorf("start %s: %w", path, err)
	}
	return nil
}

// set sets a limit that the target cannot raise again, unless a lower one is
// in force already.
func (l resourceLimit) set() error {
	var now unix.Rlimit
	if err := unix.Getrlimit(l.resource, &now); err != nil {
		return err
	}
	n := min(l.bytes, now.Max)
	return unix.Setrlimit(l.resource, &unix.Rlimit{Cur: n, Max: n})
}

// raiseLoopback turns the only interface of a new network namespace on, which
// gives it the addresses 127.0.0.1 and ::1.
func raiseLoopback() error {
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer unix.Close(fd)
	request, err := unix.NewIfreq("lo")
	if err != nil {
		return err
	}
	request.SetUint16(unix.IFF_UP)
	return unix.IoctlIfreq(fd, unix.SIOCSIFFLAGS, request)
}

// dropCapabilities gives up what a user other than root was lent in its user
// namespace to raise the loopback interface. Root keeps what it has: tests that
// run as root expect it.
func dropCapabilities() error {
	if os.Geteuid() == 0 {
		return nil
	}
	// EINVAL: a kernel before 4.3, which lends nothing.
	if err := unix.Prctl(unix.PR_CAP_AMBIENT, unix.PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0); err != nil && !errors.Is(err, unix.EINVAL) {
		return fmt.Errorf("give up capabilities: %w", err)
	}
	return nil
}

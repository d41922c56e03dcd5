package sandbox

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
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

// help returns only with an error.
func help(words []string) error {
	// Landlock binds a thread, and the thread that calls exec is the one that
	// is left afterwards.
	runtime.LockOSThread()
	var writable []string
	var landlock bool
	for i, word := range words {
		name, value, _ := strings.Cut(word, "=")
		var err error
		switch name {
		case "memory":
			err = limit(unix.RLIMIT_DATA, value)
		case "file":
			err = limit(unix.RLIMIT_FSIZE, value)
		case "loopback":
			err = raiseLoopback()
		case "landlock":
			landlock = true
		case "write":
			writable = append(writable, value)
		case "probe":
			return probe(words[i+1:])
		case "exec":
			if i+1 == len(words) {
				return errors.New("no program to start")
			}
			return become(landlock, writable, words[i+1:])
		default:
			return fmt.Errorf("unknown restriction %q: the helper and the program that started it are of different versions", word)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return errors.New("no program to start")
}

// become restricts the thread and replaces the process by the program args[0].
func become(landlock bool, writable, args []string) error {
	if err := limit(unix.RLIMIT_CORE, "0"); err != nil {
		return fmt.Errorf("core dumps: %w", err)
	}
	path, err := exec.LookPath(args[0])
	if err != nil {
		return err
	}
	if err := dropCapabilities(); err != nil {
		return err
	}
	if landlock {
		if err := restrictWrites(writable); err != nil {
			return err
		}
	}
	if err := syscall.Exec(path, args, os.Environ()); err != nil {
		return fmt.Errorf("start %s: %w", path, err)
	}
	return nil
}

// limit sets a limit that the target cannot raise again, unless a lower one is
// in force already.
func limit(resource int, bytes string) error {
	n, err := strconv.ParseUint(bytes, 10, 64)
	if err != nil {
		return err
	}
	var now unix.Rlimit
	if err := unix.Getrlimit(resource, &now); err != nil {
		return err
	}
	n = min(n, now.Max)
	return unix.Setrlimit(resource, &unix.Rlimit{Cur: n, Max: n})
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

package keeper

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// In a process that was started as a keeper, init starts the target, restricted, waits
// for it and never returns. The main goroutine stays on the process's first thread, so that the one
// that start restricts is another and can end.
func init() {
	if len(os.Args) < 2 || os.Args[1] != Arg {
		return
	}
	runtime.LockOSThread()
	err := act(os.Args[2:])
	fmt.Fprintln(os.Stderr, "isodelta: sandbox:", err)
	os.Exit(Failed)
}

// restriction is what the keeper does before the target starts.
type restriction struct {
	namespaces bool
	landlock   bool
	sockets    bool // in the file system: only our own
	writable   []string
	temp       string
	room       uint64 // of temp and of what is writable, in bytes; 0 is no limit
	processes  uint64 // 0 is no limit
	limits     []resourceLimit
	environ    []string // of the target
	// ownSystemTemp says that the target has a system's temporary folder of its own.
	ownSystemTemp bool
}

// act returns only with an error.
func act(words []string) error {
	r := restriction{limits: []resourceLimit{{unix.RLIMIT_CORE, 0}}}
	for i, word := range words {
		name, value, _ := strings.Cut(word, "=")
		var err error
		switch name {
		case "memory":
			err = r.limit(unix.RLIMIT_DATA, value)
		case "file":
			err = r.limit(unix.RLIMIT_FSIZE, value)
		case "processes":
			r.processes, err = strconv.ParseUint(value, 10, 64)
		case "loopback":
			err = raiseLoopback()
		case "namespaces":
			r.namespaces = true
		case "landlock":
			r.landlock = true
		case "sockets":
			r.sockets = true
		case "write":
			r.writable = append(r.writable, value)
		case "room":
			r.room, err = strconv.ParseUint(value, 10, 64)
		case "temp":
			r.temp = value
		case "env":
			r.environ = append(r.environ, strings.Clone(value))
			forget(word)
		case "exec":
			return r.run(words[i+1:])
		default:
			return fmt.Errorf("unknown restriction %q: the keeper and the program that started it are of different versions", word)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return errors.New("no program to start")
}

// forget overwrites an argument of this process. Everybody on the machine may
// list arguments, and only the user may list variables.
func forget(argument string) {
	clear(unsafe.Slice(unsafe.StringData(argument), len(argument)))
}

// run starts the program args[0], restricted, and stays until it has ended.
func (r *restriction) run(args []string) error {
	if len(args) == 0 {
		return errors.New("no program to start")
	}
	// The target runs as the same user. It must not read or write the memory
	// of its keeper.
	if err := unix.Prctl(unix.PR_SET_DUMPABLE, 0, 0, 0, 0); err != nil {
		return fmt.Errorf("keep the keeper's memory private: %w", err)
	}
	if err := unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); err != nil {
		return fmt.Errorf("become the parent of what the target leaves: %w", err)
	}
	if r.namespaces {
		if err := r.arrangeMounts(args); err != nil {
			return err
		}
	}
	asked := requests()
	target, err := r.start(args)
	if err != nil {
		return err
	}
	r.keep(target, asked)
	return nil
}

// own are the paths that the target may change.
func (r *restriction) own() []string {
	if r.temp == "" {
		return r.writable
	}
	return append(r.writable[:len(r.writable):len(r.writable)], r.temp)
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

// target is a process that was started, restricted.
type target struct {
	pid      int
	listener int // where the kernel asks about connections; -1 for none
}

// start restricts a thread and starts the program args[0] from it. The thread
// then ends: the target may send signals into its own Landlock domain, which
// the rest of the keeper is not in.
func (r *restriction) start(args []string) (t target, err error) {
	done := make(chan struct{})
	go func() {
		runtime.LockOSThread() // for good, which ends the thread with the goroutine
		defer close(done)
		t, err = r.startHere(args)
	}()
	<-done
	return t, err
}

func (r *restriction) startHere(args []string) (target, error) {
	t := target{listener: -1}
	if err := dropCapabilities(); err != nil {
		return t, err
	}
	abi := 0
	if r.landlock {
		var err error
		if abi, err = LandlockABI(); err != nil {
			return t, err
		}
		var open []string
		if r.ownSystemTemp {
			open = []string{systemTemp} // mounts keep what stands there as it is
		}
		if err := restrictWrites(r.own(), open, abi, r.sockets); err != nil {
			return t, err
		}
	}
	for _, l := range r.limits {
		if err := l.set(); err != nil {
			return t, fmt.Errorf("limit resource %d: %w", l.resource, err)
		}
	}
	if r.landlock {
		var err error
		if t.listener, err = filterCalls(r.sockets && abi < closesSockets); err != nil {
			return t, err
		}
	}
	// Descriptors other than these were inherited, and so are inherited again.
	attr := &syscall.ProcAttr{Env: r.environ, Files: []uintptr{0, 1, 2}}
	pid, err := r.limitProcesses(func() (int, error) { return syscall.ForkExec(args[0], args, attr) })
	if err != nil {
		return t, fmt.Errorf("start %s: %w", args[0], err)
	}
	t.pid = pid
	return t, nil
}

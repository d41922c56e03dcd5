package sandbox

import (
	"fmt"
	"os"
	"os/signal"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// keeper is the helper after the target's start. Nothing that the target starts
// outlives it: what loses its parent becomes the keeper's child.
type keeper struct {
	signals chan os.Signal
}

// newKeeper has to be called before the target starts, so that no signal is
// taken for an order to die at once.
func newKeeper() *keeper {
	k := &keeper{signals: make(chan os.Signal, 1)}
	// A terminal sends to all; only the parent's request counts.
	signal.Notify(k.signals, unix.SIGTERM, unix.SIGINT, unix.SIGHUP, unix.SIGQUIT)
	return k
}

// keep waits until the target has ended, ends what it left, and ends the
// process as the target ended.
func (k *keeper) keep(t target, r *restriction) {
	closeInherited()
	ended := make(chan int, 1)
	go func() { ended <- waitFor(t.pid) }()
	if t.listener >= 0 {
		go answerConnections(t.listener, r)
	}
	excess := make(chan string, 1)
	if r.room > 0 && !r.namespaces {
		go watch(r.own(), r.room, excess)
	}
	for {
		select {
		case status := <-ended:
			r.leave(status)
		case why := <-excess:
			fmt.Fprintln(os.Stderr, "isodelta: sandbox: ended:", why)
			r.leave(killed + int(unix.SIGKILL))
		case s := <-k.signals:
			// The first process of a namespace is ended otherwise, and so is
			// only asked to by those inside.
			if s == unix.SIGTERM && !r.namespaces {
				r.leave(killed + int(unix.SIGKILL))
			}
		}
	}
}

// leave ends the helper, and all that the target started.
func (r *restriction) leave(status int) {
	if !r.namespaces { // the kernel ends the others with the first process
		endAll()
	}
	os.Exit(status)
}

// waitFor gives the exit status of a child, and takes leave of the others that
// end before it.
func waitFor(pid int) int {
	for {
		var status syscall.WaitStatus
		switch ended, err := syscall.Wait4(-1, &status, 0, nil); {
		case err == syscall.EINTR:
		case err != nil:
			return HelperFailed // endAll has taken the last one
		case ended == pid && status.Signaled():
			return killed + int(status.Signal())
		case ended == pid:
			return status.ExitStatus()
		}
	}
}

// endAll kills every process that descends from this one and waits until all
// are gone. Those whose parent dies first are children of ours in the next
// round.
func endAll() {
	for {
		for {
			var status syscall.WaitStatus
			pid, err := syscall.Wait4(-1, &status, syscall.WNOHANG, nil)
			if err == syscall.ECHILD {
				return
			}
			if pid <= 0 && err != syscall.EINTR {
				break
			}
		}
		for _, pid := range descendants(os.Getpid()) {
			syscall.Kill(pid, syscall.SIGKILL)
		}
		time.Sleep(time.Millisecond)
	}
}

// descendants lists the processes below one. It reads /proc, so what starts
// meanwhile may be missing.
func descendants(of int) []int {
	dir, err := os.Open("/proc")
	if err != nil {
		return nil
	}
	defer dir.Close()
	names, _ := dir.Readdirnames(-1)
	children := map[int][]int{}
	for _, name := range names {
		pid, err := strconv.Atoi(name)
		if err != nil {
			continue
		}
		if parent, ok := parentOf(pid); ok {
			children[parent] = append(children[parent], pid)
		}
	}
	var all []int
	for next := []int{of}; len(next) > 0; {
		below := children[next[0]]
		delete(children, next[0]) // numbers are used again, so there might be a circle
		all = append(all, below...)
		next = append(next[1:], below...)
	}
	slices.Sort(all)
	return all
}

func parentOf(pid int) (int, bool) {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0, false
	}
	// The name stands in parentheses, and may hold any.
	text := string(stat)
	fields := strings.Fields(text[strings.LastIndexByte(text, ')')+1:])
	if len(fields) < 2 {
		return 0, false
	}
	parent, err := strconv.Atoi(fields[1])
	return parent, err == nil
}

// closeInherited closes what was meant for the target, so that whoever reads
// from it sees its end.
func closeInherited() {
	entries, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		return
	}
	for _, entry := range entries {
		fd, err := strconv.Atoi(entry.Name())
		if err != nil || fd <= 2 {
			continue
		}
		flags, err := unix.FcntlInt(uintptr(fd), unix.F_GETFD, 0)
		if err == nil && flags&unix.FD_CLOEXEC == 0 {
			unix.Close(fd)
		}
	}
}

package keeper

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

// requests returns a channel that tells of the parent's request to end. It has to
// be made before the target starts, so that no signal ends the keeper alone.
func requests() <-chan os.Signal {
	// A terminal sends these to all. They are the target's to obey.
	signal.Notify(make(chan os.Signal, 1), unix.SIGINT, unix.SIGHUP, unix.SIGQUIT)
	asked := make(chan os.Signal, 1)
	signal.Notify(asked, unix.SIGTERM)
	return asked
}

// keep is what the keeper does after the target's start: it waits until the
// target has ended, ends what it left, and ends the process as the target ended.
// Nothing that the target starts outlives it: what loses its parent becomes the
// keeper's child.
func (r *restriction) keep(t target, asked <-chan os.Signal) {
	closeInherited()
	ended := make(chan int, 1)
	go func() { ended <- waitFor(t.pid) }()
	if t.listener >= 0 {
		go answerConnections(t.listener, r)
	}
	excess := make(chan string, 1)
	if r.room > 0 && (!r.namespaces || len(r.writable) > 0) {
		go watch(r.own(), r.room, excess)
	}
	for {
		select {
		case status := <-ended:
			r.leave(status)
		case why := <-excess:
			fmt.Fprintln(os.Stderr, "isodelta: sandbox: ended:", why)
			r.leave(Killed + int(unix.SIGKILL))
		case <-asked:
			// The first process of a namespace is ended otherwise, and so is
			// only asked to by those inside.
			if !r.namespaces {
				r.leave(Killed + int(unix.SIGKILL))
			}
		}
	}
}

// leave ends the keeper, and all that the target started.
func (r *restriction) leave(status int) {
	if !r.namespaces { // the kernel ends the others with the first process
		endAll()
	}
	os.Exit(status)
}

// waitFor returns the exit status of a child, and takes leave of the others that
// end before it.
func waitFor(pid int) int {
	for {
		var status syscall.WaitStatus
		switch ended, err := syscall.Wait4(-1, &status, 0, nil); {
		case err == syscall.EINTR:
		case err != nil:
			return Failed // endAll has taken the last one
		case ended == pid && status.Signaled():
			return Killed + int(status.Signal())
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

package keeper

import (
	"fmt"
	"strconv"

	"golang.org/x/sys/unix"
)

type resourceLimit struct {
	resource int
	most     uint64
}

func (r *restriction) limit(resource int, most string) error {
	n, err := strconv.ParseUint(most, 10, 64)
	r.limits = append(r.limits, resourceLimit{resource, n})
	return err
}

// set sets a limit that nobody below can raise again, unless a lower one is in
// force already.
func (l resourceLimit) set() error {
	var now unix.Rlimit
	if err := unix.Getrlimit(l.resource, &now); err != nil {
		return err
	}
	n := min(l.most, now.Max)
	return unix.Setrlimit(l.resource, &unix.Rlimit{Cur: n, Max: n})
}

// limitProcesses starts a process that may not have more than r.processes
// beside it. The keeper is not bound by the limit, since it has to go on when
// the target has used it up.
func (r *restriction) limitProcesses(start func() (pid int, err error)) (int, error) {
	if r.processes == 0 {
		return start()
	}
	var ours unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_NPROC, &ours); err != nil {
		return 0, err
	}
	n := min(r.processes, ours.Max)
	if err := unix.Setrlimit(unix.RLIMIT_NPROC, &unix.Rlimit{Cur: n, Max: ours.Max}); err != nil {
		return 0, fmt.Errorf("limit processes: %w", err)
	}
	pid, err := start()
	if err != nil {
		return 0, err
	}
	if err := unix.Prlimit(pid, unix.RLIMIT_NPROC, &unix.Rlimit{Cur: n, Max: n}, nil); err != nil && err != unix.ESRCH {
		unix.Kill(pid, unix.SIGKILL)
		return 0, fmt.Errorf("limit processes: %w", err)
	}
	return pid, unix.Setrlimit(unix.RLIMIT_NPROC, &ours)
}

package keeper

import (
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// arrangeMounts makes, in this process's own namespace, everything read-only
// but the paths that the target may write to. All keep their names. It needs
// the right to mount, which is given up afterwards. args start the target.
func (r *restriction) arrangeMounts(args []string) error {
	dir, err := os.Getwd()
	if err != nil {
		return err
	}
	if err := unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""); err != nil {
		return fmt.Errorf("have mounts of our own: %w", err)
	}
	// Outer ones first, so that they do not cover what is mounted inside.
	writable := slices.Clone(r.writable)
	slices.SortFunc(writable, func(a, b string) int { return len(a) - len(b) })
	copies := make([]int, len(writable))
	for i, path := range writable {
		if copies[i], err = unix.OpenTree(unix.AT_FDCWD, path, unix.OPEN_TREE_CLONE|unix.OPEN_TREE_CLOEXEC|unix.AT_RECURSIVE); err != nil {
			return fmt.Errorf("writable directory %s: %w", path, err)
		}
	}
	if err := r.showOwnProcesses(); err != nil {
		return err
	}
	// Permissions, times, owners and attributes of files are then fixed as well,
	// for which Landlock has no rights.
	if err := unix.MountSetattr(unix.AT_FDCWD, "/", unix.AT_RECURSIVE, &unix.MountAttr{Attr_set: unix.MOUNT_ATTR_RDONLY}); err != nil {
		return fmt.Errorf("make everything read-only: %w", err)
	}
	for i, path := range writable {
		if err := unix.MoveMount(copies[i], "", unix.AT_FDCWD, path, unix.MOVE_MOUNT_F_EMPTY_PATH); err != nil {
			return fmt.Errorf("writable directory %s: %w", path, err)
		}
		unix.Close(copies[i])
	}
	if r.temp != "" {
		if err := unix.Mount("tmpfs", r.temp, "tmpfs", unix.MS_NOSUID|unix.MS_NODEV, r.tempOptions()); err != nil {
			return fmt.Errorf("temporary directory %s: %w", r.temp, err)
		}
	}
	if r.ownSystemTemp, err = r.mountSystemTemp(append(slices.Concat(args, r.environ, r.own()), dir)); err != nil {
		return err
	}
	return os.Chdir(dir) // into what is mounted there now
}

// tempOptions bounds the names in the temporary folder as well as what they
// hold, since names take memory, too.
func (r *restriction) tempOptions() string {
	return "mode=0700" + r.bounds()
}

// bounds returns the options that limit a file system in memory, "" for none.
func (r *restriction) bounds() (options string) {
	if r.room > 0 {
		options = fmt.Sprintf(",size=%d,nr_inodes=%d", r.room, maxEntries)
	}
	return options
}

// showOwnProcesses lets /proc show the processes of this namespace only, and
// limits their number.
func (r *restriction) showOwnProcesses() error {
	if err := unix.Mount("proc", "/proc", "proc", unix.MS_NOSUID|unix.MS_NODEV|unix.MS_NOEXEC, ""); err != nil {
		return fmt.Errorf("have a /proc of our own: %w", err)
	}
	if r.processes == 0 || !CountsPerNamespace() {
		return nil
	}
	// The lowest numbers are never given again, so the kernel wants some more.
	most := max(r.processes, 400)
	if err := os.WriteFile("/proc/sys/kernel/pid_max", []byte(strconv.FormatUint(most, 10)), 0); err != nil {
		return fmt.Errorf("limit processes: %w", err)
	}
	return nil
}

// CountsPerNamespace reports whether each namespace has its own pid_max. Before
// Linux 6.14 it was the whole machine's, which is not ours to change.
func CountsPerNamespace() bool {
	var name unix.Utsname
	if unix.Uname(&name) != nil {
		return false
	}
	major, rest, _ := strings.Cut(unix.ByteSliceToString(name.Release[:]), ".")
	minor, _, _ := strings.Cut(rest, ".")
	a, errA := strconv.Atoi(major)
	b, errB := strconv.Atoi(minor)
	return errA == nil && errB == nil && (a > 6 || a == 6 && b >= 14)
}

package sandbox

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"unsafe"

	"golang.org/x/sys/unix"
)

// devices that programs write to without consequence.
var devices = []string{"/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"}

// Rights that change files, by the Landlock ABI that brought them. Rights to
// read and to execute are not handled, and so stay free.
const (
	writeFile = unix.LANDLOCK_ACCESS_FS_WRITE_FILE
	changeDir = unix.LANDLOCK_ACCESS_FS_REMOVE_DIR | unix.LANDLOCK_ACCESS_FS_REMOVE_FILE |
		unix.LANDLOCK_ACCESS_FS_MAKE_CHAR | unix.LANDLOCK_ACCESS_FS_MAKE_DIR | unix.LANDLOCK_ACCESS_FS_MAKE_REG |
		unix.LANDLOCK_ACCESS_FS_MAKE_SOCK | unix.LANDLOCK_ACCESS_FS_MAKE_FIFO | unix.LANDLOCK_ACCESS_FS_MAKE_BLOCK |
		unix.LANDLOCK_ACCESS_FS_MAKE_SYM
)

// rights gives what the kernel's ABI can restrict: on directories, the part of
// it that applies to single files, and the scopes.
func rights(abi int) (dir, file, scoped uint64) {
	dir, file = writeFile|changeDir, writeFile
	if abi >= 2 {
		dir |= unix.LANDLOCK_ACCESS_FS_REFER
	}
	if abi >= 3 {
		dir |= unix.LANDLOCK_ACCESS_FS_TRUNCATE
		file |= unix.LANDLOCK_ACCESS_FS_TRUNCATE
	}
	if abi >= 6 {
		scoped = unix.LANDLOCK_SCOPE_SIGNAL | unix.LANDLOCK_SCOPE_ABSTRACT_UNIX_SOCKET
	}
	if abi >= 9 {
		dir |= unix.LANDLOCK_ACCESS_FS_RESOLVE_UNIX
		file |= unix.LANDLOCK_ACCESS_FS_RESOLVE_UNIX
	}
	return dir, file, scoped
}

// landlockABI is 0 where the kernel has no Landlock or does not use it; err
// then says which.
func landlockABI() (int, error) {
	abi, _, errno := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, 0, 0, unix.LANDLOCK_CREATE_RULESET_VERSION)
	switch errno {
	case 0:
		return int(abi), nil
	case unix.ENOSYS:
		return 0, errors.New("the kernel has no Landlock (Linux 5.13 or later), or a container's seccomp profile hides it")
	case unix.EOPNOTSUPP:
		return 0, errors.New("the kernel has Landlock, but it was not enabled at boot (lsm=landlock,…)")
	default:
		return 0, fmt.Errorf("ask the kernel for Landlock: %w", errno)
	}
}

// restrictWrites lets the calling thread, and what it executes, change files
// below the given directories only.
func restrictWrites(writable []string) error {
	abi, err := landlockABI()
	if err != nil {
		return err
	}
	dirRights, fileRights, scoped := rights(abi)
	attr := unix.LandlockRulesetAttr{Handled_access_fs: dirRights, Scoped: scoped}
	// Kernels take a longer structure than theirs if what they do not know is zero.
	fd, _, errno := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, uintptr(unsafe.Pointer(&attr)), unsafe.Sizeof(attr), 0)
	if errno != 0 {
		return fmt.Errorf("make Landlock rules: %w", errno)
	}
	defer unix.Close(int(fd))
	for _, path := range writable {
		if err := allow(int(fd), path, dirRights, fileRights); err != nil {
			return fmt.Errorf("writable directory: %w", err)
		}
	}
	for _, path := range devices {
		if err := allow(int(fd), path, dirRights, fileRights); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return fmt.Errorf("no new privileges: %w", err)
	}
	if _, _, errno := unix.Syscall(unix.SYS_LANDLOCK_RESTRICT_SELF, fd, 0, 0); errno != 0 {
		return fmt.Errorf("enforce Landlock rules: %w", errno)
	}
	return nil
}

// allow adds a rule for path and what is below it.
func allow(ruleset int, path string, dirRights, fileRights uint64) error {
	fd, err := unix.Open(path, unix.O_PATH|unix.O_CLOEXEC, 0)
	if err != nil {
		return &os.PathError{Op: "open", Path: path, Err: err}
	}
	defer unix.Close(fd)
	var st unix.Stat_t
	if err := unix.Fstat(fd, &st); err != nil {
		return &os.PathError{Op: "stat", Path: path, Err: err}
	}
	rule := unix.LandlockPathBeneathAttr{Allowed_access: fileRights, Parent_fd: int32(fd)}
	if st.Mode&unix.S_IFMT == unix.S_IFDIR {
		rule.Allowed_access = dirRights
	}
	if _, _, errno := unix.Syscall6(unix.SYS_LANDLOCK_ADD_RULE, uintptr(ruleset), unix.LANDLOCK_RULE_PATH_BENEATH,
		uintptr(unsafe.Pointer(&rule)), 0, 0, 0); errno != 0 {
		return &os.PathError{Op: "landlock_add_rule", Path: path, Err: errno}
	}
	return nil
}

package keeper

import (
	"errors"
	"fmt"
	"os"

	landlock "github.com/landlock-lsm/go-landlock/landlock/syscall"
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

// rights returns what the kernel's ABI can restrict: on directories, the part of
// it that applies to single files, and the scopes.
func rights(abi int, sockets bool) (dir, file, scoped uint64) {
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
	if abi >= closesSockets && sockets {
		dir |= unix.LANDLOCK_ACCESS_FS_RESOLVE_UNIX
		file |= unix.LANDLOCK_ACCESS_FS_RESOLVE_UNIX
	}
	return dir, file, scoped
}

// LandlockABI is 0 where the kernel has no Landlock or does not use it; err
// then says which.
func LandlockABI() (int, error) {
	abi, err := landlock.LandlockGetABIVersion()
	switch {
	case err == nil:
		return abi, nil
	case errors.Is(err, unix.ENOSYS):
		return 0, errors.New("the kernel has no Landlock (Linux 5.13 or later), or a container's seccomp profile hides it")
	case errors.Is(err, unix.EOPNOTSUPP):
		return 0, errors.New("the kernel has Landlock, but it was not enabled at boot (lsm=landlock,…)")
	default:
		return 0, fmt.Errorf("ask the kernel for Landlock: %w", err)
	}
}

// closesSockets is the ABI from which on Landlock has a right for sockets in the
// file system.
const closesSockets = 9

// restrictWrites lets this thread, and what is started from it, change files
// below the given paths only and, where the ABI can, connect to sockets there
// only. The library's own function would restrict every thread, the keeper's
// that watch over the target among them. Below the paths in open, files may be changed, and no sockets connected to.
func restrictWrites(writable, open []string, abi int, sockets bool) error {
	dirRights, fileRights, scoped := rights(abi, sockets)
	rules, err := landlock.LandlockCreateRuleset(&landlock.RulesetAttr{HandledAccessFS: dirRights, Scoped: scoped}, 0)
	if err != nil {
		return fmt.Errorf("make Landlock rules: %w", err)
	}
	defer unix.Close(rules)
	for _, device := range devices {
		if err := allow(rules, device, dirRights, fileRights); err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
	}
	for _, path := range writable {
		if err := allow(rules, path, dirRights, fileRights); err != nil {
			return fmt.Errorf("writable directory: %w", err)
		}
	}
	filesAlone, _, _ := rights(abi, false)
	for _, path := range open {
		if err := allow(rules, path, filesAlone, filesAlone); err != nil {
			return fmt.Errorf("temporary directory: %w", err)
		}
	}
	if err := landlock.LandlockRestrictSelf(rules, 0); err != nil {
		return fmt.Errorf("restrict by Landlock: %w", err)
	}
	return nil
}

// allow adds a rule for a path and what is below it.
func allow(rules int, path string, dirRights, fileRights uint64) error {
	fd, err := unix.Open(path, unix.O_PATH|unix.O_CLOEXEC, 0)
	if err != nil {
		return &os.PathError{Op: "open", Path: path, Err: err}
	}
	defer unix.Close(fd)
	var stat unix.Stat_t
	if err := unix.Fstat(fd, &stat); err != nil {
		return &os.PathError{Op: "stat", Path: path, Err: err}
	}
	access := fileRights
	if stat.Mode&unix.S_IFMT == unix.S_IFDIR {
		access = dirRights
	}
	if err := landlock.LandlockAddPathBeneathRule(rules, &landlock.PathBeneathAttr{AllowedAccess: access, ParentFd: fd}, 0); err != nil {
		return &os.PathError{Op: "allow writing below", Path: path, Err: err}
	}
	return nil
}

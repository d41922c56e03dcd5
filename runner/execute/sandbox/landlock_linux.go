package sandbox

import (
	"errors"
	"fmt"
	"os"

	"github.com/landlock-lsm/go-landlock/landlock"
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

// restrictWrites lets this process, and what it executes, change files below
// the given directories only.
func restrictWrites(writable []string) error {
	abi, err := landlockABI()
	if err != nil {
		return err
	}
	dirRights, fileRights, scoped := rights(abi)
	rules := []landlock.Rule{landlock.PathAccess(landlock.AccessFSSet(fileRights), devices...).IgnoreIfMissing()}
	for _, path := range writable {
		info, err := os.Stat(path)
		if err != nil {
			return fmt.Errorf("writable directory: %w", err)
		}
		access := fileRights
		if info.IsDir() {
			access = dirRights
		}
		rules = append(rules, landlock.PathAccess(landlock.AccessFSSet(access), path))
	}
	config, err := landlock.NewConfig(landlock.AccessFSSet(dirRights), landlock.ScopedSet(scoped))
	if err != nil {
		return err
	}
	return config.Restrict(rules...)
}

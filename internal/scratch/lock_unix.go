//go:build unix

package scratch

import (
	"os"
	"path/filepath"
	"syscall"
)

// lockNew locks a folder that was just made; nil where that cannot be done. The
// file gets its name when it is locked, so that nobody finds it unlocked.
func lockNew(dir string) *os.File {
	hidden := filepath.Join(dir, lockFile+"-new")
	f, err := os.OpenFile(hidden, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return nil
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err == nil {
		err = os.Rename(hidden, filepath.Join(dir, lockFile))
		if err == nil {
			return f
		}
	}
	f.Close()
	os.Remove(hidden)
	return nil
}

// lockLeft locks a folder of ours that nobody uses any more; nil for any other.
func lockLeft(dir string) *os.File {
	if info, err := os.Lstat(dir); err != nil || !info.IsDir() || !ours(info) {
		return nil
	}
	name := filepath.Join(dir, lockFile)
	f, err := os.OpenFile(name, os.O_RDWR|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil
	}
	locked, err := f.Stat()
	if err == nil && locked.Mode().IsRegular() && ours(locked) && syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) == nil {
		// Another run may have removed it between opening and locking.
		if now, err := os.Lstat(name); err == nil && os.SameFile(now, locked) {
			return f
		}
	}
	f.Close()
	return nil
}

func ours(info os.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(stat.Uid) == os.Geteuid()
}

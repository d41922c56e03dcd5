package keeper

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/sys/unix"
)

// systemTemp is a folder that many programs write to without asking for the temporary folder.
const systemTemp = "/tmp"

// entry is a folder or a file in the system's temporary folder.
type entry struct {
	path string
	dir  bool
	tree int // a copy of what is mounted there
}

// mountSystemTemp gives the target a system's temporary folder of its own, in memory, and reports whether it did. The
// target is started with the words. Entries that they name stay in the folder as they are: read-only, unless they are
// the target's own. The target sees no others. A folder that is missing, or that is the target's own, is left alone.
func (r *restriction) mountSystemTemp(words []string) (bool, error) {
	if slices.Contains(r.own(), systemTemp) {
		return false, nil
	}
	entries, err := namedEntries(systemTemp, words)
	defer func() {
		for _, e := range entries {
			unix.Close(e.tree)
		}
	}()
	if err != nil || unix.Mount("tmpfs", systemTemp, "tmpfs", unix.MS_NOSUID|unix.MS_NODEV, "mode=1777"+r.bounds()) != nil {
		return false, nil
	}
	for _, e := range entries {
		if err := e.show(); err != nil && !errors.Is(err, unix.ENOENT) {
			return true, fmt.Errorf("show %s: %w", e.path, err)
		}
	}
	return true, nil
}

// namedEntries returns the entries of a folder that words name, with copies of what is mounted there. It returns an error
// for an entry that is neither a folder nor a file: what a symbolic link leads to may be hidden. Entries that other
// programs remove meanwhile are left out.
func namedEntries(folder string, words []string) (list []entry, err error) {
	names, err := os.ReadDir(folder)
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		e := entry{path: filepath.Join(folder, name.Name()), dir: name.IsDir()}
		if !slices.ContainsFunc(words, func(word string) bool { return contains(word, e.path) }) {
			continue
		}
		if !e.dir && !name.Type().IsRegular() {
			return list, fmt.Errorf("%s is neither a folder nor a file", e.path)
		}
		e.tree, err = unix.OpenTree(unix.AT_FDCWD, e.path, unix.OPEN_TREE_CLONE|unix.OPEN_TREE_CLOEXEC|unix.AT_RECURSIVE|unix.AT_SYMLINK_NOFOLLOW)
		if errors.Is(err, unix.ENOENT) {
			continue
		}
		if err != nil {
			return list, err
		}
		list = append(list, e)
	}
	return list, nil
}

// contains reports whether a word contains a path that is not the beginning of a longer name.
func contains(word, path string) bool {
	for {
		_, after, found := strings.Cut(word, path)
		if !found || after == "" || !inName(after[0]) {
			return found
		}
		word = after
	}
}

// inName reports whether names of files commonly have a byte.
func inName(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || strings.IndexByte("-._", c) >= 0
}

// show puts an entry into the new folder, under its old name.
func (e entry) show() error {
	var err error
	if e.dir {
		err = os.Mkdir(e.path, 0o755)
	} else {
		err = os.WriteFile(e.path, nil, 0o600)
	}
	if err != nil {
		return err
	}
	return unix.MoveMount(e.tree, "", unix.AT_FDCWD, e.path, unix.MOVE_MOUNT_F_EMPTY_PATH)
}

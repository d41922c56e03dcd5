package keeper

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/sys/unix"
)

// systemTemp is where many programs put files without asking for the temporary folder.
const systemTemp = "/tmp"

// entry is what stands in the system's temporary folder.
type entry struct {
	path string
	dir  bool
	tree int // a copy of what is mounted there
}

// mountSystemTemp gives the target a system's temporary folder of its own, in memory, and reports whether it did. What
// the words name that the target is started with stays there as it is, read-only but for the target's own paths; nothing
// else is seen. It leaves a folder alone that is missing or belongs to the target.
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
		if err := e.show(); err != nil {
			return true, fmt.Errorf("show %s: %w", e.path, err)
		}
	}
	return true, nil
}

// namedEntries returns the folders and files in a folder that words name, with copies of what is mounted there. A symbolic
// link there is an error, since what it leads to may be gone.
func namedEntries(folder string, words []string) (list []entry, err error) {
	names, err := os.ReadDir(folder)
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		e := entry{path: filepath.Join(folder, name.Name()), dir: name.IsDir()}
		if !slices.ContainsFunc(words, func(word string) bool { return strings.Contains(word, e.path) }) {
			continue
		}
		if !e.dir && !name.Type().IsRegular() {
			return list, fmt.Errorf("%s is no folder and no file", e.path)
		}
		e.tree, err = unix.OpenTree(unix.AT_FDCWD, e.path, unix.OPEN_TREE_CLONE|unix.OPEN_TREE_CLOEXEC|unix.AT_RECURSIVE|unix.AT_SYMLINK_NOFOLLOW)
		if err != nil {
			return list, err
		}
		list = append(list, e)
	}
	return list, nil
}

// show puts an entry into the folder that now stands in the place of the one that held it.
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

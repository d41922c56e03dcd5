package revision

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/filemode"
)

// worktreeCopy copies the working tree as `git add --all` would see it.
type worktreeCopy struct {
	r       *Repository
	w       *treeWriter
	tracked *tracked
	trees   treeWalk // for what a sparse checkout left out

	ignoreMode  bool // core.fileMode=false: the executable bits on disk mean nothing
	ignoreLinks bool // core.symlinks=false: links are plain files on disk
}

func (r *Repository) copyWorkingTree(ctx context.Context, v Version, w *treeWriter) error {
	if r.bare {
		return ErrBare
	}
	known, err := r.trackedFiles(v.Commit, w)
	if err != nil {
		return err
	}
	c := &worktreeCopy{
		r: r, w: w, tracked: known, trees: treeWalk{r: r, commit: v.Commit, w: w},
		ignoreMode:  r.config.isFalse("core", "fileMode"),
		ignoreLinks: r.config.isFalse("core", "symlinks"),
	}
	if err := c.folder(ctx, ".", r.globalRules(), false); err != nil {
		return err
	}
	return c.elsewhere(ctx)
}

// folder copies what dir holds. In an ignored folder only tracked files count.
func (c *worktreeCopy) folder(ctx context.Context, dir string, rules ignoreRules, ignored bool) error {
	entries, err := os.ReadDir(c.onDisk(dir))
	if err != nil {
		if c.tracked.folders[dir] || dir == "." {
			return err
		}
		c.w.note("untracked folder %s left out: %v", dir, err)
		return nil
	}
	if rules, err = rules.with(c.r.root, dir); err != nil {
		return err
	}
	for _, entry := range entries {
		if err := ctx.Err(); err != nil {
			return err
		}
		name := path.Join(dir, entry.Name())
		if !safeName(entry.Name()) {
			continue // .git
		}
		skip := ignored || rules.ignored(name, entry.IsDir())
		if entry.IsDir() {
			if skip && !c.tracked.folders[name] || c.foreign(name) {
				continue
			}
			if err := c.folder(ctx, name, rules, skip); err != nil {
				return err
			}
			continue
		}
		known, isTracked := c.tracked.files[name]
		if isTracked || !skip {
			if err := c.file(name, entry.Type(), known, isTracked); err != nil {
				return err
			}
		}
	}
	return nil
}

// foreign reports whether the folder is another repository: a submodule, or one
// that git would take in as a mere link.
func (c *worktreeCopy) foreign(name string) bool {
	if c.tracked.folders[name] {
		return false
	}
	if c.tracked.files[name].mode == filemode.Submodule {
		return true // noted with the other submodules
	}
	if gitDir, err := gitDirOf(c.onDisk(name)); gitDir == "" && err == nil {
		return false
	}
	c.w.note("nested repository %s left out", name)
	return true
}

func (c *worktreeCopy) file(name string, kind fs.FileMode, known trackedFile, isTracked bool) error {
	disk := c.onDisk(name)
	switch {
	case kind&fs.ModeSymlink != 0:
		target, err := os.Readlink(disk)
		if err != nil {
			return err
		}
		c.w.link(name, filepath.ToSlash(target))
		return nil
	case !kind.IsRegular():
		c.w.note("%s left out: it is not a regular file", name)
		return nil
	case isTracked && known.mode == filemode.Symlink && c.ignoreLinks:
		target, err := os.ReadFile(disk)
		if err != nil {
			return err
		}
		c.w.link(name, string(target))
		return nil
	}
	f, err := os.Open(disk)
	if err != nil {
		if isTracked {
			return err
		}
		c.w.note("untracked file %s left out: %v", name, err)
		return nil
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	executable := info.Mode()&0o111 != 0
	if c.ignoreMode {
		executable = isTracked && known.mode == filemode.Executable
	}
	if !isTracked || info.Size() > streamAbove {
		return c.w.file(name, executable, f)
	}
	content, err := os.ReadFile(disk)
	if err != nil {
		return err
	}
	return c.w.file(name, executable, bytes.NewReader(asCommitted(content, known.hash)))
}

// asCommitted returns the content without carriage returns before line ends, if
// exactly this is what the index has; otherwise the content itself.
func asCommitted(content []byte, committed plumbing.Hash) []byte {
	if !bytes.Contains(content, []byte("\r\n")) {
		return content
	}
	plain := bytes.ReplaceAll(content, []byte("\r\n"), []byte("\n"))
	if plumbing.ComputeHash(plumbing.BlobObject, plain) == committed {
		return plain
	}
	return content
}

// elsewhere writes tracked files that a sparse checkout did not put into the
// working tree, and notes the submodules.
func (c *worktreeCopy) elsewhere(ctx context.Context) error {
	absent := 0
	for _, name := range slices.Sorted(maps.Keys(c.tracked.files)) {
		known := c.tracked.files[name]
		if known.mode == filemode.Submodule {
			c.w.note("submodule %s left out", name)
			continue
		}
		if !known.absent && known.mode != filemode.Dir {
			continue
		}
		if _, err := os.Lstat(c.onDisk(name)); err == nil && known.mode != filemode.Dir {
			continue // there all the same, and copied
		}
		absent++
		var err error
		if known.mode == filemode.Dir {
			err = c.trees.write(ctx, known.hash, name)
		} else {
			err = c.trees.entry(name, known.mode, known.hash)
		}
		if err != nil {
			return err
		}
	}
	c.trees.noteAbsent()
	if absent > 0 {
		c.w.note("the checkout is sparse: what it leaves out was taken from the index (%s)", count(absent, "entry", "entries"))
	}
	return nil
}

func count(n int, one, many string) string {
	if n == 1 {
		return fmt.Sprintf("1 %s", one)
	}
	return fmt.Sprintf("%d %s", n, many)
}

func (c *worktreeCopy) onDisk(name string) string {
	return filepath.Join(c.r.root, filepath.FromSlash(name))
}

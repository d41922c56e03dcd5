package revision

import (
	"bytes"
	"cmp"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
)

// Values of Change.Status.
const (
	Added    = "added"
	Deleted  = "deleted"
	Modified = "modified"
	Renamed  = "renamed"
)

// Change is one file that two trees do not have in common.
type Change struct {
	Path    string // slash path; where it was, if deleted
	OldPath string // slash path in base if renamed, otherwise ""
	Status  string // added, deleted, modified or renamed
	Test    bool   // Path is a *_test.go file
	// Testdata: Path lies below a testdata folder.
	Testdata bool
	// Hunks are the lines that differ, in order; nil where a side is not text,
	// is a symbolic link, or is too large to be compared by lines.
	Hunks []Hunk
}

// Hunk is a run of lines that differs. Lines count from 1. A side that has no
// lines there has the count 0, and the number of the line before which the other
// side's lines stand (one more than the last line at the end).
type Hunk struct {
	BaseLine, BaseLines int
	HeadLine, HeadLines int
}

// Changes lists the files in which two trees differ by content, sorted by path.
// A deleted and an added file of equal content, or with at least 60 % of lines in
// common, are one renamed file. Permissions do not count.
func Changes(baseRoot, headRoot string) ([]Change, error) {
	base, err := list(baseRoot)
	if err != nil {
		return nil, fmt.Errorf("listing base: %w", err)
	}
	head, err := list(headRoot)
	if err != nil {
		return nil, fmt.Errorf("listing head: %w", err)
	}
	var deleted, added []string
	var changes []Change
	for _, name := range slices.Sorted(maps.Keys(head)) {
		if _, ok := base[name]; !ok {
			added = append(added, name)
			continue
		}
		same, err := sameEntry(baseRoot, headRoot, name, base[name], head[name])
		if err != nil {
			return nil, fmt.Errorf("comparing %s: %w", name, err)
		}
		if !same {
			changes = append(changes, Change{Path: name, Status: Modified})
		}
	}
	for _, name := range slices.Sorted(maps.Keys(base)) {
		if _, ok := head[name]; !ok {
			deleted = append(deleted, name)
		}
	}
	renames, err := findRenames(baseRoot, headRoot, deleted, added)
	if err != nil {
		return nil, err
	}
	for _, name := range added {
		if old, ok := renames[name]; ok {
			changes = append(changes, Change{Path: name, OldPath: old, Status: Renamed})
			deleted = slices.DeleteFunc(deleted, func(d string) bool { return d == old })
		} else {
			changes = append(changes, Change{Path: name, Status: Added})
		}
	}
	for _, name := range deleted {
		changes = append(changes, Change{Path: name, Status: Deleted})
	}
	for i := range changes {
		c := &changes[i]
		c.Test, c.Testdata = isTest(c.Path), inTestdata(c.Path)
		if c.Hunks, err = hunksOf(baseRoot, headRoot, *c); err != nil {
			return nil, fmt.Errorf("comparing %s: %w", c.Path, err)
		}
	}
	slices.SortFunc(changes, func(a, b Change) int { return cmp.Compare(a.Path, b.Path) })
	return changes, nil
}

// sameEntry compares two entries without following links.
func sameEntry(baseRoot, headRoot, name string, a, b fs.FileMode) (bool, error) {
	left, right := below(baseRoot, name), below(headRoot, name)
	if a&fs.ModeSymlink == 0 && b&fs.ModeSymlink == 0 {
		return sameFile(left, right)
	}
	if a != b {
		return false, nil
	}
	l, err := os.Readlink(left)
	if err != nil {
		return false, err
	}
	r, err := os.Readlink(right)
	return l == r, err
}

func hunksOf(baseRoot, headRoot string, c Change) ([]Hunk, error) {
	old := c.Path
	if c.Status == Renamed {
		old = c.OldPath
	}
	var before, after []byte
	var err error
	isText := true
	if c.Status != Added {
		if before, isText, err = text(below(baseRoot, old)); err != nil || !isText {
			return nil, err
		}
	}
	if c.Status != Deleted {
		if after, isText, err = text(below(headRoot, c.Path)); err != nil || !isText {
			return nil, err
		}
	}
	return hunks(before, after), nil
}

const (
	maxText = 8 << 20 // bytes of a file that is compared by lines
	sniff   = 8000    // bytes in which git, too, looks for a NUL
)

// text reads a file, and reports whether it is a text of reasonable size.
func text(file string) ([]byte, bool, error) {
	info, err := os.Lstat(file)
	if err != nil || !info.Mode().IsRegular() || info.Size() > maxText {
		return nil, false, err
	}
	content, err := os.ReadFile(file)
	if err != nil {
		return nil, false, err
	}
	return content, bytes.IndexByte(content[:min(len(content), sniff)], 0) < 0, nil
}

func below(root, name string) string { return filepath.Join(root, filepath.FromSlash(name)) }

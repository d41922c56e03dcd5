//go:build go1.21

package harness

import (
	"io/fs"
	"os"
	"path/filepath"

	"github.com/isodelta/isodelta/runner/calls/wire"
)

// What code leaves in the folders that it is given shows by who looks there.

const (
	// Written is the name of the operation that tells which files there are, and what is in them.
	Written = "written"

	// shareWritten is how often, of 100, it ends a sequence with paths.
	shareWritten = 40
	// maxWritten bounds the files that it tells of, and WrittenText what of each, in bytes.
	maxWritten  = 64
	WrittenText = 1 << 12
)

// WritesFiles registers that operation.
func WritesFiles(o Operation) { Func(o, written) }

// written tells of the files in the folders of the sequence: a line for each, for each folder within, and for where each link leads. Permissions are told
// where they are none that files and folders commonly have, without those to write that others may have.
func written() (list []string) {
	root := foldersIn()
	_ = filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		rel, relErr := filepath.Rel(root, path)
		if err != nil || relErr != nil || len(list) == maxWritten {
			return fs.SkipAll
		}
		rel = filepath.ToSlash(rel)
		info, err := e.Info()
		switch {
		case err != nil || rel == ".":
		case e.Type()&fs.ModeSymlink != 0:
			target, _ := os.Readlink(path)
			list = append(list, rel+LinkMark+" "+filepath.ToSlash(target))
		case e.IsDir():
			list = append(list, rel+"/"+permissions(info))
		default:
			text, _ := os.ReadFile(path) // none of what cannot be read
			list = append(list, rel+permissions(info)+": "+string(text[:min(len(text), WrittenText)]))
		}
		return nil
	})
	return list
}

func permissions(info fs.FileInfo) string {
	common := fs.FileMode(0o644)
	if info.IsDir() {
		common = 0o755
	}
	if perm := info.Mode().Perm() &^ 0o022; perm != common {
		return " " + perm.String()
	}
	return ""
}

// looked is a sequence that looks, at its end, at what it left in folders, where it was given any.
func (g *generator) looked(p wire.Sequence) wire.Sequence {
	if g.written < 0 || len(p) == 0 || len(p) >= wire.MaxSteps || p[len(p)-1].Op == g.written {
		return p
	}
	given := false
	p.Walk(func(_ int, l *wire.Lit) { given = given || l.Form == wire.Special && l.S == wire.SpecialPath })
	if !given || !g.r.Chance(shareWritten) {
		return p
	}
	return append(p[:len(p):len(p)], wire.Step{Op: g.written})
}

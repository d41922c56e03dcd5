package expectation

import (
	"fmt"
	"path"
	"path/filepath"
	"strings"

	"github.com/isodelta/isodelta/internal/regular"
	"github.com/isodelta/isodelta/runner/revision"
)

// Edits are the lines that a change adds and removes where it may say what it expects.
type Edits struct {
	hunks    []hunk
	versions []bumped
	fields   []addedField
	words    []addedWord
	reworded []reworded
	texts    map[string]addedText
	types    map[string]addedText // that the change declares, by name
}

// hunk is a run of lines of one file that differ.
type hunk struct {
	file           string // slash-separated, relative to the tree
	line           int    // number of the first added line on head
	added, removed []string
	text           string // all that is added
	replaced       []replacement
	// whole is the file on head where it is a test's code, and before is it on base; "" otherwise.
	whole, before string
}

const (
	// maxFile bounds a file that is read, in bytes; longer ones are compared by no lines.
	maxFile = 8 << 20
	// maxHunk bounds the lines of one hunk: expectations that somebody wrote are short.
	maxHunk = 5000
	// maxHunks bounds what is looked through for each difference.
	maxHunks = 2000
)

// Read returns the edits between two trees, given by their folders and by the files that
// they do not have in common. Files of code count with their comments alone, tests with
// everything.
func Read(baseRoot, headRoot string, changes []revision.Change) (Edits, error) {
	e := Edits{texts: map[string]addedText{}, types: map[string]addedText{}}
	for _, c := range changes {
		if c.Status == revision.Deleted || len(c.Hunks) == 0 || isModuleFile(c.Path) {
			continue
		}
		if err := e.read(baseRoot, headRoot, c); err != nil {
			return Edits{}, fmt.Errorf("looking for what the change says it expects: %w", err)
		}
	}
	return e, nil
}

// isModuleFile reports whether a file lists dependencies, whose numbers mean no values.
func isModuleFile(name string) bool {
	switch path.Base(name) {
	case "go.mod", "go.sum", "go.work", "go.work.sum", "modules.txt":
		return true
	}
	return false
}

func (e *Edits) read(baseRoot, headRoot string, c revision.Change) error {
	head, err := regular.ReadFile(filepath.Join(headRoot, filepath.FromSlash(c.Path)), maxFile)
	if err != nil {
		return err
	}
	var before []string
	old := ""
	if c.Status != revision.Added {
		name := c.Path
		if c.OldPath != "" {
			name = c.OldPath
		}
		base, err := regular.ReadFile(filepath.Join(baseRoot, filepath.FromSlash(name)), maxFile)
		if err != nil {
			return err
		}
		old = string(base)
		before = strings.Split(old, "\n")
	}
	after := strings.Split(string(head), "\n")
	keep := whole
	if path.Ext(c.Path) == ".go" && !c.Test {
		keep = comment
	}
	for _, h := range c.Hunks {
		if h.HeadLines == 0 || h.HeadLines+h.BaseLines > maxHunk || len(e.hunks) == maxHunks {
			continue
		}
		edit := hunk{file: c.Path, line: h.HeadLine, added: cut(after, h.HeadLine, h.HeadLines, keep), removed: cut(before, h.BaseLine, h.BaseLines, keep)}
		edit.text = strings.Join(edit.added, "\n")
		if path.Ext(c.Path) == ".go" && !c.Test {
			removed, added := cut(before, h.BaseLine, h.BaseLines, whole), cut(after, h.HeadLine, h.HeadLines, whole)
			e.versions = append(e.versions, bumps(c.Path, h.HeadLine, removed, added)...)
			e.fields = append(e.fields, fieldsOf(c.Path, h.HeadLine, removed, added)...)
			e.words = append(e.words, addedWords(c.Path, h.HeadLine, added, before)...)
			e.reworded = append(e.reworded, rewordings(c.Path, h.HeadLine, removed, added)...)
			addedTexts(e.texts, c.Path, h.HeadLine, added, old)
			addedTypes(e.types, c.Path, h.HeadLine, added, old)
		}
		was, is := strings.Join(edit.removed, "\n"), edit.text
		if c.Test && path.Ext(c.Path) == ".go" {
			was, is = escapes.Replace(was), escapes.Replace(is)
		}
		edit.replaced = replacements(was, is)
		if c.Test {
			edit.whole, edit.before = string(head), old
		}
		e.hunks = append(e.hunks, edit)
	}
	return nil
}

// cut returns n lines from a line on, which is counted from 1.
func cut(lines []string, from, n int, keep func(string) string) []string {
	var out []string
	for i := from - 1; i < min(from-1+n, len(lines)); i++ {
		out = append(out, keep(lines[i]))
	}
	return out
}

func whole(line string) string { return line }

// comment returns a line that is a comment as a whole, "" of any other.
func comment(line string) string {
	if trimmed := strings.TrimSpace(line); strings.HasPrefix(trimmed, "//") {
		return trimmed
	}
	return ""
}

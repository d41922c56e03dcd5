package isomorph

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"
	"golang.org/x/tools/go/packages"

	"github.com/isodelta/isodelta/runner/load"
)

// packageFiles compares the files of a package that are no Go source to the
// analysis: embedded ones, assembly and C, and Go files that cgo translates.
func (c *blockers) packageFiles(path string, base, head *packages.Package) error {
	for _, kind := range []struct {
		what  string
		files func(*packages.Package) []string
	}{
		{"embedded file", func(p *packages.Package) []string { return p.EmbedFiles }},
		{"file not in Go", func(p *packages.Package) []string { return p.OtherFiles }},
		{"cgo file", cgoFiles},
	} {
		b, err := digests(c.b.tree, kind.files(base))
		if err != nil {
			return err
		}
		h, err := digests(c.h.tree, kind.files(head))
		if err != nil {
			return err
		}
		for _, name := range differing(b, h) {
			c.add("package %s: %s %s differs", path, kind.what, name)
		}
	}
	return nil
}

// cgoFiles are those that are compiled in a translated form.
func cgoFiles(p *packages.Package) []string {
	var out []string
	for _, f := range p.GoFiles {
		if !slices.Contains(p.CompiledGoFiles, f) {
			out = append(out, f)
		}
	}
	return out
}

// digests of files, by name relative to the tree.
func digests(t *load.Tree, files []string) (map[string]string, error) {
	m := map[string]string{}
	for _, f := range files {
		data, err := os.ReadFile(f)
		if err != nil {
			return nil, fmt.Errorf("compare files of the two versions: %w", err)
		}
		sum := sha256.Sum256(data)
		m[t.Rel(f)] = string(sum[:])
	}
	return m, nil
}

func differing(b, h map[string]string) []string {
	var out []string
	for name := range h {
		if b[name] != h[name] {
			out = append(out, name)
		}
	}
	for name := range b {
		if _, ok := h[name]; !ok {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return out
}

// module compares what lies outside the module's packages: requirements,
// vendored and replaced code, the workspace.
func (c *blockers) module() error {
	b, err := readModule(c.b.tree)
	if err != nil {
		return err
	}
	h, err := readModule(c.h.tree)
	if err != nil {
		return err
	}
	for _, line := range differing(b.lines, h.lines) {
		if line == "toolchain" {
			continue // both versions are built with one; see goLines
		}
		c.add("go.mod: %s", describeLine(line, b.lines, h.lines))
	}
	for _, d := range slices.Sorted(maps.Keys(h.folders)) {
		if _, ok := b.folders[d]; !ok {
			continue // then the lines of go.mod differ
		}
		same, err := sameFolder(b.folders[d], h.folders[d])
		if err != nil {
			return err
		}
		if !same {
			c.add("code in %s, which this module is built with, differs", d)
		}
	}
	vendored, err := sameFolder(filepath.Join(c.b.tree.Dir, "vendor"), filepath.Join(c.h.tree.Dir, "vendor"))
	if err != nil {
		return err
	}
	if !vendored {
		c.add("vendored code differs")
	}
	bw, _ := os.ReadFile(filepath.Join(c.b.tree.Root, "go.work"))
	hw, _ := os.ReadFile(filepath.Join(c.h.tree.Root, "go.work"))
	if !bytes.Equal(bw, hw) {
		c.add("go.work differs")
	}
	return nil
}

// goLines describes the lines of go.mod about the language's version and the toolchain
// that differ.
func goLines(base, head *load.Tree) ([]string, error) {
	b, err := readModule(base)
	if err != nil {
		return nil, err
	}
	h, err := readModule(head)
	if err != nil {
		return nil, err
	}
	var out []string
	for _, key := range []string{"go", "toolchain"} {
		if b.lines[key] != h.lines[key] {
			out = append(out, describeLine(key, b.lines, h.lines))
		}
	}
	return out, nil
}

func describeLine(line string, b, h map[string]string) string {
	switch {
	case b[line] == "":
		return strings.TrimSpace(line + " " + h[line] + " added")
	case h[line] == "":
		return strings.TrimSpace(line + " " + b[line] + " removed")
	}
	return fmt.Sprintf("%s %s became %s", line, b[line], h[line])
}

type moduleFile struct {
	lines   map[string]string // "require path" to its version, and so on
	folders map[string]string // replacements by folders of this tree, by name as written
}

func readModule(t *load.Tree) (moduleFile, error) {
	m := moduleFile{lines: map[string]string{}, folders: map[string]string{}}
	name := filepath.Join(t.Dir, "go.mod")
	data, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return m, nil
	}
	if err != nil {
		return m, fmt.Errorf("compare go.mod of the two versions: %w", err)
	}
	f, err := modfile.ParseLax(t.Rel(name), data, nil)
	if err != nil {
		return m, fmt.Errorf("compare go.mod of the two versions: %w", err)
	}
	full, err := modfile.Parse(t.Rel(name), data, nil)
	if err == nil {
		f = full // lax reading leaves replace and exclude out
	}
	if f.Go != nil {
		m.lines["go"] = f.Go.Version
	}
	if f.Toolchain != nil {
		m.lines["toolchain"] = f.Toolchain.Name
	}
	for _, r := range f.Require {
		m.lines["require "+r.Mod.Path] = r.Mod.Version
	}
	for _, g := range f.Godebug {
		m.lines["godebug "+g.Key] = g.Value
	}
	for _, x := range f.Exclude {
		m.lines["exclude "+x.Mod.String()] = "excluded"
	}
	for _, r := range f.Replace {
		m.lines["replace "+r.Old.String()] = r.New.String()
		if r.New.Version == "" {
			m.folders[r.New.Path] = filepath.Join(t.Dir, filepath.FromSlash(r.New.Path))
		}
	}
	return m, nil
}

// sameFolder compares two folders file by file. Neither need exist.
func sameFolder(b, h string) (bool, error) {
	if b == h {
		return true, nil
	}
	read := func(root string) (map[string]string, error) {
		m := map[string]string{}
		err := filepath.WalkDir(root, func(file string, d fs.DirEntry, err error) error {
			if errors.Is(err, fs.ErrNotExist) && file == root {
				return fs.SkipAll
			}
			if err != nil || !d.Type().IsRegular() {
				return err
			}
			data, err := os.ReadFile(file)
			if err != nil {
				return err
			}
			sum := sha256.Sum256(data)
			rel, err := filepath.Rel(root, file)
			m[rel] = string(sum[:])
			return err
		})
		return m, err
	}
	bm, err := read(b)
	if err != nil {
		return false, fmt.Errorf("compare code outside the module: %w", err)
	}
	hm, err := read(h)
	if err != nil {
		return false, fmt.Errorf("compare code outside the module: %w", err)
	}
	return maps.Equal(bm, hm), nil
}

package surface

import (
	"bytes"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"golang.org/x/tools/go/packages"

	"github.com/isodelta/isodelta/internal/regular"
	"github.com/isodelta/isodelta/runner/load"
)

// Texts enter a module in many places: a compiler's programs stand in the tests of the
// package that everybody uses, or in files that a package embeds for these tests, not
// beside the changed pass.

const (
	maxFiles     = 400 // read of testdata, and of what is embedded for tests
	maxListed    = 5000
	maxSiblings  = 12 // other packages whose tests are looked at
	siblingTexts = 1500
)

// siblings takes in what tests of other packages say that lead to pkg, the nearest first.
func (c *collection) siblings(t *load.Tree, pkg string) {
	n := 0
	for _, p := range leading(t, pkg) {
		if n == maxSiblings || len(c.texts) >= siblingTexts {
			return
		}
		if p.Test == nil && p.XTest == nil {
			continue
		}
		n++
		c.tests(t, p)
	}
}

// beneath takes in what tests say of the changed packages that pkg imports, directly or not, and of the packages in
// between, the nearest first. Parts of the texts that pkg takes stand there alone.
func (c *collection) beneath(t *load.Tree, pkg string, changed map[string]bool) {
	byPath := map[string]*load.Package{}
	for _, p := range t.Packages {
		byPath[p.Path] = p
	}
	toChange := leadingToAny(byPath, changed)
	seen := map[string]bool{pkg: true}
	for last := []string{pkg}; len(last) > 0; {
		var next []string
		for _, path := range last {
			p := byPath[path] // nil where head is without it
			if p == nil || p.Code == nil {
				continue
			}
			for _, to := range slices.Sorted(maps.Keys(p.Code.Imports)) {
				if seen[to] || !toChange[to] {
					continue
				}
				seen[to] = true
				next = append(next, to)
				if len(c.texts) < siblingTexts {
					c.tests(t, byPath[to])
				}
			}
		}
		last = next
	}
}

// leadingToAny returns the packages of a tree that are changed ones or import one, directly or not.
func leadingToAny(byPath map[string]*load.Package, changed map[string]bool) map[string]bool {
	leads := map[string]bool{}
	seen := map[string]bool{}
	var look func(path string) bool
	look = func(path string) bool {
		p := byPath[path]
		if p == nil || seen[path] {
			return leads[path]
		}
		seen[path] = true
		leads[path] = changed[path]
		if p.Code == nil {
			return leads[path]
		}
		for to := range p.Code.Imports {
			if look(to) {
				leads[path] = true
			}
		}
		return leads[path]
	}
	for path := range byPath {
		look(path)
	}
	return leads
}

// EditedTests returns the test files of head's packages that base does not have, or has otherwise: their paths on base,
// "" without one, and on head.
func EditedTests(base, head *load.Tree) [][2]string {
	var out [][2]string
	was, is := testsBelow(base), testsBelow(head)
	for _, name := range slices.Sorted(maps.Keys(is)) {
		if was[name] == "" || !sameFile(was[name], is[name]) {
			out = append(out, [2]string{was[name], is[name]})
		}
	}
	return out
}

// edited takes in texts that only one version of test files has. Whoever edits a test has in mind what changes.
func (c *collection) edited(files [][2]string) {
	said := [2]*collection{newCollection(), newCollection()}
	for _, file := range files {
		for side, name := range file {
			said[side].testFile(name)
		}
	}
	c.only(said[1], said[0])
	c.only(said[0], said[1])
}

// testsBelow returns the test files of a tree's packages by their paths below its root.
func testsBelow(t *load.Tree) map[string]string {
	out := map[string]string{}
	for _, p := range t.Packages {
		list, _ := filepath.Glob(filepath.Join(p.Dir, "*_test.go"))
		for _, file := range list {
			if name, err := filepath.Rel(t.Root, file); err == nil {
				out[name] = file
			}
		}
	}
	return out
}

// sameFile reports whether two files say the same.
func sameFile(a, b string) bool {
	x, err := regular.ReadFile(a, maxTestFile)
	if err != nil {
		return false
	}
	y, err := regular.ReadFile(b, maxTestFile)
	return err == nil && bytes.Equal(x, y)
}

// tests takes in the tests of a package and the files that they read.
func (c *collection) tests(t *load.Tree, p *load.Package) {
	own := map[string]bool{}
	if p.Code != nil {
		for _, f := range p.Code.GoFiles {
			own[f] = true
		}
	}
	before := len(c.texts)
	c.pkg(p.Test, own)
	c.pkg(p.XTest, nil)
	files := listed(filepath.Join(p.Dir, "testdata"))
	for _, f := range namedFiles(t.Root, p.Dir, c.texts[before:]) {
		if !slices.Contains(files, f) {
			files = append(files, f)
		}
	}
	for _, q := range []*packages.Package{p.Test, p.XTest} {
		files = append(files, embedded(p, q)...)
	}
	c.files(files)
}

// leading are the packages that import pkg, directly or not, the nearest first and each
// distance in the order of their paths.
func leading(t *load.Tree, pkg string) []*load.Package {
	var out []*load.Package
	seen := map[string]bool{pkg: true}
	for last := []string{pkg}; len(last) > 0; {
		var next []string
		for _, p := range t.Packages {
			if seen[p.Path] {
				continue
			}
			imports := p.TestImports()
			if slices.ContainsFunc(last, func(path string) bool { return imports[path] }) {
				seen[p.Path] = true
				next = append(next, p.Path)
				out = append(out, p)
			}
		}
		last = next
	}
	return out
}

// embedded are the files that the tests of p embed, and those of packages that only they
// import.
func embedded(p *load.Package, tests *packages.Package) []string {
	if tests == nil {
		return nil
	}
	out := slices.Clone(tests.EmbedFiles)
	if p.Code != nil {
		out = slices.DeleteFunc(out, func(f string) bool { return slices.Contains(p.Code.EmbedFiles, f) })
	}
	for _, path := range slices.Sorted(maps.Keys(tests.Imports)) {
		if q := tests.Imports[path]; q.Module != nil && (p.Code == nil || p.Code.Imports[path] == nil && q != p.Code) {
			out = append(out, q.EmbedFiles...)
		}
	}
	return out
}

// listed are the regular files below a folder.
func listed(dir string) []string {
	var out []string
	filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || len(out) >= maxListed {
			return filepath.SkipAll
		}
		if d.Type().IsRegular() {
			out = append(out, path)
		}
		return nil
	})
	return out
}

// files takes in small text files, spread over all of them where there are many, and parts of these and of larger
// ones.
func (c *collection) files(list []string) {
	list = slices.DeleteFunc(slices.Clone(list), func(path string) bool {
		info, err := os.Lstat(path)
		return err != nil || !info.Mode().IsRegular() || info.Size() > maxDataBytes
	})
	var parts []string
	read := 0
	for _, path := range spread(list, maxFiles) {
		limit := int64(maxDataBytes)
		if read > maxDataOfAll {
			limit = maxTextBytes
		}
		b, err := regular.ReadFile(path, limit)
		if err != nil {
			continue
		}
		read += len(b)
		text := string(b)
		of := dataParts(path, text)
		if len(of) == 0 && len(text) > maxTextBytes {
			of = paragraphs(text)
		}
		parts = append(parts, of...)
		if len(text) > maxTextBytes {
			continue
		}
		c.addText(text)
		if named := [2]string{fileBelow(path), text}; !slices.Contains(c.named, named) {
			c.named = append(c.named, named)
		}
	}
	for _, s := range spread(parts, maxDataParts) {
		c.addText(s)
	}
}

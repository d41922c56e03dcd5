package surface

import (
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/isodelta/isodelta/internal/regular"
	"github.com/isodelta/isodelta/runner/version"
)

// What a dependency's authors tried a change with stands often beside the package that they
// changed: in tests of another folder, or in files that these read.

// maxDataFiles is how many files of a module are looked at.
const maxDataFiles = 3000

// modulesOf returns the folders of the modules that packages belong to, each pair of versions
// once.
func modulesOf(list []Outside) []version.Both[string] {
	var out []version.Both[string]
	for _, o := range list {
		if o.Modules[version.Base] != "" && o.Modules[version.Head] != "" && !slices.Contains(out, o.Modules) {
			out = append(out, o.Modules)
		}
	}
	return out
}

// collectData takes in what only one version of a module has in tests of folders other than
// those of the packages in known, and in the files of its test folders.
func (c *collection) collectData(dirs version.Both[string], known map[string]bool) {
	var tested version.Both[*collection]
	var data version.Both[[]dataFile]
	for side, dir := range dirs {
		tested[side] = newCollection()
		tests, files := dataOf(dir)
		for _, file := range tests {
			if !known[filepath.Dir(file)] {
				tested[side].testFile(file)
			}
		}
		for _, file := range files {
			if b, err := regular.ReadFile(file, maxDataBytes); err == nil {
				data[side] = append(data[side], dataFile{file, string(b)})
			}
		}
	}
	c.only(tested[version.Base], tested[version.Head])
	c.only(tested[version.Head], tested[version.Base])
	c.onlyData(data[version.Head], data[version.Base])
	c.onlyData(data[version.Base], data[version.Head])
}

// dataFile is a file that tests may read.
type dataFile struct{ name, text string }

func texts(list []dataFile) map[string]bool {
	out := map[string]bool{}
	for _, f := range list {
		out[f.text] = true
	}
	return out
}

// onlyData takes in files of list that are not in other, and parts and runs of lines that no file of
// other has.
func (c *collection) onlyData(list, other []dataFile) {
	whole, lines, parts := texts(other), map[string]bool{}, map[string]bool{}
	for _, f := range other {
		for _, line := range strings.Split(f.text, "\n") {
			lines[line] = true
		}
	}
	same := texts(list)
	for _, f := range other {
		if same[f.text] {
			continue
		}
		for _, s := range dataParts(f.name, f.text) {
			parts[s] = true
		}
	}
	for _, f := range list {
		text := f.text
		if whole[text] {
			continue
		}
		c.addText(text)
		c.addKinds(f.name, text)
		for _, s := range dataParts(f.name, text) {
			if !parts[s] {
				c.addText(s)
			}
		}
		var run []string
		end := func() {
			if len(run) > 0 {
				c.addText(strings.Join(run, "\n"))
			}
			run = nil
		}
		for _, line := range strings.Split(text, "\n") {
			if lines[line] {
				end()
				continue
			}
			run = append(run, line)
		}
		end()
	}
}

// dataOf lists the test files of a module, and the files other than Go's of the folders that
// hold what tests read.
func dataOf(dir string) (tests, files []string) {
	count := 0
	_ = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil || count >= maxDataFiles:
			return filepath.SkipAll
		case d.IsDir() && path != dir && leftOutFolder(path, d.Name()):
			return filepath.SkipDir
		case !d.Type().IsRegular():
			return nil
		}
		rel, _ := filepath.Rel(dir, path)
		switch {
		case strings.HasSuffix(rel, "_test.go"):
			tests = append(tests, path)
		case strings.HasSuffix(rel, ".go") || !forTests(filepath.Dir(rel)):
			return nil
		default:
			if info, err := d.Info(); err != nil || info.Size() > maxDataBytes {
				return nil
			}
			files = append(files, path)
		}
		count++
		return nil
	})
	return tests, files
}

// leftOutFolder reports whether nothing below a folder is the module's own.
func leftOutFolder(path, name string) bool {
	if strings.HasPrefix(name, ".") || name == "vendor" || name == "node_modules" {
		return true
	}
	_, err := regular.ReadFile(filepath.Join(path, "go.mod"), maxTestFile)
	return err == nil
}

// forTests reports whether the name of a folder says that tests read what is in it.
func forTests(folder string) bool {
	for _, part := range strings.Split(strings.ToLower(filepath.ToSlash(folder)), "/") {
		for _, word := range []string{"test", "example", "sample", "fixture", "corpus"} {
			if strings.Contains(part, word) {
				return true
			}
		}
	}
	return false
}

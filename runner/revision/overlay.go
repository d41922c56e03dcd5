package revision

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Overlay returns what must be replaced in the tree suiteRoot so that it builds
// with the code of the tree versionRoot but keeps its own tests and testdata: the
// "Replace" map of go build -overlay. Keys are absolute paths below suiteRoot,
// values absolute paths below versionRoot, or "" for a file that the version does
// not have. Files with equal contents are not in it, nor are *_test.go files and
// what lies below a testdata folder.
//
// Symbolic links are compared, and replaced, by the file they lead to; links to
// folders do not matter to the go command.
func Overlay(suiteRoot, versionRoot string) (map[string]string, error) {
	suite, err := codeFiles(suiteRoot)
	if err != nil {
		return nil, fmt.Errorf("listing the suite's tree: %w", err)
	}
	version, err := codeFiles(versionRoot)
	if err != nil {
		return nil, fmt.Errorf("listing the version's tree: %w", err)
	}
	replace := map[string]string{}
	for _, name := range slices.Sorted(maps.Keys(version)) {
		if own, ok := suite[name]; ok {
			same, err := sameFile(own, version[name])
			if err != nil {
				return nil, fmt.Errorf("comparing %s: %w", name, err)
			}
			if same {
				continue
			}
		}
		key, err := filepath.Abs(filepath.Join(suiteRoot, filepath.FromSlash(name)))
		if err != nil {
			return nil, err
		}
		replace[key] = version[name]
	}
	for name, own := range suite {
		if _, ok := version[name]; !ok {
			replace[own] = ""
		}
	}
	return replace, nil
}

// PastOverlay lists, sorted, the keys of an overlay that the go command reads from
// disk all the same: it looks at vendor/modules.txt without the overlay, and then
// finds it at odds with an overlaid go.mod. While such a build runs these files
// must stand in the suite's tree itself as the version has them (or be missing
// from it, where the value is "").
func PastOverlay(replace map[string]string) []string {
	var past []string
	for key := range replace {
		if strings.HasSuffix(filepath.ToSlash(key), "/vendor/modules.txt") {
			past = append(past, key)
		}
	}
	slices.Sort(past)
	return past
}

// codeFiles maps the slash paths of the files of a tree that are not tests to
// their absolute paths. Links count where they lead to a file.
func codeFiles(root string) (map[string]string, error) {
	abs, err := filepath.Abs(root)
	if err != nil {
		return nil, err
	}
	all, err := list(abs)
	if err != nil {
		return nil, err
	}
	code := make(map[string]string, len(all))
	for name := range all {
		if isTest(name) || inTestdata(name) {
			continue
		}
		file := filepath.Join(abs, filepath.FromSlash(name))
		if info, err := os.Stat(file); err == nil && info.Mode().IsRegular() {
			code[name] = file
		}
	}
	return code, nil
}

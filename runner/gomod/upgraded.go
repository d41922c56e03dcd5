package gomod

import (
	"os"
	"path/filepath"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"
)

// Upgraded returns the paths of the modules that the go.mod files of two folders want in another version, or
// replace otherwise. It is empty where one of the files cannot be read.
func Upgraded(base, head string) map[string]bool {
	b, h := wanted(base), wanted(head)
	out := map[string]bool{}
	for path, v := range h {
		if had, ok := b[path]; ok && had != v {
			out[path] = true
		}
	}
	return out
}

// wanted is what a folder's go.mod has for each module that it requires, which is nil where it cannot be read.
func wanted(dir string) map[string]module.Version {
	content, err := os.ReadFile(filepath.Join(dir, "go.mod"))
	if err != nil {
		return nil
	}
	parsed, err := modfile.Parse("go.mod", content, nil)
	if err != nil {
		return nil
	}
	out := map[string]module.Version{}
	for _, r := range parsed.Require {
		out[r.Mod.Path] = r.Mod
	}
	for _, r := range parsed.Replace {
		if required, ok := out[r.Old.Path]; ok && (r.Old.Version == "" || r.Old.Version == required.Version) {
			out[r.Old.Path] = r.New
		}
	}
	return out
}

package runner

import (
	"os"
	"path"
	"path/filepath"
	"strings"
)

// withinModule returns patterns of packages as they are within the module: people write them as they are seen from the
// folder where isodelta runs, prefix, and the module that changed may be below it. module is the module's
// folder, relative to the repository as prefix is, and dir is the same folder, absolute. A pattern that names a folder of the module
// as it is written is left alone.
func withinModule(patterns []string, prefix, module, dir string) []string {
	below, err := filepath.Rel(filepath.FromSlash(prefix), filepath.FromSlash(module))
	if err != nil || below == "." || !filepath.IsLocal(below) {
		return patterns
	}
	folder := "./" + filepath.ToSlash(below)
	out := make([]string, len(patterns))
	for i, p := range patterns {
		out[i] = p
		rest, ok := strings.CutPrefix(p, folder)
		if !ok || rest != "" && rest[0] != '/' {
			continue
		}
		first, _, _ := strings.Cut(strings.TrimPrefix(folder, "./"), "/")
		if _, err := os.Lstat(filepath.Join(dir, first)); err == nil {
			continue
		}
		if out[i] = "./" + strings.TrimPrefix(rest, "/"); path.Clean(out[i]) == "." {
			out[i] = "."
		}
	}
	return out
}

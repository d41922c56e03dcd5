package runner

import (
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/isodelta/isodelta/internal/regular"
	"github.com/isodelta/isodelta/isomorph"
)

// maxGoFile bounds a file that is looked through for directives, in bytes.
const maxGoFile = 1 << 20

// embeds reports whether a file of a tree, slash-separated, is one that go:embed directives in a folder above it name,
// as templates are. No package is loaded yet, so this goes by the text.
func embeds(root, file string) bool {
	for dir := path.Dir(file); ; dir = path.Dir(dir) {
		entries, _ := os.ReadDir(filepath.Join(root, filepath.FromSlash(dir)))
		module := false
		for _, e := range entries {
			module = module || e.Name() == "go.mod"
			if !e.Type().IsRegular() || path.Ext(e.Name()) != ".go" || strings.HasSuffix(e.Name(), "_test.go") {
				continue
			}
			text, err := regular.ReadFile(filepath.Join(root, filepath.FromSlash(dir), e.Name()), maxGoFile)
			if err == nil && directiveNames(string(text), strings.TrimPrefix(file, dir+"/")) {
				return true
			}
		}
		if module || dir == "." {
			return false
		}
	}
}

// directiveNames reports whether a go:embed directive in a text names a file, or a folder that it lies in.
func directiveNames(text, file string) bool {
	for line := range strings.Lines(text) {
		for _, pattern := range isomorph.EmbedPatterns(line) {
			pattern = strings.TrimPrefix(pattern, "all:")
			for at := file; at != "."; at = path.Dir(at) {
				if ok, _ := path.Match(pattern, at); ok {
					return true
				}
			}
		}
	}
	return false
}

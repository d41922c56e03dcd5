package revision

import (
	"path"
	"slices"
	"strings"
)

// compiled are the endings of the files that the go command compiles or links.
var compiled = []string{".go", ".c", ".cc", ".cpp", ".cxx", ".m", ".h", ".hh", ".hpp", ".hxx", ".f", ".F", ".for", ".f90",
	".s", ".S", ".sx", ".swig", ".swigcxx", ".syso", ".a"}

// built reports whether the go command may need a file of a tree, or a folder, to build
// packages. Files that a package embeds are not told apart from other data: building
// says so where one is missing.
func built(name string, folder bool) bool {
	dir, base := path.Split(name)
	if folder {
		dir, base = name, ""
	}
	for _, part := range strings.Split(strings.TrimSuffix(dir, "/"), "/") {
		if part == "testdata" || part != "." && strings.HasPrefix(part, ".") || strings.HasPrefix(part, "_") {
			return false
		}
	}
	switch base {
	case "", "go.mod", "go.sum", "go.work", "go.work.sum", "modules.txt":
		return true
	}
	return slices.Contains(compiled, path.Ext(base))
}

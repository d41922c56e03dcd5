package revision

import (
	"go/build"
	"io"
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
	return slices.Contains(compiled, path.Ext(base)) && (path.Ext(base) != ".go" || ofThisSystem(base))
}

// ofThisSystem reports whether the go command looks into a Go file of a name here: one that ends in _windows.go is for
// another system.
func ofThisSystem(base string) bool {
	looked := false
	here := build.Default
	here.OpenFile = func(string) (io.ReadCloser, error) {
		looked = true
		return io.NopCloser(strings.NewReader("package p\n")), nil
	}
	_, _ = here.MatchFile(".", base) // what is in the file is not asked for
	return looked
}

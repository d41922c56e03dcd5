package probe

import (
	"embed"
	"fmt"
	"os"
	"path/filepath"
)

// source holds the files to inject. The size file and, for a seeded run time,
// the seeding file are made by Write.
//
//go:embed access.go branch.go digest.go iteration.go observe.go render.go wire.go
var source embed.FS

// Size says how large the tables of an instrumented program are.
type Size struct {
	Conditions, Arms, Entries, Sites int
	Module                           string
	Seeded                           bool // the run time is the seeded one
}

// Write writes the package, cut to an instrumented program, to dir and returns the
// names of its files.
func Write(dir string, size Size) ([]string, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	files, err := source.ReadDir(".")
	if err != nil {
		return nil, err
	}
	var names []string
	write := func(name string, content []byte) error {
		names = append(names, name)
		return os.WriteFile(filepath.Join(dir, name), content, 0o644)
	}
	for _, f := range files {
		content, err := source.ReadFile(f.Name())
		if err != nil {
			return nil, err
		}
		if err := write(f.Name(), content); err != nil {
			return nil, err
		}
	}
	text := fmt.Sprintf("//go:build go1.21\n\npackage probe\n\nconst (\n\tconditions = %d\n\tarms = %d\n\tentries = %d\n\tsites = %d\n\tmodule = %q\n)\n",
		size.Conditions, size.Arms, size.Entries, size.Sites, size.Module)
	text += "\nfunc init() { attach() }\n"
	if size.Seeded {
		text += "\nfunc reseed() { seq = 0 }\n\nfunc seedAt() uint64 { return seq }\n\nfunc seedTo(x uint64) { seq = x }\n\nfunc onExit(f func(int)) { exiting = f }\n"
		seeded := "//go:build go1.21\n\npackage probe\n\nimport _ \"unsafe\" // for go:linkname\n\n//go:linkname seq runtime.isodelta_seq\nvar seq uint64\n\n//go:linkname exiting runtime.isodelta_exit\nvar exiting func(int)\n"
		if err := write("seed.go", []byte(seeded)); err != nil {
			return nil, err
		}
	} else {
		text += "\nfunc reseed() {}\n\nfunc seedAt() uint64 { return 0 }\n\nfunc seedTo(uint64) {}\n\nfunc onExit(func(int)) {}\n"
	}
	if err := write("size.go", []byte(text)); err != nil {
		return nil, err
	}
	return names, nil
}

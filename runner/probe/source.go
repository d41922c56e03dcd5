package probe

import (
	"embed"
	"fmt"
	"hash/fnv"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// Path is the import path of the injected package. It is that of a package of the
// distribution, where an overlay puts it: so every module finds it, whatever its
// go.mod and vendor folder say, and it is compiled once for all modules and versions.
const Path = "isodeltaprobe"

// source holds the files to inject, but for begin.go, in place of which Overlay makes
// another.
//
//go:embed access.go asked.go branch.go closure.go decimal.go digest.go iteration.go observe.go output.go panicked.go plan.go render.go size.go trace.go visits.go wire.go
var source embed.FS

// Check returns an error where a program is larger than the tables of the probe.
func (s Size) Check() error {
	if s.Conditions > maxConditions || s.Arms > maxArms || s.Entries > maxEntries {
		return fmt.Errorf("%d conditions, %d other branches and %d changed functions are more than isodelta can observe in one module (%d, %d and %d)",
			s.Conditions, s.Arms, s.Entries, maxConditions, maxArms, maxEntries)
	}
	return nil
}

// Line is the size as the parent writes it, first of all, to a process.
func (s Size) Line() string {
	line := fmt.Sprintf("%d %d %d %d %q", s.Conditions, s.Arms, s.Entries, s.Sites, s.Module)
	return strings.Join(append([]string{line}, s.Lacking...), " ") + "\n"
}

// Overlay writes the package to dir, for a run time that is the seeded one or not.
// It returns the files that the package consists of, below goroot, and what stands
// in for each.
func Overlay(goroot, dir string, seeded bool) (map[string]string, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	files, err := source.ReadDir(".")
	if err != nil {
		return nil, err
	}
	replace := map[string]string{}
	write := func(name string, content []byte) error {
		file := filepath.Join(dir, name)
		replace[filepath.Join(goroot, "src", Path, name)] = file
		return WriteFile(file, content)
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
	text := "//go:build go1.21\n\npackage probe\n\nfunc init() { attach() }\n"
	if seeded {
		text += "\nfunc reseed() { seq = 0 }\n\nfunc seedAt() uint64 { return seq }\n\nfunc seedTo(x uint64) { seq = x }\n\nfunc onExit(f func(int)) { exiting = f }\n\nfunc onLookup(f func(string)) { lookup = f }\n\nfunc showTime(at int64) { wall = at }\n\nfunc passTime(by int64) {\n\tif by == 0 {\n\t\tpassed, asked = 0, 0\n\t} else if passed < 1<<60 && by < 1<<60 {\n\t\tpassed += by\n\t}\n}\n"
		seeding := "//go:build go1.21\n\npackage probe\n\nimport _ \"unsafe\" // for go:linkname\n\n//go:linkname seq runtime.isodelta_seq\nvar seq uint64\n\n//go:linkname exiting runtime.isodelta_exit\nvar exiting func(int)\n\n//go:linkname lookup runtime.isodelta_lookup\nvar lookup func(string)\n\n//go:linkname wall runtime.isodelta_wall\nvar wall int64\n\n//go:linkname passed runtime.isodelta_passed\nvar passed int64\n\n//go:linkname asked runtime.isodelta_asked\nvar asked int64\n"
		if err := write("seed.go", []byte(seeding)); err != nil {
			return nil, err
		}
	} else {
		text += "\nfunc reseed() {}\n\nfunc seedAt() uint64 { return 0 }\n\nfunc seedTo(uint64) {}\n\nfunc onExit(func(int)) {}\n\nfunc onLookup(func(string)) {}\n\nfunc showTime(int64) {}\n\nfunc passTime(int64) {}\n"
	}
	return replace, write("begin.go", []byte(text))
}

// WriteFile writes a file to inject. Its time of change is long past and follows from
// its content: of a package with files of the last seconds, go commands before 1.26
// look at the disk, where there is none, and at the index of one else.
func WriteFile(name string, content []byte) error {
	if err := os.WriteFile(name, content, 0o644); err != nil {
		return err
	}
	h := fnv.New32a()
	_, _ = h.Write(content) // never fails
	changed := time.Unix(int64(h.Sum32()>>3), 0)
	return os.Chtimes(name, changed, changed)
}

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
//go:embed access.go asked.go branch.go closure.go decimal.go digest.go iteration.go monotonic.go observe.go output.go panicked.go plan.go render.go size.go stacktrace.go stray.go trace.go vary.go visits.go wire.go
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
		text += withSeed
		if err := write("seed.go", []byte(pulled)); err != nil {
			return nil, err
		}
	} else {
		text += withoutSeed
	}
	return replace, write("begin.go", []byte(text))
}

// pulled are the variables that package deterministic adds to the run time.
const pulled = `//go:build go1.21

package probe

import _ "unsafe" // for go:linkname

//go:linkname seq runtime.isodelta_seq
var seq uint64

//go:linkname exiting runtime.isodelta_exit
var exiting func(int)

//go:linkname lookup runtime.isodelta_lookup
var lookup func(string)

//go:linkname wall runtime.isodelta_wall
var wall int64

//go:linkname passed runtime.isodelta_passed
var passed int64

//go:linkname leapt runtime.isodelta_leapt
var leapt int64

//go:linkname leaps runtime.isodelta_leaps
var leaps int64

//go:linkname asked runtime.isodelta_asked
var asked int64

//go:linkname largest runtime.isodelta_largest
var largest uintptr

//go:linkname refused runtime.isodelta_refused
var refused uint32
`

// withSeed is how these are used, and withoutSeed stands in where there are none.
const withSeed = `
func reseed() { seq = 0 }

func seedAt() uint64 { return seq }

func seedTo(x uint64) { seq = x }

func onExit(f func(int)) { exiting = f }

func onLookup(f func(string)) { lookup = f }

func showTime(at int64) { wall = at }

func passTime(by int64) {
	if by == 0 {
		passed, asked, leapt, leaps = 0, 0, 0, 0
	} else if passed < 1<<60 && by < 1<<60 {
		passed += by
	}
}

func allocateAtMost(bytes uintptr) { largest = bytes }

func refusals() uint32 { return refused }
`

const withoutSeed = `
func reseed() {}

func seedAt() uint64 { return 0 }

func seedTo(uint64) {}

func onExit(func(int)) {}

func onLookup(func(string)) {}

func showTime(int64) {}

func passTime(int64) {}

func allocateAtMost(uintptr) {}

func refusals() uint32 { return 0 }
`

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

package build

import (
	"maps"
	"os"
	"path/filepath"

	"github.com/isodelta/isodelta/runner/execute"
	"github.com/isodelta/isodelta/runner/instrument"
)

// code is a version's code, instrumented in one way or the other.
type code struct {
	*Version
	program *instrument.Program
	way     string // names it in paths
	// uncalled says that no calls of our own are made in it.
	uncalled bool
}

// ordinary is the code that tests and calls run.
func ordinary(v *Version) code { return code{Version: v, program: v.Program} }

// with names a suite with a version's code, in paths.
func (c code) with(s *Suite) string { return s.Side.String() + "-" + c.Side.String() + c.way }

// gen is the folder of what is generated for a suite with the code of a version.
func (b *Builder) gen(s *Suite, v code) string { return filepath.Join(b.Chain.Tmp, "gen", v.with(s)) }

// writeOverlay writes the overlay of a suite with the code of v, and returns the name
// of the file that the go command takes.
func (b *Builder) writeOverlay(s *Suite, v code, pkg string) (string, error) {
	replace, err := b.overlay(s, v, pkg)
	if err != nil {
		return "", err
	}
	file := filepath.Join(b.gen(s, v), "overlay.json")
	return file, execute.WriteOverlay(file, replace)
}

// overlay puts together what stands in for the files of suite s: the other version's
// files where they differ, the instrumented code of v, the instrumented tests of s, the
// probe, and the seeded run time.
func (b *Builder) overlay(s *Suite, v code, pkg string) (map[string]string, error) {
	replace := map[string]string{}
	if v.Version != s.Own {
		maps.Copy(replace, s.foreign)
	}
	s.Own.Tree.HideUnfit(replace)
	gen := b.gen(s, v)
	put := func(kind string, files map[string][]byte) error {
		for rel, content := range files {
			file := filepath.Join(gen, kind, filepath.FromSlash(rel))
			if err := WriteIfNew(file, content); err != nil {
				return err
			}
			replace[s.Own.Dir(rel)] = file
		}
		return nil
	}
	if err := put("code", v.program.Files); err != nil {
		return nil, err
	}
	if err := put("tests", s.Text.Files); err != nil {
		return nil, err
	}
	if b.Calls != nil && !v.uncalled {
		files, err := b.Calls.Overlay(s, v.Version, pkg, gen)
		if err != nil {
			return nil, err
		}
		maps.Copy(replace, files)
	}
	common, err := b.Chain.overlay(filepath.Join(gen, "probe"))
	maps.Copy(replace, common)
	return replace, err
}

// WriteIfNew writes a file, with its folder, unless it has that content: the go
// command looks at times.
func WriteIfNew(file string, content []byte) error {
	if old, err := os.ReadFile(file); err == nil && string(old) == string(content) {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return err
	}
	return os.WriteFile(file, content, 0o644)
}

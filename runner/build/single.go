package build

import (
	"context"
	"maps"
	"os"
	"path/filepath"

	"github.com/isodelta/isodelta/runner/execute"
	"github.com/isodelta/isodelta/runner/instrument"
)

// Single builds test binaries of one version, with nothing to compare it with.
type Single struct {
	Chain   *Toolchain
	Version *Version
	Tags    []string
}

// Test builds the tests of a package below a folder of its own, named after what they
// are for, and returns the binary. The code is that of a program; nil leaves it as it is.
// files stand in for others, by their paths. The error is an execute.BuildError where
// it does not build.
func (s Single) Test(ctx context.Context, pkg, purpose string, program *instrument.Program, files map[string]string) (string, error) {
	dir := s.Folder(purpose)
	replace := map[string]string{}
	s.Version.Tree.HideUnfit(replace)
	language := ""
	if program != nil {
		for rel, content := range program.Files {
			file := filepath.Join(dir, "code", filepath.FromSlash(rel))
			if err := WriteIfNew(file, content); err != nil {
				return "", err
			}
			replace[s.Version.Dir(rel)] = file
		}
		if program.NeedsLang {
			language = "go1.21"
		}
	}
	if program != nil {
		common, err := s.Chain.overlay(filepath.Join(dir, "probe"))
		if err != nil {
			return "", err
		}
		maps.Copy(replace, common)
	} else if s.Chain.Patch != nil {
		maps.Copy(replace, s.Chain.Patch.Replace)
	}
	maps.Copy(replace, files)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", err
	}
	overlay := filepath.Join(dir, "overlay.json")
	if err := execute.WriteOverlay(overlay, replace); err != nil {
		return "", err
	}
	out := filepath.Join(dir, "package.test")
	return out, execute.Test(ctx, execute.Build{Go: s.Chain.Command(), Dir: s.Version.Module, Package: pkg, Out: out, Overlay: overlay,
		Tags: s.Tags, Env: s.Chain.buildEnv(), Language: language, Module: s.Version.Tree.Module})
}

// Folder is where what is built for a purpose lies.
func (s Single) Folder(purpose string) string { return filepath.Join(s.Chain.Tmp, "single", purpose) }

package automr

import (
	"bytes"
	"context"
	_ "embed"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"text/template"

	"github.com/isodelta/isodelta/internal/evaluate/automr/fees"
	"github.com/isodelta/isodelta/internal/evaluate/rig"
)

// server is the main function of the child process.
//
//go:embed serve.go.tmpl
var server string

// module is a temporary module that answers for programs over a pipe.
type module struct {
	dir      string
	copied   *copied
	programs []program // a request names one by its index here
}

// newModule copies what the programs need and writes the module.
func newModule(goroot, goVersion, dir string, ps []program) (*module, error) {
	var roots []string
	for _, p := range ps {
		if p.root != "" {
			roots = append(roots, p.root)
		}
	}
	c, err := copyMath(goroot, roots)
	if err != nil {
		return nil, err
	}
	var main bytes.Buffer
	t, err := template.New("serve").Parse(server)
	if err != nil {
		return nil, err
	}
	type entry struct {
		In, Out int
		Call    string
	}
	var entries []entry
	for _, p := range ps {
		entries = append(entries, entry{p.in(), p.out, p.call})
	}
	uses := func(what string) bool {
		return slices.ContainsFunc(ps, func(p program) bool { return strings.Contains(p.call, what) })
	}
	if err := t.Execute(&main, map[string]any{"Programs": entries, "Slices": uses("slices."), "Dot": uses("serveDot(")}); err != nil {
		return nil, err
	}
	m := &module{dir: dir, copied: c, programs: ps}
	if err := rig.WriteFile(filepath.Join(dir, "go.mod"), []byte("module copied\n\ngo "+language(goVersion)+"\n")); err != nil {
		return nil, err
	}
	if err := rig.WriteFile(filepath.Join(dir, "serve.go"), main.Bytes()); err != nil {
		return nil, err
	}
	if slices.ContainsFunc(ps, func(p program) bool { return p.fee != "" }) {
		src := bytes.Replace(fees.Source, []byte("package fees"), []byte("package main"), 1)
		if err := rig.WriteFile(filepath.Join(dir, "fees.go"), src); err != nil {
			return nil, err
		}
	}
	for name, src := range c.files {
		if err := rig.WriteFile(filepath.Join(dir, name), src); err != nil {
			return nil, err
		}
	}
	return m, nil
}

// language returns the language version of a toolchain: "1.26" of "go1.26.8".
func language(goVersion string) string {
	if v := regexp.MustCompile(`^go(\d+\.\d+)`).FindStringSubmatch(goVersion); v != nil {
		return v[1]
	}
	return "1.26"
}

// build builds the module, with files replaced or added by an overlay.
func (m *module) build(ctx context.Context, out string, overlay string) error {
	args := []string{"build", "-o", out}
	if overlay != "" {
		args = append(args, "-overlay="+overlay)
	}
	cmd := exec.CommandContext(ctx, "go", append(args, ".")...)
	cmd.Dir, cmd.Env = m.dir, environment()
	if text, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("build the copy of package math in %s: %w\n%s", m.dir, err, text)
	}
	return nil
}

// environment of builds outside any workspace.
func environment() []string { return append(os.Environ(), "GOWORK=off", "GOFLAGS=") }

// index of a program by its name, -1 if the module has none.
func (m *module) index(name string) int {
	return slices.IndexFunc(m.programs, func(p program) bool { return p.name == name })
}

// built is a module with its binary.
type built struct {
	module *module
	binary string
}

// process is a child that runs one of the programs.
func (b built) process(name string, mutant int) *process {
	index := b.module.index(name)
	p := b.module.programs[index]
	return &process{binary: b.binary, program: index, in: p.in(), out: p.out, mutant: mutant}
}

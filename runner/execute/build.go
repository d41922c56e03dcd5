package execute

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/mod/module"

	"github.com/isodelta/isodelta/internal/lazyregexp"
)

// Build is one `go test -c`.
type Build struct {
	Go       string // the go command, "" for the one on the PATH
	Dir      string // of the module, in the suite's tree
	Package  string // import path
	Out      string // file to write
	Overlay  string // JSON file, see WriteOverlay
	Tags     []string
	Env      []string
	Language string // compile the module's packages for at least this language version; "" leaves it
	Module   string // module path, for Language
	// Quick has the module's packages compiled in less time, to code that is slower: nothing is
	// inlined.
	Quick bool
}

// A BuildError holds what the compiler or the linker said.
type BuildError struct {
	Package string
	Output  string
	At      []Position
}

// Position is one place the compiler complained about.
type Position struct {
	File    string // absolute where the compiler gave a path relative to Dir
	Line    int
	Message string
}

func (e *BuildError) Error() string {
	lines := strings.Split(strings.TrimSpace(e.Output), "\n")
	const maxLines = 10
	if len(lines) > maxLines {
		lines = append(lines[:maxLines], fmt.Sprintf("and %d more lines", len(lines)-maxLines))
	}
	return fmt.Sprintf("%s does not build:\n\t%s", e.Package, strings.Join(lines, "\n\t"))
}

var complaint = lazyregexp.New(`(?m)^(\S+\.go):(\d+)(?::\d+)?: (.*)$`)

// built is the time of modification that all test binaries are given. Some programs print the time of their own file, which would differ
// between the versions.
var built = time.Unix(1_700_000_000, 0)

// Test builds one test binary. A compiler's complaint comes back as a
// *BuildError, anything else (no go command, no space) as it is. A package that is
// no import path is refused: go test takes what follows "--" for arguments of the
// test, so nothing else keeps it from being read as a flag.
func Test(ctx context.Context, b Build) error {
	if err := module.CheckImportPath(b.Package); err != nil {
		return fmt.Errorf("go test is not asked to build %.100q: it is no import path", b.Package)
	}
	args := []string{"test", "-c", "-vet=off", "-o", b.Out, "-overlay", b.Overlay}
	if len(b.Tags) > 0 {
		args = append(args, "-tags="+strings.Join(b.Tags, ","))
	}
	// Nobody debugs these binaries, and writing down what a debugger needs takes a tenth of the time.
	packages, flags := b.Package, "-e -dwarf=false"
	if b.Language != "" {
		packages, flags = b.Module+"/...", flags+" -lang="+b.Language
	}
	if b.Quick {
		packages, flags = b.Module+"/...", flags+" -l"
	}
	args = append(args, "-gcflags="+packages+"="+flags)
	if own, err := b.linkerFlags(ctx); err != nil {
		return err
	} else if !own {
		args = append(args, "-ldflags=-s -w")
	}
	args = append(args, b.Package)
	cmd := exec.CommandContext(ctx, b.command(), args...)
	cmd.Dir, cmd.Env = b.Dir, b.Env
	endWhole(cmd)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	err := cmd.Run()
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err == nil {
		if _, err := os.Stat(b.Out); err != nil {
			return &BuildError{Package: b.Package, Output: "no test binary: " + strings.TrimSpace(out.String())}
		}
		return os.Chtimes(b.Out, built, built)
	}
	var exit *exec.ExitError
	if !errors.As(err, &exit) {
		return fmt.Errorf("run go test -c: %w", err)
	}
	if strings.Contains(out.String(), "no space left on device") {
		return fmt.Errorf("build %s: no space left on device: free some room in %s and in the Go build cache, then run again", b.Package, filepath.Dir(b.Out))
	}
	e := &BuildError{Package: b.Package, Output: out.String()}
	for _, m := range complaint().FindAllStringSubmatch(e.Output, -1) {
		line, _ := strconv.Atoi(m[2])
		file := m[1]
		if !filepath.IsAbs(file) {
			file = filepath.Join(b.Dir, file)
		}
		e.At = append(e.At, Position{file, line, m[3]})
	}
	return e
}

// Compile compiles packages, and what they import, into the build cache and keeps
// nothing else. Of b, Package, Out, Language and Module do not count. What goes wrong
// with packages shows where they are imported: it is no error here, unless ctx ended.
func Compile(ctx context.Context, b Build, packages []string) error {
	cmd := b.on(ctx, []string{"build", "-overlay", b.Overlay}, packages)
	_ = cmd.Run()
	return ctx.Err()
}

// cTime is how many bytes of Go are compiled in the time of one of C, see docs/evaluation.md.
const cTime = 2

// Uncompiled returns how many bytes of source the build cache does not have compiled, of
// packages and what they import, as Compile would compile them. Bytes of C count as cTime of Go.
func Uncompiled(ctx context.Context, b Build, packages []string) (bytes int64, err error) {
	args := []string{"list", "-e", "-deps", "-overlay", b.Overlay,
		"-f", "{{if .Stale}}{{$dir := .Dir}}{{range .GoFiles}}{{$dir}}/{{.}}\n{{end}}{{range .CgoFiles}}{{$dir}}/{{.}}\n{{end}}" +
			"{{range .CFiles}}{{$dir}}/{{.}}\n{{end}}{{range .CXXFiles}}{{$dir}}/{{.}}\n{{end}}{{end}}"}
	cmd := b.on(ctx, args, packages)
	out, err := cmd.Output()
	if err != nil {
		return 0, cmp.Or(ctx.Err(), err)
	}
	for file := range strings.Lines(string(out)) {
		name := strings.TrimSpace(file)
		info, err := os.Stat(name)
		switch {
		case err != nil:
		case filepath.Ext(name) == ".go":
			bytes += info.Size()
		default:
			bytes += cTime * info.Size()
		}
	}
	return bytes, nil
}

// on returns a go command that is run on packages, without what is no import path.
func (b Build) on(ctx context.Context, args, packages []string) *exec.Cmd {
	if len(b.Tags) > 0 {
		args = append(args, "-tags="+strings.Join(b.Tags, ","))
	}
	for _, path := range packages {
		if module.CheckImportPath(path) == nil {
			args = append(args, path)
		}
	}
	cmd := exec.CommandContext(ctx, b.command(), args...)
	cmd.Dir, cmd.Env = b.Dir, b.Env
	endWhole(cmd)
	return cmd
}

func (b Build) command() string { return cmp.Or(b.Go, "go") }

// linkerFlags reports whether the environment has flags for the linker, which
// -ldflags would replace. Without any, a test binary is linked as `go test` links
// one that it only runs: without symbol table and DWARF, which takes the linker a
// quarter less. Stack traces keep their lines.
func (b Build) linkerFlags(ctx context.Context) (bool, error) {
	cmd := exec.CommandContext(ctx, b.command(), "env", "GOFLAGS")
	cmd.Dir, cmd.Env = b.Dir, b.Env
	endWhole(cmd)
	out, err := cmd.Output()
	if ctx.Err() != nil {
		return false, ctx.Err()
	}
	if err != nil {
		return false, fmt.Errorf("run go env GOFLAGS: %w", err)
	}
	return strings.Contains(string(out), "-ldflags"), nil
}

// endWhole has a command end with all that it started: the compilers that the go
// command runs hold its output open.
func endWhole(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = time.Second
}

// WriteOverlay writes the JSON that the go command's -overlay reads: a map
// from a path to the file that stands in for it, "" where it shall not exist.
func WriteOverlay(file string, replace map[string]string) error {
	b, err := json.MarshalIndent(map[string]any{"Replace": replace}, "", "\t")
	if err != nil {
		return err
	}
	return os.WriteFile(file, b, 0o644)
}

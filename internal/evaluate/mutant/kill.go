package mutant

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"time"

	"github.com/isodelta/isodelta/internal/evaluate/rig"
	"github.com/isodelta/isodelta/runner/execute"
	"github.com/isodelta/isodelta/runner/load"
)

// Outcome is what the tests said to a mutant.
type Outcome string

// The outcomes. A mutant that hangs or exhausts memory is killed too.
const (
	Survived Outcome = "survived"
	Killed   Outcome = "killed"
	TimedOut Outcome = "timed-out"
)

// Outcomes are what a module's own tests said to its mutants, by the mutant's ID.
type Outcomes map[int]Outcome

// Of returns those of some mutants to which the tests said a given thing.
func (o Outcomes) Of(mutants []Mutant, said Outcome) []Mutant {
	return slices.DeleteFunc(slices.Clone(mutants), func(m Mutant) bool { return o[m.ID] != said })
}

// Kill runs the module's own tests on each mutant, one process per mutant: a
// binary with the schemata is built once for all of them, and one for each
// Plain mutant. A run may take ten times the original's time and five seconds.
// It is an error if the original's tests fail.
func Kill(ctx context.Context, t *load.Tree, mutants []Mutant) (Outcomes, error) {
	dir, err := os.MkdirTemp("", "isodelta-mutant-")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(dir) }()

	prog, err := Schemata(t, mutants, Form{Structural: true})
	if err != nil {
		return nil, err
	}
	w := &workspace{tree: t, dir: dir}
	suites, err := w.build(ctx, "schemata", prog.Files)
	if err != nil {
		return nil, err
	}
	began := time.Now()
	const noLimit = time.Hour
	outcome, tail, err := w.run(ctx, suites, 0, noLimit)
	if err != nil {
		return nil, err
	}
	if outcome != Survived {
		return nil, fmt.Errorf("tests of %s fail without a mutant (%s):\n%s", t.Dir, outcome, tail)
	}
	limit := 10*time.Since(began) + 5*time.Second

	said := make([]Outcome, len(mutants))
	err = Each(ctx, mutants, func(ctx context.Context, i int, m Mutant) (err error) {
		said[i], err = w.try(ctx, suites, m, limit)
		return err
	})
	if err != nil {
		return nil, err
	}
	outcomes := Outcomes{}
	for i, m := range mutants {
		outcomes[m.ID] = said[i]
	}
	return outcomes, nil
}

// A workspace builds and runs test binaries in one temporary directory.
type workspace struct {
	tree *load.Tree
	dir  string
}

// A suite is one package's test binary.
type suite struct {
	binary, dir string // dir is the package's, where its tests run
}

// try runs one mutant, from the schemata if they hold it.
func (w *workspace) try(ctx context.Context, suites []suite, m Mutant, limit time.Duration) (Outcome, error) {
	id := m.ID
	if m.Plain {
		src, err := os.ReadFile(filepath.Join(w.tree.Root, filepath.FromSlash(m.File)))
		if err != nil {
			return "", err
		}
		if suites, err = w.build(ctx, fmt.Sprintf("mutant%d", m.ID), map[string][]byte{m.File: Apply(src, m)}); err != nil {
			return "", err
		}
		id = 0
	}
	o, _, err := w.run(ctx, suites, id, limit)
	return o, err
}

// build builds the test binary of each package that has tests, with files of
// the tree replaced.
func (w *workspace) build(ctx context.Context, name string, files map[string][]byte) ([]suite, error) {
	dir := filepath.Join(w.dir, name)
	if err := os.Mkdir(dir, 0o700); err != nil {
		return nil, err
	}
	replace := map[string]string{}
	for file, src := range files {
		at := filepath.Join(dir, "src", filepath.FromSlash(file))
		if err := rig.WriteFile(at, src); err != nil {
			return nil, err
		}
		replace[filepath.Join(w.tree.Root, filepath.FromSlash(file))] = at
	}
	overlay := filepath.Join(dir, "overlay.json")
	if err := execute.WriteOverlay(overlay, replace); err != nil {
		return nil, err
	}
	var out []suite
	for i, pkg := range w.tree.Packages {
		if pkg.Test == nil && pkg.XTest == nil {
			continue
		}
		binary := filepath.Join(dir, fmt.Sprintf("suite%d.test", i))
		err := execute.Test(ctx, execute.Build{Dir: w.tree.Dir, Package: pkg.Path, Out: binary, Overlay: overlay, Env: append(os.Environ(), "GOWORK=off")})
		if err != nil {
			return nil, fmt.Errorf("build tests with %s: %w", name, err)
		}
		out = append(out, suite{binary: binary, dir: pkg.Dir})
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("module in %s has no tests that build, so nothing can kill its mutants", w.tree.Dir)
	}
	return out, nil
}

// run runs the suites on one mutant until one of them detects it; it also
// gives the end of the last output.
func (w *workspace) run(ctx context.Context, suites []suite, id int, limit time.Duration) (Outcome, []byte, error) {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	scratch, err := os.MkdirTemp(w.dir, "run-")
	if err != nil {
		return "", nil, err
	}
	defer func() { _ = os.RemoveAll(scratch) }()
	var out tail
	for _, s := range suites {
		out = tail{}
		cmd := limited(ctx, s.binary, append([]string{"-test.failfast", "-test.timeout=0"}, rig.TestFlags()...)...)
		cmd.Dir = s.dir
		cmd.Env = append(os.Environ(), fmt.Sprintf("%s=%d", Variable, id), "TMPDIR="+scratch)
		cmd.Stdout, cmd.Stderr = &out, &out
		cmd.WaitDelay = time.Second
		err := cmd.Run()
		switch {
		case ctx.Err() == context.DeadlineExceeded:
			return TimedOut, out.last, nil
		case ctx.Err() != nil:
			return "", nil, ctx.Err()
		case err != nil || !out.passed():
			return Killed, out.last, nil
		}
	}
	return Survived, out.last, nil
}

// limited is a command with bounded address space where the system has a
// shell that can bound it: a mutated loop may allocate without end.
func limited(ctx context.Context, binary string, args ...string) *exec.Cmd {
	shell, err := exec.LookPath("sh")
	if err != nil {
		return exec.CommandContext(ctx, binary, args...)
	}
	const kilobytes = 4 << 20
	script := fmt.Sprintf(`ulimit -v %d 2>/dev/null; exec "$0" "$@"`, kilobytes)
	return exec.CommandContext(ctx, shell, append([]string{"-c", script, binary}, args...)...)
}

// tail keeps the end of what is written to it: a mutant may print without end.
type tail struct{ last []byte }

func (t *tail) Write(p []byte) (int, error) {
	const most = 4096
	t.last = append(t.last, p[max(0, len(p)-most):]...)
	if len(t.last) > most {
		t.last = slices.Clone(t.last[len(t.last)-most:])
	}
	return len(p), nil
}

// passed reports whether the binary has said that all passed; exit status 0 alone
// may come from the code under test.
func (t *tail) passed() bool {
	return bytes.HasSuffix(bytes.TrimSpace(t.last), []byte("PASS"))
}

package mutant

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

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

// Trial says how the tests are run.
type Trial struct {
	Flags    []string // of the test binary; none means -test.short
	Parallel int      // processes at a time; 0 means 2
}

// A Verdict is what a module's own tests said to its mutants.
type Verdict struct {
	Outcomes map[int]Outcome // by mutant ID
	Tests    int             // tests, examples and fuzz targets with seeds
	Baseline time.Duration   // of the tests on the original, one package after the other
	Built    time.Duration   // time to build, in sum
	Took     time.Duration   // in all
}

// Kill runs the module's own tests on each mutant, one process per mutant: a
// binary with the schemata is built once for all of them, and one for each
// Plain mutant. A run may take ten times the original's time and five seconds.
// It is an error if the original's tests fail.
func Kill(ctx context.Context, t *load.Tree, mutants []Mutant, trial Trial) (*Verdict, error) {
	began := time.Now()
	if len(trial.Flags) == 0 {
		trial.Flags = []string{"-test.short"}
	}
	if trial.Parallel == 0 {
		trial.Parallel = 2
	}
	dir, err := os.MkdirTemp("", "isodelta-mutant-")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(dir) }()

	prog, err := Schemata(t, mutants, Form{Structural: true})
	if err != nil {
		return nil, err
	}
	w := &workspace{tree: t, dir: dir, trial: trial}
	v := &Verdict{Outcomes: map[int]Outcome{}}
	suites, err := w.build(ctx, "schemata", prog.Files)
	if err != nil {
		return nil, err
	}
	start := time.Now()
	for _, s := range suites {
		n, err := s.tests(ctx)
		if err != nil {
			return nil, err
		}
		v.Tests += n
	}
	const noLimit = time.Hour
	outcome, tail, err := w.run(ctx, suites, 0, noLimit)
	if err != nil {
		return nil, err
	}
	v.Baseline = time.Since(start)
	if outcome != Survived {
		return nil, fmt.Errorf("tests of %s fail without a mutant (%s):\n%s", t.Dir, outcome, tail)
	}
	limit := 10*v.Baseline + 5*time.Second

	outcomes := make([]Outcome, len(mutants))
	err = Each(ctx, mutants, trial.Parallel, func(ctx context.Context, i int, m Mutant) (err error) {
		outcomes[i], err = w.try(ctx, suites, m, limit)
		return err
	})
	if err != nil {
		return nil, err
	}
	for i, m := range mutants {
		v.Outcomes[m.ID] = outcomes[i]
	}
	v.Built, v.Took = w.built, time.Since(began)
	return v, nil
}

// A workspace builds and runs test binaries in one temporary directory.
type workspace struct {
	tree  *load.Tree
	dir   string
	trial Trial

	mu    sync.Mutex // guards built
	built time.Duration
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
	start := time.Now()
	dir := filepath.Join(w.dir, name)
	replace := map[string]string{}
	for file, src := range files {
		at := filepath.Join(dir, "src", filepath.FromSlash(file))
		if err := os.MkdirAll(filepath.Dir(at), 0o777); err != nil {
			return nil, err
		}
		if err := os.WriteFile(at, src, 0o666); err != nil {
			return nil, err
		}
		replace[filepath.Join(w.tree.Root, filepath.FromSlash(file))] = at
	}
	text, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, err
	}
	overlay := filepath.Join(dir, "overlay.json")
	if err := os.WriteFile(overlay, text, 0o666); err != nil {
		return nil, err
	}
	var out []suite
	for i, pkg := range w.tree.Packages {
		if pkg.Test == nil && pkg.XTest == nil {
			continue
		}
		binary := filepath.Join(dir, fmt.Sprintf("suite%d.test", i))
		cmd := exec.CommandContext(ctx, "go", "test", "-c", "-vet=off", "-overlay="+overlay, "-o", binary, pkg.Path)
		cmd.Dir = w.tree.Dir
		cmd.Env = append(os.Environ(), "GOWORK=off")
		if output, err := cmd.CombinedOutput(); err != nil {
			return nil, fmt.Errorf("build tests of %s with %s: %w\n%s", pkg.Path, name, err, output)
		}
		out = append(out, suite{binary: binary, dir: pkg.Dir})
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("module in %s has no tests that build, so nothing can kill its mutants", w.tree.Dir)
	}
	w.mu.Lock()
	w.built += time.Since(start)
	w.mu.Unlock()
	return out, nil
}

// tests counts what the suite runs.
func (s suite) tests(ctx context.Context) (int, error) {
	cmd := exec.CommandContext(ctx, s.binary, "-test.list=.")
	cmd.Dir = s.dir
	out, err := cmd.Output()
	if err != nil {
		return 0, fmt.Errorf("list tests of %s: %w", s.dir, err)
	}
	n := 0
	for name := range strings.FieldsSeq(string(out)) {
		if !strings.HasPrefix(name, "Benchmark") {
			n++
		}
	}
	return n, nil
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
		cmd := limited(ctx, s.binary, append([]string{"-test.failfast", "-test.timeout=0"}, w.trial.Flags...)...)
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

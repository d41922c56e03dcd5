package speed

import (
	"context"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/isodelta/isodelta/internal/evaluate/mutant"
	"github.com/isodelta/isodelta/internal/evaluate/rig"
)

// The revisions of a subject. The push is head with one statement more.
const (
	baseRevision = "base"
	headRevision = "head"
	pushRevision = "push"
)

// git runs the git command in a folder and returns what it printed.
func git(ctx context.Context, dir string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, "git", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_SYSTEM="+os.DevNull,
		"GIT_AUTHOR_NAME=speed", "GIT_AUTHOR_EMAIL=speed@example.com", "GIT_AUTHOR_DATE=2026-01-01T00:00:00Z",
		"GIT_COMMITTER_NAME=speed", "GIT_COMMITTER_EMAIL=speed@example.com", "GIT_COMMITTER_DATE=2026-01-01T00:00:00Z")
	out, err := cmd.CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("git %s in %s: %w\n%s", args[0], dir, err, out)
	}
	return string(out), nil
}

// copyOf makes a repository with the two revisions of another, as branches. Only the
// objects of these are copied, and the other one is only read.
func copyOf(ctx context.Context, r repository, dir string) error {
	from, err := filepath.Abs(r.dir)
	if err != nil {
		return err
	}
	if _, err := git(ctx, dir, "init", "--quiet"); err != nil {
		return err
	}
	for _, x := range [][2]string{{baseRevision, r.base}, {headRevision, r.head}} {
		branch, revision := x[0], x[1]
		commit, err := git(ctx, from, "rev-parse", "--verify", revision+"^{commit}")
		if err != nil {
			return fmt.Errorf("%s is no revision of %s: %w", revision, r.dir, err)
		}
		if _, err := git(ctx, dir, "fetch", "--quiet", "--depth=1", "--upload-pack=git -c uploadpack.allowAnySHA1InWant=true upload-pack",
			"file://"+from, strings.TrimSpace(commit)+":refs/heads/"+branch); err != nil {
			return err
		}
	}
	_, err = git(ctx, dir, "checkout", "--quiet", headRevision)
	return err
}

// mutated makes a repository of a package of the distribution, whose head has the
// first of some mutants that the package's own tests do not kill.
func mutated(ctx context.Context, w *rig.Workspace, name string, seed uint64) (dir string, err error) {
	m, err := w.Commit(ctx, name)
	if err != nil {
		return "", err
	}
	t, err := w.Load(ctx, m.Dir)
	if err != nil {
		return "", err
	}
	const tried = 40
	set, err := mutant.Make(ctx, t, mutant.Selection{Limit: tried, Seed: seed})
	if err != nil {
		return "", err
	}
	said, err := mutant.Kill(ctx, t, set.Mutants)
	if err != nil {
		return "", err
	}
	survivors := said.Of(set.Mutants, mutant.Survived)
	if len(survivors) == 0 {
		return "", fmt.Errorf("none of %d mutants survives the tests of %s: choose another seed", len(set.Mutants), name)
	}
	x := survivors[0]
	file := filepath.Join(m.Dir, filepath.FromSlash(x.File))
	source, err := os.ReadFile(file)
	if err != nil {
		return "", err
	}
	if err := os.WriteFile(file, mutant.Apply(source, x), 0o644); err != nil {
		return "", err
	}
	for _, args := range [][]string{{"branch", baseRevision}, {"checkout", "--quiet", "-b", headRevision}, {"commit", "--quiet", "--all", "--message=" + x.String()}} {
		if _, err := git(ctx, m.Dir, args...); err != nil {
			return "", err
		}
	}
	return m.Dir, nil
}

// push commits, on a branch of its own, one more statement in the first function of
// the first Go file that the change touches.
func push(ctx context.Context, dir string) error {
	changed, err := git(ctx, dir, "diff", "--name-only", "--diff-filter=M", baseRevision, headRevision, "--", "*.go")
	if err != nil {
		return err
	}
	for name := range strings.Lines(changed) {
		name = strings.TrimSpace(name)
		if strings.HasSuffix(name, "_test.go") || strings.Contains("/"+name, "/testdata/") {
			continue
		}
		file := filepath.Join(dir, filepath.FromSlash(name))
		source, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		edited, ok := withStatement(source)
		if !ok {
			continue
		}
		if err := os.WriteFile(file, edited, 0o644); err != nil {
			return err
		}
		for _, args := range [][]string{{"checkout", "--quiet", "-b", pushRevision}, {"commit", "--quiet", "--all", "--message=second push"}, {"checkout", "--quiet", headRevision}} {
			if _, err := git(ctx, dir, args...); err != nil {
				return err
			}
		}
		return nil
	}
	return fmt.Errorf("the change touches no function in a Go file that is no test: there is nothing to push a second time in %s", dir)
}

// withStatement adds a statement, with a condition, to the first function of a file.
func withStatement(source []byte) ([]byte, bool) {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "", source, parser.SkipObjectResolution)
	if err != nil {
		return nil, false
	}
	for _, d := range f.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok && fn.Body != nil {
			at := fset.Position(fn.Body.Lbrace).Offset + 1
			return []byte(string(source[:at]) + "\n\tif pushed := len(\"second\"); pushed == 0 {\n\t\tpanic(\"push\")\n\t}\n" + string(source[at:])), true
		}
	}
	return nil, false
}

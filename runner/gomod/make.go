package gomod

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// text is a go.mod for code from before modules: of the last version of the language in
// which a go line asked for nothing else.
const text = "module %s\n\ngo 1.16\n"

// Make writes a go.mod with a module path to dir, and has the go command, run with env,
// add what the packages there import. What cannot be found is left out: building says
// what is missing. A vendor folder is removed.
func Make(ctx context.Context, dir, modulePath string, env []string) error {
	if err := os.WriteFile(filepath.Join(dir, "go.mod"), fmt.Appendf(nil, text, modulePath), 0o644); err != nil {
		return err
	}
	return complete(ctx, dir, env)
}

// Copy gives to the go.mod that from has, and has the go command, run with env, add what
// more is imported there.
func Copy(ctx context.Context, from, to string, env []string) error {
	for _, name := range []string{"go.mod", "go.sum"} {
		content, err := os.ReadFile(filepath.Join(from, name))
		if errors.Is(err, fs.ErrNotExist) && name == "go.sum" {
			continue
		}
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(to, name), content, 0o644); err != nil {
			return err
		}
	}
	return complete(ctx, to, env)
}

func complete(ctx context.Context, dir string, env []string) error {
	if err := os.RemoveAll(filepath.Join(dir, "vendor")); err != nil {
		return err
	}
	cmd := exec.CommandContext(ctx, "go", "mod", "tidy", "-e")
	cmd.Dir, cmd.Env = dir, append(env[:len(env):len(env)], "GOFLAGS=-mod=mod", "GOWORK=off")
	out, err := cmd.CombinedOutput()
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		return fmt.Errorf("go mod tidy, in a repository without go.mod: %w: %s", err, strings.TrimSpace(string(out)))
	}
	return nil
}

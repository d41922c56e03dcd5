package gomod

import (
	"context"
	"os/exec"
)

// AddSums has the go command, run with env, add to go.sum in dir what its packages and their tests
// need and it lacks, and to go.mod what it says is needed there. What it cannot find is left out:
// listing the packages again says what is missing.
func AddSums(ctx context.Context, dir string, env []string) error {
	cmd := exec.CommandContext(ctx, "go", "list", "-mod=mod", "-e", "-deps", "-test", "./...")
	cmd.Dir, cmd.Env = dir, append(env[:len(env):len(env)], "GOWORK=off")
	err := cmd.Run()
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return err
}

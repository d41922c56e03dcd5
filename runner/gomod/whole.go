package gomod

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os/exec"
)

// Whole has the go command, run with env, fetch a version of a module as its authors published it, and returns the folder in the
// module cache. A vendor folder lacks the tests. dir is any folder without a go.mod in it or above it.
func Whole(ctx context.Context, dir, path, version string, env []string) (folder string, err error) {
	cmd := exec.CommandContext(ctx, "go", "mod", "download", "-json", path+"@"+version)
	cmd.Dir, cmd.Env = dir, append(env[:len(env):len(env)], "GOFLAGS=", "GOWORK=off", "GO111MODULE=on")
	var said bytes.Buffer
	cmd.Stderr = &said
	out, err := cmd.Output()
	if ctx.Err() != nil {
		return "", ctx.Err()
	}
	var module struct{ Dir, Error string }
	switch jsonErr := json.Unmarshal(out, &module); {
	case module.Error != "":
		return "", fmt.Errorf("fetch %s %s: %s", path, version, module.Error)
	case err != nil:
		return "", fmt.Errorf("fetch %s %s: %w: %s", path, version, err, bytes.TrimSpace(said.Bytes()))
	case jsonErr != nil:
		return "", fmt.Errorf("fetch %s %s: %w", path, version, jsonErr)
	}
	return module.Dir, nil
}

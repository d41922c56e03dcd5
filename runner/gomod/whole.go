package gomod

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os/exec"
)

// Whole fetches a version of a module with its tests, which a vendor folder lacks. It runs the go command with env and returns the
// module's folder in the module cache. dir is any folder outside of modules.
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

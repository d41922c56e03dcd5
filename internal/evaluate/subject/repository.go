package subject

import (
	"context"
	"fmt"
	"os"
	"os/exec"
)

// Commit makes the module's directory a git repository with one commit on
// branch main. Author and date are fixed, so the same Go version gives the
// same hash. It needs the git command.
func (m *Module) Commit(ctx context.Context) error {
	for _, args := range [][]string{
		{"init", "--quiet", "--initial-branch=main"},
		{"add", "--all", "--force"},
		{"-c", "commit.gpgsign=false", "commit", "--quiet", "--no-verify", "--message=" + m.Name},
	} {
		cmd := exec.CommandContext(ctx, "git", args...)
		cmd.Dir = m.Dir
		cmd.Env = append(os.Environ(),
			"GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_SYSTEM="+os.DevNull,
			"GIT_AUTHOR_NAME=subject", "GIT_AUTHOR_EMAIL=subject@example.com", "GIT_AUTHOR_DATE=2026-01-01T00:00:00Z",
			"GIT_COMMITTER_NAME=subject", "GIT_COMMITTER_EMAIL=subject@example.com", "GIT_COMMITTER_DATE=2026-01-01T00:00:00Z")
		if out, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("git %s in %s: %w\n%s", args[0], m.Dir, err, out)
		}
	}
	return nil
}

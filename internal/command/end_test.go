package command

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/isodelta/isodelta/bot/githubtest"
)

// TestTermEnds: whatever a stream holds, a command that reads it ends soon after it
// is told to. The stream is a pipe that never ends, which is as slow as one can be.
func TestTermEnds(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	pipe := filepath.Join(dir, "stream.jsonl")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Skip(err)
	}
	hold, err := os.OpenFile(pipe, os.O_RDWR, 0) // so that opening it does not wait
	if err != nil {
		t.Fatal(err)
	}
	defer hold.Close()
	for _, args := range [][]string{{"report", pipe}, {"merge", pipe}, {"replay", "0badc0de", "--from", pipe}, {"accept", "0badc0de", "--reason", "r", "--from", pipe}} {
		t.Run(args[0], func(t *testing.T) {
			t.Parallel()
			ends(t, exec.Command("isodelta", args...), dir)
		})
	}
}

// TestTermEndsPublish while it renders a stream that takes long, and while GitHub
// does not answer.
func TestTermEndsPublish(t *testing.T) {
	t.Parallel()
	for name, spoil := range map[string]func(*githubtest.Server){
		"a slow stream": func(s *githubtest.Server) {
			lines := strings.SplitAfter(recordedStream, "\n")
			var b strings.Builder
			for i := range 19_000 {
				b.WriteString(strings.NewReplacer("0badc0de", fmt.Sprintf("%08x", i), `["F"]`, `["F","`+strings.Repeat("G", 500)+`"]`).Replace(lines[4]))
			}
			text := strings.Join(lines[:4], "") + b.String() + lines[5]
			s.Change(func(state *githubtest.State) { state.Artifacts[0].Zip = githubtest.Zip("stream.jsonl", text) })
		},
		"a slow GitHub": func(s *githubtest.Server) { s.Fail(githubtest.Failure{Delay: time.Minute}) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := github(t)
			spoil(s)
			dir := t.TempDir()
			file := filepath.Join(dir, "event.json")
			if err := os.WriteFile(file, []byte(workflowRun(headCommit)), 0o644); err != nil {
				t.Fatal(err)
			}
			cmd := exec.Command("isodelta", "publish")
			cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + dir, "GITHUB_EVENT_NAME=workflow_run", "GITHUB_EVENT_PATH=" + file,
				"GITHUB_REPOSITORY=octo/lib", "GITHUB_SERVER_URL=https://github.example", "GITHUB_API_URL=" + s.URL, "INPUT_OUTPUT_DIRECTORY=" + dir,
				"INPUT_GITHUB_TOKEN=" + githubtest.DefaultToken}
			ends(t, cmd, dir)
		})
	}
}

// ends starts a command, asks it to end once it is at work, and wants that within
// five seconds.
func ends(t *testing.T, cmd *exec.Cmd, dir string) {
	t.Helper()
	var out bytes.Buffer
	cmd.Dir, cmd.Stdout, cmd.Stderr = dir, &out, &out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	select {
	case err := <-ended:
		t.Fatalf("it ended by itself: %v\n%s", err, out.String())
	case <-time.After(1500 * time.Millisecond):
	}
	begin := time.Now()
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	select {
	case <-ended:
		if code := cmd.ProcessState.ExitCode(); code != exitFailed {
			t.Errorf("it ended with %d after %v\n%s", code, time.Since(begin), out.String())
		}
	case <-time.After(5500 * time.Millisecond): // half a second for a busy machine
		_ = cmd.Process.Kill()
		t.Errorf("it is still there\n%s", out.String())
	}
}

package command

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/isodelta/isodelta/bot/githubtest"
)

// A command that is told to end has five seconds for it; the clock is a false one, so
// that a busy machine has as many.
func TestEnding(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		needs, interrupted, took time.Duration // 0 is never
		code                     int
		err                      error
	}{
		"not interrupted":      {needs: time.Hour, took: time.Hour, code: exitFinding},
		"ends when it is told": {needs: 63 * time.Second, interrupted: time.Minute, took: 63 * time.Second, code: exitFinding},
		"stuck":                {interrupted: time.Minute, took: 65 * time.Second, code: exitFailed, err: errStuck},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				if c.interrupted > 0 {
					time.AfterFunc(c.interrupted, cancel)
				}
				stuck := make(chan struct{})
				defer close(stuck)
				begin := time.Now()
				code, err := ending(ctx, func() (int, error) {
					if c.needs == 0 {
						<-stuck
					}
					time.Sleep(c.needs)
					return exitFinding, nil
				})
				if took := time.Since(begin); took != c.took || code != c.code || !errors.Is(err, c.err) {
					t.Errorf("%d, %v after %v", code, err, took)
				}
			})
		})
	}
}

// slowStream is a stream with so many findings.
func slowStream(findings int) string {
	lines := strings.SplitAfter(recordedStream, "\n")
	var b strings.Builder
	for i := range findings {
		b.WriteString(strings.NewReplacer("0badc0de", fmt.Sprintf("%08x", i), `["F"]`, `["F","`+strings.Repeat("G", 500)+`"]`).Replace(lines[4]))
	}
	return strings.Join(lines[:4], "") + b.String() + lines[5]
}

// TestTermEnds: whatever a stream holds, a command that reads it ends soon after it
// is told to. The stream is a pipe that never ends, which is as slow as one can be.
func TestTermEnds(t *testing.T) {
	t.Parallel()
	for name, args := range map[string][]string{"report": {}, "merge": {}, "replay": {"0badc0de", "--from"}, "accept": {"0badc0de", "--reason", "r", "--from"}} {
		t.Run(name, func(t *testing.T) {
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
			working := make(chan struct{})
			go func() {
				// No pipe holds as much: who wrote it all knows that it is read.
				if _, err := hold.WriteString(slowStream(3000)); err == nil {
					close(working)
				}
			}()
			ends(t, exec.Command("isodelta", append(append([]string{name}, args...), pipe)...), dir, working)
		})
	}
}

// TestTermEndsPublish while it renders a stream, and while GitHub does not answer. It
// fails even where all that is missing is a comment: nobody sees the result.
func TestTermEndsPublish(t *testing.T) {
	t.Parallel()
	for name, begins := range map[string]func(t *testing.T, s *githubtest.Server, dir string, working func()){
		"rendering": func(t *testing.T, s *githubtest.Server, dir string, working func()) {
			s.Change(func(state *githubtest.State) {
				state.Artifacts[0].Zip = githubtest.Zip("stream.jsonl", slowStream(1000))
			})
			s.Fail(githubtest.Failure{Method: "POST", Delay: time.Hour})
			go func() {
				for ; t.Context().Err() == nil; time.Sleep(time.Millisecond) {
					if _, err := os.Stat(filepath.Join(dir, "report.md")); err == nil {
						working() // the other files follow
						return
					}
				}
			}()
		},
		"a slow GitHub": func(_ *testing.T, s *githubtest.Server, _ string, working func()) {
			s.Fail(githubtest.Failure{Delay: time.Hour})
			s.Intercept(func(string, string) { working() })
		},
		"a GitHub that takes no comment": func(_ *testing.T, s *githubtest.Server, _ string, working func()) {
			s.Fail(githubtest.Failure{Method: "POST", Delay: time.Hour})
			s.Intercept(func(method, _ string) {
				if method == "POST" {
					working()
				}
			})
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, dir := github(t), t.TempDir()
			working := make(chan struct{})
			begins(t, s, dir, sync.OnceFunc(func() { close(working) }))
			file := filepath.Join(dir, "event.json")
			if err := os.WriteFile(file, []byte(workflowRun(headCommit)), 0o644); err != nil {
				t.Fatal(err)
			}
			cmd := exec.Command("isodelta", "publish")
			cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + dir, "GITHUB_EVENT_NAME=workflow_run", "GITHUB_EVENT_PATH=" + file,
				"GITHUB_REPOSITORY=octo/lib", "GITHUB_SERVER_URL=https://github.example", "GITHUB_API_URL=" + s.URL, "INPUT_OUTPUT_DIRECTORY=" + dir,
				"INPUT_GITHUB_TOKEN=" + githubtest.DefaultToken}
			ends(t, cmd, dir, working)
		})
	}
}

// ends starts a command, asks it to end once it is at work, and wants that it does, as
// one that failed. How long that may take is TestEnding's business: here only what
// does not end at all is given up.
func ends(t *testing.T, cmd *exec.Cmd, dir string, working <-chan struct{}) {
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
	case <-working:
	}
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	select {
	case <-ended:
		if code := cmd.ProcessState.ExitCode(); code != exitFailed {
			t.Errorf("it ended with %d\n%s", code, out.String())
		}
	case <-time.After(3 * time.Minute):
		_ = cmd.Process.Kill()
		<-ended
		t.Errorf("it is still there\n%s", out.String())
	}
}

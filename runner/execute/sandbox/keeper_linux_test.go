package sandbox_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/isodelta/isodelta/runner/execute/sandbox"
)

func levels() []sandbox.Level {
	return []sandbox.Level{sandbox.Landlock, sandbox.LandlockNetwork, sandbox.Namespaces}
}

// eachLevel runs a test at each level that this machine has.
func eachLevel(t *testing.T, test func(t *testing.T, level sandbox.Level)) {
	for _, level := range levels() {
		t.Run(string(level), func(t *testing.T) {
			t.Parallel()
			reached(t, level)
			test(t, level)
		})
	}
}

// daemon leaves a process behind that has left the group and the session, and
// has lost its parent. It keeps writing to a file.
func daemon(args []string) error {
	switch args[0] {
	case "parent":
		return start("daemon", "child", args[1])
	case "child":
		return start("daemon", "write", args[1])
	default:
		for i := range 3000 {
			if err := os.WriteFile(args[1], fmt.Append(nil, i), 0o600); err != nil {
				return err
			}
			time.Sleep(10 * time.Millisecond)
		}
		return nil
	}
}

func start(deed ...string) error {
	cmd := exec.Command(os.Args[0], append([]string{deedArg}, deed...)...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	return cmd.Start()
}

// A daemon of a test would see the files of whatever runs next.
func TestNothingOutlives(t *testing.T) {
	t.Parallel()
	eachLevel(t, func(t *testing.T, level sandbox.Level) {
		dir := t.TempDir()
		trace := filepath.Join(dir, "trace")
		if out, err := do(t, level, sandbox.Policy{Writable: []string{dir}}, "daemon", "parent", trace); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		stands(t, trace)
	})
}

// The same when the target is ended from outside.
func TestCancelEndsDaemons(t *testing.T) {
	t.Parallel()
	eachLevel(t, func(t *testing.T, level sandbox.Level) {
		dir := t.TempDir()
		trace := filepath.Join(dir, "trace")
		cmd := sandbox.Command(t.Context(), level, sandbox.Policy{Writable: []string{dir}}, self(t), "/bin/sh", "-c",
			fmt.Sprintf("'%s' %s daemon parent '%s'; sleep 60", self(t), deedArg, trace))
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		for deadline := time.Now().Add(30 * time.Second); ; time.Sleep(time.Millisecond) {
			if text, _ := os.ReadFile(trace); len(text) > 0 {
				break
			}
			if time.Now().After(deadline) {
				t.Fatal("the daemon has not begun")
			}
		}
		cmd.Cancel()
		if err := sandbox.Ended(cmd.Wait()); err == nil || err.Error() != "signal: killed" {
			t.Errorf("ended: %v", err)
		}
		stands(t, trace)
	})
}

// stands checks that nobody writes to a file any more.
func stands(t *testing.T, file string) {
	t.Helper()
	before, _ := os.ReadFile(file)
	time.Sleep(100 * time.Millisecond)
	if after, _ := os.ReadFile(file); string(before) != string(after) {
		t.Errorf("somebody still writes to the file: %q, then %q", before, after)
	}
}

func TestEndedTellsSignals(t *testing.T) {
	t.Parallel()
	eachLevel(t, func(t *testing.T, level sandbox.Level) {
		for script, want := range map[string]string{"exit 0": "<nil>", "exit 3": "exit status 3", "kill -KILL $$": "signal: killed", "kill -SEGV $$": "signal: segmentation fault"} {
			err := sandbox.Ended(sandbox.Command(t.Context(), level, sandbox.Policy{}, self(t), "/bin/sh", "-c", script).Run())
			if fmt.Sprint(err) != want {
				t.Errorf("%s: %v, want %s", script, err, want)
			}
		}
	})
}

// fill writes n files of a MiB each.
func fill(args []string) error {
	for i := range 64 {
		if err := os.WriteFile(filepath.Join(args[0], fmt.Sprint(i)), make([]byte, 1<<20), 0o600); err != nil {
			return err
		}
		time.Sleep(20 * time.Millisecond)
	}
	return nil
}

func TestTemporaryFolderIsBounded(t *testing.T) {
	t.Parallel()
	eachLevel(t, func(t *testing.T, level sandbox.Level) {
		p := sandbox.Policy{Temp: t.TempDir(), TempBytes: 8 << 20}
		out, err := do(t, level, p, "fill", p.Temp)
		if err == nil || !strings.Contains(out, "no space left") && !strings.Contains(out, "more than 8 MiB") {
			t.Errorf("%v: %s", err, out)
		}
		p.TempBytes = 128 << 20
		if out, err := do(t, level, p, "fill", p.Temp); err != nil {
			t.Errorf("%v: %s", err, out)
		}
	})
}

// A folder of the disk that may be written to is bounded, too, in the most restricted level as well.
func TestWritableFolderIsBounded(t *testing.T) {
	t.Parallel()
	eachLevel(t, func(t *testing.T, level sandbox.Level) {
		dir := t.TempDir()
		p := sandbox.Policy{Writable: []string{dir}, TempBytes: 8 << 20}
		if out, err := do(t, level, p, "fill", dir); err == nil || !strings.Contains(out, "more than 8 MiB") {
			t.Errorf("%v: %s", err, out)
		}
	})
}

// crowd starts n processes at a time.
func crowd([]string) error {
	for range 600 {
		cmd := exec.Command("/bin/sleep", "60")
		if err := cmd.Start(); err != nil {
			return err
		}
		defer cmd.Process.Kill()
	}
	return nil
}

func TestProcessesAreLimited(t *testing.T) {
	t.Parallel()
	if os.Getuid() == 0 {
		reached(t, sandbox.Namespaces)
	}
	f, err := sandbox.Probe(t.Context(), self(t), sandbox.Policy{Processes: 450})
	if err != nil {
		t.Fatal(err)
	}
	if out, err := do(t, f.Level, f.Policy, "crowd"); err == nil || !strings.Contains(out, "temporarily unavailable") && !strings.Contains(out, "errno=11") {
		t.Errorf("%v: %s", err, out)
	}
}

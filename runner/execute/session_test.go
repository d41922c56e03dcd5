package execute

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/isodelta/isodelta/report/event"
	"github.com/isodelta/isodelta/runner/execute/sandbox"
)

// script makes a program of the shell that stands in for a test binary.
func script(t *testing.T, text string) (*Lab, Target) {
	t.Helper()
	dir := t.TempDir()
	binary := filepath.Join(dir, "x.test")
	if err := os.WriteFile(binary, []byte("#!/bin/sh\n"+text), 0o700); err != nil {
		t.Fatal(err)
	}
	lab := &Lab{Level: sandbox.None, Env: []string{"PATH=" + os.Getenv("PATH")}, Tmp: dir}
	return lab, Target{Binary: binary, Dir: dir, Test: "TestX"}
}

// within fails the test if f takes longer.
func within(t *testing.T, limit time.Duration, f func()) {
	t.Helper()
	done := make(chan struct{})
	go func() { defer close(done); f() }()
	select {
	case <-done:
	case <-time.After(limit):
		t.Fatal("still waiting")
	}
}

// A test that puts a pipe, or a link to a device without end, where isodelta
// keeps its notes, and dies.
func TestNotesAreOutOfReach(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"pipe":    `mkfifo "$TMPDIR/.isodelta-call" "$TMPDIR/isodelta-program"; kill -9 $$`,
		"link":    `ln -s /dev/zero "$TMPDIR/.isodelta-call"; ln -s /dev/zero "$TMPDIR/isodelta-program"; kill -9 $$`,
		"grow":    `dd if=/dev/zero of=/proc/self/fd/5 bs=1M seek=1 count=64 2>/dev/null && touch "$TMPDIR/../grown"; kill -9 $$`,
		"cut":     `: >/proc/self/fd/5; kill -9 $$`,
		"rubbish": `printf '\377\377\377\377\377\377\377\377' | dd of=/proc/self/fd/5 conv=notrunc 2>/dev/null; kill -9 $$`,
	} {
		lab, target := script(t, text)
		within(t, 30*time.Second, func() {
			r, err := lab.Session(target).Do(t.Context(), Command{})
			if err != nil || r.Outcome != event.Died {
				t.Errorf("%s: %+v, %v", name, r, err)
			}
			d := lab.Dialog(target)
			if err := d.Start(); err != nil {
				t.Error(err)
			}
			_, err = d.Ask(t.Context(), 'S', nil, 20*time.Second)
			var ended *EndedError
			if !errors.As(err, &ended) || ended.Outcome != event.Died || ended.Note != nil {
				t.Errorf("%s: %v", name, err)
			}
		})
		if _, err := os.Stat(filepath.Join(lab.Tmp, "grown")); err == nil {
			t.Error("a test made the note larger")
		}
	}
}

// A process that reads nothing of a command larger than a pipe, and does not come to its
// test: it has no more time to start than Within says.
func TestDoWithAProcessThatDoesNotRead(t *testing.T) {
	t.Parallel()
	large := Command{Watch: "amplify", Keys: make([]uint64, 1<<20)}
	lab, target := script(t, "exec sleep 600")
	s := lab.Session(target)
	s.Within(300 * time.Millisecond)
	within(t, 20*time.Second, func() {
		if r, err := s.Do(t.Context(), large); err != nil || r.Outcome != event.Hung {
			t.Errorf("%+v, %v", r.Outcome, err)
		}
	})
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(300*time.Millisecond, cancel)
	s.Limit = time.Hour
	within(t, 20*time.Second, func() {
		if _, err := s.Do(ctx, large); !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	})
}

// A process that does nothing is given up after as long as the dialog says, and one that works, or has another one work for
// it, has its time.
func TestIdleProcess(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" {
		t.Skip("the system does not tell what threads do")
	}
	for name, test := range map[string]struct {
		text string
		idle bool
	}{
		"waits":            {"exec sleep 600", true},
		"works":            {"while :; do :; done", false},
		"has another work": {"sh -c 'while :; do :; done' & wait", false},
		"has another wait": {"sleep 600 & wait", true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			lab, target := script(t, test.text)
			d := lab.Dialog(target)
			d.Idle = 200 * time.Millisecond
			if err := d.Start(); err != nil {
				t.Fatal(err)
			}
			limit := time.Minute
			if !test.idle {
				limit = 2 * time.Second
			}
			within(t, 30*time.Second, func() {
				_, err := d.Ask(t.Context(), 'S', nil, limit)
				var ended *EndedError
				if !errors.As(err, &ended) || ended.Outcome != event.Hung || strings.Contains(ended.Message, "nothing done") != test.idle {
					t.Errorf("%v", err)
				}
			})
		})
	}
}

// An answer comes in parts, and those of a process that ends are there, but for what is not whole. Parts without end are refused.
func TestAnswersInParts(t *testing.T) {
	t.Parallel()
	const parts = `read size <&3; head -c 5 <&3 >/dev/null; printf '\003\000\000\000pab\002\000\000\000pc' >&4; `
	for name, test := range map[string]struct {
		text, answer, answered string
	}{
		"whole":     {parts + `printf '\002\000\000\000td' >&4; sleep 600`, "abcd", ""},
		"ends":      {parts + `exit 1`, "", "abc"},
		"cut off":   {parts + `printf '\011\000\000\000pd' >&4; exit 1`, "", "abc"},
		"too large": {parts + `printf '\377\377\377\377pd' >&4; sleep 600`, "", "abc"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			lab, target := script(t, test.text)
			d := lab.Dialog(target)
			if err := d.Start(); err != nil {
				t.Fatal(err)
			}
			defer d.Close()
			answer, err := d.Ask(t.Context(), 'L', nil, time.Minute)
			answered := ""
			var ended *EndedError
			if errors.As(err, &ended) {
				answered = string(ended.Answered)
			}
			if string(answer) != test.answer || answered != test.answered || (err == nil) != (test.answer != "") {
				t.Errorf("%q, %q, %v; want %q, %q", answer, answered, err, test.answer, test.answered)
			}
		})
	}
}

// A keeper that gives up is not a test that dies, and a test that says the same
// words is not the keeper.
func TestKeeperThatGivesUp(t *testing.T) {
	t.Parallel()
	const words = "echo 'isodelta: sandbox: start /x/y.test: permission denied' >&2; exit "
	lab, target := script(t, words+"125")
	_, err := lab.Session(target).Do(t.Context(), Command{})
	var start *StartError
	if !errors.As(err, &start) || !strings.Contains(err.Error(), "permission denied") || !strings.Contains(err.Error(), "noexec") {
		t.Errorf("session: %v", err)
	}
	d := lab.Dialog(target)
	if err := d.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := d.Ask(t.Context(), 'S', nil, time.Minute); !errors.As(err, &start) {
		t.Errorf("dialog: %v", err)
	}
	if _, _, err := lab.RunTest(t.Context(), target, time.Minute); !errors.As(err, &start) {
		t.Errorf("test: %v", err)
	}
	lab, target = script(t, words+"1")
	if r, err := lab.Session(target).Do(t.Context(), Command{}); err != nil || r.Outcome != event.Died {
		t.Errorf("%+v, %v", r, err)
	}
	// Without a keeper the kernel says it.
	if err := os.Chmod(target.Binary, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := lab.Session(target).Do(t.Context(), Command{}); !errors.As(err, &start) || !strings.Contains(err.Error(), "noexec") {
		t.Error(err)
	}
}

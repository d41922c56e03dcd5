package runner

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/isodelta/isodelta/report/event"
)

// A comparison that a test holds up, so that it hears nothing, is given up; what
// it says later is not in the stream.
func TestBoundedGivesUp(t *testing.T) {
	t.Parallel()
	synctest.Test(t, givesUp)
}

// givesUp is on a false clock: how long the machine takes does not count.
func givesUp(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	stuck, ended := make(chan struct{}), make(chan struct{})
	recorder := &event.Recorder{}
	started := time.Now()
	s, err := bounded(ctx, Options{}, recorder, func(_ context.Context, sink event.Sink) (event.Summary, error) {
		defer close(ended)
		sink.Emit(event.Versions{Type: "versions"})
		sink.Emit(event.Progress{Type: "progress", Text: "TestX"})
		cancel()
		<-stuck
		sink.Emit(event.Limit{Type: "limit", Kind: "late"})
		return event.Summary{}, nil
	})
	if took := time.Since(started); took != 3*time.Second {
		t.Errorf("it took %s: the report has to be written in what is left of 5 seconds", took)
	}
	if err != nil || !s.Interrupted || s.Verdict != event.Incomplete {
		t.Errorf("%+v, %v", s, err)
	}
	close(stuck)
	<-ended
	stream, err := recorder.Stream()
	if err != nil || len(stream.Limits) != 1 || stream.Limits[0].Kind != "interrupted" || !strings.Contains(stream.Limits[0].Reason, "(TestX)") ||
		stream.Verdict() != event.Incomplete {
		t.Errorf("%+v, %v", stream, err)
	}
}

// The whole comparison has a deadline of its own.
func TestBoundedByTheBudget(t *testing.T) {
	t.Parallel()
	opt := Options{Budget: time.Millisecond, Overtime: 10 * time.Millisecond}
	for _, began := range []bool{true, false} {
		s, err := bounded(t.Context(), opt, &event.Recorder{}, func(ctx context.Context, sink event.Sink) (event.Summary, error) {
			sink.Emit(event.Progress{Type: "progress", Text: "laying out base and head"})
			<-ctx.Done()
			if !errors.Is(context.Cause(ctx), errOvertime) {
				t.Error(context.Cause(ctx))
			}
			if began {
				return event.Summary{Interrupted: true}, nil
			}
			return event.Summary{}, ctx.Err()
		})
		switch {
		case began && (err != nil || !s.Interrupted):
			t.Errorf("%+v, %v", s, err)
		case !began && (err == nil || !strings.Contains(err.Error(), "within 11ms") || !strings.Contains(err.Error(), "laying out base and head")):
			t.Error(err)
		}
	}
}

func TestLast(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ budget, want time.Duration }{
		{0, 0}, {10 * time.Second, 10*time.Second + 10*time.Minute}, {10 * time.Minute, 20 * time.Minute}, {time.Hour, 2 * time.Hour},
	} {
		if got := (Options{Budget: c.budget}).last(); got != c.want {
			t.Errorf("%s: %s, want %s", c.budget, got, c.want)
		}
	}
}

// Where the budget has ended before both versions are loaded, what is said is that, and what helps.
func TestLoadingEnds(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module example.com/m\n\ngo 1.21\n", "m.go": "package m\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, args := range [][]string{{"init", "-q"}, {"add", "."}, {"-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "-q", "-m", "one"}} {
		if out, err := exec.Command("git", append([]string{"-C", dir}, args...)...).CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v: %s", args, err, out)
		}
	}
	r, err := newRun(Options{Dir: dir, Revisions: []string{"HEAD", "HEAD"}, Budget: 2 * time.Minute, Temp: t.TempDir()}, &event.Recorder{})
	if err != nil {
		t.Fatal(err)
	}
	defer r.close()
	start := r.env.Plan.Start
	if got := r.loadingEnds().Sub(start); got != 2*time.Minute {
		t.Errorf("loading may take %s of two minutes", got)
	}
	r.env.Plan.Total = time.Second
	if got := r.loadingEnds().Sub(start); got != minLoading {
		t.Errorf("loading may take %s of a second", got)
	}
	r.env.Plan.Start = start.Add(-time.Hour)
	if err := r.prepare(t.Context()); err == nil || !strings.Contains(err.Error(), "within the budget of 2m0s: it ended while both versions were loaded") {
		t.Errorf("%v", err)
	}
}

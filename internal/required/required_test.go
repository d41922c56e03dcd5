package required

import (
	"runtime"
	"testing"
)

// recorder is a test that keeps what became of it.
type recorder struct {
	testing.TB
	end string
}

func (r *recorder) Helper() {}

func (r *recorder) Skip(...any) { r.stop("skipped") }

func (r *recorder) Fatalf(string, ...any) { r.stop("failed") }

func (r *recorder) stop(how string) {
	r.end = how
	runtime.Goexit()
}

func TestSkip(t *testing.T) {
	for list, want := range map[string]string{
		"":                     "skipped",
		"tools":                "skipped",
		"sandbox":              "failed",
		"tools,sandbox,seeded": "failed",
		"sandboxes":            "skipped",
	} {
		t.Setenv(Switch, list)
		r := new(recorder)
		done := make(chan struct{})
		go func() {
			defer close(done)
			Skip(r, Sandbox, "no sandbox")
		}()
		<-done
		if r.end != want {
			t.Errorf("%s=%s: %s, want %s", Switch, list, r.end, want)
		}
	}
}

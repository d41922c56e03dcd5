package reach

import (
	"testing"
	"time"

	"github.com/isodelta/isodelta/runner/budget"
	"github.com/isodelta/isodelta/runner/calls/wire"
	"github.com/isodelta/isodelta/runner/probe"
	"github.com/isodelta/isodelta/runner/stage"
)

// Explaining a call in place keeps to the time for confirming, which a test that hangs
// could otherwise take five times over.
func TestExplainingEndsInTime(t *testing.T) {
	t.Parallel()
	start := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	for _, c := range []struct {
		total time.Duration
		now   int // seconds after the start
		want  time.Duration
	}{{0, 900, maxPlacing}, {time.Minute, 10, maxPlacing}, {time.Minute, 60, 4200 * time.Millisecond}, {time.Minute, 90, minPlacing}} {
		now := func() time.Time { return start.Add(time.Duration(c.now) * time.Second) }
		s := &Stage{Env: &stage.Env{Plan: budget.Plan{Total: c.total, Start: start}, Now: now}}
		if got := s.explaining(); got != c.want {
			t.Errorf("of %s, after %d s: %s, want %s", c.total, c.now, got, c.want)
		}
	}
}

func TestPlacedCall(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		args []string
		want string
	}{
		{"F", nil, "F()"},
		{"geo.Area", []string{"1", `"a"`}, `geo.Area(1, "a")`},
		{"(*Ring).Push", []string{"&Ring{}", "2"}, "(&Ring{}).Push(2)"},
		{"(*Ring).Push", nil, "(*Ring).Push()"},
	} {
		if got := placedCall(c.name, c.args); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

func TestSameAnswer(t *testing.T) {
	t.Parallel()
	answer := func(ending probe.Ending, message string, output ...string) wire.Explained {
		e := wire.Explained{Ending: ending, Message: message}
		for _, o := range output {
			e.Output = append(e.Output, wire.ValueAnswer{Text: o})
		}
		return e
	}
	one := answer(probe.Returned, "", "1", "2")
	for _, c := range []struct {
		other     wire.Explained
		component int
		want      bool
	}{{answer(probe.Returned, "", "1", "3"), 0, true}, {answer(probe.Returned, "", "1", "3"), 1, false}, {answer(probe.Panicked, "", "1", "2"), 0, false},
		{answer(probe.Returned, "said", "1", "2"), 0, true}, {answer(probe.Returned, "said", "1", "2"), -1, false}, {answer(probe.Returned, "", "1"), 5, true}} {
		if got := sameAnswer(one, c.other, c.component); got != c.want {
			t.Errorf("%+v, component %d: %t", c.other, c.component, got)
		}
	}
}

// A version that gives less than the other, as where it prints nothing, gives nothing there: it was a crash.
func TestPlacedText(t *testing.T) {
	t.Parallel()
	e := wire.Explained{Output: []wire.ValueAnswer{{Text: "1"}, {Text: "no such file", Category: "error"}}}
	for component, want := range []string{"v 1", "e no such file", "v "} {
		if got := placedText(e, component); string(got.Category)+" "+got.Value != want {
			t.Errorf("%q, want %q", string(got.Category)+" "+got.Value, want)
		}
	}
}

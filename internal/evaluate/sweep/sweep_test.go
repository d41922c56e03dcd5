package sweep

import (
	"testing"
	"time"

	"github.com/isodelta/isodelta/report/event"
)

// How a comparison ended is right or wrong whatever it found.
func TestJudge(t *testing.T) {
	t.Parallel()
	whole := &event.Stream{Summary: &event.Summary{}}
	for name, test := range map[string]struct {
		r           result
		errText     string
		wrong, late bool
		what        string
	}{
		"whole":           {result{seconds: 60, stream: whole}, "", false, false, ""},
		"differences":     {result{exit: 1, seconds: 60, stream: whole}, "", false, false, ""},
		"late":            {result{seconds: 71, stream: whole}, "", false, true, ""},
		"no summary":      {result{stream: &event.Stream{}}, "", true, false, "no summary"},
		"nothing at all":  {result{}, "", true, false, "no summary"},
		"killed":          {result{exit: -1}, "", true, false, "exit status"},
		"a panic":         {result{exit: 2}, "panic: oops\n\ngoroutine 1 [running]:", true, false, "panicked"},
		"does not build":  {result{exit: 3}, "isodelta: laying out base · x\nisodelta: head: packages do not build\n", false, false, "isodelta: head: packages do not build"},
		"without message": {result{exit: 3}, "", false, false, "no message"},
	} {
		test.r.judge(test.errText, time.Minute)
		if test.r.wrong != test.wrong || test.r.late != test.late || test.r.what != test.what {
			t.Errorf("%s: %+v", name, test.r)
		}
	}
}

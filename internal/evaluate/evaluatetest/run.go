package evaluatetest

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strconv"
	"strings"
	"testing"

	"github.com/isodelta/isodelta/internal/evaluate/options"
)

// Evaluation is the function that the command calls.
type Evaluation func(ctx context.Context, args []string, out, log io.Writer) error

// Figures are the numbers that an evaluation ends with, by name.
type Figures map[string]float64

// Run returns the figures of an evaluation, and all that it prints, which is shown if
// the test fails.
func Run(t *testing.T, evaluation Evaluation, args ...string) (Figures, string) {
	t.Helper()
	var out, log bytes.Buffer
	if err := evaluation(t.Context(), args, &out, &log); err != nil {
		t.Fatalf("%v\n%s", err, &log)
	}
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("%s\n%s", &out, &log)
		}
	})
	f := Figures{}
	for line := range strings.Lines(out.String()) {
		if name, v, ok := strings.Cut(strings.TrimSpace(line), "="); ok {
			if x, err := strconv.ParseFloat(v, 64); err == nil {
				f[name] = x
			}
		}
	}
	return f, out.String()
}

// Want compares some figures.
func (f Figures) Want(t *testing.T, want Figures) {
	t.Helper()
	for name, x := range want {
		if got, ok := f[name]; !ok || got != x {
			t.Errorf("%s=%v, want %v", name, got, x)
		}
	}
}

// WantMore says which figures have to be more than nothing.
func (f Figures) WantMore(t *testing.T, names ...string) {
	t.Helper()
	for _, name := range names {
		if !(f[name] > 0) {
			t.Errorf("%s=%v, want more than 0", name, f[name])
		}
	}
}

// Refused has an evaluation refuse arguments, each with an error for the user that
// holds a text.
func Refused(t *testing.T, evaluation Evaluation, texts map[string]string) {
	t.Helper()
	for arg, text := range texts {
		err := evaluation(t.Context(), []string{arg}, io.Discard, io.Discard)
		var wrong *options.UsageError
		if !errors.As(err, &wrong) || !strings.Contains(err.Error(), text) {
			t.Errorf("%s: error %v, want a usage error with %q", arg, err, text)
		}
	}
}

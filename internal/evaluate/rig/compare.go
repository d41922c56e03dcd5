package rig

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/isodelta/isodelta/report/event"
	"github.com/isodelta/isodelta/runner"
)

// Options are what all comparisons of an evaluation share: those of the working tree
// in dir with its last commit.
func (w *Workspace) Options(dir string) runner.Options {
	opt := runner.Defaults()
	opt.Dir, opt.Revisions, opt.Executable, opt.TestFlags = dir, []string{"HEAD"}, w.Executable, TestFlags()
	return opt
}

// Compare returns what a comparison emits. One that goes far beyond its budget is
// ended.
func Compare(ctx context.Context, opt runner.Options) ([]event.Event, event.Summary, error) {
	limited, cancel := context.WithTimeout(ctx, 3*opt.Budget+time.Minute)
	defer cancel()
	rec := new(event.Recorder)
	sum, err := runner.Compare(limited, opt, rec)
	if ctx.Err() != nil {
		err = ctx.Err()
	}
	return rec.Events(), sum, err
}

// CompareWithItself compares the last commit with itself, so that each finding is a
// false alarm. It is an error if the comparison could not be made, or was ended:
// then it says nothing.
func CompareWithItself(ctx context.Context, opt runner.Options) ([]event.Event, event.Summary, error) {
	opt.Revisions, opt.Unchanged = []string{"HEAD..HEAD"}, true
	events, sum, err := Compare(ctx, opt)
	if err != nil {
		return nil, sum, err
	}
	for _, e := range events {
		if l, ok := e.(event.Limit); ok && (l.Kind == event.LimitInfrastructure || l.Kind == event.LimitNotBuilt) {
			return nil, sum, fmt.Errorf("comparison with itself: %s: %s", l.What, l.Reason)
		}
	}
	if sum.Interrupted {
		return nil, sum, errors.New("comparison with itself: ended far beyond its budget")
	}
	return events, sum, nil
}

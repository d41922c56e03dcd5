package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/isodelta/isodelta/diff/acceptance"
	"github.com/isodelta/isodelta/diff/policy"
	"github.com/isodelta/isodelta/internal/config"
	"github.com/isodelta/isodelta/report"
	"github.com/isodelta/isodelta/report/event"
	"github.com/isodelta/isodelta/runner"
)

// compare is the main job.
func compare(ctx context.Context, args []string, streams Streams) (int, error) {
	f := newFlags("isodelta")
	revisions, err := f.parse(args)
	if err != nil {
		return 0, err
	}
	return f.compare(ctx, revisions, streams)
}

func (f *flags) compare(ctx context.Context, revisions []string, streams Streams) (int, error) {
	conf, err := f.config()
	if err != nil {
		return 0, err
	}
	settle := func(s *event.Stream, now time.Time) { acceptance.Apply(s, acceptances(f.dir, conf, s), now) }
	stream, err := f.run(ctx, revisions, conf, settle, streams)
	if err != nil {
		return 0, err
	}
	if !toStdout(f.outputs) {
		if err := report.Terminal(streams.Out, stream, f.terminal(streams.Out)); err != nil {
			return 0, err
		}
	}
	if err := writeOutputs(f.outputs, stream, streams.Out); err != nil {
		return 0, err
	}
	return verdictCode(stream, policy.Of(stream.Config)), nil
}

// run makes a comparison, settles what is accepted and records it for replay.
func (f *flags) run(ctx context.Context, revisions []string, conf config.Config, settle func(*event.Stream, time.Time), streams Streams) (*event.Stream, error) {
	options, err := f.options(conf)
	if err != nil {
		return nil, err
	}
	options.Revisions, options.Withheld = revisions, streams.Withheld.Names()
	if err := checkOutputs(f.outputs); err != nil {
		return nil, err
	}
	recorder := &event.Recorder{}
	progress := report.NewProgress(streams.Err, report.ProgressOptions{Terminal: isTerminal(streams.Err), Now: time.Now})
	_, err = runner.Compare(ctx, options, event.Tee(recorder, progress))
	progress.Close()
	if err != nil {
		return nil, err
	}
	stream, err := recorder.Stream()
	if err != nil {
		return nil, err
	}
	settle(stream, time.Now())
	if err := remember(f.dir, stream); err != nil {
		fmt.Fprintf(streams.Err, "isodelta: this run is not recorded, so isodelta replay will not find it: %v\n", err)
	}
	return stream, nil
}

func toStdout(outputs []output) bool {
	for _, o := range outputs {
		if o.file == "-" {
			return true
		}
	}
	return false
}

// checkOutputs finds out, before any work, whether the files can be written.
func checkOutputs(outputs []output) error {
	for _, o := range outputs {
		if o.file == "-" || isDevice(o.file) {
			continue
		}
		if info, err := os.Stat(o.file); err == nil && info.IsDir() {
			return usageError{fmt.Errorf("--output %s=%s: is a directory; name a file in it", o.format, o.file)}
		}
		t, err := os.CreateTemp(filepath.Dir(o.file), ".isodelta-*")
		if err != nil {
			return usageError{fmt.Errorf("--output %s=%s: cannot be written: %w", o.format, o.file, errors.Unwrap(err))}
		}
		t.Close()
		os.Remove(t.Name())
	}
	return nil
}

func writeOutputs(outputs []output, s *event.Stream, stdout io.Writer) error {
	for _, o := range outputs {
		if err := writeOutput(o, s, stdout); err != nil {
			return fmt.Errorf("--output %s=%s: %w", o.format, o.file, err)
		}
	}
	return nil
}

// writeOutput writes beside the file and renames, so that a failure leaves
// what was there. A link stays one: what it leads to is replaced.
func writeOutput(o output, s *event.Stream, stdout io.Writer) error {
	if o.file == "-" {
		return report.Render(o.format, stdout, s)
	}
	if isDevice(o.file) {
		f, err := os.OpenFile(o.file, os.O_WRONLY, 0)
		if err != nil {
			return err
		}
		return errors.Join(report.Render(o.format, f, s), f.Close())
	}
	if real, err := filepath.EvalSymlinks(o.file); err == nil {
		o.file = real
	}
	t, err := os.CreateTemp(filepath.Dir(o.file), ".isodelta-*")
	if err != nil {
		return err
	}
	defer os.Remove(t.Name())
	if err := report.Render(o.format, t, s); err != nil {
		t.Close()
		return err
	}
	if err := t.Chmod(0o644); err != nil {
		t.Close()
		return err
	}
	if err := t.Close(); err != nil {
		return err
	}
	return os.Rename(t.Name(), o.file)
}

// isDevice reports whether a name stands for a device, a pipe or a socket, such as /dev/null or what a shell makes of
// >(command): such a thing is written to and not replaced, which root could do.
func isDevice(file string) bool {
	info, err := os.Stat(file)
	return err == nil && !info.IsDir() && !info.Mode().IsRegular()
}

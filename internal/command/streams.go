package command

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/isodelta/isodelta/diff/acceptance"
	"github.com/isodelta/isodelta/diff/policy"
	"github.com/isodelta/isodelta/internal/config"
	"github.com/isodelta/isodelta/report"
	"github.com/isodelta/isodelta/report/event"
	"github.com/isodelta/isodelta/report/event/schema"
)

// renderStream renders a recorded stream in any format, or prints the schema of streams.
func renderStream(_ context.Context, args []string, streams Streams) (int, error) {
	f := newFlags("isodelta report")
	printSchema := false
	f.set.BoolVar(&printSchema, "schema", false, "")
	files, err := f.parse(args)
	if err != nil {
		return 0, err
	}
	if printSchema {
		if len(files)+len(f.outputs) > 0 {
			return 0, usageError{errors.New("report --schema takes no stream and no --output: it prints the JSON schema of a stream's lines")}
		}
		_, err := streams.Out.Write(schema.Stream())
		return exitOK, err
	}
	switch len(files) {
	case 0:
		last, err := recall(f.dir, "")
		if err != nil {
			return 0, err
		}
		return render(f, last.Stream, streams)
	case 1:
		s, err := readStream(files[0])
		if err != nil {
			return 0, usageError{err}
		}
		f.whole = "isodelta report --verbose " + files[0]
		return render(f, s, streams)
	}
	return 0, usageError{errors.New("want one stream, or none for the last comparison: isodelta report [STREAM] --output FORMAT=FILE")}
}

// merge joins the streams of shards.
func merge(_ context.Context, args []string, streams Streams) (int, error) {
	f := newFlags("isodelta merge")
	files, err := f.parse(args)
	if err != nil {
		return 0, err
	}
	if len(files) == 0 {
		return 0, usageError{errors.New("want streams: isodelta merge STREAM... --output FORMAT=FILE")}
	}
	parts, err := readStreams(files...)
	if err != nil {
		return 0, usageError{err}
	}
	s, err := event.Merge(parts...)
	if err != nil {
		return 0, usageError{err}
	}
	// Clusters are of all findings, not of a shard's; and only the whole can
	// tell which acceptances are stale.
	conf, err := f.config()
	if err != nil {
		return 0, err
	}
	acceptance.Apply(s, acceptances(f.dir, conf, s), time.Now())
	f.whole = "isodelta merge --verbose, with the same streams,"
	return render(f, s, streams)
}

// render writes the outputs asked for, the terminal's where none is.
func render(f *flags, s *event.Stream, streams Streams) (int, error) {
	conf, err := f.settings.Apply(config.Default())
	if err != nil {
		return 0, usageError{err}
	}
	if len(f.outputs) == 0 {
		if err := report.Terminal(streams.Out, s, f.terminal(streams.Out)); err != nil {
			return 0, err
		}
	}
	if err := checkOutputs(f.outputs); err != nil {
		return 0, err
	}
	if err := writeOutputs(f.outputs, s, streams.Out); err != nil {
		return 0, err
	}
	p := policy.Of(s.Config)
	if len(conf.FailOn) > 0 {
		p = policy.Policy{FailOn: conf.FailOn}
	}
	return verdictCode(s, p), nil
}

// configuration prints what .isodelta.yml may hold.
func configuration(_ context.Context, args []string, streams Streams) (int, error) {
	if len(args) != 1 || args[0] != "schema" {
		return 0, usageError{errors.New("want: isodelta config schema")}
	}
	b, err := config.Schema()
	if err != nil {
		return 0, err
	}
	fmt.Fprintf(streams.Out, "%s\n", b)
	return exitOK, nil
}

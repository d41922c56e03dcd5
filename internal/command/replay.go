package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"
	"unicode"

	"github.com/isodelta/isodelta/report"
	"github.com/isodelta/isodelta/report/event"
	"github.com/isodelta/isodelta/runner"
)

// replay runs one recorded finding again, or prints the Go test that goes with
// it.
func replay(ctx context.Context, args []string, streams Streams) (int, error) {
	f := newFlags("isodelta replay")
	from := ""
	f.set.StringVar(&from, "from", "", "")
	onlyTest := f.set.Bool("test", false, "")
	ids, err := f.parse(args)
	if err != nil {
		return 0, err
	}
	if len(ids) != 1 {
		return 0, usageError{errors.New("want one identifier: isodelta replay ID")}
	}
	finding, stream, err := recall(f.dir, from, ids[0])
	if err != nil {
		return 0, err
	}
	if *onlyTest {
		return exitOK, printTest(streams.Out, finding)
	}
	conf, err := f.config()
	if err != nil {
		return 0, err
	}
	options, err := f.options(conf)
	if err != nil {
		return 0, err
	}
	if options.Revisions, err = recordedRevisions(stream); err != nil {
		return 0, err
	}
	options.Strict = stream.Config.Match == "strict"
	options.Seeded = stream.Config.Deterministic
	progress := report.NewProgress(streams.Err, report.ProgressOptions{Terminal: isTerminal(streams.Err), Now: time.Now})
	r, err := runner.Replay(ctx, options, finding, progress)
	progress.Close()
	if err != nil {
		return 0, err
	}
	result := report.ReplayResult{Finding: finding, Versions: stream.Versions[0], Changed: r.Finding.Changed,
		Base: report.ReplaySide{Result: r.Finding.Base, Runs: r.Times, Alike: r.SameBase},
		Head: report.ReplaySide{Result: r.Finding.Head, Runs: r.Times, Alike: r.SameHead}}
	for _, x := range r.Sites {
		result.Sites = append(result.Sites, report.ReplaySite{Expression: x.Text, File: x.File, Line: x.Line, Base: x.Base, Head: x.Head})
	}
	if err := report.Replay(streams.Out, result, terminalOptions(streams.Out)); err != nil {
		return 0, err
	}
	if !result.Reproduced() {
		return 0, errors.New("the difference did not show in every repetition this time")
	}
	return exitOK, nil
}

// printTest writes the finding's Go test as it is, to be redirected into a file.
func printTest(w io.Writer, f event.Finding) error {
	if f.GoTest == "" {
		return usageError{fmt.Errorf("no Go test is recorded for %s; isodelta replay %s runs it again", f.ID, f.ID)}
	}
	for _, r := range f.GoTest {
		if r != '\n' && r != '\t' && unicode.Is(unicode.C, r) {
			// Written by hand, or to act on a terminal or on a reader's eyes.
			return fmt.Errorf("the Go test recorded for %s holds the invisible character %U, which isodelta does not write; it is not printed", f.ID, r)
		}
	}
	_, err := io.WriteString(w, f.GoTest)
	return err
}

// recordedRevisions are the arguments that give the recorded comparison again.
func recordedRevisions(s *event.Stream) ([]string, error) {
	if len(s.Versions) == 0 {
		return nil, errors.New("the recorded stream names no versions")
	}
	v := s.Versions[0]
	if v.Head.Worktree {
		return []string{v.Base.Commit}, nil
	}
	if v.Base.Commit == "" || v.Head.Commit == "" {
		return nil, errors.New("the recorded stream names no commits")
	}
	return []string{v.Base.Commit, v.Head.Commit}, nil
}

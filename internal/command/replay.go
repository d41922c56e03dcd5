package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"
	"unicode"

	"github.com/isodelta/isodelta/internal/lazyregexp"
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
	stream, err := recall(f.dir, from)
	if err != nil {
		return 0, err
	}
	if r, ok := stream.relation(ids[0]); ok {
		if *onlyTest {
			return exitOK, printTest(streams.Out, r.ID, r.GoTest)
		}
		return f.replayRelation(ctx, r, stream, streams)
	}
	finding, err := stream.finding(ids[0])
	if err != nil {
		return 0, err
	}
	if *onlyTest {
		return exitOK, printTest(streams.Out, finding.ID, finding.GoTest)
	}
	options, err := f.recordedOptions(stream.Stream, finding.Package)
	if err != nil {
		return 0, err
	}
	options.Strict = stream.Config.Match == "strict"
	progress := report.NewProgress(streams.Err, report.ProgressOptions{Terminal: isTerminal(streams.Err), Now: time.Now})
	r, err := runner.Replay(ctx, options, finding, progress)
	progress.Close()
	if err != nil {
		return 0, err
	}
	result := report.ReplayResult{Finding: finding, Versions: versionsOf(stream.Stream, finding.Package), Changed: r.Finding.Changed,
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

// replayRelation runs the Go test of a broken relation again on both versions, if
// isodelta wrote that test here. Writing it again from a stream would not help: its
// inputs are Go expressions of the stream, too.
func (f *flags) replayRelation(ctx context.Context, r event.Relation, s record, streams Streams) (int, error) {
	printRelations(streams.Out, &event.Stream{Relations: []event.Relation{r}}, true)
	if (r.GoTest == "" || !s.own) && r.Program != "" {
		return f.replayGroup(ctx, r, s, streams)
	}
	if r.GoTest == "" {
		fmt.Fprintln(streams.Out, "No Go test is recorded for it, so nothing was run.")
		return exitOK, nil
	}
	if !s.own {
		revisions, err := recordedRevisions(s.Stream)
		if err != nil {
			return 0, err
		}
		return 0, usageError{fmt.Errorf("the test of a relation in %s is code that somebody else may have written, so it is not run. Check the relations of both versions anew: isodelta relations check %s; or read the test first: isodelta replay %s --test --from FILE",
			plainText(s.Source), strings.Join(revisions, ".."), plainText(r.ID))}
	}
	options, err := f.recordedOptions(s.Stream, r.Package)
	if err != nil {
		return 0, err
	}
	progress := report.NewProgress(streams.Err, report.ProgressOptions{Terminal: isTerminal(streams.Err), Now: time.Now})
	again, err := runner.ReplayRelation(ctx, options, r, progress)
	progress.Close()
	if err != nil {
		return 0, err
	}
	return reran(streams.Out, "its test passes", again)
}

// replayGroup runs the calls of a broken relation again on both versions. They are data,
// as the calls of a finding are, so that they may come from any stream.
func (f *flags) replayGroup(ctx context.Context, r event.Relation, s record, streams Streams) (int, error) {
	options, err := f.recordedOptions(s.Stream, r.Package)
	if err != nil {
		return 0, err
	}
	options.Strict = s.Config.Match == "strict"
	progress := report.NewProgress(streams.Err, report.ProgressOptions{Terminal: isTerminal(streams.Err), Now: time.Now})
	again, err := runner.ReplayGroup(ctx, options, r, progress)
	progress.Close()
	if err != nil {
		return 0, err
	}
	return reran(streams.Out, "it holds for these calls", again)
}

// reran says how often what holds on base held again.
func reran(w io.Writer, what string, again runner.Rerun) (int, error) {
	fmt.Fprintf(w, "%s %d of %d times on base, %d of %d times on head\n", what, again.Base, again.Times, again.Head, again.Times)
	if again.Base < again.Times || again.Head > 0 {
		return 0, errors.New("the difference did not show in every repetition this time")
	}
	return exitOK, nil
}

// recordedOptions are those of today's configuration, for the versions and the run
// time of a recorded comparison, and for the module that a package is in.
func (f *flags) recordedOptions(s *event.Stream, pkg string) (runner.Options, error) {
	conf, err := f.config()
	if err != nil {
		return runner.Options{}, err
	}
	options, err := f.options(conf)
	if err != nil {
		return runner.Options{}, err
	}
	options.Seeded = s.Config.Deterministic
	if options.Revisions, err = recordedRevisions(s); err != nil {
		return runner.Options{}, err
	}
	options.Module = versionsOf(s, pkg).ModuleDir
	return options, nil
}

// versionsOf returns the versions of the module that a package is in: a comparison may be of several.
func versionsOf(s *event.Stream, pkg string) event.Versions {
	of := s.Versions[0]
	longest := 0
	for _, v := range s.Versions {
		if (pkg == v.Module || strings.HasPrefix(pkg, v.Module+"/")) && len(v.Module) > longest {
			of, longest = v, len(v.Module)
		}
	}
	return of
}

// printTest writes a recorded Go test as it is, to be redirected into a file.
func printTest(w io.Writer, id, test string) error {
	if test == "" {
		return usageError{fmt.Errorf("no Go test is recorded for %s; isodelta replay %s runs it again", id, id)}
	}
	for _, r := range test {
		if r != '\n' && r != '\t' && unicode.Is(unicode.C, r) {
			// Written by hand, or to act on a terminal or on a reader's eyes.
			return fmt.Errorf("the Go test recorded for %s holds the invisible character %U, which isodelta does not write; it is not printed", id, r)
		}
	}
	_, err := io.WriteString(w, test)
	return err
}

// commitHash is the only way in which a stream may name a version.
var commitHash = lazyregexp.New(`^([0-9a-f]{40}|[0-9a-f]{64})$`)

// recordedRevisions are the arguments that give the recorded comparison again.
func recordedRevisions(s *event.Stream) ([]string, error) {
	if len(s.Versions) == 0 {
		return nil, errors.New("the recorded stream names no versions")
	}
	v := s.Versions[0]
	if !commitHash().MatchString(v.Base.Commit) || !v.Head.Worktree && !commitHash().MatchString(v.Head.Commit) {
		return nil, errors.New("the recorded stream names no commits")
	}
	if v.Head.Worktree {
		return []string{v.Base.Commit}, nil
	}
	return []string{v.Base.Commit, v.Head.Commit}, nil
}

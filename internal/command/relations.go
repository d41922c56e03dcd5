package command

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/isodelta/isodelta/report"
	"github.com/isodelta/isodelta/report/event"
	"github.com/isodelta/isodelta/runner"
	"github.com/isodelta/isodelta/runner/relation"
	"github.com/isodelta/isodelta/runner/relation/check"
)

// relations lists, infers, checks and exports metamorphic relations.
func relations(ctx context.Context, args []string, streams Streams) (int, error) {
	f := newFlags("isodelta relations")
	at, to := "HEAD", ""
	f.set.BoolVar(&f.everyRelation, "all", false, "")
	f.set.StringVar(&at, "at", at, "")
	f.set.StringVar(&to, "to", to, "")
	f.set.IntVar(&f.firstSources, "first", 0, "")
	words, err := f.parse(args)
	if err != nil {
		return 0, err
	}
	verb := "list"
	if len(words) > 0 {
		verb, words = words[0], words[1:]
	}
	if f.firstSources < 0 || f.firstSources > 0 && verb != "check" {
		return 0, usageError{errors.New("--first N: want a number above 0, and relations check")}
	}
	switch verb {
	case "list":
		return f.listRelations(words, streams)
	case "infer":
		return f.inferRelations(ctx, at, words, streams)
	case "check":
		return f.checkRelations(ctx, words, streams)
	case "export":
		return f.exportRelations(ctx, at, to, words, streams)
	}
	return 0, usageError{fmt.Errorf("relations %s: want list, infer [PATTERN...], check BASE..HEAD, or export [PATTERN...] --to DIR", verb)}
}

// listRelations shows what is declared, and what the last run found.
func (f *flags) listRelations(words []string, streams Streams) (int, error) {
	if len(words) > 0 {
		return 0, usageError{errors.New("relations list takes no arguments: it shows what is declared and what the last run found")}
	}
	conf, err := f.config()
	if err != nil {
		return 0, err
	}
	for _, r := range conf.Relations {
		fmt.Fprintf(streams.Out, "declared at %s: %s: %s\n", event.Position(conf.File, r.Function.Line), r.Function.Value, r.Holds.Value)
	}
	file, err := recordOf(f.dir)
	if err != nil {
		return 0, err
	}
	s, err := readStream(file)
	switch {
	case errors.Is(err, os.ErrNotExist):
		fmt.Fprintln(streams.Out, "No run is recorded for this repository: isodelta relations infer finds the relations of its functions.")
		return exitOK, nil
	case err != nil:
		return 0, err
	}
	if len(s.Relations) == 0 {
		fmt.Fprintln(streams.Out, "The last run checked no relations.")
		return exitOK, nil
	}
	printRelations(streams.Out, s, f.everyRelation)
	return exitOK, nil
}

// inferRelations shows the relations of one version.
func (f *flags) inferRelations(ctx context.Context, at string, patterns []string, streams Streams) (int, error) {
	held, s, err := f.runRelations(ctx, []string{at, at}, patterns, streams)
	if err != nil {
		return 0, err
	}
	printRelations(streams.Out, s, f.everyRelation)
	printLimits(streams.Out, s)
	fmt.Fprintf(streams.Out, "relations that hold: %d. They are what the code does, which need not be what it should do.\n", len(held))
	return exitOK, writeOutputs(f.outputs, s, streams.Out)
}

// checkRelations checks relations of one version on another.
func (f *flags) checkRelations(ctx context.Context, revisions []string, streams Streams) (int, error) {
	if len(revisions) == 0 {
		return 0, usageError{errors.New("relations check: name the versions, such as v1.4.0..HEAD")}
	}
	_, s, err := f.runRelations(ctx, revisions, nil, streams)
	if err != nil {
		return 0, err
	}
	printRelations(streams.Out, s, f.everyRelation)
	printLimits(streams.Out, s)
	if err := writeOutputs(f.outputs, s, streams.Out); err != nil {
		return 0, err
	}
	for _, r := range s.Relations {
		if r.State == event.Broken || r.State == event.Violated {
			return exitFinding, nil
		}
	}
	if s.Summary == nil || s.Summary.Interrupted {
		return exitFailed, nil
	}
	return exitOK, nil
}

// exportRelations writes relations as property tests, a file for each package.
func (f *flags) exportRelations(ctx context.Context, at, to string, patterns []string, streams Streams) (int, error) {
	if to == "" {
		return 0, usageError{errors.New("relations export: name the folder to write to with --to DIR; the layout below it is the module's")}
	}
	held, s, err := f.runRelations(ctx, []string{at, at}, patterns, streams)
	if err != nil {
		return 0, err
	}
	type group struct {
		relations []relation.Relation
		subjects  map[string]*relation.Subject
	}
	byPackage := map[string]*group{}
	for _, h := range held {
		if h.State != event.Kept || h.Subject == nil {
			continue
		}
		g := byPackage[h.Package]
		if g == nil {
			g = &group{subjects: map[string]*relation.Subject{}}
			byPackage[h.Package] = g
		}
		g.relations = append(g.relations, h.Relation)
		g.subjects[h.Function] = h.Subject
	}
	module := ""
	for _, v := range s.Versions {
		module = v.Module
	}
	written := 0
	for _, pkg := range slices.Sorted(maps.Keys(byPackage)) {
		g := byPackage[pkg]
		test, left, err := relation.RapidTest(g.subjects[g.relations[0].Function].Package, g.relations, func(function string) *relation.Subject { return g.subjects[function] })
		for _, l := range left {
			fmt.Fprintf(streams.Out, "left out: %s: %s\n", plainText(l.Relation.Notation), plainText(l.Reason))
		}
		if err != nil {
			return 0, err
		}
		if test == nil {
			continue
		}
		dir := filepath.Join(to, filepath.FromSlash(strings.TrimPrefix(strings.TrimPrefix(pkg, module), "/")))
		file := filepath.Join(dir, "isodelta_relations_test.go")
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return 0, err
		}
		if err := os.WriteFile(file, test, 0o644); err != nil {
			return 0, err
		}
		fmt.Fprintf(streams.Out, "%s: relations: %d\n", file, len(g.relations)-len(left))
		written++
	}
	printLimits(streams.Out, s)
	if written > 0 {
		fmt.Fprintln(streams.Out, "The tests need pgregory.net/rapid: go get -t pgregory.net/rapid")
	}
	return exitOK, nil
}

// runRelations checks the relations of all functions and records the run.
func (f *flags) runRelations(ctx context.Context, revisions, patterns []string, streams Streams) ([]check.Held, *event.Stream, error) {
	conf, err := f.config()
	if err != nil {
		return nil, nil, err
	}
	if len(patterns) > 0 {
		conf.Packages = patterns
	}
	options, err := f.options(conf)
	if err != nil {
		return nil, nil, err
	}
	options.Revisions = revisions
	if err := checkOutputs(f.outputs); err != nil {
		return nil, nil, err
	}
	recorder := &event.Recorder{}
	progress := report.NewProgress(streams.Err, report.ProgressOptions{Terminal: isTerminal(streams.Err), Now: time.Now})
	held, _, err := runner.Relations(ctx, options, event.Tee(recorder, progress))
	progress.Close()
	if err != nil {
		return nil, nil, err
	}
	s, err := recorder.Stream()
	if err != nil {
		return nil, nil, err
	}
	if err := remember(f.dir, s); err != nil {
		fmt.Fprintf(streams.Err, "isodelta: this run is not recorded, so isodelta relations list will not find it: %v\n", err)
	}
	return held, s, nil
}

// relationsListed is how many relations of one function are listed, unless all are
// asked for.
const relationsListed = 5

// printRelations lists relations by function: those worth reading, or all.
func printRelations(w io.Writer, s *event.Stream, all bool) {
	list := slices.Clone(s.Relations)
	slices.SortStableFunc(list, func(a, b event.Relation) int {
		if c := strings.Compare(a.Package+" "+a.Function, b.Package+" "+b.Function); c != 0 {
			return c
		}
		return event.CompareRelations(a, b)
	})
	hidden := 0 // of functions without any that is listed
	for len(list) > 0 {
		first := list[0]
		n := slices.IndexFunc(list, func(r event.Relation) bool { return r.Package != first.Package || r.Function != first.Function })
		if n < 0 {
			n = len(list)
		}
		shown, more := list[:n], 0
		if !all {
			shown, more = report.WorthReading(shown, relationsListed)
		}
		list = list[n:]
		if len(shown) == 0 {
			hidden += more
			continue
		}
		fmt.Fprintf(w, "%s  (%s)\n", first.Function, first.Package)
		for _, r := range shown {
			fmt.Fprintf(w, "  %-8s  %s  [%s, %s, groups: %d]\n", r.State, plainText(r.Relation), plainText(r.Name), sourceOf(r), r.Groups)
			for _, x := range r.Counterexample {
				fmt.Fprintf(w, "            %s: base %s, head %s\n", plainText(x.Call), plainText(x.Base), plainText(x.Head))
				for _, d := range x.Differs {
					if x.Base != x.Head {
						break // both show what differs
					}
					fmt.Fprintf(w, "              %s: %s → %s\n", plainText(d.Path), plainText(cmp.Or(d.Base, "(nothing)")), plainText(cmp.Or(d.Head, "(nothing)")))
				}
			}
		}
		if more > 0 {
			fmt.Fprintf(w, "  and %d more, which say less or are harder to read: --all lists them\n", more)
		}
	}
	if hidden > 0 {
		fmt.Fprintf(w, "further functions have %d that say less or are harder to read: --all lists them\n", hidden)
	}
}

func printLimits(w io.Writer, s *event.Stream) {
	for _, l := range s.Limits {
		if l.Kind == event.LimitRelations || l.Kind == event.LimitBudget || l.Kind == event.LimitInfrastructure || l.Kind == event.LimitCalls {
			fmt.Fprintf(w, "not checked: %s: %s\n", plainText(l.What), plainText(l.Reason))
		}
	}
}

// plainText leaves out what could move the cursor of a terminal.
func plainText(s string) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return '?'
		}
		return r
	}, s)
}

// sourceOf says where a relation comes from, with the place in a file if it has one.
func sourceOf(r event.Relation) string {
	if r.At == "" {
		return string(r.Source)
	}
	return string(r.Source) + " at " + plainText(r.At)
}

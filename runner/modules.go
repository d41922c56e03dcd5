package runner

import (
	"cmp"
	"context"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/isodelta/isodelta/internal/regular"
	"github.com/isodelta/isodelta/report/event"
	"github.com/isodelta/isodelta/runner/revision"
	"github.com/isodelta/isodelta/runner/version"
)

const (
	// maxOthers bounds the modules that are compared after the chosen one; a guess: with more of them none has the time that it takes.
	maxOthers = 3
	// minModule is what a module is planned to have at least; a guess: less than that hardly loads and builds it.
	minModule = 20 * time.Second
	// minTurn is what has to be left of it when its turn comes, since those before it may have taken longer; a guess.
	minTurn = minModule / 2
	// partOfOthers says that the modules after the first have half of the budget, partOfUsers that they have a quarter: where they only use
	// it, and the change leaves their tests alone. Guesses, both.
	partOfOthers, partOfUsers = 2, 4
)

// compareModules compares the module that is chosen first, and after it the others that the change is in, or that use it, into one stream.
// The others have equal parts of what the first leaves, and what those before them did not take.
func compareModules(ctx context.Context, opt Options, sink event.Sink) (event.Summary, error) {
	start := time.Now()
	j := &joint{sink: sink}
	others, err := compare(ctx, opt, j)
	if err != nil {
		return event.Summary{}, err
	}
	for i, dir := range others {
		one := opt
		one.Module = dir
		if opt.Budget > 0 {
			one.Budget = (opt.Budget - time.Since(start)) / time.Duration(len(others)-i)
		}
		switch {
		case ctx.Err() != nil:
			j.leaveOut(dir, "the run was interrupted before its turn")
			continue
		case opt.Budget > 0 && one.Budget < minTurn:
			j.leaveOut(dir, "the budget ended before its turn")
			continue
		}
		if _, err := compare(ctx, one, j); err != nil {
			j.leaveOut(dir, err.Error())
		}
	}
	return j.end(), nil
}

// joint is a sink that makes one stream of those of several modules: with one configuration, one summary and one event for each phase.
type joint struct {
	sink       event.Sink
	configured bool
	phases     []event.Phase
	summaries  []event.Summary
}

// Emit passes an event on, or keeps it for the end.
func (j *joint) Emit(e event.Event) {
	switch e := e.(type) {
	case event.Config:
		if j.configured {
			return
		}
		j.configured = true
	case event.Phase:
		j.phases = append(j.phases, e)
		return
	case event.Summary:
		j.summaries = append(j.summaries, e)
		return
	}
	j.sink.Emit(e)
}

// leaveOut says that a module of those that follow was not compared.
func (j *joint) leaveOut(dir, why string) {
	j.sink.Emit(event.Limit{Type: "limit", Kind: event.LimitModule, What: dir, Reason: "the change is in this module, too, or its tests drive it; it was not compared: " + why})
}

// end closes the stream.
func (j *joint) end() event.Summary {
	for _, p := range event.JoinPhases(j.phases) {
		j.sink.Emit(p)
	}
	sum := event.JoinSummaries(j.summaries)
	j.sink.Emit(sum)
	return sum
}

// following returns the folders of the other modules that are compared after the chosen one: those that the change is in, those
// first in which most files differ; those that use one of them and whose tests the change edits; and those whose tests import
// packages of one of them. They are as many as the budget is long enough for. Of part equal parts of the budget they have one. There are none where the
// user stands in a module, or names packages.
func (r *run) following(modules []revision.Module, chosen revision.Module, prefix string, touched map[string]int) (others []string, part int, err error) {
	if prefix != "." || r.opt.Module != "" || len(r.opt.Packages) > 0 || r.opt.Loaded != nil || r.opt.Shards > 1 || r.opt.relationsOnly || r.opt.Unchanged {
		return nil, 0, nil
	}
	edited, driving, err := r.users(modules, touched)
	if err != nil {
		return nil, 0, err
	}
	others = slices.Sorted(maps.Keys(touched))
	slices.SortStableFunc(others, func(a, b string) int { return cmp.Compare(touched[b], touched[a]) })
	others = append(others, edited...)
	others = slices.DeleteFunc(others, func(dir string) bool { return dir == chosen.Dir })
	part = partOfOthers
	if len(others) == 0 {
		part = partOfUsers
	}
	others = append(others, slices.DeleteFunc(driving, func(dir string) bool { return dir == chosen.Dir })...)
	most := min(len(others), maxOthers)
	if r.opt.Budget > 0 {
		most = min(most, int(r.opt.Budget/time.Duration(part)/minModule))
	}
	return others[:most], part, nil
}

// users returns the folders of modules that take a module which the change is in from its folder, and that the change edits nothing of but
// tests: those whose tests it edits, and the others whose tests import packages of such a module.
func (r *run) users(modules []revision.Module, touched map[string]int) (edited, driving []string, err error) {
	if len(modules) < 2 || len(touched) == 0 {
		return nil, nil, nil
	}
	changes, err := revision.Changes(r.versions[version.Base].Root, r.versions[version.Head].Root)
	if err != nil {
		return nil, nil, err
	}
	tests := map[string]bool{}
	for _, c := range changes {
		if m, ok := revision.ModuleFor(modules, path.Dir(c.Path)); ok && c.Test && touched[m.Dir] == 0 {
			tests[m.Dir] = true
		}
	}
	for _, m := range modules {
		if touched[m.Dir] > 0 || !r.onBase(m) {
			continue
		}
		switch taken := r.taken(m, touched); {
		case len(taken) == 0:
		case tests[m.Dir]:
			edited = append(edited, m.Dir)
		case testsImport(r.versions[version.Head].Dir(m.Dir), taken):
			driving = append(driving, m.Dir)
		}
	}
	slices.Sort(edited)
	slices.Sort(driving)
	return edited, driving, nil
}

// testsImport reports whether a test file of a module, given by its folder, imports a package of one of other modules.
func testsImport(dir string, modules []string) bool {
	const maxFile = 1 << 20
	found := false
	_ = filepath.WalkDir(dir, func(file string, d fs.DirEntry, err error) error { // what cannot be read imports nothing
		switch {
		case err != nil:
			return nil
		case found:
			return filepath.SkipAll
		case d.IsDir() && file != dir:
			_, nested := os.Lstat(filepath.Join(file, "go.mod"))
			if nested == nil || d.Name() == "testdata" || d.Name() == "vendor" || strings.HasPrefix(d.Name(), ".") || strings.HasPrefix(d.Name(), "_") {
				return filepath.SkipDir
			}
		case strings.HasSuffix(file, "_test.go"):
			text, err := regular.ReadFile(file, maxFile)
			if err != nil {
				return nil
			}
			parsed, _ := parser.ParseFile(token.NewFileSet(), file, text, parser.ImportsOnly)
			for _, spec := range importsOf(parsed) {
				found = found || slices.ContainsFunc(modules, func(m string) bool { return spec == m || strings.HasPrefix(spec, m+"/") })
			}
		}
		return nil
	})
	return found
}

// importsOf returns the paths that a file imports, as far as it could be parsed.
func importsOf(file *ast.File) (paths []string) {
	if file == nil {
		return nil
	}
	for _, spec := range file.Imports {
		if p, err := strconv.Unquote(spec.Path.Value); err == nil {
			paths = append(paths, p)
		}
	}
	return paths
}

// onBase reports whether base has a module in the same folder.
func (r *run) onBase(m revision.Module) bool {
	_, err := os.Stat(filepath.Join(r.versions[version.Base].Dir(m.Dir), "go.mod"))
	return err == nil
}

// shareBudget leaves other modules their part of the budget.
func (r *run) shareBudget(part int) {
	r.opt.Budget -= r.opt.Budget / time.Duration(part)
	r.env.Plan.Total = r.opt.Budget
}

// severalModules says which modules are compared one after the other, and which others the change is in.
func severalModules(count int, chosen revision.Module, others []string, touched map[string]int) string {
	compared := append([]string{chosen.Dir}, others...)
	var places []string
	for _, dir := range compared {
		places = append(places, inFolder(dir))
	}
	text := fmt.Sprintf("the repository holds %d modules; those that the change is in, or whose tests drive it, are compared one after the other, with a part of the budget each: the ones %s", count, strings.Join(places, ", "))
	left := slices.DeleteFunc(slices.Sorted(maps.Keys(touched)), func(dir string) bool { return slices.Contains(compared, dir) })
	if len(left) > 0 {
		text += "; run isodelta in another one's folder for that one: " + listOf(left)
	}
	return text
}

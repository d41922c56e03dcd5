package runner

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

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
)

// compareModules compares the module that is chosen first, and after it the others that the change is in, into one stream. The first has
// half of the budget. The others have equal parts of the rest, and what those before them did not take.
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

// leaveOut says that a module that the change is in was not compared.
func (j *joint) leaveOut(dir, why string) {
	j.sink.Emit(event.Limit{Type: "limit", Kind: event.LimitModule, What: dir, Reason: "the change is in this module, too, which was not compared: " + why})
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
// first in which most files differ, and then those that use one of them and whose tests the change edits. They are as many as the
// budget is long enough for. There are none where the user stands in a module, or names packages.
func (r *run) following(modules []revision.Module, chosen revision.Module, prefix string, touched map[string]int) ([]string, error) {
	if prefix != "." || r.opt.Module != "" || len(r.opt.Packages) > 0 || r.opt.Loaded != nil || r.opt.Shards > 1 || r.opt.relationsOnly || r.opt.Unchanged {
		return nil, nil
	}
	others := slices.DeleteFunc(slices.Sorted(maps.Keys(touched)), func(dir string) bool { return dir == chosen.Dir })
	slices.SortStableFunc(others, func(a, b string) int { return cmp.Compare(touched[b], touched[a]) })
	users, err := r.users(modules, touched)
	if err != nil {
		return nil, err
	}
	others = append(others, slices.DeleteFunc(users, func(dir string) bool { return dir == chosen.Dir })...)
	most := min(len(others), maxOthers)
	if r.opt.Budget > 0 {
		most = min(most, int(r.opt.Budget/2/minModule))
	}
	return others[:most], nil
}

// users returns the folders of modules that the change edits nothing of but tests, and that take a module which it is in from its folder.
func (r *run) users(modules []revision.Module, touched map[string]int) ([]string, error) {
	if len(modules) < 2 || len(touched) == 0 {
		return nil, nil
	}
	changes, err := revision.Changes(r.versions[version.Base].Root, r.versions[version.Head].Root)
	if err != nil {
		return nil, err
	}
	edited := map[string]bool{}
	for _, c := range changes {
		if m, ok := revision.ModuleFor(modules, path.Dir(c.Path)); ok && c.Test && touched[m.Dir] == 0 {
			edited[m.Dir] = true
		}
	}
	var out []string
	for _, m := range modules {
		if edited[m.Dir] && r.onBase(m) && len(r.taken(m, touched)) > 0 {
			out = append(out, m.Dir)
		}
	}
	slices.Sort(out)
	return out, nil
}

// onBase reports whether base has a module in the same folder.
func (r *run) onBase(m revision.Module) bool {
	_, err := os.Stat(filepath.Join(r.versions[version.Base].Dir(m.Dir), "go.mod"))
	return err == nil
}

// shareBudget leaves other modules their part of the budget.
func (r *run) shareBudget() {
	r.opt.Budget /= 2
	r.env.Plan.Total = r.opt.Budget
}

// severalModules says which modules are compared one after the other, and which others the change is in.
func severalModules(count int, chosen revision.Module, others []string, touched map[string]int) string {
	compared := append([]string{chosen.Dir}, others...)
	var places []string
	for _, dir := range compared {
		places = append(places, inFolder(dir))
	}
	text := fmt.Sprintf("the repository holds %d modules; those that the change is in, or whose tests it edits, are compared one after the other, with a part of the budget each: the ones %s", count, strings.Join(places, ", "))
	left := slices.DeleteFunc(slices.Sorted(maps.Keys(touched)), func(dir string) bool { return slices.Contains(compared, dir) })
	if len(left) > 0 {
		text += "; run isodelta in another one's folder for that one: " + listOf(left)
	}
	return text
}

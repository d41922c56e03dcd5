package paste

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/isodelta/isodelta/runner/build"
	"github.com/isodelta/isodelta/runner/calls"
	"github.com/isodelta/isodelta/runner/execute"
	"github.com/isodelta/isodelta/runner/stage"
	"github.com/isodelta/isodelta/runner/version"
)

// Test is one test to paste.
type Test struct {
	ID      string // of the finding or relation that it shows
	Package string
	Name    string // of the test function
	File    string // its base name
	Text    []byte
	Waits   bool // on head it fails after some seconds, see calls.TestSpec
	Ends    bool // on head it ends the process, which may take as long: a stack that overflows is large
}

// Shown is a test that passes on base and fails on head.
type Shown struct {
	Test
	Path string // where it belongs, relative to head's tree
}

// Stage tries tests to paste.
type Stage struct {
	Env     *stage.Env
	Builder *build.Builder
	// Folder is where packages' folders are copied to. Only Try needs it.
	Folder string
}

// runs is how often a test must pass on base, and fail on head, to be shown.
const runs = 10

// waitingRuns is the same on head for a test that waits there for what never comes.
const waitingRuns = 3

// togetherMost is how many tests are run in one process at most. Those of them that matter most are
// shown before others are tried.
const togetherMost = 5

// maxRun bounds one run of a process.
const maxRun = 20 * time.Second

// Try builds and runs tests on both versions. It returns those to show, in the order
// of packages and of list, the slow ones last, and how many there was no time for. None is tried in a package whose tests
// the go command does not build: see build.Builder.Whole.
func (s *Stage) Try(ctx context.Context, list []Test) (shown []Shown, late int, err error) {
	byPackage := map[string][]Test{}
	for _, t := range list {
		if s.Builder.Whole(t.Package) {
			byPackage[t.Package] = append(byPackage[t.Package], t)
		}
	}
	for _, tests := range byPackage {
		slices.SortStableFunc(tests, func(a, b Test) int { return cmp.Compare(a.slowness(), b.slowness()) })
	}
	limited, cancel := context.WithTimeout(ctx, s.Env.Until(s.Env.Plan.End()))
	defer cancel()
	for _, pkg := range slices.Sorted(maps.Keys(byPackage)) {
		s.Env.Progress("reach", "trying the tests to paste", 0, 0)
		good, left, err := s.try(limited, byPackage[pkg])
		shown, late = append(shown, good...), late+left
		if err != nil && ctx.Err() == nil && limited.Err() != nil {
			continue // left says how many
		}
		if err != nil {
			return shown, late, err
		}
	}
	return shown, late, nil
}

// slowness ranks tests by how long they take on head, the quick ones first.
func (t Test) slowness() int {
	switch {
	case t.Ends:
		return 2
	case t.Waits:
		return 1
	}
	return 0
}

// try builds the tests of one package together, and one by one if that does not
// work. left counts those that were not tried when ctx ended.
func (s *Stage) try(ctx context.Context, list []Test) (shown []Shown, left int, err error) {
	if ctx.Err() != nil {
		return nil, len(list), ctx.Err()
	}
	bin, err := s.build(ctx, list)
	var broken *execute.BuildError
	if errors.As(err, &broken) && len(list) > 1 {
		for i, t := range list {
			good, late, err := s.try(ctx, []Test{t})
			shown = append(shown, good...)
			if err != nil {
				return shown, late + len(list) - i - 1, err
			}
		}
		return shown, 0, nil
	}
	if errors.As(err, &broken) {
		return nil, 0, nil // not shown
	}
	if err != nil {
		return nil, len(list), err
	}
	for len(list) > 0 {
		group := list[:min(len(list), togetherMost)]
		good, late := s.show(ctx, bin, group)
		shown = append(shown, good...)
		if ctx.Err() != nil {
			return shown, late + len(list) - len(group), ctx.Err()
		}
		list = list[len(group):]
	}
	return shown, 0, nil
}

// show returns those of a few tests of one package that are to be shown, and how many had not been tried enough when ctx
// ended.
func (s *Stage) show(ctx context.Context, bin version.Both[string], list []Test) (shown []Shown, late int) {
	var telling []Test        // in one run of each version, alone
	ends := map[string]bool{} // of these, the processes on head
	for i, t := range list {
		err := calls.VerifyTest(ctx, t.Text, func(ctx context.Context, name string, _ []byte) (bool, string, error) {
			side := version.Base
			if name == calls.VersionHead {
				side = version.Head
			}
			passed, output, err := s.pasted(ctx, bin, t, side)
			ends[t.Name] = !passed && strings.Contains(output, "panic: ")
			return passed, output, err
		})
		if ctx.Err() != nil {
			return nil, len(list) - i + len(telling)
		}
		if err == nil { // else it is not shown
			telling = append(telling, t)
		}
	}
	head := s.Builder.Versions[version.Head]
	always := s.together(ctx, bin, slices.DeleteFunc(slices.Clone(telling), func(t Test) bool { return t.Waits || ends[t.Name] }))
	for _, t := range telling {
		if !always[t.Name] {
			if err := s.repeat(ctx, bin, t); ctx.Err() != nil {
				late++
				continue
			} else if err != nil {
				continue // not shown
			}
		}
		shown = append(shown, Shown{t, path.Join(head.Tree.Rel(head.PackageDir(t.Package)), t.File)})
	}
	return shown, late
}

// together runs tests again that told the versions apart once, all in one process each time, and returns the names of
// those that told them apart whenever they ran. Nothing is said of the others: that one does not, or that a process
// did not come to its end, may be another one's doing.
func (s *Stage) together(ctx context.Context, bin version.Both[string], list []Test) map[string]bool {
	if len(list) < 2 {
		return nil
	}
	always := map[string]bool{}
	var names []string
	for _, t := range list {
		names = append(names, t.Name)
		always[t.Name] = true
	}
	var verdicts version.Both[[]map[string]bool]
	g, limited := errgroup.WithContext(ctx)
	for _, side := range version.Sides {
		g.Go(func() error {
			target := s.target(bin, list[0], side)
			for range runs - 1 {
				passed, err := s.Env.Lab.RunTests(limited, target, names, maxRun)
				if err != nil {
					return err
				}
				verdicts[side] = append(verdicts[side], passed)
			}
			return nil
		})
	}
	if g.Wait() != nil {
		return nil
	}
	for _, side := range version.Sides {
		for _, passed := range verdicts[side] {
			for _, name := range names {
				if ok, known := passed[name]; !known || ok != (side == version.Base) {
					delete(always, name)
				}
			}
		}
	}
	return always
}

// build builds tests of one package on both versions.
func (s *Stage) build(ctx context.Context, list []Test) (version.Both[string], error) {
	files := map[string][]byte{}
	for _, t := range list {
		files[t.File] = t.Text
	}
	return s.Builder.Plain(ctx, list[0].Package, files)
}

// pasted runs a test in a fresh process, with its file where it will be pasted: it may look at the files there. It may
// write there, too, as it may with everybody else, unless the folder holds too much. The folder is a copy of ours.
func (s *Stage) pasted(ctx context.Context, bin version.Both[string], t Test, side version.Side) (passed bool, output string, err error) {
	dir := s.Builder.Versions[side].PackageDir(t.Package)
	pristine, err := s.pristine(dir)
	if err != nil {
		return false, "", err
	}
	file := filepath.Join(cmp.Or(pristine, dir), t.File)
	f, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return false, "", fmt.Errorf("paste the test: %w", err)
	}
	defer func() {
		os.Remove(file)
		if pristine != "" {
			err = errors.Join(err, execute.Renew(dir, pristine))
		}
	}()
	_, err = f.Write(t.Text)
	if err := errors.Join(err, f.Close()); err != nil {
		return false, "", fmt.Errorf("paste the test: %w", err)
	}
	target := s.target(bin, t, side)
	target.Pristine = pristine
	return s.Env.Lab.RunTest(ctx, target, maxRun)
}

// pristine returns a copy of a package's folder, "" where that holds too much: tests may not write to it then.
func (s *Stage) pristine(dir string) (string, error) {
	if ok, err := execute.Copyable(dir); err != nil || !ok {
		return "", err
	}
	return execute.Pristine(s.Folder, dir)
}

// target returns how a test runs on a version: on all processors, as with everybody else. On one, what a sync.Pool gives is always
// what was given to it.
func (s *Stage) target(bin version.Both[string], t Test, side version.Side) execute.Target {
	return execute.Target{Binary: bin[side], Dir: s.Builder.Versions[side].PackageDir(t.Package), Test: t.Name, Env: []string{allProcessors}}
}

// allProcessors is a variable of the environment that takes back how many processors our other runs have.
const allProcessors = "GOMAXPROCS="

// Times runs a test so many times on each version, in fresh processes, and returns
// how often it passed.
func (s *Stage) Times(ctx context.Context, t Test, times int) (passed version.Both[int], err error) {
	bin, err := s.build(ctx, []Test{t})
	if err != nil {
		return passed, err
	}
	return s.times(ctx, bin, t, version.Both[int]{times, times})
}

// onHead is how often the test must fail on head to be shown.
func (t Test) onHead() int {
	if t.Waits {
		return waitingRuns
	}
	return runs
}

// repeat runs a test again that told the versions apart once: with the run time as it is,
// the order of maps and random numbers are others each time. The error says that it does
// not tell them apart always, or could not be run.
func (s *Stage) repeat(ctx context.Context, bin version.Both[string], t Test) error {
	passed, err := s.times(ctx, bin, t, version.Both[int]{runs - 1, t.onHead() - 1})
	if err == nil && (passed[version.Base] < runs-1 || passed[version.Head] > 0) {
		err = calls.ErrNotTelling
	}
	return err
}

// times runs a test on both versions, one beside the other.
func (s *Stage) times(ctx context.Context, bin version.Both[string], t Test, times version.Both[int]) (passed version.Both[int], err error) {
	g, ctx := errgroup.WithContext(ctx)
	for _, side := range version.Sides {
		g.Go(func() error {
			for range times[side] {
				ok, _, err := s.Env.Lab.RunTest(ctx, s.target(bin, t, side), maxRun)
				if err != nil {
					return err
				}
				if ok {
					passed[side]++
				}
			}
			return nil
		})
	}
	return passed, g.Wait()
}

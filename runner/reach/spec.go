package reach

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/isodelta/isodelta/internal/lazyregexp"
	"github.com/isodelta/isodelta/report/event"
	"github.com/isodelta/isodelta/runner/calls"
	"github.com/isodelta/isodelta/runner/load"
	"github.com/isodelta/isodelta/runner/paste"
	"github.com/isodelta/isodelta/runner/probe"
	"github.com/isodelta/isodelta/runner/version"
)

// Spec is what a test to paste for a finding is made of.
type Spec struct {
	test    calls.TestSpec
	pkg     string
	without string // why no test can be written, "" if one can
}

func (s *Stage) spec(p *Package, f event.Finding, d calls.Difference) Spec {
	head := s.Matching.Versions[version.Head].Tree
	without := d.NoCode
	if without == "" && (d.Base.Exits || d.Head.Exits) {
		without = "a test would end with the call"
	}
	if without == "" && d.Sends {
		without = "what other machines answer is not known"
	}
	return Spec{pkg: p.Path, without: without, test: calls.TestSpec{
		ID: f.ID, Function: d.Op, Package: p.Path, Name: p.API.Name,
		Base: s.Named[version.Base], Head: s.Named[version.Head], Place: d.Place,
		Code: d.Code, BaseViews: d.BaseViews, HeadViews: d.HeadViews,
		Language: head.GoVersion, Declares: Declares(head, p.Path),
	}}
}

// Declares reports whether a package, with its tests, declares a name.
func Declares(tree *load.Tree, pkg string) func(string) bool {
	return func(name string) bool {
		for _, p := range tree.Packages {
			if p.Path != pkg {
				continue
			}
			if p.Test != nil && p.Test.Types.Scope().Lookup(name) != nil || p.Code != nil && p.Code.Types.Scope().Lookup(name) != nil {
				return true
			}
		}
		return false
	}
}

// maxPasted bounds the tests written for findings: each has to be built and run on
// both versions.
const maxPasted = 8

// maxDoubted bounds those of calls that are in a cluster with a call of another function, which ran other changed
// functions: what is to blame tells whether they belong there.
const maxDoubted = 2

// maxOfCluster bounds the tests of one cluster that are written where all clusters have theirs.
const maxOfCluster = 5

// GoTests writes a test to paste for the first finding of each cluster, as far as
// a test can look at what differs, and for the first of those that may have another cause. While there are few, what else
// the functions of a cluster show has one, too: one change can be meant in one place and a mistake in another.
// grouped are findings in their clusters.
func (s *Stage) GoTests(grouped []event.Finding) []paste.Test {
	var out []paste.Test
	shown := map[string]bool{}
	first := map[string]event.Finding{} // of a cluster, with a test
	write := func(f event.Finding, as string) bool {
		if shown[as] || shown[f.ID] || len(out) == maxPasted {
			return false
		}
		t, ok := s.goTest(f)
		if ok {
			shown[as], shown[f.ID] = true, true
			out = append(out, t)
		}
		return ok
	}
	list := representativesFirst(grouped)
	for _, f := range list {
		if _, ok := first[f.Cluster]; write(f, f.Cluster+strconv.FormatBool(f.Apart)) && !ok {
			first[f.Cluster] = f
		}
	}
	doubted := 0
	for _, f := range list {
		r, ok := first[f.Cluster]
		doubt := ok && doubted < maxDoubted && r.Function != f.Function && !slices.Equal(r.Changed, f.Changed)
		if doubt && write(f, f.Cluster+strconv.FormatBool(f.Apart)+f.Function) {
			doubted++
		}
	}
	of := map[string]int{} // tests by cluster
	for _, f := range grouped {
		if shown[f.ID] {
			of[f.Cluster]++
		}
	}
	for _, f := range list {
		same := func(o event.Finding) bool { return shown[o.ID] && o.Input == f.Input && o.Cluster == f.Cluster }
		if _, ok := first[f.Cluster]; !ok || of[f.Cluster] >= maxOfCluster || slices.ContainsFunc(grouped, same) {
			continue
		}
		if write(f, f.ID) {
			of[f.Cluster]++
		}
	}
	return out
}

// goTest writes the test to paste for one finding; false where none can be written, or nothing that a test can
// look at shows it, or what it would look at is another thing where the network answers, or it would name a folder of this run.
func (s *Stage) goTest(f event.Finding) (paste.Test, bool) {
	spec, ok := s.specs[f.ID]
	if !ok || spec.without != "" || f.Unreachable() {
		return paste.Test{}, false
	}
	text, err := calls.WriteTest(spec.test)
	if namesRun(string(text)) {
		return paste.Test{}, false
	}
	return paste.Test{ID: f.ID, Package: spec.pkg, Name: calls.TestName(spec.test.Function, f.ID), File: calls.TestFile(f.ID), Text: text, Waits: spec.test.Waits(), Ends: spec.test.HeadViews.Ending == probe.Died}, err == nil
}

// namesRun reports whether a test names what a process of this run found in its folder for temporary files, as where it was given a path
// that one of the package's tests made there.
func namesRun(test string) bool { return runFolders().MatchString(test) }

// runFolders matches the beginning of a folder that package scratch makes, and one in it for a process.
var runFolders = lazyregexp.New(`[/\\]isodelta-[0-9]+[/\\]+run[/\\]`)

// representativesFirst orders findings: the first of a cluster that a test can show stands
// for it, and if it is not the representative, one of a changed function rather than of what calls it. Behind all of these
// come the ones that may have another cause.
func representativesFirst(grouped []event.Finding) []event.Finding {
	return slices.SortedStableFunc(slices.Values(grouped), func(a, b event.Finding) int {
		rank := func(f event.Finding) int {
			switch {
			case f.Representative:
				return 0
			case !f.Apart && slices.Contains(f.Changed, f.Function):
				return 1
			case !f.Apart:
				return 2
			}
			return 3
		}
		return cmp.Compare(rank(a), rank(b))
	})
}

// HasTests reports whether a test to paste can be written for any finding.
func (s *Stage) HasTests() bool { return len(s.specs) > 0 }

package report

import (
	"slices"
	"strings"

	"github.com/isodelta/isodelta/report/event"
)

// cluster is the findings that are taken for one behaviour change.
type cluster struct {
	representative event.Finding   // of all of them
	beside         []event.Finding // what else differs of the representative's call
	tests          []string        // the other findings' tests, sorted, without the representative's
	calls          []string        // the functions that they call, where reached; likewise
	failing        []string        // tests that fail for it, where the representative is a call; sorted
	size           int             // findings, those of one call counted once
	apart          []event.Finding // see event.Finding.Apart, or with a test of their own; the first ones
	// relations are those of the functions concerned, of the first clusters alone.
	relations []event.Relation
	// shown is the broken one that is told in full with this cluster; nil for none.
	shown *event.Relation
	// meant is what perhaps expects it, see meant; of the open ones.
	meant wish
	// facets are those that tell more of an open one, see event.Relating.Items. They are not in the list of open ones.
	facets []cluster
}

// status is what people have said about a difference, or would.
type status int

const (
	open     status = iota // nothing yet
	small                  // nothing, and it hardly matters, see event.Finding.Small
	intended               // the change says itself that it expects it
	accepted               // somebody took it on
)

func statusOf(f event.Finding) status {
	switch {
	case f.Intended:
		return intended
	case f.Accepted != nil:
		return accepted
	}
	return open
}

// clustersOf groups findings by what was said about them, and orders the groups,
// the strongest first. The intended findings of a cluster are a group of their
// own, and so are the accepted ones: where a change edits one test's expectation
// and another test silently sees the same, the second is still worth telling.
// Clusters of one rung are ordered by what becomes of their relations; see
// event.Relating.
func clustersOf(s *event.Stream) map[status][]cluster {
	type key struct {
		cluster string
		status  status
	}
	relating := s.Relating()
	groups := map[key][]event.Finding{}
	for _, f := range s.Findings {
		k := key{f.Cluster, statusOf(f)}
		groups[k] = append(groups[k], f)
	}
	most := mostApart(s)
	told := map[string]bool{} // functions of which something is shown that is not small
	for k, group := range groups {
		if k.status != open || clusterOf(group, most).representative.Small() {
			continue
		}
		for _, f := range group {
			told[f.Function] = true
			for _, name := range f.Changed {
				told[name] = true
			}
		}
	}
	clusters := map[status][]cluster{}
	for k, group := range groups {
		c, of := clusterOf(group, most), k.status
		alone := func(r event.Relation) bool { return isBroken(r) && !told[r.Function] }
		if of == open && c.representative.Small() && !slices.ContainsFunc(relating.Of(group...), alone) {
			of = small
		}
		clusters[of] = append(clusters[of], c)
	}
	for _, list := range clusters {
		slices.SortFunc(list, func(a, b cluster) int { return relating.Compare(a.representative, b.representative) })
		for i := range list[:min(len(list), brief)] {
			list[i].relations = relating.Of(groups[key{list[i].representative.Cluster, statusOf(list[i].representative)}]...)
		}
	}
	for _, of := range []status{open, small} {
		for i, c := range clusters[of] {
			if len(c.failing) == 0 { // else a test says that it is not
				clusters[of][i].meant = meant(c.representative, clusters[intended])
			}
		}
	}
	if list, some := clusters[open]; some { // the headline asks whether there is any status
		clusters[open] = itemsOf(list, relating)
	}
	return clusters
}

// itemsOf puts those that tell more of an earlier one with that one.
func itemsOf(list []cluster, relating event.Relating) []cluster {
	representatives := make([]event.Finding, len(list))
	for i, c := range list {
		representatives[i] = c.representative
	}
	var items []cluster
	for _, item := range relating.Items(representatives) {
		c := list[item[0]]
		for _, i := range item[1:] {
			c.facets = append(c.facets, list[i])
		}
		items = append(items, c)
	}
	return items
}

func isBroken(r event.Relation) bool { return r.State == event.Broken }

// clusterOf represents a group by the finding that the engine marked, else by the
// first in order. At most mostApart others are told of that go other ways.
func clusterOf(group []event.Finding, mostApart int) cluster {
	slices.SortFunc(group, event.CompareFindings)
	told := callsOf(group)
	i := slices.IndexFunc(told, func(t oneCall) bool { return t.finding.Representative })
	first := told[max(i, 0)]
	c := cluster{representative: first.finding, beside: first.beside, size: len(told)}
	for _, t := range told {
		other := t.finding.Apart != first.finding.Apart || t.finding.GoTest != "" && t.finding.ID != first.finding.ID
		repeated := t.finding.ShowsTheSame(first.finding) || slices.ContainsFunc(c.apart, t.finding.ShowsTheSame)
		if t.finding.Rung == event.Reached && other && !repeated && len(c.apart) < mostApart {
			c.apart = append(c.apart, t.finding)
		}
	}
	for _, f := range group {
		if first.finding.Rung == event.Reached && f.FailsTest() {
			c.failing = append(c.failing, f.Test)
		}
	}
	slices.Sort(c.failing)
	c.failing = slices.Compact(c.failing)
	c.tests = others(group, first.finding, func(f event.Finding) string { return f.Test })
	c.calls = others(group, first.finding, func(f event.Finding) string { return f.Function })
	return c
}

// What is told of other ways through the change is bounded, for one behaviour change. An upgrade of dependencies has several effects
// by its nature.
const (
	maxApart          = 2
	maxApartOfUpgrade = 5
)

// mostApart returns the bound for a stream.
func mostApart(s *event.Stream) int {
	own := func(m event.Match) bool {
		return len(m.Dependencies) == 0 || slices.ContainsFunc(m.Changed, func(c event.ChangedItem) bool { return c.Status != event.StatusThrough })
	}
	if len(s.Matches) == 0 || slices.ContainsFunc(s.Matches, own) {
		return maxApart
	}
	return maxApartOfUpgrade
}

// oneCall is a finding with what else differs of its call.
type oneCall struct {
	finding event.Finding
	beside  []event.Finding
}

// callsOf puts what differs of one call together, in the order of what leads; see
// event.Leaders.
func callsOf(group []event.Finding) []oneCall {
	var told []oneCall
	at := map[int]int{}
	leaders := event.Leaders(group)
	for i, l := range leaders {
		if l == i {
			at[i] = len(told)
			told = append(told, oneCall{finding: group[i]})
		}
	}
	for i, l := range leaders {
		if l != i {
			told[at[l]].beside = append(told[at[l]].beside, group[i])
		}
	}
	return told
}

// others are the names that a group has beside the representative's own.
func others(group []event.Finding, representative event.Finding, name func(event.Finding) string) []string {
	var list []string
	for _, f := range group {
		if n := name(f); n != "" && n != name(representative) {
			list = append(list, n)
		}
	}
	slices.SortFunc(list, strings.Compare)
	return slices.Compact(list)
}

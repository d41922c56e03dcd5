package report

import (
	"slices"

	"github.com/isodelta/isodelta/report/event"
)

// detailed is the largest number of clusters that are shown in full; the others
// have a line each.
const detailed = 10

// brief is the largest number of clusters that have a line; the others have
// their number.
const brief = 100

// listed is the largest number of members of a list, such as unstable tests.
const listed = 10

// page is what every renderer shows, in this order.
type page struct {
	tone     tone
	verdict  phrase
	settings phrase // what head changes of them; nil for nothing
	compared []comparison
	upgrades []upgraded // of dependencies
	unnamed  int        // further ones
	notes    []phrase   // what a reader must know before believing the verdict
	open     []cluster
	small    []cluster
	intended []cluster
	accepted []cluster
	blame    blame
	measures []measure
	parts    []measure // of packages and functions
	unlisted int       // further ones
	relations
	explored []row
	work     phrase // what was explored, in a line; nil where that is not known
	called   list   // functions of calls of our own; empty where there were none
	uncalled list   // of them, those that were not compared
	missed   []list
	footer   []phrase // parts of one line
}

// tone is the colour of a verdict.
type tone int

const (
	alert tone = iota // differences
	doubt             // incomplete, nothing explored, or little to stand on
	calm
)

// row is a line with a label.
type row struct {
	label string
	text  phrase
}

// intendedTitle stands above what event.Finding.Intended holds for.
const intendedTitle = "Intended: the change edits what is expected"

// smallTitle stands above what event.Finding.Small holds for.
const (
	smallTitle = "Small differences: " + smallKinds
	smallKinds = "error texts, nil, rounding, fixed panics"
)

// list is a group of things that were not explored.
type list struct {
	title phrase
	items []phrase // at most listed
	more  int      // items left out
	wrong bool     // somebody should mend it
}

func newPage(s *event.Stream) page {
	clusters := clustersOf(s)
	p := page{
		settings: settingsChanged(s.Config),
		compared: comparisons(s),
		notes:    notes(s),
		open:     clusters[open],
		small:    clusters[small],
		intended: clusters[intended],
		accepted: clusters[accepted],
		blame:    blameOf(s.Matches),
		measures: measures(s),
		explored: explored(s),
		work:     worked(s),
		called:   called(s.Targets),
		uncalled: uncalled(s.Targets),
		missed:   missed(s),
		footer:   footer(s),
	}
	p.upgrades, p.unnamed = upgrades(s)
	p.parts, p.unlisted = partMeasures(s)
	p.relations = relationsOf(s, p.open[:min(len(p.open), detailed)])
	p.verdict, p.tone = headline(s, clusters)
	if s.Foreign {
		p.verdict = append(words("reported by the pull request's own run, unchecked: "), p.verdict...)
		p.tone = min(p.tone, doubt)
	}
	return p
}

// thorough reports whether there is a difference, or so little to stand on that the
// numbers matter.
func (p page) thorough() bool {
	return len(p.all()) > 0 || p.tone != calm || len(p.broken)+len(p.settled)+len(p.violated)+len(p.gained) > 0
}

// all are the clusters whatever was said about them.
func (p page) all() []cluster {
	return slices.Concat(p.open, facetsOf(p.open), p.small, p.intended, p.accepted)
}

// legend explains the rungs that occur among the clusters.
func legend(clusters []cluster) []phrase {
	has, varied := map[event.Rung]bool{}, false
	for _, c := range clusters {
		has[c.representative.Rung] = has[c.representative.Rung] || c.representative.Varied == nil
		varied = varied || c.representative.Varied != nil
	}
	var lines []phrase
	if has[event.Observed] {
		lines = append(lines, words("observed: an existing test, run as it is, sees another value on head than on base."))
	}
	if varied {
		lines = append(lines, words("reached by a test: an existing test, with one of its literals or statements changed in the same way on both versions, sees another value."))
	}
	if has[event.Reached] {
		lines = append(lines, words("reached: a call with generated input gives another result on head than on base; no code is modified."))
	}
	if has[event.Forced] {
		lines = append(lines, words("forced: seen only after forcing a branch the same way on both sides. It shows what the branch does, not that an input takes it."))
	}
	return lines
}

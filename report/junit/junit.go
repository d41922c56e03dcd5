package junit

import (
	"bufio"
	"cmp"
	"encoding/xml"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/isodelta/isodelta/report/event"
)

// Words are what package report says about a comparison; all must be there.
type Words struct {
	Verdict  string
	Work     []string                     // lines on what was explored and what was not
	Claim    func(event.Finding) string   // one sentence
	Beside   func([]event.Finding) string // in what else a call differs
	Evidence func(event.Finding) []string // lines: values, test, replay
	Target   func(event.Target) string    // what came of it
	Objects  func(event.Finding) bool     // the policy fails on it
	// Relation is one sentence, RelationEvidence lines, and Fails reports whether the
	// policy fails on it.
	Relation         func(event.Relation) string
	RelationEvidence func(event.Relation) []string
	Fails            func(event.Relation) bool
	Visible          func(string) string // spells out what cannot be seen
}

type suites struct {
	XMLName  xml.Name `xml:"testsuites"`
	Name     string   `xml:"name,attr"`
	Tests    int      `xml:"tests,attr"`
	Failures int      `xml:"failures,attr"`
	Errors   int      `xml:"errors,attr"`
	Skipped  int      `xml:"skipped,attr"`
	Time     string   `xml:"time,attr"` // seconds
	Suites   []*suite `xml:"testsuite"`
}

type suite struct {
	Name     string     `xml:"name,attr"`
	Tests    int        `xml:"tests,attr"`
	Failures int        `xml:"failures,attr"`
	Errors   int        `xml:"errors,attr"`
	Skipped  int        `xml:"skipped,attr"`
	Time     string     `xml:"time,attr"`
	Cases    []testcase `xml:"testcase"`
}

type testcase struct {
	Name    string   `xml:"name,attr"`
	Class   string   `xml:"classname,attr"`
	Time    string   `xml:"time,attr"`
	File    string   `xml:"file,attr,omitempty"`
	Line    string   `xml:"line,attr,omitempty"`
	Skipped *problem `xml:"skipped"`
	Error   *problem `xml:"error"`
	Failure *problem `xml:"failure"`
	Output  string   `xml:"system-out,omitempty"`
}

type problem struct {
	Message string `xml:"message,attr"`
	Type    string `xml:"type,attr,omitempty"`
	Text    string `xml:",chardata"`
}

// Write writes the comparison. It returns the error of w.
func Write(w io.Writer, s *event.Stream, words Words) error {
	own := &suite{Name: "isodelta", Cases: []testcase{comparison(s, words)}}
	all := suites{Name: "isodelta", Time: seconds(s), Suites: append([]*suite{own}, packages(s, words)...)}
	own.Time = all.Time
	for _, x := range all.Suites {
		x.count()
		all.Tests += x.Tests
		all.Failures += x.Failures
		all.Errors += x.Errors
		all.Skipped += x.Skipped
	}
	out := bufio.NewWriter(w)
	out.WriteString(xml.Header)
	encoder := xml.NewEncoder(out)
	encoder.Indent("", "\t")
	if err := encoder.Encode(all); err != nil {
		return fmt.Errorf("JUnit report: %w", err)
	}
	out.WriteString("\n")
	return out.Flush()
}

func (x *suite) count() {
	x.Time = cmp.Or(x.Time, "0")
	for _, c := range x.Cases {
		x.Tests++
		switch {
		case c.Error != nil:
			x.Errors++
		case c.Failure != nil:
			x.Failures++
		case c.Skipped != nil:
			x.Skipped++
		}
	}
}

// longest is 1e6 hours; a forged stream may claim more, and not every reader
// takes an exponent.
const longest = 3.6e9

func seconds(s *event.Stream) string {
	if s.Summary == nil {
		return "0"
	}
	return strconv.FormatFloat(min(s.Summary.Seconds, longest), 'f', 3, 64)
}

// comparison is the case of the work as a whole.
func comparison(s *event.Stream, words Words) testcase {
	c := testcase{Name: "the comparison of base and head", Class: "isodelta", Time: seconds(s), Output: strings.Join(words.Work, "\n")}
	switch s.Verdict() {
	case event.Incomplete, event.NothingExplored:
		c.Error = &problem{Message: words.Verdict, Type: string(s.Verdict()), Text: words.Verdict}
	}
	return c
}

// packages are the suites, sorted by name; in each, behaviour changes come
// before relations, and these before functions called.
func packages(s *event.Stream, words Words) []*suite {
	byName := map[string]*suite{}
	of := func(pkg string) *suite {
		name := cmp.Or(words.Visible(pkg), "(no package)")
		if byName[name] == nil {
			byName[name] = &suite{Name: name}
		}
		return byName[name]
	}
	for _, c := range changes(s) {
		x := of(c.representative.Package)
		x.Cases = append(x.Cases, c.testcase(x.Name, words))
	}
	addRelations(s, words, of)
	for _, t := range slices.SortedFunc(slices.Values(s.Targets), event.CompareTargets) {
		x := of(t.Package)
		x.Cases = append(x.Cases, targetCase(t, x.Name, words))
	}
	var list []*suite
	for _, x := range byName {
		list = append(list, x)
	}
	slices.SortFunc(list, func(a, b *suite) int { return strings.Compare(a.Name, b.Name) })
	return list
}

// change is a cluster in one package, of findings that are open, or not.
type change struct {
	representative event.Finding
	all            []event.Finding
}

func changes(s *event.Stream) []change {
	type key struct {
		cluster, pkg       string
		intended, accepted bool
	}
	at := map[key]int{}
	var list []change
	for _, f := range slices.SortedFunc(slices.Values(s.Findings), s.Relating().Compare) {
		k := key{f.Cluster, f.Package, f.Intended, f.Accepted != nil}
		i, seen := at[k]
		if !seen {
			i = len(list)
			at[k] = i
			list = append(list, change{representative: f})
		}
		list[i].all = append(list[i].all, f)
		if f.Representative && !list[i].representative.Representative {
			list[i].representative = f
		}
	}
	for i, c := range list {
		if at := slices.IndexFunc(c.all, func(f event.Finding) bool { return f.ID == c.representative.ID }); !c.representative.Representative {
			list[i].representative = c.all[event.Leaders(c.all)[at]]
		}
	}
	return list
}

// maxNamed is how many further findings a case names.
const maxNamed = 50

func (c change) testcase(class string, words Words) testcase {
	f := c.representative
	claim := words.Claim(f)
	x := testcase{Name: claim + " (" + words.Visible(f.ID) + ")", Class: class, Time: "0", File: words.Visible(f.File)}
	if f.Line > 0 {
		x.Line = strconv.Itoa(f.Line)
	}
	lines := append(words.Evidence(f), c.others(words)...)
	text := strings.Join(lines, "\n")
	if slices.ContainsFunc(c.all, func(f event.Finding) bool { return f.Open() && words.Objects(f) }) {
		x.Failure = &problem{Message: claim, Type: words.Visible(string(f.Rung)) + "/" + words.Visible(string(f.Kind)), Text: text}
	} else {
		x.Output = text
	}
	return x
}

// others are a line for what else differs of the representative's call, and one for
// each further call.
func (c change) others(words Words) []string {
	var beside, further []event.Finding
	leaders := event.Leaders(c.all)
	for i, l := range leaders {
		switch f := c.all[i]; {
		case f.ID == c.representative.ID:
		case l == i:
			further = append(further, f)
		case c.all[l].ID == c.representative.ID:
			beside = append(beside, f)
		}
	}
	var list []string
	if len(beside) > 0 {
		list = append(list, "with it: "+words.Beside(beside))
	}
	for _, f := range further[:min(len(further), maxNamed)] {
		list = append(list, "also "+words.Visible(f.ID)+": "+words.Claim(f))
	}
	if n := len(further) - maxNamed; n > 0 {
		list = append(list, fmt.Sprintf("and %d more findings", n))
	}
	return list
}

func targetCase(t event.Target, class string, words Words) testcase {
	x := testcase{Name: "calls of " + words.Visible(t.Function), Class: class, Time: "0", File: words.Visible(t.File)}
	if t.Line > 0 {
		x.Line = strconv.Itoa(t.Line)
	}
	if t.State == event.Compared {
		x.Output = words.Target(t)
	} else {
		x.Skipped = &problem{Message: words.Target(t), Type: string(t.State)}
	}
	return x
}

package sarif

import (
	"bufio"
	"encoding/json"
	"io"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif"

	"github.com/isodelta/isodelta/report/event"
)

// Words are what package report says about a comparison; all must be there.
type Words struct {
	Claim    func(event.Finding) string   // one sentence
	Beside   func([]event.Finding) string // in what else a call differs
	Relation func(event.Relation) string  // one sentence
	Verdict  string
	Objects  func(event.Finding) bool  // the policy fails on it
	Fails    func(event.Relation) bool // likewise
	Accepted func(event.Finding) string
	Intended func(event.Finding) string // by what it is known to be
	Visible  func(string) string        // spells out what cannot be seen
	// AcceptedRelation says who took a broken relation on.
	AcceptedRelation func(event.Relation) string
}

// information is where readers learn what the tool is.
const information = "https://github.com/isodelta/isodelta"

// Write writes the findings. It returns the error of w.
func Write(w io.Writer, s *event.Stream, words Words) error {
	log := sarif.NewReport()
	run := sarif.NewRunWithInformationURI("isodelta", information)
	run.WithColumnKind("unicodeCodePoints")
	if v := s.Config.Tool; v != "" {
		run.Tool.Driver.WithVersion(words.Visible(v))
	}
	index := map[string]int{}
	for i, r := range rules() {
		run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, r)
		index[*r.ID] = i
	}
	places := placesOf(s)
	relating := s.Relating()
	findings := slices.SortedFunc(slices.Values(s.Findings), relating.Compare)
	beside := map[int][]event.Finding{} // by the place of what leads
	leaders := event.Leaders(findings)
	for i, l := range leaders {
		if findings[l].Cluster != findings[i].Cluster { // of a stream that is not grouped so
			leaders[i] = i
		} else if l != i {
			beside[l] = append(beside[l], findings[i])
		}
	}
	for i, f := range findings {
		if leaders[i] == i {
			run.AddResult(result(f, beside[i], index, places, words))
		}
	}
	for _, r := range slices.SortedFunc(slices.Values(s.Relations), event.CompareRelations) {
		if r.State == event.Broken || r.State == event.Violated {
			run.AddResult(relationResult(r, index, places, relating.Open(r), words))
		}
	}
	run.AddInvocation(invocation(s, words))
	log.AddRun(run)
	out := bufio.NewWriter(w)
	encoder := json.NewEncoder(out)
	if err := encoder.Encode(log); err != nil {
		return err
	}
	return out.Flush()
}

func rungWords(r event.Rung) string {
	switch r {
	case event.Observed:
		return "An existing test, run as it is, sees it."
	case event.Reached:
		return "A call with generated input shows it; no code is modified."
	}
	return "It is seen only after forcing a branch the same way on both sides, which shows what the branch does, not that an input takes it."
}

func kindWords(k event.Kind) string {
	switch k {
	case event.KindPanic:
		return "panics on one version only"
	case event.KindValueToError:
		return "a value becomes an error"
	case event.KindErrorToValue:
		return "an error becomes a value"
	case event.KindNilEmpty:
		return "gives nil on one version, something empty on the other"
	case event.KindErrorText:
		return "gives an error with another text"
	}
	return "gives another value"
}

// rules are all there can be, so that their places do not depend on the stream.
func rules() []*sarif.ReportingDescriptor {
	var list []*sarif.ReportingDescriptor
	for _, rung := range event.Rungs() {
		for _, kind := range event.Kinds() {
			short := "Behaviour differs between base and head (" + string(rung) + "): " + kindWords(kind)
			list = append(list, sarif.NewRule(ruleOf(rung, kind)).
				WithName(camel(string(rung))+camel(string(kind))).
				WithShortDescription(sarif.NewMultiformatMessageString().WithText(short)).
				WithFullDescription(sarif.NewMultiformatMessageString().WithText(short+". "+rungWords(rung))).
				WithHelp(sarif.NewMultiformatMessageString().WithText(rungWords(rung)+" If head is right, accept it: isodelta accept ID --reason REASON. To see it again: isodelta replay ID.")).
				WithDefaultConfiguration(sarif.NewReportingConfiguration().WithLevel(level(rung, kind == event.KindErrorText || kind == event.KindNilEmpty, false))))
		}
	}
	return append(list, relationRules()...)
}

// ruleOf names the rule that a finding breaks.
func ruleOf(rung event.Rung, kind event.Kind) string { return string(rung) + "/" + string(kind) }

func camel(name string) string {
	var b strings.Builder
	for part := range strings.SplitSeq(name, "-") {
		b.WriteString(strings.ToUpper(part[:1]) + part[1:])
	}
	return b.String()
}

func level(rung event.Rung, small, objected bool) string {
	switch {
	case objected:
		return sarif.LevelError
	case rung == event.Forced || small:
		return sarif.LevelNote
	}
	return sarif.LevelWarning
}

// result is that of a finding, which tells what else differs of its call.
func result(f event.Finding, beside []event.Finding, index map[string]int, at places, words Words) *sarif.Result {
	rule, claim := ruleOf(f.Rung, f.Kind), words.Claim(f)
	if len(beside) > 0 {
		claim += "; with it, " + words.Beside(beside)
	}
	id := words.Visible(f.ID)
	r := sarif.NewRuleResult(rule).
		WithLevel(level(f.Rung, f.Small(), f.Open() && words.Objects(f))).
		WithMessage(message(claim)).
		WithFingerprints(map[string]string{"isodelta/v1": id}).
		WithPartialFingerprints(map[string]string{"isodelta/v1": id, "isodeltaCluster/v1": words.Visible(f.Cluster), "primaryLocationLineHash": id})
	if i, ok := index[rule]; ok {
		r.WithRuleIndex(i)
	}
	bag := sarif.NewPropertyBag()
	bag.Add("suite", f.Suite)
	bag.Add("test", words.Visible(f.Test))
	bag.Add("package", words.Visible(f.Package))
	bag.Add("function", words.Visible(f.Function))
	r.WithProperties(bag)
	for i, p := range at.primary(f) {
		if location := p.location(); i == 0 || location.PhysicalLocation != nil {
			r.Locations = append(r.Locations, location.WithLogicalLocations([]*sarif.LogicalLocation{
				sarif.NewLogicalLocation().WithFullyQualifiedName(words.Visible(p.name)).WithKind("function")}))
		}
	}
	for i, p := range related(f) {
		if location := p.location(); location.PhysicalLocation != nil {
			r.RelatedLocations = append(r.RelatedLocations, location.WithID(i+1).WithMessage(message(p.name)))
		}
	}
	switch {
	case f.Intended:
		r.AddSuppression(sarif.NewSuppression().WithKind("inSource").WithStatus("accepted").
			WithJustification(words.Intended(f)))
	case f.Accepted != nil:
		kind := "external"
		if f.Accepted.From == "config" {
			kind = "inSource" // the configuration is part of the repository
		}
		r.AddSuppression(sarif.NewSuppression().WithKind(kind).WithStatus("accepted").WithJustification(words.Accepted(f)))
	}
	return r
}

// message keeps viewers from making links of texts, and from filling in numbers.
func message(text string) *sarif.Message {
	text = strings.ReplaceAll(text, "](", "] (")
	var b strings.Builder
	for i, r := range text {
		b.WriteRune(r)
		if next, _ := utf8.DecodeRuneInString(text[i+utf8.RuneLen(r):]); r == '{' && '0' <= next && next <= '9' {
			b.WriteByte(' ')
		}
	}
	return sarif.NewTextMessage(b.String())
}

// stretch is some lines of a file of head, and what is there.
type stretch struct {
	file      string
	line, end int
	name      string
}

// location leaves out what is no file of the repository.
func (p stretch) location() *sarif.Location {
	location := sarif.NewLocation()
	uri := reference(p.file)
	if uri == "" {
		return location
	}
	where := sarif.NewPhysicalLocation().WithArtifactLocation(sarif.NewArtifactLocation().WithURI(uri).WithURIBaseID("%SRCROOT%"))
	region := sarif.NewRegion().WithStartLine(max(p.line, 1))
	if p.end > p.line {
		region.WithEndLine(p.end)
	}
	return location.WithPhysicalLocation(where.WithRegion(region))
}

// reference writes a file name as a relative reference, "" where it cannot be
// one: outside of the repository, or too long.
func reference(file string) string {
	const longest = 1000
	if file == "" || len(file) > longest || path.IsAbs(file) || path.Clean(file) != file || file == "." || file == ".." || strings.HasPrefix(file, "../") {
		return ""
	}
	const hex = "0123456789ABCDEF"
	var b strings.Builder
	for i := range len(file) {
		c := file[i]
		switch {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', strings.IndexByte("-._~/", c) >= 0:
			b.WriteByte(c)
		default:
			b.WriteString("%" + string(hex[c>>4]) + string(hex[c&15]))
		}
	}
	return b.String()
}

// places are the changed lines of head by function.
type places map[string][]stretch

func placesOf(s *event.Stream) places {
	p := places{}
	drawn := map[string]bool{}
	for _, g := range s.Graphs {
		if lines := changedLines(g); len(lines) > 0 {
			p[g.Function] = append(p[g.Function], lines...)
			drawn[g.Function] = true
		}
	}
	for _, m := range s.Matches {
		for _, c := range m.Changed {
			if c.Status != "deleted" && c.File != "" && !drawn[c.Function] {
				p[c.Function] = append(p[c.Function], stretch{c.File, c.Line, c.EndLine, c.Function})
			}
		}
	}
	return p
}

// changedLines are the lines that head has in the place of others, or where it
// has none, the line before which they stood.
func changedLines(g event.Graph) []stretch {
	if g.Head.File == "" || g.Status == "unchanged" {
		return nil
	}
	var list []stretch
	for _, h := range g.Hunks {
		line, open := h.Head, false
		for _, l := range h.Lines {
			switch {
			case strings.HasPrefix(l, "+"):
				if !open {
					list, open = append(list, stretch{g.Head.File, line, line, g.Function}), true
				}
				line++
				list[len(list)-1].end = line - 1
			case strings.HasPrefix(l, "-"):
				if !open {
					list, open = append(list, stretch{g.Head.File, line, line, g.Function}), true
				}
			default:
				open = false
				line++
			}
		}
	}
	return list
}

// maxPlaces is how many places a result names.
const maxPlaces = 5

// primary are the edits to blame, where they are known, else the places of the changed functions that
// ran, the one that the finding is about first.
func (p places) primary(f event.Finding) []stretch {
	if len(f.Blamed) > 0 {
		var list []stretch
		for _, e := range f.Blamed {
			list = append(list, stretch{e.File, e.Line, e.EndLine, f.Function})
		}
		return list
	}
	names := slices.Clone(f.Changed)
	slices.SortStableFunc(names, func(a, b string) int {
		switch {
		case a == f.Function && b != f.Function:
			return -1
		case b == f.Function && a != f.Function:
			return 1
		}
		return 0
	})
	var list []stretch
	for _, n := range slices.Compact(names) {
		list = append(list, p[n]...)
		if len(list) >= maxPlaces {
			return list[:maxPlaces]
		}
	}
	if len(list) == 0 {
		list = append(list, stretch{f.File, f.Line, f.Line, f.Function})
	}
	return list
}

// related are the condition or the function called, and the test.
func related(f event.Finding) []stretch {
	var list []stretch
	switch {
	case f.Rung == event.Reached:
		list = append(list, stretch{f.File, f.Line, f.Line, "the function called"})
	case len(f.Negations) == 0:
		list = append(list, stretch{f.File, f.Line, f.Line, "the changed function that ran first"})
	}
	for i, n := range f.Negations {
		if i < maxPlaces {
			list = append(list, stretch{n.File, n.Line, n.Line, "the condition that was forced"})
		}
	}
	site := f.Head
	if site.File == "" {
		site = f.Base
	}
	return append(list, stretch{site.File, site.Line, site.Line, "where the test looks at it"})
}

// invocation reports whether the comparison is whole, and what it could not do.
func invocation(s *event.Stream, words Words) *sarif.Invocation {
	verdict := s.Verdict()
	whole := verdict != event.Incomplete && verdict != event.NothingExplored
	i := sarif.NewInvocation().WithExecutionSuccessful(whole)
	if !whole {
		i.AddToolExecutionNotification(sarif.NewNotification().WithLevel(sarif.LevelError).WithMessage(message(words.Verdict)))
	}
	for _, l := range s.Limits {
		text := words.Visible(l.What) + ": " + words.Visible(l.Reason)
		i.AddToolExecutionNotification(sarif.NewNotification().WithLevel(sarif.LevelNote).WithMessage(message(text)))
	}
	bag := sarif.NewPropertyBag()
	bag.Add("verdict", verdict)
	addMeasures(bag, s, words)
	return i.WithProperties(bag)
}

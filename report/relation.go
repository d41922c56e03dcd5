package report

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/isodelta/isodelta/report/event"
)

// relations are what a page says about metamorphic relations, beside what its
// clusters say about theirs. Each list is in the order of event.CompareRelations.
type relations struct {
	broken   []represented    // open, of functions that no finding is about; at most detailed
	further  []represented    // the same of more functions
	also     []event.Relation // open, too, and neither broken nor shown with a cluster
	settled  []event.Relation // broken, and accepted or taken on with their findings
	violated []event.Relation
	gained   []event.Relation // new
	kept     []event.Relation
}

// represented is a relation that stands for those of its function and state.
type represented struct {
	event.Relation
	more int // further ones
}

// others says how many more it represents; nil for none.
func (r represented) others() phrase {
	if r.more == 0 {
		return nil
	}
	return words("; " + count(r.more, "more relation") + " of the function " + isAre(r.more) + " " + string(r.State))
}

// alone returns relations that stand for themselves.
func alone(list []event.Relation) []represented {
	var out []represented
	for _, r := range list {
		out = append(out, represented{r, 0})
	}
	return out
}

// oneEach returns for each function the relation that says most to a reader, in the
// order of the list.
func oneEach(list []event.Relation) []represented {
	type function struct{ module, pkg, name string }
	at := map[function]int{}
	var out []represented
	for _, r := range list {
		f := function{r.Module, r.Package, r.Function}
		i, seen := at[f]
		if !seen {
			at[f] = len(out)
			out = append(out, represented{r, 0})
			continue
		}
		out[i].more++
		if compareTelling(r, out[i].Relation) < 0 {
			out[i].Relation = r
		}
	}
	return out
}

// Largest numbers of relations that are shown.
const (
	relationsInFull = 5   // of one state, with the calls that fail, in a fold
	relationsListed = 30  // of one state, in a line each
	relationTests   = 3   // Go tests of one state, in a fold
	relationLength  = 160 // characters of one in a sentence
)

// relationKey tells relations apart.
type relationKey struct{ module, id string }

func keyOf(r event.Relation) relationKey { return relationKey{r.Module, r.ID} }

// relationsOf sorts a stream's relations. The clusters that it shows in full show
// one each that they break; each is shown once.
func relationsOf(s *event.Stream, full []cluster) relations {
	relating := s.Relating()
	shown := map[relationKey]bool{}
	for i, c := range full {
		if r := telling(c.relations, shown); r != nil {
			full[i].shown = r
			shown[keyOf(*r)] = true
		}
	}
	var unfound []event.Relation // broken, of functions that no finding is about
	var out relations
	for _, r := range slices.SortedFunc(slices.Values(s.Relations), event.CompareRelations) {
		switch {
		case r.State == event.Broken && !relating.Open(r):
			out.settled = append(out.settled, r)
		case r.State == event.Broken && relating.Alone(r):
			unfound = append(unfound, r)
		case r.State == event.Broken && !shown[keyOf(r)]:
			out.also = append(out.also, r)
		case r.State == event.Violated:
			out.violated = append(out.violated, r)
		case r.State == event.New:
			out.gained = append(out.gained, r)
		case r.State == event.Kept:
			out.kept = append(out.kept, r)
		}
	}
	each := oneEach(unfound)
	out.broken, out.further = each[:min(len(each), detailed)], each[min(len(each), detailed):]
	for _, r := range out.broken {
		shown[keyOf(r.Relation)] = true
	}
	for _, r := range unfound {
		if !shown[keyOf(r)] {
			out.also = append(out.also, r)
		}
	}
	slices.SortFunc(out.also, event.CompareRelations)
	return out
}

// telling is the broken relation that says most to a reader, of those not yet
// shown: what somebody declared, what is a law and easily read, with calls that show it,
// as an equation, and short. It is nil without one, and where there are only such as
// tabulate outputs: that those are others now is what the finding says.
func telling(list []event.Relation, shown map[relationKey]bool) *event.Relation {
	var best *event.Relation
	for i := range list {
		r := &list[i]
		if r.State == event.Broken && !shown[keyOf(*r)] && !tabulates(*r) && (best == nil || compareTelling(*r, *best) < 0) {
			best = r
		}
	}
	return best
}

func compareTelling(a, b event.Relation) int {
	last := func(condition bool) int {
		if condition {
			return 0
		}
		return 1
	}
	equal := func(r event.Relation) int {
		_, _, ok := equation(r.Relation)
		return last(ok)
	}
	return cmp.Or(
		cmp.Compare(last(a.Source == event.Declared), last(b.Source == event.Declared)),
		cmp.Compare(last(legible(a)), last(legible(b))),
		cmp.Compare(last(len(a.Counterexample) > 0), last(len(b.Counterexample) > 0)),
		cmp.Compare(last(a.GoTest != ""), last(b.GoTest != "")),
		cmp.Compare(equal(a), equal(b)),
		cmp.Compare(len(a.Relation), len(b.Relation)),
		event.CompareRelations(a, b),
	)
}

// brokenAlone counts the functions with a broken relation that nobody has taken on, and
// that no finding is about: where there is one, that tells what differs.
func brokenAlone(s *event.Stream) int {
	relating := s.Relating()
	var list []event.Relation
	for _, r := range s.Relations {
		if relating.Open(r) && relating.Alone(r) {
			list = append(list, r)
		}
	}
	return len(oneEach(list))
}

// acceptedRelations counts the broken relations that somebody accepted as such.
func acceptedRelations(s *event.Stream) int {
	n := 0
	for _, r := range s.Relations {
		if r.State == event.Broken && r.Accepted != nil {
			n++
		}
	}
	return n
}

func countState(s *event.Stream, state event.RelationState) int {
	n := 0
	for _, r := range s.Relations {
		if r.State == state {
			n++
		}
	}
	return n
}

// statesCounted is "11 kept, 1 broken, 2 new".
func statesCounted(n map[event.RelationState]int) string {
	var parts []string
	for _, state := range []event.RelationState{event.Kept, event.Broken, event.New, event.Violated} {
		if n[state] > 0 {
			parts = append(parts, number(n[state])+" "+string(state))
		}
	}
	return strings.Join(parts, ", ")
}

// relationClaim says in one sentence what has become of a relation.
func relationClaim(r event.Relation) phrase {
	relation := quoted(shorten(r.Relation, relationLength))
	switch r.State {
	case event.Broken:
		if left, right, ok := equation(r.Relation); ok {
			return say(quoted(shorten(left, relationLength)), " was ", quoted(shorten(right, relationLength)), " on base and is not on head")
		}
		return say(relation, " held on base and does not hold on head")
	case event.Violated:
		return say(relation, " is declared, and holds neither on base nor on head")
	case event.New:
		return say(relation, " holds on head and did not on base")
	case event.Kept:
		return say(relation, " holds on both versions")
	}
	return say(relation, " is in a state that this isodelta does not know")
}

// equation takes the two sides out of a relation that is one equation and
// nothing else.
func equation(relation string) (left, right string, ok bool) {
	if len(relation) > 4*relationLength {
		return "", "", false // too long to be read as two
	}
	left, right, ok = strings.Cut(visible(relation), " = ")
	if !ok || left == "" || right == "" || strings.Contains(right, " = ") || strings.ContainsAny(relation, "⇒→∀∃∧∨:;<>≤≥≠\"`\n") {
		return "", "", false
	}
	for _, word := range strings.Fields(relation) {
		if word == "if" || word == "when" || word == "and" || word == "or" || word == "for" || word == "where" {
			return "", "", false
		}
	}
	return left, right, true
}

// bearing says what the change does to the relations of a cluster's functions; nil
// where it breaks none and makes none true. That some are kept says nothing about the
// branch that differs.
func bearing(c cluster) phrase {
	n := map[event.RelationState]int{}
	for _, r := range c.relations {
		n[r.State]++
	}
	broken := c.shown
	if broken == nil {
		broken = telling(c.relations, nil)
	}
	more := func(n int) string {
		if n > 1 {
			return ", and " + count(n-1, "more relation")
		}
		return ""
	}
	switch {
	case broken != nil:
		return say(span{"breaks", strong}, " a property: ", relationClaim(*broken), more(n[event.Broken]))
	case n[event.New] > 0:
		first := slices.IndexFunc(c.relations, func(r event.Relation) bool { return r.State == event.New })
		return say("gains a property: ", relationClaim(c.relations[first]), more(n[event.New]))
	}
	return nil
}

// breaksProperty says what property a cluster breaks; nil where it breaks none.
func breaksProperty(c cluster) phrase {
	if c.shown == nil && telling(c.relations, nil) == nil {
		return nil
	}
	return bearing(c)
}

// aboutRelation names the relation, and says where it comes from.
func aboutRelation(r event.Relation) phrase {
	p := named(shorten(functionName(r.Function), siteLength))
	if r.Name != "" {
		p = say(named(shorten(r.Name, siteLength)), " of ", p)
	}
	return say(p, ", ", sourceOf(r))
}

func sourceOf(r event.Relation) phrase {
	switch r.Source {
	case event.Declared:
		if r.At != "" {
			return say("declared at ", named(shorten(r.At, nameLength)))
		}
		return words("declared in the configuration")
	case event.Template:
		return words("from a template")
	case event.AutoMR:
		return words("inferred from base (AutoMR)")
	case event.GenMorph:
		return words("generated (GenMorph)")
	case event.FromTest:
		if r.At != "" {
			return say("stated by the test at ", named(shorten(r.At, nameLength)))
		}
		return words("stated by a test")
	}
	return words("from where this isodelta does not know")
}

// checked says on how much it stands, and who took it on.
func checked(r event.Relation) phrase {
	return append(compared(r), acceptanceOf(r.Accepted, r.Proposed)...)
}

// compared says for how many groups it was checked, and how.
func compared(r event.Relation) phrase {
	groups := count(r.Groups, "group") + " of calls"
	text := "holds for " + groups
	switch r.State {
	case event.Broken:
		text = number(r.Failing) + " of " + groups + " " + fail(r.Failing) + " on head"
	case event.New:
		text = number(r.Failing) + " of " + groups + " " + fail(r.Failing) + " on base, none on head"
	case event.Violated:
		text = number(r.Failing) + " of " + groups + " " + fail(r.Failing)
	}
	if r.Tolerance > 0 {
		tolerance := strings.Replace(strconv.FormatFloat(r.Tolerance, 'g', 3, 64), "e-0", "e-", 1)
		return words(text + ", compared with a relative tolerance of " + tolerance)
	}
	return words(text + ", compared exactly")
}

func isAre(n int) string {
	if n == 1 {
		return "is"
	}
	return "are"
}

func fail(n int) string {
	if n == 1 {
		return "fails"
	}
	return "fail"
}

// relatedCall is one line of a counterexample, as a table shows it.
type relatedCall struct {
	call, base, head string
	differ           bool
	parts            []differingPart
}

// counterexample are the calls of a group that fails, cut to what a table holds.
func counterexample(r event.Relation) []relatedCall {
	var list []relatedCall
	for _, c := range r.Counterexample {
		base, head := sentenceExcerpts(c.Base, c.Head, inputLength)
		list = append(list, relatedCall{
			call: shorten(strings.Join(steps(c.Call), "; "), nameLength),
			base: cmp.Or(base, nothing), head: cmp.Or(head, nothing), differ: c.Base != c.Head,
			parts: partsOf(c),
		})
	}
	return list
}

// steps are the statements of a call, on one line each.
func steps(call string) []string {
	var list []string
	for _, s := range statements(call) {
		list = append(list, s.text)
	}
	return list
}

// relationPlace is where the function stands; nil where that is not known.
func relationPlace(r event.Relation) phrase {
	if r.File == "" {
		return nil
	}
	return named(position(r.File, r.Line))
}

// testProves says what a relation's Go test does on the two versions.
func testProves(r event.Relation) string {
	switch r.State {
	case event.Broken:
		return "passes on base and fails on head"
	case event.New:
		return "fails on base and passes on head"
	case event.Violated:
		return "fails on both"
	}
	return "passes on both"
}

// RelationClaim is one sentence in plain text about what has become of a
// relation. Names and values in it are those of the tested code, made visible.
func RelationClaim(r event.Relation) string { return plainText(relationClaim(r)) }

// RelationEvidence is what shows it, in lines of plain text: where the relation
// comes from, how often it was checked, the calls that fail, and after an empty
// line a Go test.
func RelationEvidence(r event.Relation) []string {
	lines := []string{"relation: " + plainText(aboutRelation(r)), "checked: " + plainText(checked(r))}
	for _, c := range counterexample(r) {
		lines = append(lines, c.call+" gives "+c.base+" on base, "+c.head+" on head")
		for _, p := range c.parts {
			lines = append(lines, "  "+p.path+": "+p.base+" → "+p.head)
		}
	}
	if r.GoTest != "" {
		lines = append(append(lines, "", "A test that "+testProves(r)+", for "+plainText(testFile(r.GoTestFile, r.Package))+":"), listingOf(r.GoTest, testHeight).lines...)
	}
	return lines
}

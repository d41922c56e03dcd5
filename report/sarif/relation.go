package sarif

import (
	"cmp"

	"github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif"

	"github.com/isodelta/isodelta/report/event"
)

// relationRules are those for relations, by their state.
func relationRules() []*sarif.ReportingDescriptor {
	var list []*sarif.ReportingDescriptor
	for _, r := range []struct {
		state              event.RelationState
		level, short, full string
	}{
		{event.Broken, sarif.LevelWarning, "A relation that held on base does not hold on head", "The outputs of related calls belonged together on base and no longer do on head; the message names the relation."},
		{event.Violated, sarif.LevelNote, "A declared relation holds on neither version", "The configuration declares the relation, and calls were found that violate it on base as well as on head."},
	} {
		list = append(list, sarif.NewRule(relationRule(r.state)).
			WithName("Relation"+camel(string(r.state))).
			WithShortDescription(sarif.NewMultiformatMessageString().WithText(r.short)).
			WithFullDescription(sarif.NewMultiformatMessageString().WithText(r.short+". "+r.full)).
			WithHelp(sarif.NewMultiformatMessageString().WithText(r.full+" The report shows the calls, and a test to paste.")).
			WithDefaultConfiguration(sarif.NewReportingConfiguration().WithLevel(r.level)))
	}
	return list
}

func relationRule(state event.RelationState) string { return "relation-" + string(state) }

// relationResult is placed on the changed lines of the function where there are
// any, else where the function stands.
func relationResult(r event.Relation, index map[string]int, at places, open bool, words Words) *sarif.Result {
	rule, level := relationRule(r.State), sarif.LevelWarning
	if r.State == event.Violated {
		level = sarif.LevelNote
	}
	if words.Fails(r) {
		level = sarif.LevelError
	}
	id := words.Visible(cmp.Or(r.Module, r.Package) + " " + r.ID)
	out := sarif.NewRuleResult(rule).WithLevel(level).WithMessage(message(words.Relation(r))).
		WithFingerprints(map[string]string{"isodeltaRelation/v1": id}).
		WithPartialFingerprints(map[string]string{"isodeltaRelation/v1": id, "primaryLocationLineHash": id})
	if i, ok := index[rule]; ok {
		out.WithRuleIndex(i)
	}
	bag := sarif.NewPropertyBag()
	bag.Add("package", words.Visible(r.Package))
	bag.Add("function", words.Visible(r.Function))
	bag.Add("name", words.Visible(r.Name))
	bag.Add("relation", words.Visible(r.Relation))
	bag.Add("source", words.Visible(string(r.Source)))
	bag.Add("groups", r.Groups)
	bag.Add("failing", r.Failing)
	bag.Add("tolerance", r.Tolerance)
	out.WithProperties(bag)
	for i, p := range at.primary(event.Finding{Function: r.Function, File: r.File, Line: r.Line, Changed: []string{r.Function}}) {
		if location := p.location(); i == 0 || location.PhysicalLocation != nil {
			out.Locations = append(out.Locations, location.WithLogicalLocations([]*sarif.LogicalLocation{
				sarif.NewLogicalLocation().WithFullyQualifiedName(words.Visible(p.name)).WithKind("function")}))
		}
	}
	if r.State == event.Broken && !open {
		justification := "Every difference found in the function is intended or accepted."
		if r.Accepted != nil {
			justification = words.AcceptedRelation(r)
		}
		out.AddSuppression(sarif.NewSuppression().WithKind("external").WithStatus("accepted").
			WithJustification(justification))
	}
	return out
}

// addMeasures puts the numbers about relations and adequacy into a bag.
func addMeasures(bag *sarif.PropertyBag, s *event.Stream, words Words) {
	if len(s.Relations) > 0 {
		states := map[string]int{}
		for _, r := range s.Relations {
			states[words.Visible(string(r.State))]++
		}
		bag.Add("relations", states)
	}
	var list []map[string]any
	for _, a := range s.Adequacies {
		m := map[string]any{"scope": words.Visible(a.Scope), "name": words.Visible(a.Name), "module": words.Visible(a.Module), "criterion": words.Visible(a.Criterion)}
		if a.K > 0 {
			m["k"] = a.K
		}
		for side, met := range map[string]*event.Met{"base": a.Base, "head": a.Head} {
			if met != nil {
				m[side] = map[string]float64{"met": met.Met, "of": met.Of}
			}
		}
		list = append(list, m)
	}
	if len(list) > 0 {
		bag.Add("adequacy", list)
	}
}

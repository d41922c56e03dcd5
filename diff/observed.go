package diff

import (
	"go/ast"
	"go/parser"
	"slices"
	"strings"

	"github.com/isodelta/isodelta/internal/lazyregexp"
	"github.com/isodelta/isodelta/report/event"
)

// joinObserved puts what tests see into one cluster where they see the same through the same call,
// though each of them runs other changed functions beside: values of one shape that become
// values of one shape, as each index that queue.Push gives becomes a smaller one. findings are
// sorted.
func joinObserved(findings []event.Finding, leaders []int) {
	first := map[string]int{}
	for i, f := range findings {
		sight := sightOf(f)
		if sight == "" || leaders[i] != i {
			continue
		}
		k, ok := first[sight]
		if !ok {
			first[sight] = i
			continue
		}
		if share(findings[k].Changed, f.Changed) {
			findings[i].Cluster = findings[k].Cluster
		}
	}
}

// sightOf is the same for findings of tests that see the same, "" for others, and where the outcome
// of a test is all that is known.
func sightOf(f event.Finding) string {
	if f.Rung != event.Observed || f.Base.Site == "" || f.Base.Site != f.Head.Site || f.Unrelated {
		return ""
	}
	called, _, isCall := strings.Cut(f.Base.Site, "(")
	if isCall && strings.HasSuffix(called, "]") { // of whatever types
		called, _, _ = strings.Cut(called, "[")
	}
	cluster := f
	cluster.Changed = []string{called} // a likeness without the functions
	return strings.Join([]string{likeness(cluster), shape(f.Base.Value), shape(f.Head.Value)}, "\x00")
}

// shape is a text with one letter for each word and one digit for each number.
func shape(text string) string {
	return words().ReplaceAllStringFunc(text, func(word string) string {
		if isNumber(word) {
			return "0"
		}
		return "a"
	})
}

// words matches what is made of letters and digits.
var words = lazyregexp.New(`[\pL\pN_]+`)

func isNumber(word string) bool { return strings.Trim(word, "0123456789") == "" }

// share reports whether two lists have a name in common.
func share(a, b []string) bool {
	return slices.ContainsFunc(a, func(name string) bool { return slices.Contains(b, name) })
}

// seesOnly reports whether a test sees, without failing, what a call shows: a failure that the
// change makes appear, or go away, the same fragment of a text, the same parts of a value, another value
// with no changed function that the call does not run, or one of the very function
// that is called, with the changed functions of one among those of the other. The call has an input,
// and tells more, unless it is small and what the test sees is not.
func seesOnly(observed, call *seen) bool {
	return observed.Rung == event.Observed && call.Rung == event.Reached && (observed.small || !call.small) && observed.Base.Site != "" &&
		observed.Base.Outcome == observed.Head.Outcome && observed.Kind == call.Kind && judgedAlike(observed.Finding, call.Finding) &&
		(seesNoMore(observed, call) || sameFragment(observed, call))
}

// failsFor reports whether a test that passes on base fails on head for what a call shows: neither ran
// a changed function that the other did not, and they are of one kind.
func failsFor(observed, call *seen) bool {
	return observed.FailsTest() && call.Rung == event.Reached && !call.small && !observed.unknown && observed.Kind == call.Kind && alike(observed.Finding, call.Finding)
}

// failTogether reports whether two tests that pass on base fail on head in the same way, and some of the
// change ran in both. Whoever sees one of them fail looks at the other, too.
func failTogether(f, g *seen) bool {
	return f.FailsTest() && g.FailsTest() && f.Kind == g.Kind && f.Head.Outcome == g.Head.Outcome && judgedAlike(f.Finding, g.Finding) &&
		!f.unknown && !g.unknown && share(f.roots, g.roots)
}

// seesNoMore reports whether seesOnly holds, going by the changed functions.
func seesNoMore(observed, call *seen) bool {
	if !nested(observed.roots, call.roots) {
		return false
	}
	return observed.Kind != event.KindValue || calledAt(observed.Base.Site) == bareName(call.Function) || covers(call.roots, observed.roots) || seesParts(observed.Finding, call.Finding)
}

// seesParts reports whether all fields that differ in what a call gives are in what a test sees, with
// the same values.
func seesParts(observed, call event.Finding) bool {
	for _, p := range call.Differs {
		field := fieldOf(p.Path)
		if field == "" || !strings.Contains(observed.Base.Value, field+":"+p.Base) || !strings.Contains(observed.Head.Value, field+":"+p.Head) {
			return false
		}
	}
	return len(call.Differs) > 0
}

// calledAt is the name of the function that an expression calls, "" for any other expression.
func calledAt(site string) string {
	e, err := parser.ParseExpr(site)
	if err != nil {
		return "" // cut, or no expression
	}
	call, ok := e.(*ast.CallExpr)
	if !ok {
		return ""
	}
	switch f := call.Fun.(type) {
	case *ast.Ident:
		return f.Name
	case *ast.SelectorExpr:
		return f.Sel.Name
	}
	return ""
}

package relation

import (
	"go/types"
	"slices"
	"strings"
	"testing"

	"github.com/isodelta/isodelta/runner/relation/relationtest"
)

// TestTemplates: what names and types suggest is among the candidates.
func TestTemplates(t *testing.T) {
	t.Parallel()
	_, tree := relationtest.Module(t, relationtest.Read(t, "testdata/shapes.txtar"))
	slice := types.NewSlice(types.Typ[types.Int])
	found := map[string][]string{}
	for _, s := range subjects(tree.Packages[0], tree, map[string][]types.Type{"Map": {slice, types.Typ[types.Int], types.Typ[types.String]}}) {
		ids := map[string]bool{}
		for _, r := range Templates(s) {
			found[s.Name] = append(found[s.Name], r.Notation)
			if ids[r.ID()] || len(r.ID()) != 8 {
				t.Errorf("%s: %s has the identifier %s of another", s.Name, r.Notation, r.ID())
			}
			ids[r.ID()] = true
		}
		if len(ids) > MaxTemplates {
			t.Errorf("%s has %d candidates", s.Name, len(ids))
		}
	}
	for function, want := range map[string][]string{
		"Abs":                   {"Abs(-x) = Abs(x)", "Abs(-x) = -Abs(x)", "Abs(2·x) = 2·Abs(x)", "Abs(x + 1) ≥ Abs(x)", "Abs(x) ≥ 0", "Abs(Abs(x)) = Abs(x)"},
		"Add":                   {"Add(b, a) = Add(a, b)", "Add(Add(a, b), (b + a)) = Add(a, Add(b, (b + a)))", "Add(0, b) = b", "Add(2·a, 2·b) = 2·Add(a, b)"},
		"Sum":                   {"Sum(reverse(xs)) = Sum(xs)", "Sum(a ++ b) = Sum(a) + Sum(b)", "Sum(2·xs) = 2·Sum(xs)"},
		"Mean":                  {"Mean(sort(list)) = Mean(list)", "Mean(list + 1) = Mean(list) + 1"},
		"SortNames":             {"SortNames(n); again: no change", "SortNames(n) sorts n", "SortNames(n) permutes n"},
		"Encode":                {"Decode(Encode(p)) = p"},
		"Decode":                {"Decode(Encode(Decode(b))) = Decode(b)"},
		"MarshalRing":           {"UnmarshalRing(MarshalRing(r), new) gives r"},
		"(Point).String":        {"ParsePoint(p.String()) = p"},
		"(Point).MarshalText":   {"new.UnmarshalText(p.MarshalText()) gives p"},
		"CelsiusToKelvin":       {"KelvinToCelsius(CelsiusToKelvin(c)) = c"},
		"EscapeText":            {"UnescapeText(EscapeText(s, quote), quote) = s"},
		"FormatNumber":          {"ParseNumber(FormatNumber(n)) = n"},
		"ParseNumber":           {"ParseNumber(\" \" + s + \" \") = ParseNumber(s)"},
		"(*Ring).Push":          {"r.Push(n); r.Pop() = n", "r.Push(n); r.Pop() leaves r as it was"},
		"(*Ring).Len":           {"r.Len() leaves r as it is", "r.Len() twice in a row: the same"},
		"(Set).Add":             {"s.Add(k); s.Has(k) = true"},
		"(*Stack[T]).Push":      {"s.Push(v); s.Pop() = v"},
		"Less":                  {"¬(Less(a, b) ∧ Less(b, a))", "¬Less(a, a)", "Less(a, a)"},
		"Compare":               {"Compare(b, a) = -Compare(a, b)", "sign(Compare(b, a)) = -sign(Compare(a, b))", "Compare(a, a) = 0"},
		"CleanPath":             {"CleanPath(p + \"/\") = CleanPath(p)", "CleanPath(upper(p)) = upper(CleanPath(p))"},
		"Truncate":              {"len(Truncate(s, n)) ≤ max(0, n)"},
		"Upper":                 {"Upper(lower(s)) = Upper(s)", "len(Upper(s)) = len(s)"},
		"Map":                   {"Map(reverse(s), f) = reverse(Map(s, f))", "Map(a ++ b, f) = Map(a, f) ++ Map(b, f)"},
		"Max":                   {"Max(b, a) = Max(a, b)", "Max(a, a) = a"},
		"(Point).UnmarshalText": nil,
	} {
		for _, n := range want {
			if !slices.Contains(found[function], n) {
				t.Errorf("%s has no candidate %s, but\n\t%s", function, n, strings.Join(found[function], "\n\t"))
			}
		}
	}
	for _, none := range []string{"Nothing", "NoParams", "Channel"} {
		if len(found[none]) > 0 {
			t.Errorf("%s has candidates: %q", none, found[none])
		}
	}
}

// TestID: the identifier is the relation's, not its spelling's.
func TestID(t *testing.T) {
	t.Parallel()
	make := func(x, result string) Relation {
		return Relation{Function: "Sin", Package: "m", Notation: x, Form: Form{
			Params: []Param{{Name: x, Type: "float64"}},
			Calls:  []Call{{Function: "Sin", Args: []string{x}, Results: []string{result}}, {Function: "Sin", Args: []string{"-" + x}, Results: []string{"followup"}}},
			Check:  "Equal(followup, -" + result + ")",
		}}
	}
	id := make("x", "result").ID()
	if other := make("y", "r").ID(); other != id {
		t.Errorf("%s with other names, %s", other, id)
	}
	changed := make("x", "result")
	changed.Form.Check = "Equal(followup, result)"
	if changed.ID() == id {
		t.Error("another check, the same identifier")
	}
}

package event

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/isodelta/isodelta/report/event/schema"
)

func compiled(t *testing.T) *jsonschema.Schema {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(schema.Stream()))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("stream.json", doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("stream.json")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func object(t *testing.T, line string) map[string]any {
	t.Helper()
	v, err := jsonschema.UnmarshalJSON(strings.NewReader(line))
	if err != nil {
		t.Fatal(err)
	}
	return v.(map[string]any)
}

func TestSchemaAccepts(t *testing.T) {
	t.Parallel()
	lines := compiled(t)
	seen := map[string]bool{}
	minimal := []Event{
		Config{Version: 1}, Match{}, Progress{Phase: "x"}, Limit{Kind: "x", Reason: "y"}, Versions{},
		Baseline{Suite: "base"}, Summary{Verdict: NothingExplored},
		Finding{ID: "a", Rung: Observed, Suite: "head", Test: "T", Kind: "panic", Cluster: "c", Base: Result{Outcome: Pass}, Head: Result{Outcome: Died}},
		Finding{ID: "b", Rung: Reached, Kind: "panic", Cluster: "c", Base: Result{Outcome: Pass}, Head: Result{Outcome: Panic}},
		Finding{ID: "c", Rung: Reached, Kind: "value", Cluster: "c", Base: Result{Outcome: Pass}, Head: Result{Outcome: Pass}, Program: strings.Repeat("世", MaxProgram)},
		Target{Function: "F", Role: "consumer", State: NotReached},
	}
	for _, e := range append(samples(), minimal...) {
		line := encode(t, e)
		if err := lines.Validate(object(t, line)); err != nil {
			t.Errorf("%s\n%v", line, err)
		}
		if err := Validate(e); err != nil {
			t.Error(err)
		}
		seen[e.EventType()] = true
	}
	for _, c := range codecs() {
		if !seen[c.name] {
			t.Errorf("no sample of type %s", c.name)
		}
	}
}

// TestSchemaAndValidate: the schema and Validate refuse the same mistakes.
func TestSchemaAndValidate(t *testing.T) {
	t.Parallel()
	lines := compiled(t)
	change := func(o map[string]any) map[string]any { return o["changes"].([]any)[0].(map[string]any) }
	for i, test := range []struct {
		sample int
		change func(o map[string]any)
	}{
		{0, func(o map[string]any) { o["version"] = json.Number("0") }},
		{0, func(o map[string]any) { o["budget_seconds"] = json.Number("-1") }},
		{2, func(o map[string]any) { o["changed"].([]any)[0].(map[string]any)["status"] = "moved" }},
		{2, func(o map[string]any) { o["changed"].([]any)[0].(map[string]any)["function"] = "" }},
		{2, func(o map[string]any) { o["changed"].([]any)[0].(map[string]any)["line"] = json.Number("-1") }},
		{3, func(o map[string]any) { o["suite"] = "both" }},
		{4, func(o map[string]any) { o["phase"] = "" }},
		{4, func(o map[string]any) { o["done"] = json.Number("-2") }},
		{5, func(o map[string]any) { o["id"] = "" }},
		{5, func(o map[string]any) { o["rung"] = "felt" }},
		{5, func(o map[string]any) { o["kind"] = "other" }},
		{5, func(o map[string]any) { o["test"] = "" }},
		{5, func(o map[string]any) { o["base"].(map[string]any)["outcome"] = "green" }},
		{5, func(o map[string]any) { o["negations"].([]any)[0].(map[string]any)["match"] = "perhaps" }},
		{6, func(o map[string]any) { o["kind"] = "" }},
		{6, func(o map[string]any) { o["reason"] = "" }},
		{5, func(o map[string]any) { delete(o, "test") }},
		{5, func(o map[string]any) { delete(o, "suite") }},
		{5, func(o map[string]any) { o["rung"] = "observed"; delete(o, "test") }},
		{7, func(o map[string]any) { o["calls"] = json.Number("-1") }},
		{7, func(o map[string]any) { o["reached_seconds"] = json.Number("-1") }},
		{8, func(o map[string]any) { o["function"] = "" }},
		{8, func(o map[string]any) { o["role"] = "bystander" }},
		{8, func(o map[string]any) { o["state"] = "" }},
		{8, func(o map[string]any) { o["in_place"] = json.Number("-1") }},
		{9, func(o map[string]any) { o["origin"] = "guess" }},
		{9, func(o map[string]any) { o["mutation"] = json.Number("-1") }},
		{9, func(o map[string]any) { o["suite"] = "both" }},
		{9, func(o map[string]any) { o["program"] = strings.Repeat("x", MaxProgram+1) }},
		{9, func(o map[string]any) { o["merged"] = []any{json.Number("1")} }},
		{12, func(o map[string]any) { o["criterion"] = "kmr-luck" }},
		{12, func(o map[string]any) { o["k"] = json.Number("-1") }},
		{13, func(o map[string]any) { o["id"] = "" }},
		{13, func(o map[string]any) { o["relation"] = "" }},
		{13, func(o map[string]any) { o["state"] = "bent" }},
		{13, func(o map[string]any) { o["source"] = "guess" }},
		{13, func(o map[string]any) { o["groups"] = json.Number("-1") }},
		{13, func(o map[string]any) { o["name"] = strings.Repeat("x", 201) }},
		{13, func(o map[string]any) { o["go_test"] = strings.Repeat("x", MaxTest+1) }},
		{13, func(o map[string]any) {
			o["counterexample"] = slices.Repeat([]any{map[string]any{"call": "", "base": "", "head": ""}}, 17)
		}},
		{13, func(o map[string]any) {
			o["counterexample"].([]any)[0].(map[string]any)["base"] = strings.Repeat("x", MaxRelatedText+1)
		}},
		{0, func(o map[string]any) { change(o)["key"] = "" }},
		{0, func(o map[string]any) { change(o)["key"] = strings.Repeat("x", 65) }},
		{0, func(o map[string]any) { change(o)["base"] = strings.Repeat("x", 257) }},
		{0, func(o map[string]any) { change(o)["counts"] = "neither" }},
		{0, func(o map[string]any) { o["changes"] = slices.Repeat(o["changes"].([]any), 65) }},
		{0, func(o map[string]any) { o["settings_file"] = strings.Repeat("x", 4097) }},
		{5, func(o map[string]any) { o["cause"] = strings.Repeat("0", 63) }},
		{5, func(o map[string]any) { o["cause"] = strings.Repeat("0", 64) + "\n" }},
		{5, func(o map[string]any) { o["proposed"].(map[string]any)["from"] = "nowhere" }},
		{7, func(o map[string]any) { o["verdict"] = "green" }},
		{7, func(o map[string]any) { o["variants"] = json.Number("-1") }},
		{7, func(o map[string]any) { o["seconds"] = json.Number("-0.5") }},
		{7, func(o map[string]any) { o["functions"] = "many" }},
	} {
		o := object(t, encode(t, samples()[test.sample]))
		test.change(o)
		if lines.Validate(o) == nil {
			t.Errorf("case %d: the schema accepts %v", i, o)
		}
		line, err := json.Marshal(o)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := readEvents(bytes.NewReader(line), 0); err == nil {
			t.Errorf("case %d: the reader accepts %s", i, line)
		}
	}
}

// TestSchemaRefuses what the reader forgives: fields that this version always
// writes, and types that it never does.
func TestSchemaRefuses(t *testing.T) {
	t.Parallel()
	lines := compiled(t)
	for _, line := range []string{`{}`, `{"type":"forecast"}`, `{"type":"limit","kind":"x"}`, `{"type":"progress","phase":"x","done":1}`} {
		if lines.Validate(object(t, line)) == nil {
			t.Errorf("the schema accepts %s", line)
		}
	}
}

// TestSchemaDescribes: the descriptions come from the comments of the types, so
// one that is missing is a comment that is not found.
func TestSchemaDescribes(t *testing.T) {
	t.Parallel()
	var doc struct {
		Defs map[string]struct {
			Description string
			Properties  map[string]struct{ Description string }
		} `json:"$defs"`
	}
	if err := json.Unmarshal(schema.Stream(), &doc); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"finding.intended": "the change edits the expectation of this very test, or says what head gives, see Expected, or mends what an edited test needs, see Blamed", "match.resynchronised": "of the matched: found only past an insertion"} {
		def, field, _ := strings.Cut(name, ".")
		if got := doc.Defs[def].Properties[field].Description; got != want {
			t.Errorf("%s: described as %q, want %q", name, got, want)
		}
	}
	for name, def := range doc.Defs {
		if def.Description == "" {
			t.Errorf("type %s is not described", name)
		}
	}
}

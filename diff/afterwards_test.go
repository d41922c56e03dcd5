package diff

import (
	"slices"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/isodelta/isodelta/report/event"
	"github.com/isodelta/isodelta/runner/outcome"
)

// What is seen only after a call is another item; a call that needs one which
// differs by itself belongs to that one.
func TestAfterwards(t *testing.T) {
	t.Parallel()
	valued := func(f event.Finding, base, head string) event.Finding {
		f.Base.Value, f.Head.Value = base, head
		return f
	}
	after := func(function, input string, changed ...string) event.Finding {
		f := part(function, "", "value", event.KindValue, changed...)
		f.Input = input
		f.ID = ID(f)
		return f
	}
	forced := func(kind event.Kind, changed ...string) event.Finding {
		f := event.Finding{Type: "finding", Rung: event.Forced, Package: "p", Function: "check", Test: "TestAdd", Kind: kind, Changed: changed,
			Base: event.Result{Outcome: event.Pass}, Head: event.Result{Outcome: event.Fail}, Negations: []event.Negation{{ID: "c"}}}
		f.ID = ID(f)
		return f
	}
	sequence := func(function, input string, changed ...string) event.Finding {
		f := part(function, input, "result", event.KindValue, changed...)
		f.Origin = event.OriginSequence
		return f
	}
	through := part("Flatten", "", "argument 1", event.KindValue, "Chunk", "Flatten")
	through.Input = "list2 := Chunk[int](list, 1)\nFlatten[int](list2)"
	through.ID = ID(through)
	alone := part("Flatten", "", "argument 1", event.KindValue, "Chunk", "Flatten")
	alone.Input = "Flatten[int](chunks, Chunked)"
	alone.ID = ID(alone)
	state := func(f event.Finding, path, base, head string) event.Finding {
		f.Differs = []event.PartDiffers{{Path: path, Base: base, Head: head}}
		return f
	}
	plain := func(f event.Finding, o event.Outcome) event.Finding {
		f.Origin, f.Head.Outcome = event.OriginPlain, o
		return f
	}
	written := func(input string) event.Finding {
		return state(valued(after("(*Logger).Print", input, "levels", "write"), `*bytes.Buffer("a")`, `*bytes.Buffer("b")`), "value.buf", "a", "b")
	}
	write := state(valued(part("write", "1", "receiver", event.KindValue, "write"), `W{Out: *bytes.Buffer("1")}`, `W{Out: *bytes.Buffer("2")}`), "receiver.Out.buf", "1", "2")
	memory := after("Push", "b := Pop()\nPush(0)\nb", "Pop", "Push")
	given := part("Push", "b", "argument 1", event.KindValue, "Pop", "Push")
	given.Origin, memory.Origin = event.OriginSequence, event.OriginSequence
	misused := part("Add", "1", "result", event.KindValue, "Add")
	misused.Misuse, misused.Exported = event.NilArgument, true
	panics := func(f event.Finding, message string) event.Finding {
		f.Head = event.Result{Outcome: event.Panic, Message: message}
		return f
	}
	fails := forced(event.KindValue, "serve", "fix")
	errs := func(f event.Finding, text string) event.Finding {
		f.Head.Value = `error("` + text + `")`
		return f
	}
	observed := forced(event.KindValue, "fix", "serve")
	observed.Rung, observed.Negations = event.Observed, nil
	trace := part("Trace", "1", "result", event.KindValue, "walk")
	parsed := part("Parse", "2", "error", event.KindErrorToValue, "walk")
	parsed.Through = "Trace"
	crashed := func(f event.Finding) event.Finding {
		f.Kind, f.Component, f.Base = event.KindErrorToValue, "panic", event.Result{Outcome: event.Panic, Message: "runtime error: index out of range [1]"}
		return f
	}
	buffer := func(setUp, call string) event.Finding {
		f := sequence(call, "", "Push")
		f.Input = setUp + "\nb." + call + "()"
		f.ID = ID(f)
		return f
	}
	noted := valued(after("Each", "var called []string\nEach(func(s string) { called = append(called, fmt.Sprint(s)) })\ncalled", "line", "quote"), `["a"]`, `["b"]`)
	crashing := func(function string, line int, changed ...string) event.Finding {
		f := panics(part(function, "1", "panic", event.KindPanic, changed...), "runtime error: index out of range ["+strconv.Itoa(line)+"]")
		f.Head.File, f.Head.Line = "scan.go", line
		return f
	}
	fails.Function = "serve"
	for name, test := range map[string]struct {
		findings []event.Finding
		want     int
	}{
		"one text, as an error and as a panic":      {[]event.Finding{errs(part("Parse", "1", "error", event.KindValueToError, "get"), "bad filter: regexp is wrong: a backslash at end"), panics(part("Find", "2", "panic", event.KindPanic, "get", "all"), "a backslash at end")}, 1},
		"another text of an error":                  {[]event.Finding{errs(part("Parse", "1", "error", event.KindValueToError, "get", "one"), "a backslash at end"), errs(part("Find", "2", "error", event.KindValueToError, "get", "all"), "not one character")}, 2},
		"one text over nothing in common":           {[]event.Finding{errs(part("Parse", "1", "error", event.KindValueToError, "get"), "a backslash at end"), panics(part("Find", "2", "panic", event.KindPanic, "all"), "a backslash at end")}, 2},
		"forced beside what a test sees":            {[]event.Finding{observed, forced(event.KindValue, "fix")}, 1},
		"what is called, and what calls it":         {[]event.Finding{trace, parsed}, 1},
		"a state that base crashes with":            {[]event.Finding{buffer("b := New(1)", "Push"), crashed(buffer("b := New(1)", "With"))}, 1},
		"another state that base crashes with":      {[]event.Finding{buffer("b := New(1)", "Push"), crashed(buffer("b := New(2)", "With"))}, 2},
		"a state made of nothing":                   {[]event.Finding{buffer("b := New()", "Push"), crashed(buffer("b := New()", "With"))}, 2},
		"what no function is known to change":       {[]event.Finding{valued(part("Next", "1", "result", event.KindValue), `Node("")`, `Node("a")`), valued(part("Move", "1", "receiver", event.KindValue), `Node("")`, `Node("a")`)}, 1},
		"other values of an unknown change":         {[]event.Finding{valued(part("Next", "1", "result", event.KindValue), `Node("")`, `Node("a")`), valued(part("Move", "1", "receiver", event.KindValue), `Node("")`, `Node("b")`)}, 2},
		"short values of an unknown change":         {[]event.Finding{valued(part("Next", "1", "result", event.KindValue), "1", "2"), valued(part("Move", "1", "receiver", event.KindValue), "1", "2")}, 2},
		"printed, and given as a text":              {[]event.Finding{valued(part("Bytes", "1", "result", event.KindValue, "line", "quote"), `[]byte("a")`, `[]byte("b")`), valued(part("Fatal", "2", event.ComponentStderr, event.KindValue, "line", "quote"), `"a\n"`, `"c\n"`)}, 1},
		"given to a function of ours, and back":     {[]event.Finding{valued(part("Bytes", "1", "result", event.KindValue, "line", "quote"), `[]byte("a")`, `[]byte("b")`), noted}, 1},
		"given to a function of ours, and a number": {[]event.Finding{valued(part("Len", "1", "result", event.KindValue, "line", "quote"), "1", "2"), noted}, 2},
		"one crash, on two ways to it":              {[]event.Finding{crashing("Parse", 7, "read", "scan"), crashing("Next", 7, "scan", "skip")}, 1},
		"two crashes, on two ways to them":          {[]event.Finding{crashing("Parse", 7, "read", "scan"), crashing("Next", 9, "scan", "skip")}, 2},
		"printed, and written to a buffer":          {[]event.Finding{valued(part("Fprint", "1", "argument 1", event.KindValue, "line", "quote"), `[*bytes.Buffer("a")]`, `[*bytes.Buffer("b")]`), valued(part("Print", "2", event.ComponentStdout, event.KindValue, "line", "quote"), `"a\n"`, `"c\n"`)}, 1},
		"printed where nothing was, by two":         {[]event.Finding{valued(part("Fatal", "1", event.ComponentStderr, event.KindValue, "line", "quote"), `""`, `"a\n"`), valued(part("Print", "2", event.ComponentStderr, event.KindValue, "line"), `""`, `"c\n"`)}, 1},
		"printed otherwise, by two":                 {[]event.Finding{valued(part("Fatal", "1", event.ComponentStderr, event.KindValue, "line", "quote"), `"b"`, `"a\n"`), valued(part("Print", "2", event.ComponentStderr, event.KindValue, "line", "skip"), `""`, `"c\n"`)}, 2},
		"printed, and given as a number":            {[]event.Finding{valued(part("Len", "1", "result", event.KindValue, "line", "quote"), "1", "2"), valued(part("Fatal", "2", event.ComponentStderr, event.KindValue, "line", "quote"), `"a\n"`, `"c\n"`)}, 2},
		"one panic over one function":               {[]event.Finding{panics(part("Select", "1", "panic", event.KindPanic, "Select"), "no type"), panics(part("Query", "2", "panic", event.KindPanic, "Select", "get"), "no type")}, 1},
		"another panic over one function":           {[]event.Finding{panics(part("Select", "1", "panic", event.KindPanic, "Select"), "no type"), panics(part("Query", "2", "panic", event.KindPanic, "Select", "get"), "no name")}, 2},
		"forced in what an input makes fail":        {[]event.Finding{panics(part("Serve", "1", "panic", event.KindPanic, "serve", "look"), "no type"), fails}, 1},
		"written through an unchanged function":     {[]event.Finding{write, written("buf := NewBuffer()\nl := New(buf)\nl.Print()\nbuf")}, 1},
		"written to what was not given":             {[]event.Finding{write, written("buf := l.Buffer()\nl.Print()\nbuf")}, 2},
		"one state, beside other functions":         {[]event.Finding{state(part("Type", "1", "receiver", event.KindValue, "parse"), "receiver.n", "0", ""), state(valued(part("Int", "1", "receiver", event.KindValue, "parse", "Int"), "3", "4"), "receiver.n", "0", "")}, 1},
		"memory seen in two ways":                   {[]event.Finding{given, memory}, 1},
		"one argument, an error and an exit":        {[]event.Finding{plain(part("Parse", "&T{}", "error", event.KindValueToError, "Parse"), event.Pass), plain(part("MustParse", "&T{}", "panic", event.KindPanic, "Parse"), event.Panic)}, 1},
		"two arguments, an error and an exit":       {[]event.Finding{plain(part("Parse", "&T{}", "error", event.KindValueToError, "Parse"), event.Pass), plain(part("MustParse", "&U{}", "panic", event.KindPanic, "Parse"), event.Panic)}, 2},
		"what nobody gives, and what somebody does": {[]event.Finding{misused, part("Add", "22222", "result", event.KindValue, "Add")}, 2},
		"a result and what is seen afterwards":      {[]event.Finding{part("Chunk", "1", "result", event.KindValue, "Chunk"), after("Chunk", "a := Chunk(l); l[0] = 1; a", "Chunk")}, 2},
		"a write and an append afterwards":          {[]event.Finding{after("Chunk", "a := Chunk(l); l[0] = 1; a", "Chunk"), after("Chunk", "a := Chunk(l); _ = append(a[0], 1); a", "Chunk")}, 2},
		"two results":                               {[]event.Finding{part("Chunk", "1", "result", event.KindValue, "Chunk"), part("Chunk", "22", "result", event.KindValue, "Chunk")}, 1},
		"something lost, something else":            {[]event.Finding{part("Chunk", "1", "result", event.KindValue, "Chunk"), valued(part("Chunk", "22", "result", event.KindValue, "Chunk"), "[1]", "[]")}, 1},
		"a result and an argument":                  {[]event.Finding{part("Sort", "1", "result", event.KindValue, "Sort"), part("Sort", "22", "argument 1", event.KindValue, "Sort")}, 1},
		"through a call that differs by itself":     {[]event.Finding{after("Chunk", "a := Chunk(l); l[0] = 1; a", "Chunk"), through}, 1},
		"without a call that differs by itself":     {[]event.Finding{after("Chunk", "a := Chunk(l); l[0] = 1; a", "Chunk"), alone}, 2},
		"the very same over one helper":             {[]event.Finding{valued(part("Add", "1", "result", event.KindValue, "Add", "fix"), "0", "-0"), valued(part("Sub", "1", "result", event.KindValue, "Sub", "fix"), "0", "-0")}, 1},
		"something else over one helper":            {[]event.Finding{valued(part("Add", "1", "result", event.KindValue, "Add", "fix"), "0", "-0"), valued(part("Sub", "1", "result", event.KindValue, "Sub", "fix"), "1", "2")}, 2},
		"the very same over nothing in common":      {[]event.Finding{valued(part("Add", "1", "result", event.KindValue, "Add"), "0", "-0"), valued(part("Sub", "1", "result", event.KindValue, "Sub"), "0", "-0")}, 2},
		"one function, told apart by what changed":  {[]event.Finding{sequence("Serve", "1", "routes"), sequence("Serve", "22", "remove", "routes")}, 2},
		"forced beside what an input shows":         {[]event.Finding{part("Add", "1", "result", event.KindValue, "Add", "fix"), forced(event.KindValue, "fix")}, 1},
		"forced elsewhere":                          {[]event.Finding{part("Add", "1", "result", event.KindValue, "Add", "fix"), forced(event.KindValue, "other")}, 2},
		"forced, and worse":                         {[]event.Finding{part("Add", "1", "result", event.KindValue, "Add", "fix"), forced(event.KindPanic, "fix")}, 2},
		"through a call, but in another outcome":    {[]event.Finding{part("Chunk", "1", "error", event.KindValueToError, "Chunk"), through}, 2},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := items(Group(test.findings, Changes{}))
			if len(got) != test.want {
				t.Errorf("%d items, want %d: %q", len(got), test.want, got)
			}
			if d := cmp.Diff(got, items(Group([]event.Finding{test.findings[1], test.findings[0]}, Changes{}))); d != "" {
				t.Errorf("the order of the findings matters:\n%s", d)
			}
		})
	}
}

// TestUnknownCause tells that an item which is shown by calls without a known changed function is
// accepted whole, beside a function that is known and alone, and by nothing but this change.
func TestUnknownCause(t *testing.T) {
	t.Parallel()
	shown := func(function string, changed ...string) event.Finding {
		f := part(function, "1", "result", event.KindValue, changed...)
		f.Base.Value, f.Head.Value = `Node("")`, `Node("a")`
		return f
	}
	query, next, move, other := shown("Query", "Query"), shown("Next"), shown("Move"), shown("Open")
	other.Head.Value = `Node("b")`
	through := func(digest string) Changes {
		return ChangesOf([]event.Match{{Changed: []event.ChangedItem{{Function: "Query", Status: event.StatusThrough, Digest: digest}}}})
	}
	for name, findings := range map[string][]event.Finding{
		"beside one that is known": {query, next, move, other},
		"alone":                    {next, move, other},
	} {
		changes := through("1")
		grouped := Group(findings, changes)
		causes := changes.Causes(grouped)
		cause, found := causes.Find(grouped[0].Cause)
		if !found {
			t.Fatalf("%s: the cause of the first item is not found", name)
		}
		for i, covered := range cause.Covered(grouped) {
			if covered != (grouped[i].Function != "Open") {
				t.Errorf("%s: %s is covered: %t", name, grouped[i].Function, covered)
			}
		}
		if again := through("2"); Group(findings, again)[0].Cause == grouped[0].Cause {
			t.Errorf("%s: another change has the same cause", name)
		}
	}
	alone := Group([]event.Finding{query}, through("1"))[0].Cause
	cause, found := through("1").Causes(Group([]event.Finding{query, next}, through("1"))).Find(alone)
	if !found || cause.explains(next) || !cause.explains(query) {
		t.Error("what was accepted of a function that is known accepts what is not")
	}
}

// Values that differ in the texts of errors alone, or in what is nil or empty, are of that kind.
func TestPartsDecideTheKind(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		base, head string
		want       event.Kind
	}{
		{`[error("a b")]`, `[error("c \"d\"")]`, event.KindErrorText},
		{`[error("a")]`, `[error("a") error("b")]`, event.KindValue},
		{`nil, error("a")`, `1, error("b")`, event.KindValue},
		{`&{A:[]}`, `&{A:[]*struct { A int }(nil)}`, event.KindNilEmpty},
		{`&{A:[1]}`, `&{A:[]*struct { A int }(nil)}`, event.KindValue},
		{`["a" "b`, `["a" "b`, event.KindValue},                                // cut off
		{`nil, error("unexpected EOF")`, `nil, error("EOF")`, event.KindValue}, // the end of a stream is no failure
	} {
		seen := func(value string) outcome.Text { return outcome.Text{Category: 'v', Value: value} }
		if got := ValueKind(seen(test.base), seen(test.head)); got != test.want {
			t.Errorf("%s, %s: %s, want %s", test.base, test.head, got, test.want)
		}
	}
}

// TestGroupThrough tells that what MustParse and UnmarshalText show of Parse is told of Parse,
// at the place of what is worst, and that accepting it accepts all of it.
func TestGroupThrough(t *testing.T) {
	t.Parallel()
	parse := event.Finding{ID: "1", Rung: event.Reached, Package: "p", Function: "Parse", Input: `Parse("1")`, Component: "error", Exported: true,
		Kind: event.KindValueToError, Changed: []string{"scan"}, Base: event.Result{Outcome: event.Pass}, Head: event.Result{Outcome: event.Pass}}
	must, text, other := parse, parse, parse
	must.ID, must.Function, must.Input, must.Component, must.Kind, must.Through = "2", "MustParse", `MustParse("1")`, "panic", event.KindPanic, "Parse"
	must.Head.Outcome = event.Panic
	text.ID, text.Function, text.Input, text.Through = "3", "(*D).UnmarshalText", `d.UnmarshalText([]byte("1"))`, "Parse"
	other.ID, other.Function, other.Input, other.Kind, other.Component = "4", "Format", `Format(1)`, event.KindPanic, "panic"
	other.Head.Outcome, other.Changed = event.Panic, []string{"print"}
	changes := ChangesOf([]event.Match{{Changed: []event.ChangedItem{{Function: "scan", Digest: "a"}, {Function: "print", Digest: "b"}}}})
	grouped := Group([]event.Finding{other, must, text, parse}, changes)
	clusters := map[string]string{}
	var representatives []string
	for _, f := range grouped {
		clusters[f.Function] = f.Cluster
		if f.Representative {
			representatives = append(representatives, f.Function)
		}
	}
	if clusters["Parse"] != clusters["MustParse"] || clusters["Parse"] != clusters["(*D).UnmarshalText"] || clusters["Parse"] == clusters["Format"] {
		t.Errorf("clusters are %v", clusters)
	}
	if slices.Sort(representatives); !slices.Equal(representatives, []string{"Format", "Parse"}) {
		t.Errorf("representatives are %v", representatives)
	}
	cause := causeOf(parse)
	if covered := cause.Covered([]event.Finding{parse, must, text, other}); !slices.Equal(covered, []bool{true, true, true, false}) {
		t.Errorf("covered are %v", covered)
	}
	if panics := causeOf(must); panics.explains(parse) {
		t.Error("a panic that is accepted accepts no error")
	}
}

// An inner function leads only where somebody would call it like that.
func TestInnermostIsNatural(t *testing.T) {
	t.Parallel()
	serve := event.Finding{ID: "1", Rung: event.Reached, Package: "p", Function: "(*Router).ServeHTTP", Input: `router.ServeHTTP(r, "/")`, Through: "(*Route).Match",
		Component: "argument 1", Exported: true, Kind: event.KindValue, Changed: []string{"(*Route).Match"},
		Base: event.Result{Outcome: event.Pass, Value: "405"}, Head: event.Result{Outcome: event.Pass, Value: "404"}}
	for input, want := range map[string]string{
		`route.Match("/")`:                     "(*Route).Match",
		`route.Match("/", &Match{Err: nil})`:   "(*Router).ServeHTTP",
		`route.Match("/", nil, (*Match)(nil))`: "(*Router).ServeHTTP",
	} {
		match := serve
		match.ID, match.Function, match.Through, match.Input, match.Component = "2", "(*Route).Match", "", input, "result"
		for _, f := range Group([]event.Finding{serve, match}, Changes{}) {
			if f.Representative && f.Function != want {
				t.Errorf("beside %s, %s leads", input, f.Function)
			}
		}
	}
}

// Of calls of one function that show the same, one with a test to paste stands for the others, and not one of another
// function, nor one that reads worse.
func TestRepresentativeHasATest(t *testing.T) {
	t.Parallel()
	call := func(id, function, input, test string) event.Finding {
		return event.Finding{ID: id, Rung: event.Reached, Package: "p", Function: function, Component: "error", Kind: event.KindValueToError, Input: input,
			Origin: event.OriginPlain, Changed: []string{"parse"}, Exported: true, GoTest: test,
			Base: event.Result{Outcome: event.Pass, Value: "nil"}, Head: event.Result{Outcome: event.Pass, Value: `error("bad")`}}
	}
	for name, test := range map[string]struct {
		other event.Finding
		want  string
	}{
		"the same function": {call("b", "Parse", `Parse("aab")`, "func TestB(t *testing.T) {}"), "b"},
		"without a test":    {call("b", "Parse", `Parse("aab")`, ""), "a"},
		"another function":  {call("b", "Walk", `Walk("aab")`, "func TestB(t *testing.T) {}"), "a"},
		"worse to read":     {call("b", "Parse", `Parse("\xff\xfe")`, "func TestB(t *testing.T) {}"), "a"},
	} {
		// It was found early, and a test of the change needs the edit to blame; of what is found late that is not known.
		test.other.Blamed = []event.Edit{{File: "p.go", Line: 3, EndLine: 4, ExpectedBy: "TestParse"}}
		var got []string
		for _, f := range Group([]event.Finding{call("a", "Parse", `Parse("aa")`, ""), test.other}, Changes{}) {
			if f.Representative {
				got = append(got, f.ID)
			}
		}
		if !slices.Equal(got, []string{test.want}) {
			t.Errorf("%s: %q, want %q", name, got, test.want)
		}
	}
}

package event

import "testing"

// What head stumbles over in an input that nobody fills comes behind a value that
// callers lose, and every other panic before it.
func TestHarmOfUnfilledInputs(t *testing.T) {
	t.Parallel()
	call := func(kind Kind, input, message string) Finding {
		f := Finding{Rung: Reached, Kind: kind, Function: "Render", Exported: true, Input: input,
			Base: Result{Outcome: Pass, Value: "1"}, Head: Result{Outcome: Pass, Value: "2"}}
		if message != "" {
			f.Head = Result{Outcome: Panic, Message: message}
		}
		return f
	}
	const dereference = "runtime error: invalid memory address or nil pointer dereference"
	value := call(KindValue, `Render("a")`, "")
	for name, test := range map[string]struct {
		f     Finding
		first bool // before the value
	}{
		"an index":                      {call(KindPanic, `Render(&Page{})`, "runtime error: index out of range [1]"), true},
		"a filled struct":               {call(KindPanic, `Render(&Page{Title: "a"})`, dereference), true},
		"the zero value as receiver":    {call(KindPanic, "p := &Page{}\np.Render(1)", dereference), true},
		"an empty list":                 {call(KindPanic, `Render([]Page{}, map[string]Page{})`, dereference), true},
		"the zero value of a struct":    {call(KindPanic, `Render(&Page{})`, dereference), false},
		"one of another package, as it": {call(KindPanic, `Render(1, html.Page{})`, "assignment to entry in nil map"), false},
		"nil of a type":                 {call(KindPanic, `Render((*Page)(nil))`, dereference), false},
		"an inner function's own state": {call(KindValue, `Render(&Page{Err: nil})`, ""), false},
	} {
		if got := CompareFindings(test.f, value) < 0; got != test.first {
			t.Errorf("%s: before the value %v, want %v", name, got, test.first)
		}
	}
	logged := call(KindValue, `Render("a")`, "")
	logged.Component = ComponentStderr
	if CompareFindings(call(KindPanic, `Render(&Page{})`, dereference), logged) >= 0 {
		t.Error("what is logged comes before a panic")
	}
	if value.Base.Value += " and more"; CompareFindings(value, logged) >= 0 {
		t.Error("what is logged comes before a value")
	}
}

// What meets a value of another kind than it takes says nothing about what is missing; what meets
// nothing does.
func TestPanics(t *testing.T) {
	t.Parallel()
	for message, want := range map[string][2]bool{
		"runtime error: index out of range [0] with length 0": {true, false},
		"assignment to entry in nil map":                      {true, false},
		"a shape without a kind":                              {false, true},
		"reflect.Value.Interface: cannot return value obtained from unexported field or method":          {false, false},
		"reflect.Set: value of type *bool is not assignable to type int":                                 {false, false},
		"reflect: call of reflect.Value.Type on zero Value":                                              {false, true},
		"interface conversion: interface {} is int, not string":                                          {false, false},
		"interface conversion: interface is nil, not fmt.Stringer":                                       {false, true},
		"encoding: reflect.Value.Interface: cannot return value obtained from unexported field, somehow": {false, true},
	} {
		crash, refusal := Finding{Base: Result{Outcome: Pass}, Head: Result{Outcome: Panic, Message: message}}.Panics()
		if crash != want[0] || refusal != want[1] {
			t.Errorf("%s: %t, %t", message, crash, refusal)
		}
	}
}

// Of calls that do the same harm those come first that show what no edited test asks for.
func TestWantedComesLater(t *testing.T) {
	t.Parallel()
	call := func(id string, edits ...Edit) Finding {
		return Finding{ID: id, Rung: Reached, Kind: KindValue, Function: "F", Exported: true, Input: "F(1)", GoTest: "x",
			Base: Result{Outcome: Pass, Value: "1"}, Head: Result{Outcome: Pass, Value: "2"}, Blamed: edits}
	}
	wanted := call("a", Edit{File: "f.go", Line: 1, ExpectedBy: "TestF"})
	for _, other := range []Finding{
		call("b"),
		call("b", Edit{File: "f.go", Line: 9}),
		call("b", Edit{File: "f.go", Line: 1, ExpectedBy: "TestF"}, Edit{File: "f.go", Line: 9}),
	} {
		if CompareFindings(other, wanted) >= 0 {
			t.Errorf("%+v comes behind %+v", other.Blamed, wanted.Blamed)
		}
	}
	worse := wanted
	worse.Kind, worse.Head = KindPanic, Result{Outcome: Panic, Message: "runtime error: index out of range [1]"}
	if CompareFindings(worse, call("b")) >= 0 {
		t.Error("a panic comes behind a value")
	}
}

// What a test sees of a method inside comes behind what users of the package can call.
func TestMethodsInsideComeLater(t *testing.T) {
	seen := func(site string) Finding {
		return Finding{Rung: Observed, Kind: KindValue, Base: Result{Outcome: Pass, Site: site, Value: "1"}, Head: Result{Outcome: Pass, Site: site, Value: "2"}}
	}
	call := func(exported bool) Finding {
		return Finding{Rung: Reached, Kind: KindValue, Exported: exported, Base: Result{Outcome: Pass, Value: "a long value"}, Head: Result{Outcome: Pass, Value: "another"}}
	}
	order := []Finding{seen("c.Len()"), call(true), seen("c.writeState(buffer)")}
	for i, a := range order {
		for _, b := range order[i+1:] {
			if CompareFindings(a, b) >= 0 || CompareFindings(b, a) <= 0 {
				t.Errorf("%q %s does not come before %q %s", a.Base.Site, a.Rung, b.Base.Site, b.Rung)
			}
		}
	}
	if CompareFindings(seen("store.Get(key)"), call(false)) >= 0 || CompareFindings(call(true), call(false)) >= 0 {
		t.Error("what is not exported comes first")
	}
}

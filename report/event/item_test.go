package event

import (
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
)

// TestItems tells which differences are told as one thing, and which are not although they have something in common.
func TestItems(t *testing.T) {
	t.Parallel()
	edit := func(line, end int, by string) Edit {
		return Edit{File: "a.go", Line: line, EndLine: end, ExpectedBy: by}
	}
	found := func(kind Kind, edits ...Edit) Finding {
		f := Finding{Package: "p", Rung: Reached, Kind: kind, Base: Result{Outcome: Pass}, Head: Result{Outcome: Pass}, Changed: []string{"f"}, Blamed: edits}
		if kind == KindPanic {
			f.Head.Outcome = Panic
		}
		return f
	}
	alike := func(line int, how string) Edit {
		e := edit(line, line, "")
		e.Alike = how
		return e
	}
	long := func(line int, how string) Edit {
		e := edit(line, line+80, "")
		e.Alike = how
		return e
	}
	ran := func(f Finding, changed ...string) Finding { f.Changed = changed; return f }
	behind := func(kind Kind, changed ...string) Finding {
		f := ran(found(kind), changed...)
		f.Rung = Forced
		return f
	}
	forcing := func(condition string, f Finding) Finding {
		f.Negations = []Negation{{ID: condition, Taken: true}}
		return f
	}
	gives := func(function, base, head string) Finding {
		f := found(KindValue)
		f.Function, f.Base.Value, f.Head.Value, f.Changed = function, base, head, nil
		return f
	}
	after := func(function string) Finding {
		f := found(KindValueToError)
		f.Function, f.AfterError, f.Changed = function, true, []string{function}
		return f
	}
	of := func(function string, f Finding) Finding { f.Function = function; return f }
	failing := func(changed, head string) Finding {
		f := ran(found(KindValueToError), changed)
		f.Head.Value = head
		return f
	}
	part := func(path, base, head, changed string) Finding {
		f := ran(found(KindValue, edit(len(changed), 3, "")), changed)
		f.Blamed[0].File, f.Differs = changed, []PartDiffers{{Path: path, Base: base, Head: head}}
		return f
	}
	told := found(KindValue)
	told.Input = "var called []string\nf(func(n int) { called = append(called, fmt.Sprint(n)) })\ncalled"
	elsewhere := found(KindErrorToValue)
	elsewhere.Package = "q"
	by := func(f Finding, e Edit) Finding {
		f.Blamed = []Edit{e}
		return f
	}
	encoded := func(changed, input, path string) Finding {
		f := ran(found(KindValue), changed)
		f.Component, f.Input, f.Differs = ComponentValue, input, []PartDiffers{{Path: path, Base: input + " 2", Head: input + " 4"}}
		return f
	}
	for name, test := range map[string]struct {
		list []Finding
		want [][]int
	}{
		"what a method wrote to a variable": {[]Finding{encoded("f", "enc := NewEncoder(buf)\nenc.Encode(1)\nbuf", "value.buf"), encoded("g", "F()\nenc2 := NewEncoder(buf)\nenc2.Encode(2)\nbuf", "value.buf"),
			encoded("h", "enc.Encode(1)\nenc.Flush()\nbuf", "value.buf"), encoded("i", "enc.Encode(1)\nbuf", "value.off")}, [][]int{{0, 1}, {2}, {3}}},
		"one short edit":                              {[]Finding{found(KindValueToError, edit(3, 3, "")), found(KindValue, edit(3, 3, ""))}, [][]int{{0, 1}}},
		"given, and told to a function of ours":       {[]Finding{found(KindValue), told}, [][]int{{0, 1}}},
		"given, and told by another changed function": {[]Finding{found(KindValue), ran(told, "g")}, [][]int{{0}, {1}}},
		"documents of two types":                      {[]Finding{of("recodedA", ran(found(KindValue))), of("recodedB", ran(found(KindValue))), of("recodedC", ran(found(KindValueToError)))}, [][]int{{0, 1}, {2}}},
		"a long edit of one function":                 {[]Finding{of("A", found(KindValueToError, edit(3, 90, ""))), of("A", found(KindValue, edit(3, 90, "")))}, [][]int{{0, 1}}},
		"a long edit of two":                          {[]Finding{of("A", found(KindValueToError, edit(3, 90, ""))), of("B", found(KindValue, edit(3, 90, "")))}, [][]int{{0}, {1}}},
		"what a part of it mends":                     {[]Finding{of("A", found(KindValue, edit(3, 90, ""))), of("B", found(KindErrorToValue, edit(9, 12, "")))}, [][]int{{0, 1}}},
		"what a long edit mends":                      {[]Finding{found(KindValue, edit(3, 90, "")), found(KindErrorToValue, edit(3, 90, ""))}, [][]int{{0, 1}}},
		"edits that do the same": {[]Finding{found(KindValue, alike(3, "a")), found(KindValue, alike(9, "a")), found(KindValue, alike(15, "b"))},
			[][]int{{0, 1}, {2}}},
		"long edits that do the same": {[]Finding{of("A", found(KindValue, long(3, "a"))), of("B", found(KindValue, long(90, "a"))), of("C", found(KindValueToError, long(180, "a"))), of("D", found(KindValue, long(3, "a")))},
			[][]int{{0, 1}, {2}, {3}}},
		"other edits": {[]Finding{found(KindValue, edit(3, 3, "")), found(KindValue, edit(9, 9, "")), found(KindErrorToValue, edit(19, 19, ""))}, [][]int{{0, 2}, {1}}},
		"one part of a value": {[]Finding{part("result.Kind", "1", "2", "f"), part("result.Kind", "1", "3", "g"), part("result.Kind", "0", "4", "h"), part("result", "1", "2", "i"), part("result", "1", "2", "j")},
			[][]int{{0, 1}, {2}, {3}, {4}}},
		"a part of another value": {[]Finding{part(`result["log"]`, `"/root/.config/a.log"`, `"/root/.local/a.log"`, "f"), of("G", by(gives("G", `"/root/.config/a.log"`, `"/root/.local/a.log"`), edit(90, 91, ""))),
			part("result[4].Log", `"/root/.config/a.log"`, `"/root/.local/a.log"`, "h"), part("result[4].N", `"a"`, `"b"`, "i"), part("result.M", `"a"`, `"b"`, "j")}, [][]int{{0, 1, 2}, {3}, {4}}},
		"one test needs both": {[]Finding{found(KindPanic, edit(3, 3, "T")), found(KindValue, edit(9, 30, "T"))}, [][]int{{0, 1}}},
		"one test needs both, and head fails": {[]Finding{found(KindPanic, edit(3, 3, "T")), found(KindValueToError, edit(9, 30, "T"))},
			[][]int{{0}, {1}}},
		"tests need them": {[]Finding{found(KindValue, edit(3, 3, "T")), found(KindValue, edit(9, 9, "U"))}, [][]int{{0}, {1}}},
		"no test does":    {[]Finding{found(KindValue, edit(3, 3, "")), found(KindValue, edit(9, 9, ""))}, [][]int{{0}, {1}}},
		"unknown edits, what is mended in the same functions": {[]Finding{ran(found(KindValue), "f", "g"), found(KindErrorToValue), ran(found(KindErrorToValue), "h"), elsewhere},
			[][]int{{0, 1}, {2}, {3}}},
		"the same values": {[]Finding{gives("F", `&List{Items: ["a"]}`, `&List{Items: []}`), gives("F", `&List{Items: ["a"]}`, `&List{Items: []}`),
			gives("G", `&List{Items: ["a"]}`, `&List{Items: []}`), gives("F", "true", "false"), gives("F", "true", "false")}, [][]int{{0, 1}, {2}, {3}, {4}}},
		"the same errors": {[]Finding{gives("F", `error("EOF")`, `error("bad: EOF")`), gives("G", `error("EOF")`, `error("bad: EOF")`), gives("G", `error("EOF")`, `error("a: EOF")`)}, [][]int{{0, 1}, {2}}},
		"after an error":  {[]Finding{found(KindValueToError), after("(*T).Next"), after("(*T).Read"), after("(*U).Next")}, [][]int{{0}, {1, 2}, {3}}},
		"unknown edits":   {[]Finding{ran(found(KindPanic), "f", "g"), ran(found(KindValue), "g", "h"), ran(found(KindValue), "h"), ran(found(KindPanic), "g")}, [][]int{{0, 1, 3}, {2}}},
		"unknown edits, and head fails in the same words": {[]Finding{failing("f", `error("1 byte left at 3")`), failing("g", `error("1 byte left at 12")`), failing("h", `error("no byte left")`)}, [][]int{{0, 1}, {2}}},
		"other edits of a function, and head fails in the same words": {[]Finding{by(failing("f", `error("1 byte left")`), edit(3, 3, "")), by(failing("f", `error("2 byte left")`), edit(90, 99, "")), by(failing("g", `error("1 byte left")`), edit(120, 130, ""))},
			[][]int{{0, 1}, {2}}},
		"unknown edits, and head fails in the later one": {[]Finding{found(KindValue), found(KindPanic)}, [][]int{{0}, {1}}},
		"what head mends": {[]Finding{ran(found(KindErrorToValue), "f"), ran(found(KindErrorToValue), "g")}, [][]int{{0, 1}}},
		"forced, where calls ran all": {[]Finding{found(KindValue), ran(found(KindValue), "g"), behind(KindValue, "f", "g"), behind(KindValue, "f", "h")},
			[][]int{{0, 2}, {1}, {3}}},
		"forced, where head fails": {[]Finding{found(KindValue), behind(KindValueToError, "f")}, [][]int{{0}, {1}}},
		"forced alone":             {[]Finding{behind(KindValue, "f"), behind(KindValue, "f")}, [][]int{{0}, {1}}},
		"forced by one condition": {[]Finding{forcing("a", behind(KindValue, "f")), forcing("b", behind(KindValue, "f")), forcing("a", behind(KindValue, "g")), forcing("a", behind(KindValueToError, "g"))},
			[][]int{{0, 2}, {1}, {3}}},
	} {
		if diff := gocmp.Diff(test.want, (&Stream{}).Relating().Items(test.list)); diff != "" {
			t.Errorf("%s (- want, + got):\n%s", name, diff)
		}
	}
	for function, want := range map[string]int{"f": 1, "g": 2} {
		broken := &Stream{Relations: []Relation{{Function: function, State: Broken}},
			Findings: []Finding{found(KindPanic, edit(3, 3, "")), ran(found(KindValue, edit(3, 3, "")), "f", function)}}
		if got := broken.Relating().Items(broken.Findings); len(got) != want {
			t.Errorf("the second breaks a relation of %s: %v, want %d items", function, got, want)
		}
	}
}

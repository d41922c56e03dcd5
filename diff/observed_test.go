package diff

import (
	"testing"

	"github.com/isodelta/isodelta/report/event"
)

func sight(test, site, base, head string, changed ...string) event.Finding {
	f := event.Finding{Type: "finding", Rung: event.Observed, Suite: "head", Package: "m", Function: changed[0], Test: test, Kind: event.KindValue, Changed: changed,
		Base: event.Result{Outcome: event.Pass, Value: base, Site: site}, Head: event.Result{Outcome: event.Pass, Value: head, Site: site}}
	f.ID = ID(f)
	return f
}

// What several tests see through one call is one item where it becomes the same otherwise; what
// becomes something of another shape, or through another call, is not.
func TestGroupObserved(t *testing.T) {
	t.Parallel()
	errs := sight("TestHyphens", "NewParser(dest)", "&Parser{…}, nil", `nil, error("too many hyphens")`, "NewParser", "process")
	errs.Kind = event.KindValueToError
	parse := part("NewParser", `&T{}`, "error", event.KindValueToError, "NewParser")
	fails := errs
	fails.Head.Outcome = event.Fail
	failing := func(test string, changed ...string) event.Finding {
		f := sight(test, "", "", "", changed...)
		f.Head.Outcome = event.Fail
		return f
	}
	misused := func(f event.Finding) event.Finding { f.Misuse = event.NilArgument; return f }
	only := func(f event.Finding, changed ...string) event.Finding { f.Changed = changed; return f }
	valued := func(f event.Finding) event.Finding { f.Kind = event.KindValue; return f }
	text := func(function, base, head string) event.Finding {
		f := part(function, "1", "argument 1", event.KindValue, "WriteJSON")
		f.Base.Value, f.Head.Value = base, head
		return f
	}
	differing := func(function, base, head string) event.Finding {
		f := part(function, "1", "argument 1", event.KindValue, function)
		f.Differs = []event.PartDiffers{{Path: "argument1.Map[\"b\"].Int", Base: base, Head: head}}
		return f
	}
	for name, test := range map[string]struct {
		findings []event.Finding
		want     int
	}{
		"one call, further functions":                    {[]event.Finding{sight("TestPush", `q.Push([]byte("b"))`, "6, nil", "3, nil", "push"), sight("TestPop", "q.Push(blob('b', 5))", "30, nil", "27, nil", "pop", "push")}, 1},
		"one call, nothing in common":                    {[]event.Finding{sight("TestPush", "q.Push(b)", "6, nil", "3, nil", "push"), sight("TestPop", "q.Push(b)", "30, nil", "27, nil", "pop")}, 2},
		"one call, of another type":                      {[]event.Finding{sight("TestA", "c.New[c.Date](nil)", `c.T[c.Date]("")`, "T[c.Date]{}", "String", "a"), sight("TestB", "c.New[c.Time](nil)", `c.T[c.Time]("")`, "T[c.Time]{}", "String", "b")}, 1},
		"another shape":                                  {[]event.Finding{sight("TestA", "headers[name]", `["a" "b"]`, `[""]`, "a", "b"), sight("TestB", "headers[name]", `["a" "b"]`, `["a, b"]`, "a")}, 2},
		"another call":                                   {[]event.Finding{sight("TestA", "q.Push(b)", "6", "3", "a", "b"), sight("TestB", "q.Len()", "6", "3", "a")}, 2},
		"seen by a test and shown by calls":              {[]event.Finding{errs, parse}, 1},
		"a test that fails":                              {[]event.Finding{fails, parse}, 2},
		"a test that fails for it":                       {[]event.Finding{only(fails, "NewParser"), parse}, 1},
		"two tests that fail":                            {[]event.Finding{failing("TestA", "a", "b"), failing("TestB", "b", "c")}, 1},
		"two tests with nothing in common":               {[]event.Finding{failing("TestA", "a", "b"), failing("TestB", "c")}, 2},
		"a test that fails otherwise":                    {[]event.Finding{only(fails, "NewParser"), valued(parse)}, 2},
		"a line feed more, twice":                        {[]event.Finding{sight("TestJSON", "w.Body", `"{\"a\":1}"`, `"{\"a\":1}\n"`, "WriteJSON"), text("(*Context).JSON", `*bytes.Buffer("false")`, `*bytes.Buffer("false\n")`)}, 1},
		"the same words twice, some functions in common": {[]event.Finding{only(text("Dump", `"Set [a-z] and then Set [a-z]"`, `"Set [a-f\tx-y0-9z] and then Set [a-f\tx-y0-9z]"`), "scan", "dump"), only(text("Write", `"Code{Set: [a-z] and then}"`, `"Code{Set: [a-f\tx-y0-9z] and then}"`), "scan", "write")}, 1},
		"other words, some functions in common":          {[]event.Finding{only(text("Dump", `"Set [a-z] and then Set [a-z]"`, `"Set [a-f\tx-y0-9z] and then Set [a-f\tx-y0-9z]"`), "scan", "dump"), only(text("Write", `"Code{Set: [a-z] and then}"`, `"Code{Set: [a-g\ty-z] and then}"`), "scan", "write")}, 2},
		"a value of what is called":                      {[]event.Finding{sight("TestGet", `c.New().Get("a")`, "1", "2", "a", "Get"), part("(*C).Get", "1", "result", event.KindValue, "Get")}, 1},
		"a value of what calls it":                       {[]event.Finding{sight("TestGet", `c.First("a")`, "1", "2", "a", "Get"), part("(*C).Get", "1", "result", event.KindValue, "Get")}, 2},
		"no changed function beside":                     {[]event.Finding{sight("TestJSON", "w.Body", `"{\"a\":1}"`, `"{\"a\":1}\n"`, "WriteJSON"), text("(*Context).JSON", `*bytes.Buffer("false")`, `*bytes.Buffer("false\t")`)}, 1},
		"parts with their values":                        {[]event.Finding{sight("TestInit", "s.Map", `map["a":{Int:0 On:false}]`, `map["a":{Int:1 On:true}]`, "set", "init"), differing("set", "0", "1")}, 1},
		"parts with other values":                        {[]event.Finding{sight("TestInit", "s.Map", `map["a":{Int:0 On:false}]`, `map["a":{Int:1 On:true}]`, "set", "init"), differing("set", "0", "2")}, 2},
		"beside what nobody gives":                       {[]event.Finding{sight("TestGet", `c.New().Get("a")`, "1", "2", "a", "Get"), misused(part("(*C).Get", "1", "result", event.KindValue, "Get"))}, 2},
		"another end, twice":                             {[]event.Finding{sight("TestJSON", "w.Body", `"{\"a\":1}"`, `"{\"a\":1}\n"`, "WriteJSON", "Close"), text("(*Context).JSON", `*bytes.Buffer("false")`, `*bytes.Buffer("false\t")`)}, 2},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, list := range [][]event.Finding{test.findings, {test.findings[1], test.findings[0]}} {
				got := Group(list, Changes{})
				if n := len(items(got)); n != test.want {
					t.Errorf("%d items, want %d", n, test.want)
				}
				for _, f := range got {
					if f.Representative && test.want == 1 && list[0].Kind == event.KindValueToError && f.Rung != event.Reached {
						t.Error("a test leads, and not the call that has an input")
					}
				}
			}
		})
	}
}

// What comes of one upgraded dependency is one item, whichever function shows it; functions that
// changed themselves, and those that execute other parts of it, are told apart.
func TestGroupDependencies(t *testing.T) {
	t.Parallel()
	through := func(function string, of ...string) event.ChangedItem {
		return event.ChangedItem{Function: function, Status: event.StatusThrough, Through: []event.Through{{Module: "example.com/width", Base: "v1", Head: "v2", Functions: of, Count: len(of)}}}
	}
	value := func(function, base, head string) event.Finding {
		f := part(function, "1", "result", event.KindValue, function)
		f.Base.Value, f.Head.Value = base, head
		return f
	}
	changes := ChangesOf([]event.Match{{Changed: []event.ChangedItem{through("Width", "Of"), through("Wrap", "Of"), through("Cut", "Of", "Truncate"), {Function: "Own", Status: "changed"}}}})
	for want, findings := range map[int][]event.Finding{
		1: {value("Width", "2", "1"), value("Wrap", "[a b]", "[ab]")},
		2: {value("Width", "2", "1"), value("Own", "a", "b")},
		3: {value("Width", "2", "1"), value("Cut", "ab", "a"), value("Own", "a", "b")},
	} {
		if got := items(Group(findings, changes)); len(got) != want {
			t.Errorf("%d items, want %d: %q", len(got), want, got)
		}
	}
}

package event

import (
	"strings"
	"testing"
)

// What a stream calls a package, a test, a file or a shard is handed on to the go
// command and to file systems, so nothing else may stand there.
func TestFormats(t *testing.T) {
	t.Parallel()
	good := map[string][]string{
		importPath: {"", "m", "example.com/m", "example.com/m/v2/x_test", "gopkg.in/yaml.v3"},
		testName:   {"", "TestF", "ExampleT_M", "FuzzÄ", "TestF/a sub-test: with \"text\""},
		localPath:  {"", ".", "f.go", "a dir/f.go", "a/..b/f.go", "é.go"},
		shardName:  {"", "1/1", "2/4"},
	}
	bad := map[string][]string{
		importPath: {"-toolexec=sh -c id", "-o", "a b", "./...", "./x", "../x", "/x", "a/../b", "a\x00", "a\nb", "m=-o", "a@v1", "<b>", "..."},
		testName:   {"-run", "Test F", "a.b", "/x", "1", "<b>", "Test\x00"},
		localPath:  {"/etc/passwd", "..", "../x", "a/../../x", `..\x`, `c:\x`, "a\x00b"},
		shardName:  {"0/1", "2/1", "@octo/admins", "1/2 see x", "01/2", "1/2/3"},
	}
	for format, list := range good {
		for _, s := range list {
			if err := checkFormat(format, s); err != nil {
				t.Errorf("%s: %q %v", format, s, err)
			}
		}
	}
	for format, list := range bad {
		for _, s := range list {
			if checkFormat(format, s) == nil {
				t.Errorf("%s: %q is taken for one", format, s)
			}
		}
	}
	finding := Finding{ID: "a", Rung: Observed, Suite: "head", Test: "T", Kind: "value", Cluster: "c", Base: Result{Outcome: Pass}, Head: Result{Outcome: Fail}}
	for field, change := range map[string]func(*Finding){
		`"package"`: func(f *Finding) { f.Package = "-x" }, `"test"`: func(f *Finding) { f.Test = "-x" }, `"file"`: func(f *Finding) { f.File = "../x" },
		`"base.file"`: func(f *Finding) { f.Base.File = "/x" }, `"go_test_file"`: func(f *Finding) { f.GoTestFile = "../x_test.go" },
		`"negations[0].file"`: func(f *Finding) {
			f.Negations = []Negation{{File: "/x", Match: "strict"}}
		}, `"negations[0]`: func(f *Finding) { f.Negations = []Negation{{BaseFile: "/x", Match: "strict"}} },
	} {
		f := finding
		change(&f)
		if err := Validate(f); err == nil || !strings.Contains(err.Error(), field) {
			t.Errorf("%s: %v", field, err)
		}
	}
	for _, e := range []Event{
		Relation{ID: "a", Function: "F", Relation: "r", Source: Declared, State: Broken, Package: "-x"}, Baseline{Suite: "base", Package: "-x"},
		Target{Function: "F", Role: "changed", State: Compared, Package: "a b"}, Config{Version: 1, Shard: "1/2, @octo/admins"}, Versions{ModuleDir: "../x"},
		Match{Changed: []ChangedItem{{Function: "F", Status: "added", File: "/x"}}},
	} {
		if Validate(e) == nil {
			t.Errorf("%+v is valid", e)
		}
	}
}

// What the engine emits can be read again, whatever the tested code is like.
func TestFit(t *testing.T) {
	t.Parallel()
	long, outside := strings.Repeat("π", 2<<20), "../../root/.cache/go-build/x.go"
	names := make([]string, 2*maxItems)
	for i := range names {
		names[i] = long[:maxText]
	}
	result := Result{Outcome: Fail, Value: long, Site: long, Message: long, File: outside}
	for _, e := range []Event{
		Config{Version: 1, Tool: long, Masked: names},
		Limit{Kind: "cgo", What: long, Reason: long},
		Baseline{Suite: "head", Package: "m", Unstable: names},
		Target{Function: long, Package: "m", Role: "changed", State: Compared, File: outside, Banned: names},
		Finding{ID: "a", Cluster: "c", Rung: Reached, Kind: "value", Package: "m", Base: result, Head: result, File: outside, Input: long, GoTest: long, GoTestFile: "x_test.go", Program: long,
			Negations: []Negation{{Text: long, File: outside, Match: "strict"}}, Changed: names, Accepted: &Acceptance{Reason: long, From: "config"}},
		Match{Changed: []ChangedItem{{Function: long, Status: "added", File: outside}}},
	} {
		if Validate(e) == nil {
			t.Errorf("%s is valid as it is", e.EventType())
		}
		fit := Fit(e)
		if err := Validate(fit); err != nil {
			t.Error(err)
		}
		if f, ok := fit.(Finding); ok && (f.GoTest != "" || f.GoTestFile != "" || f.Program != "" || len(f.Changed) != maxItems) {
			t.Errorf("a test of %d bytes, a program of %d, %d functions", len(f.GoTest), len(f.Program), len(f.Changed))
		}
	}
	if names[0] != long[:maxText] || result.File != outside {
		t.Error("what it was given is changed")
	}
}

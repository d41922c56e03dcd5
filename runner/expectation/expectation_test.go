package expectation

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/isodelta/isodelta/report/event"
	"github.com/isodelta/isodelta/runner/revision"
)

func tree(t *testing.T, files map[string]string) string {
	t.Helper()
	root := t.TempDir()
	for name, text := range files {
		at := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(at, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

func TestMark(t *testing.T) {
	t.Parallel()
	const file = "package p\n\nfunc TestParse(t *testing.T) { check(Parse, rows) }\n\nvar rows = []row{\n"
	call := event.Finding{Rung: event.Reached, Function: "p.Parse", Input: `Parse("01.1")`,
		Base: event.Result{Outcome: event.Pass, Value: `"01.1"`}, Head: event.Result{Outcome: event.Pass, Value: `"1.1"`}}
	valid := call
	valid.Function, valid.Input, valid.Base.Value, valid.Head.Value = "p.Valid", `Valid("1,5")`, "false", "true"
	none := call
	none.Input = `Parse("")`
	dash := call
	dash.Input, dash.Base.Value, dash.Head.Value = `Parse("-")`, `"-"`, `""`
	same := call
	same.Head.Value, same.Base.Value = `"01.1"`, `"1.1"`
	panics := call
	panics.Head = event.Result{Outcome: event.Panic, Message: "1.1"}
	banner := call
	banner.Input, banner.Base.Value, banner.Head.Value = "Start()", `"app v4.1.2\n"`, `"app v4.1.3\n"`
	seen := banner
	seen.Rung, seen.Input = event.Observed, ""
	more := banner
	more.Head.Value = `"App v4.1.3\n"`
	config := "package p\n\ntype Config struct {\n\tIndent int\n"
	encoded := event.Finding{Rung: event.Reached, Function: "Encode", Input: "Encode(Config{})", Kind: event.KindValue,
		Base: event.Result{Outcome: event.Pass, Value: `"indent: 0\n"`}, Head: event.Result{Outcome: event.Pass, Value: `"indent: 0\nretry_limit: 0\n"`}}
	given := encoded
	given.Input, given.Base.Value, given.Head.Value = `Decode("retry-limit: a")`, "nil", `error("retry-limit is no number")`
	unnamed := given
	unnamed.Head.Value = `error("no number")`
	changed := encoded
	changed.Changed = []string{"Encode"}
	object := encoded
	object.Base.Value, object.Head.Value = strconv.Quote(`{"users":null}`), strconv.Quote(`{"users":null,"apps":null}`)
	within := object
	within.Base.Value, within.Head.Value = strconv.Quote(`{"all":[{"users":null}]}`), strconv.Quote(`{"all":[{"users":null,"apps":null}]}`)
	lost := object
	lost.Base.Value = strconv.Quote(`{"users":[],"teams":null}`)
	part := changed
	part.Differs = []event.PartDiffers{{Path: "len(result)", Base: "1", Head: "2"}, {Path: `result["retry_limit"]`, Head: "0"}}
	parts := part
	parts.Differs = append([]event.PartDiffers{{Path: `result["indent"]`, Base: "1", Head: "0"}}, part.Differs...)
	for _, test := range []struct {
		name       string
		f          event.Finding
		file       string
		base, head string
		want       int
	}{
		{"a row is added", call, "p_test.go", file + "}\n", file + "\t{\"1\", \"1\"},\n\t{\"01.1\", \"1.1\"},\n}\n", 7},
		{"a row over lines", call, "p_test.go", file + "}\n", file + "\t{\n\t\tin:   \"01.1\",\n\t\twant: \"1.1\",\n\t},\n}\n", 7},
		{"a row was there before", call, "p_test.go", file + "\t{\"01.1\", \"1.1\"},\n}\n", file + "\t{\"01.1\", \"1.1\"},\n\t{\"2\", \"2\"},\n}\n", 0},
		{"the row is about base", call, "p_test.go", file + "}\n", file + "\t{\"01.1\", \"01.1\"},\n}\n", 0},
		{"the row tells both", call, "p_test.go", file + "}\n", file + "\t{\"01.1\", \"01.1\", \"1.1\"},\n}\n", 0},
		{"longer numbers are others", call, "p_test.go", file + "}\n", file + "\t{\"01.1\", \"1.10\"},\n}\n", 0},
		{"the test is of something else", call, "p_test.go", "package p\n", "package p\n\nvar x = []row{{\"01.1\", \"1.1\"}}\n", 0},
		{"an input without a literal", none, "p_test.go", file + "}\n", file + "\t{\"\", \"1.1\"},\n}\n", 0},
		{"a short row", dash, "p_test.go", file + "}\n", file + "\t{\"-\", \"\"},\n}\n", 0},
		{"a short row that replaces another", dash, "p_test.go", file + "\t{\"-\", \"-\"},\n}\n", file + "\t{\"-\", \"\"},\n}\n", 6},
		{"head gives what was given", same, "p_test.go", file + "}\n", file + "\t{\"01.1\", \"01.1\"},\n}\n", 6},
		{"head panics", panics, "p_test.go", file + "}\n", file + "\t{\"01.1\", \"1.1\"},\n}\n", 0},
		{"a change log", call, "CHANGELOG.md", "# Changes\n", "# Changes\n\n- `Parse(\"01.1\")` gives `1.1`.\n", 3},
		{"its own version, which a test sees", seen, "p.go", "package p\n\nconst Version = \"4.1.2\"\n", "package p\n\nconst Version = \"4.1.3\"\n", 3},
		{"its own version", banner, "p.go", "package p\n\nconst (\n\tName = \"app\"\n\tVersion = \"4.1.2\"\n)\n", "package p\n\nconst (\n\tName = \"app\"\n\tVersion = \"4.1.3\"\n)\n", 5},
		{"more than its own version", more, "p.go", "package p\n\nconst Version = \"4.1.2\"\n", "package p\n\nconst Version = \"4.1.3\"\n", 0},
		{"its own version in numbers", banner, "p.go", "package p\n\nvar Version = &Number{4, 1, 2}\n", "package p\n\nvar Version = &Number{4, 1, 3}\n", 3},
		{"numbers that are no version", banner, "p.go", "package p\n\nvar limits = &Number{4, 1, 2}\n", "package p\n\nvar limits = &Number{4, 1, 3}\n", 0},
		{"a constant that is no version", banner, "p.go", "package p\n\nconst limit = \"4.1.2\"\n", "package p\n\nconst limit = \"4.1.3\"\n", 0},
		{"a data file", call, "testdata/rows.csv", "1,1\n", "1,1\n01.1,1.1\n", 2},
		{"a documentation comment", call, "p.go", "package p\n", "package p\n\n// Parse(\"01.1\") gives \"1.1\".\nfunc Parse() {}\n", 3},
		{"code is no expectation", call, "p.go", "package p\n", "package p\n\nvar x = [2]string{\"01.1\", \"1.1\"}\n", 0},
		{"versions of modules", call, "go.mod", "module p\n", "module p\n\nrequire x 01.1 1.1\n", 0},
		{"true where it was false", valid, "p_test.go", "package p\n\n// Valid\nvar x = []row{\n\t{\"1,5\", false},\n}\n", "package p\n\n// Valid\nvar x = []row{\n\t{\"1,5\", true},\n}\n", 5},
		{"true without what was before", valid, "p_test.go", "package p\n\n// Valid\nvar x = []row{\n}\n", "package p\n\n// Valid\nvar x = []row{\n\t{\"1,5\", true},\n}\n", 0},
		{"a field more in what is encoded", encoded, "p.go", config + "}\n", config + "\tRetryLimit int `yaml:\"retry_limit\"`\n}\n", 5},
		{"an error names a field more", given, "p.go", config + "}\n", config + "\tRetryLimit int `yaml:\"retry_limit\"`\n}\n", 5},
		{"an input names it by chance", unnamed, "p.go", config + "}\n", config + "\tRetryLimit int\n}\n", 0},
		{"a changed function ran, too", changed, "p.go", config + "}\n", config + "\tRetryLimit int\n}\n", 0},
		{"a changed function ran, and that field is all", part, "p.go", config + "}\n", config + "\tRetryLimit int\n}\n", 5},
		{"another part differs, too", parts, "p.go", config + "}\n", config + "\tRetryLimit int\n}\n", 0},
		{"a short one more in JSON", object, "p.go", config + "}\n", config + "\tApps []string `json:\"apps\"`\n}\n", 5},
		{"beside a type with a key that base has", object, "p.go", config + "}\n", config + "\tApps []string `json:\"apps\"`\n}\n\ntype User struct {\n\tUsers []User `json:\"users\"`\n}\n", 5},
		{"the same within a list", within, "p.go", config + "}\n", config + "\tApps []string `json:\"apps\"`\n}\n", 5},
		{"one for another in JSON", lost, "p.go", config + "}\n", config + "\tApps []string `json:\"apps\"`\n}\n", 0},
		{"a field that is only set apart", encoded, "p.go", config + "\tRetryLimit int\n}\n", config + "\tRetryLimit  int\n}\n", 0},
		{"a field of another name", encoded, "p.go", config + "}\n", config + "\tRetryDelay int\n}\n", 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			base, head := tree(t, map[string]string{test.file: test.base}), tree(t, map[string]string{test.file: test.head})
			changes, err := revision.Changes(base, head)
			if err != nil {
				t.Fatal(err)
			}
			edits, err := Read(base, head, changes)
			if err != nil {
				t.Fatal(err)
			}
			got := edits.Mark([]event.Finding{test.f})[0]
			line := 0
			if got.Expected != nil {
				line = got.Expected.Line
				if got.Expected.File != test.file {
					t.Errorf("expected in %s, want %s", got.Expected.File, test.file)
				}
			}
			if line != test.want || got.Intended != (test.want > 0) {
				t.Errorf("expected at line %d, intended %t, want line %d", line, got.Intended, test.want)
			}
		})
	}
}

// TestMarkGoesWithTheCall tells that the error of a call is not left alone when its value
// is what the change expects.
func TestMarkGoesWithTheCall(t *testing.T) {
	t.Parallel()
	edits := Edits{hunks: []hunk{{file: "CHANGELOG.md", line: 1, added: []string{`Parse("01.1") is "1.1"`}, text: `Parse("01.1") is "1.1"`}}}
	value := event.Finding{Rung: event.Reached, Function: "Parse", Input: `Parse("01.1")`, Component: "result", Kind: event.KindErrorToValue,
		Base: event.Result{Outcome: event.Pass, Value: `""`}, Head: event.Result{Outcome: event.Pass, Value: `"1.1"`}}
	failed := value
	failed.Component = "error"
	failed.Base.Value, failed.Head.Value = `error("no")`, "nil"
	marked := edits.Mark([]event.Finding{value, failed})
	if !marked[0].Intended || !marked[1].Intended {
		t.Errorf("intended are %t and %t, want both", marked[0].Intended, marked[1].Intended)
	}
}

// TestMarkGoesWithTheValues tells that a test which sees the same values, and does not fail, shows what is expected, too.
func TestMarkGoesWithTheValues(t *testing.T) {
	t.Parallel()
	const line = `Names() is ["alpha" "beta" "gamma"]`
	edits := Edits{hunks: []hunk{{file: "CHANGELOG.md", line: 1, added: []string{line + ` for "all"`}, text: line + ` for "all"`}}}
	call := event.Finding{Rung: event.Reached, Function: "Names", Input: `Names("all")`, Component: "result", Kind: event.KindValue,
		Base: event.Result{Outcome: event.Pass, Value: `["alpha" "gamma"]`}, Head: event.Result{Outcome: event.Pass, Value: `["alpha" "beta" "gamma"]`}}
	seen := call
	seen.Rung, seen.Test, seen.Input = event.Observed, "TestOther", ""
	other, fails := seen, seen
	other.Head.Value = `["alpha" "delta" "gamma"]`
	fails.Head.Outcome = event.Fail
	marked := edits.Mark([]event.Finding{seen, other, fails, call})
	for i, want := range []bool{true, false, false, true} {
		if marked[i].Intended != want {
			t.Errorf("%d is intended: %t", i, marked[i].Intended)
		}
	}
}

// FuzzLiterals tells that literals are found again where they are written one by one.
func FuzzLiterals(f *testing.F) {
	f.Add(`Parse("01.1", -2, 0x1p-2)`)
	f.Add("f(`a\nb`, \"\\xff\", ', ', true)")
	f.Fuzz(func(t *testing.T, code string) {
		found := literalsOf(code)
		var lines []string
		for x, n := range found {
			text := x.text
			if x.quoted {
				text = strconv.Quote(text)
			}
			for range n {
				lines = append(lines, text)
			}
		}
		if all := strings.Join(lines, "\n"); !found.in(all) {
			t.Errorf("literals %v are not in %q", found, all)
		}
	})
}

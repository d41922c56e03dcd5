package config

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/isodelta/isodelta/diff/acceptance"
	"github.com/isodelta/isodelta/diff/policy"
	"github.com/isodelta/isodelta/internal/mistake"
	"github.com/isodelta/isodelta/runner/relation/declare"
)

const full = `# every key
packages: [./..., ./cmd/x]
exclude: ./gen/...
tags:
  - integration
  - go1.99
test:
  flags: [-short, -race=true]
  env:
    TZ: UTC
    DEBUG: 1
    EMPTY:
  skip: [TestNetwork, "TestX/sub (a|b)"]
budget: 1h30m
max-variants: 5000
max-sequences: 70
depth: any
list: universal
match: strict
generated: true
sandbox: require
fail-on: [observed, reached, broken, adequacy-drop=1.5]
policy:
  - packages: ./internal/...
    fail-on: []
  - {packages: [./a, ./b/...], fail-on: forced}
accept:
  - id: "12345678"
    reason: "the old limit was a mistake: #12"
  - {id: "0a1b2c3d", reason: x, by: "@someone", expires: "2027-01-31"}
relations:
  - function: geo.Area
    name: scales
    when: w > 0 && w < 1e6
    follow-up: {w: 2*w}
    holds: followup.result == 2*result   # Area
    tolerance: 1e-9
  - function: (*Ring).Add
    follow-up:
      - {a: b, b: "f(a, 1)"}
      - c: |-
          a +
            b
    holds: "!ok"
categories:
  - function: Fee
    input: {weight: {light: w < 10, heavy: w >= 10}, member: {yes: member, no: '!member'}}
    output:
      price: {free: result == 0}
automr: {method: paper}
seed: -7
calls: false
prune: false
`

func at(s string, line, column int) declare.Text {
	return declare.Text{Value: s, Line: line, Column: column}
}

func TestParseFull(t *testing.T) {
	t.Parallel()
	got, err := Parse("x.yml", []byte(full))
	if err != nil {
		t.Fatal(err)
	}
	want := Config{
		Packages: []string{"./...", "./cmd/x"}, Exclude: []string{"./gen/..."}, Tags: []string{"integration", "go1.99"},
		Test: Test{
			Flags: []string{"-short", "-race=true"},
			Env:   map[string]string{"TZ": "UTC", "DEBUG": "1", "EMPTY": ""},
			Skip:  []string{"TestNetwork", "TestX/sub (a|b)"},
		},
		Budget: 90 * time.Minute, MaxVariants: 5000, MaxSequences: 70, Depth: 0, List: "universal", Match: "strict", Generated: true,
		Sandbox: "require", FailOn: []string{"observed", "reached", "broken", "adequacy-drop=1.5"}, Seed: -7, Prune: false, File: "x.yml",
		Policy: []policy.Rule{{Packages: []string{"./internal/..."}, FailOn: []string{}}, {Packages: []string{"./a", "./b/..."}, FailOn: []string{"forced"}}},
		Accept: []acceptance.Entry{{ID: "12345678", Reason: "the old limit was a mistake: #12", From: "config"},
			{ID: "0a1b2c3d", Reason: "x", By: "@someone", Expires: newYear, From: "config"}},
		Relations: []declare.Declaration{
			{Function: at("geo.Area", 32, 15), Name: at("scales", 33, 11), When: at("w > 0 && w < 1e6", 34, 11),
				FollowUps: [][]declare.Assignment{{{Param: at("w", 35, 17), Value: at("2*w", 35, 20)}}},
				Holds:     at("followup.result == 2*result", 36, 12), Tolerance: 1e-9},
			{Function: at("(*Ring).Add", 38, 15), FollowUps: [][]declare.Assignment{
				{{Param: at("a", 40, 10), Value: at("b", 40, 13)}, {Param: at("b", 40, 16), Value: at("f(a, 1)", 40, 20)}},
				{{Param: at("c", 41, 9), Value: declare.Text{Value: "a +\n  b", Line: 42, Block: true}}},
			}, Holds: at("!ok", 44, 13)},
		},
		Categories: []declare.Categorisation{{Function: at("Fee", 46, 15),
			Input: []declare.Category{
				{Name: at("weight", 47, 13), Choices: []declare.Choice{
					{Name: at("light", 47, 22), When: at("w < 10", 47, 29)}, {Name: at("heavy", 47, 37), When: at("w >= 10", 47, 44)}}},
				{Name: at("member", 47, 54), Choices: []declare.Choice{
					{Name: at("yes", 47, 63), When: at("member", 47, 68)}, {Name: at("no", 47, 76), When: at("!member", 47, 81)}}},
			},
			Output: []declare.Category{{Name: at("price", 49, 7), Choices: []declare.Choice{{Name: at("free", 49, 15), When: at("result == 0", 49, 21)}}}},
		}},
		AutoMR: "paper",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if err := got.Validate(); err != nil {
		t.Error(err)
	}
	for _, k := range flagKeys() {
		if cmp.Equal(k.get(got), k.get(Default())) {
			t.Errorf("the sample leaves %s at its default, so it shows nothing of it", k.name)
		}
	}
}

// TestParseNothing: files that say nothing leave every default.
func TestParseNothing(t *testing.T) {
	t.Parallel()
	want := Default()
	want.File = "x.yml"
	for _, text := range []string{"", "\n", "# only a comment\n", "---\n", "--- # x\n...\n", "test:\n", "test: {}\npackages:\nbudget:\nprune: ~\n", "{}", "null"} {
		got, err := Parse("x.yml", []byte(text))
		if err != nil {
			t.Errorf("%q: %v", text, err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%q:\n%s", text, diff)
		}
	}
	got, err := Parse("x.yml", []byte("fail-on: []\ntest: {env: {}}\n"))
	if err != nil || len(got.FailOn) != 0 || len(got.Test.Env) != 0 {
		t.Errorf("empty lists: %+v, %v", got, err)
	}
}

func TestParseErrors(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ name, text, want string }{
		{"slip", "budgets: 10m\n", `x.yml:1: unknown key "budgets"; did you mean "budget"?`},
		{"underscore", "prune: true\nmax_variants: 1\n", `x.yml:2: unknown key "max_variants"; did you mean "max-variants"?`},
		{"swap", "senadbox: off\n", `x.yml:1: unknown key "senadbox"; did you mean "sandbox"?`},
		{"inner slip", "test:\n  flag: [-short]\n", `x.yml:2: unknown key "test.flag"; did you mean "flags"?`},
		{"too deep", "test:\n  packages: [./...]\n", `x.yml:2: unknown key "test.packages"; "packages" belongs to the top level of the file, not into "test"`},
		{"not deep enough", "env: {A: b}\n", `x.yml:1: unknown key "env"; "env" belongs into "test"`},
		{"nothing near", "\nwhatever: 1\n", `x.yml:2: unknown key "whatever"; known are packages, exclude, tags, test, budget`},
		{"second document", "prune: true\n---\nprune: false\n", `x.yml:2: a second document begins here`},
		{"broken second document", "prune: true\n---\n{\n", `x.yml:`},
		{"twice", "seed: 1\nseed: 2\n", `x.yml:2: key "seed" is already set on line 1`},
		{"variable twice", "test:\n  env:\n    A: 1\n    A: 2\n", `x.yml:4: key "test.env.A" is already set on line 3`},
		{"merge key", "base: &b {prune: true}\n", `x.yml:1: unknown key "base"`},
		{"merge", "test: &a\n  flags: [-short]\n<<: *a\n", `x.yml:3: merge keys (<<) are not supported`},
		{"syntax", "seed: 1\nprune: [\n", `x.yml:`},
		{"tab", "test:\n\tflags: x\n", `this is not YAML: `},
		{"list for a file", "- packages\n", `x.yml:1: the file must hold keys such as "packages: …", but there is a list`},
		{"text for a section", "test: -short\n", `x.yml:1: test must hold keys such as "flags: …", but there is a text`},
		{"list for a text", "budget: [10m]\n", `x.yml:1: budget must be a text such as 10m, but there is a list`},
		{"mapping for a list", "\npackages: {a: b}\n", `x.yml:2: packages must be a list of texts such as [./...], but there is a mapping (key: value)`},
		{"list in a list", "packages:\n  - ./...\n  - [./x]\n", `x.yml:3: packages must be a list of texts such as [./...], but there is a list`},
		{"list of mappings", "test:\n  env: [A=b]\n", `x.yml:2: test.env must be names and values such as {TZ: UTC}, but there is a list`},
		{"deep value", "test:\n  env:\n    A: [b]\n", `x.yml:3: test.env.A must be a text, but there is a list`},
		{"yes", "prune: yes\n", `x.yml:1: prune must be true or false, but there is a text`},
		{"quoted boolean", "prune: \"true\"\n", `x.yml:1: prune must be true or false, but there is a text`},
		{"fraction", "seed: 1.5\n", `x.yml:1: seed must be a whole number such as 1, but there is a fraction`},
		{"number as a duration", "budget: 600\n", `x.yml:1: budget: the value is no duration; write for example 10m, 90s or 1h30m`},
		{"no time", "budget: 0s\n", `x.yml:1: budget: the value leaves no time`},
		{"negative time", "budget: -5m\n", `leaves no time`},
		{"negative count", "max-variants: -1\n", `x.yml:1: max-variants: the value is negative`},
		{"huge count", "max-variants: 99999999999\n", `is no whole number`},
		{"depth 0", "depth: 0\n", `x.yml:1: depth: the value is no depth; write a whole number from 1, or any`},
		{"depth all", "depth: all\n", `the value is no depth`},
		{"closed set", "list: uniqe\n", `x.yml:1: list: the value is no value of list; use universal, unique or both-branches; did you mean "unique"?`},
		{"closed set in a list", "fail-on:\n  - observed\n  - force\n", `x.yml:3: fail-on: the value is no value of fail-on; use observed, reached, forced, small, broken or adequacy-drop=1.5; did you mean "forced"?`},
		{"pattern outside", "packages: [../x]\n", `leads out of the module`},
		{"pattern a flag", "exclude: [-v]\n", `the value is a flag`},
		{"tag", "tags: [\"a b\"]\n", `the value is no build tag`},
		{"flag of ours", "test: {flags: [-count=3]}\n", `x.yml:1: test.flags: -count cannot be given: isodelta repeats tests by itself`},
		{"flag of ours, long", "test: {flags: [--test.run=X]}\n", `-run cannot be given`},
		{"flag without dash", "test: {flags: [short]}\n", `the value is no flag`},
		{"expression", "test: {skip: [\"Test(\"]}\n", `x.yml:1: test.skip: the value is no regular expression`},
		{"variable", "test: {env: {A B: c}}\n", `the value is no environment variable`},
		{"preloaded library", "test: {env: {LD_PRELOAD: ./evil.so}}\n", `LD_PRELOAD cannot be set`},
		{"inserted library", "test: {env: {DYLD_INSERT_LIBRARIES: ./evil.dylib}}\n", `DYLD_INSERT_LIBRARIES cannot be set`},
		{"run time", "test: {env: {GODEBUG: inittrace=1}}\n", `godebug line of go.mod`},
		{"drop without a number", "fail-on: adequacy-drop=much\n", `x.yml:1: fail-on: the value is no drop; write the points`},
		{"patterns without end", "policy:\n" + strings.Repeat("  - {packages: ./x, fail-on: []}\n", 501), `x.yml:502: policy[500]: all rules together name more than 500 patterns`},
		{"acceptance without a reason", "accept:\n  - id: 0a1b2c3d\n", `x.yml:2: accept[0] has no reason; add reason: the old limit was a mistake`},
		{"empty reason", "accept:\n  - {id: 0a1b2c3d, reason: ' '}\n", `x.yml:2: accept[0].reason: it is empty`},
		{"nothing as a reason", "accept:\n  - id: 0a1b2c3d\n    reason:\n", `x.yml:2: accept[0] has no reason`},
		{"reason of two lines", "accept:\n  - id: 0a1b2c3d\n    reason: \"a\\nb\"\n", `x.yml:3: accept[0].reason: it holds the character U+000A`},
		{"acceptance without an identifier", "accept:\n  - reason: x\n", `x.yml:2: accept[0] has no id; add id: "1f0c2d3e…"`},
		{"short identifier", "accept:\n  - {id: 0a1b2c, reason: x}\n", `x.yml:2: accept[0].id: the value is no identifier`},
		{"identifier in capitals", "accept:\n  - {id: 0A1B2C3D, reason: x}\n", `is no identifier; wanted 32 to 64 of the digits`},
		{"bad day", "accept:\n  - {id: 0a1b2c3d, reason: x, expires: 2027-02-30}\n", `x.yml:2: accept[0].expires: the value is no day; write for example 2027-01-31`},
		{"accepted twice", "accept:\n  - {id: 0a1b2c3d, reason: x}\n  - {id: 0a1b2c3d, reason: y}\n", `x.yml:3: accept[1]: this identifier is accepted twice`},
		{"slip in an entry", "accept:\n  - {id: 0a1b2c3d, reson: x}\n", `x.yml:2: unknown key "accept[0].reson"; did you mean "reason"?`},
		{"key twice in an entry", "accept:\n  - id: 0a1b2c3d\n    id: 0a1b2c3d\n    reason: x\n", `x.yml:3: key "accept[0].id" is already set on line 2`},
		{"acceptance as a text", "accept: [0a1b2c3d]\n", `x.yml:1: accept[0] must hold keys such as "id: …", but there is a text`},
		{"acceptances as a mapping", "accept: {id: 0a1b2c3d}\n", `x.yml:1: accept must be a list of entries such as [{id: …}], but there is a mapping`},
		{"rule without terms", "policy:\n  - packages: ./...\n", `x.yml:2: policy[0] has no fail-on; add fail-on: observed`},
		{"rule with an unknown term", "policy:\n  - packages: ./...\n    fail-on: [force]\n", `x.yml:3: policy[0].fail-on: the value is no value of fail-on`},
		{"rule for no packages", "policy:\n  - {packages: [], fail-on: []}\n", `x.yml:2: policy[0]: a rule for no packages does nothing`},
		{"relation without a condition", "relations:\n  - function: F\n", `x.yml:2: relations[0] has no holds; add holds: followup.result == 2*result`},
		{"relation without a function", "relations:\n  - holds: x\n", `x.yml:2: relations[0] has no function; add function: geo.Area`},
		{"slip in a relation", "relations:\n  - function: F\n    follow_up: {x: 1}\n    holds: x\n", `x.yml:3: unknown key "relations[0].follow_up"; did you mean "follow-up"?`},
		{"follow-up as a text", "relations:\n  - function: F\n    follow-up: -x\n    holds: x\n", `x.yml:3: relations[0].follow-up must be names and values such as {w: 2*w}, but there is a text`},
		{"no follow-up", "relations:\n  - function: F\n    follow-up: []\n    holds: x\n", `x.yml:2: relations[0]: follow-up is an empty list`},
		{"tag", "relations:\n  - function: F\n    holds: !ok\n", `x.yml:3: relations[0].holds: in YAML, what begins with ! is a tag`},
		{"comma in braces", "relations:\n  - function: F\n    follow-up: {x: f(a, b)}\n    holds: x\n", `x.yml:3: relations[0].follow-up."b)" is empty; in braces, a comma ends a value`},
		{"literal as an expression", "relations:\n  - function: F\n    holds: [a, b]\n", `x.yml:3: relations[0].holds must be a text, but there is a list; put an expression with braces, brackets or commas into quotes`},
		{"parameter twice", "relations:\n  - function: F\n    follow-up: {x: 1, x: 2}\n    holds: x\n", `x.yml:3: key "relations[0].follow-up.x" is already set on line 3`},
		{"tolerance", "relations:\n  - {function: F, holds: x, tolerance: 10%}\n", `x.yml:2: relations[0].tolerance: the value is no tolerance; write a number from 0 and below 1, such as 1e-9`},
		{"relation twice", "relations:\n  - {function: F, name: a, holds: x}\n  - {function: F, name: a, holds: y}\n", `x.yml:3: relations[1]: the function has another relation of this name`},
		{"categories of nothing", "categories:\n  - function: F\n", `x.yml:2: categories[0]: it has neither input nor output categories`},
		{"category without choices", "categories:\n  - function: F\n    input: {a: {}}\n", `x.yml:2: categories[0]: category a has no choices`},
		{"choice as a text", "categories:\n  - function: F\n    input: {a: w < 10}\n", `x.yml:3: categories[0].input.a must be names and values such as {light: w < 10, heavy: w >= 10}, but there is a text`},
		{"categories twice", "categories:\n  - {function: F, input: {a: {b: x}}}\n  - {function: F, input: {a: {b: x}}}\n", `x.yml:3: categories[1]: the function already has categories`},
		{"method", "automr: {method: nullspace}\n", `x.yml:1: automr.method: the value is no value of method; use null-space, paper or off; did you mean "null-space"?`},
		{"key of another kind", "? [a]\n: b\n", `x.yml:1: a key must be a plain word, but there is a list`},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			_, err := Parse("x.yml", []byte(test.text))
			var one *mistake.Mistake
			if !errors.As(err, &one) || !strings.Contains(err.Error(), test.want) {
				t.Errorf("error\n\t%v\nwant\n\t%s", err, test.want)
			}
		})
	}
}

// TestParseAllErrors: one run shows every mistake, in the order of the lines.
func TestParseAllErrors(t *testing.T) {
	t.Parallel()
	_, err := Parse("x.yml", []byte("tests: {}\nbudget: 3\nfail-on: [a, b]\ntest:\n  skip: ['(']\n  evn: {}\n---\nx: y\n"))
	var all mistake.List
	if !errors.As(err, &all) {
		t.Fatal(err)
	}
	var lines []int
	for _, e := range all {
		lines = append(lines, e.Line)
	}
	if diff := cmp.Diff([]int{1, 2, 3, 3, 5, 6, 7}, lines); diff != "" {
		t.Errorf("%v\n%s", err, diff)
	}
}

func TestParseLarge(t *testing.T) {
	t.Parallel()
	if _, err := Parse("x.yml", []byte("# "+strings.Repeat("x", MaxSize))); err == nil || !strings.Contains(err.Error(), "x.yml: the file has") {
		t.Errorf("error %v", err)
	}
}

func TestLoad(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	deep := filepath.Join(root, "a", "b")
	if err := os.MkdirAll(deep, 0o755); err != nil {
		t.Fatal(err)
	}
	write := func(path, text string) {
		t.Helper()
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	load := func(dir string) (Config, error) { return Load(dir, root) }

	if c, err := load(deep); err != nil || c.File != "" || !cmp.Equal(c, Default()) {
		t.Errorf("no file: %+v, %v", c, err)
	}
	write(filepath.Join(filepath.Dir(root), FileName), "seed: 99\n")
	t.Cleanup(func() { os.Remove(filepath.Join(filepath.Dir(root), FileName)) })
	if c, err := load(deep); err != nil || c.Seed == 99 {
		t.Errorf("a file above the root counts: %+v, %v", c, err)
	}
	write(filepath.Join(root, FileName), "seed: 2\n")
	if c, err := load(deep); err != nil || c.Seed != 2 || c.File != filepath.Join(root, FileName) {
		t.Errorf("root's file: %+v, %v", c, err)
	}
	write(filepath.Join(root, "a", FileName), "prune: false\n")
	if c, err := load(deep); err != nil || c.Seed != Default().Seed || c.Prune {
		t.Errorf("the nearest file alone counts: %+v, %v", c, err)
	}
	write(filepath.Join(deep, ".isodelta.yaml"), "")
	if _, err := load(deep); err == nil || !strings.Contains(err.Error(), "rename it to .isodelta.yml") {
		t.Errorf("misnamed file: %v", err)
	}
	write(filepath.Join(deep, FileName), "bugdet: 1s\n")
	if _, err := load(deep); err == nil || !strings.HasPrefix(err.Error(), filepath.Join(deep, FileName)+":1: unknown key") {
		t.Errorf("broken file: %v", err)
	}
	linked := filepath.Join(t.TempDir(), "linked")
	if err := os.Symlink(root, linked); err != nil {
		t.Fatal(err)
	}
	if c, err := Load(filepath.Join(linked, "a"), root); err != nil || c.Prune {
		t.Errorf("through a symbolic link: %+v, %v", c, err)
	}
	if _, err := Load(filepath.Dir(root), root); err == nil || !strings.Contains(err.Error(), "is not inside the repository") {
		t.Errorf("directory outside: %v", err)
	}
	if err := os.Mkdir(filepath.Join(root, "d"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(root, "d", FileName), 0o755); err != nil {
		t.Fatal(err)
	}
	if _, err := load(filepath.Join(root, "d")); err == nil {
		t.Error("a directory of that name is read")
	}
}

// TestNothingIsQuoted: of a file that is no settings, nothing gets into a log that
// everybody can read but the names of keys, whatever stands where.
func TestNothingIsQuoted(t *testing.T) {
	t.Parallel()
	const secret = "s3cr3t"
	seen := 0
	for _, text := range []string{
		"machine github.com login x password SECRET\n", "- SECRET\n", "SECRET\n", "a: SECRET\n--- SECRET\n", "packages: &SECRET [*SECRET, *other]\n", "seed: *SECRET\n",
		"seed: !SECRET 1\n", "seed: 'SECRET\n", "a: \"SECRET\n", "{SECRET\n", "%SECRET\n", "@SECRET\n", "a: `SECRET`\n", "a: b: SECRET\n", "? [SECRET]\n: 1\n", "-----BEGIN KEY-----\nSECRET\n",
		"packages: -SECRET\nexclude: /SECRET\ntags: 'a SECRET'\n", "test: SECRET\n", "test: {flags: [SECRET], env: SECRET, skip: ['(SECRET']}\n", "test: {env: {'A B': SECRET}}\n", "test: {env: {A: [SECRET]}}\n",
		"accept: [{id: SECRET, reason: x}]\n", "accept: [{id: SECRET, reason: x}, {id: SECRET, reason: x}]\n", "accept: [SECRET]\n", "accept: SECRET\n", "accept: [{id: aaaaaaaa, reason: \"SECRET\\n\", by: \"SECRET\\n\", expires: SECRET}]\n",
		"policy: [{packages: '-SECRET', fail-on: SECRET}]\n", "fail-on: adequacy-drop=SECRET\n", "relations: [{function: SECRET, name: a}]\n",
		"relations: [{function: SECRET, name: SECRET, holds: x}, {function: SECRET, name: SECRET, holds: x}]\n", "relations: [{function: F, holds: !SECRET x}]\n",
		"relations: [{function: F, holds: x, follow-up: SECRET, tolerance: SECRET}]\n", "categories: [{function: SECRET, input: {a: {}}}, {function: SECRET, input: SECRET}]\n",
		"budget: SECRET\nmax-variants: SECRET\nmax-sequences: SECRET\ndepth: SECRET\nlist: SECRET\nmatch: SECRET\ngenerated: SECRET\nsandbox: SECRET\nseed: SECRET\ncalls: SECRET\nprune: SECRET\nautomr: {method: SECRET}\n",
	} {
		_, err := Parse("x.yml", []byte(strings.ReplaceAll(text, "SECRET", secret)))
		if err == nil {
			t.Errorf("%q is read", text)
			continue
		}
		seen += strings.Count(err.Error(), "\n") + 1
		if strings.Contains(err.Error(), secret) {
			t.Errorf("%q: %v", text, err)
		}
	}
	if seen < 50 {
		t.Errorf("only %d errors", seen)
	}
	// Nothing ends a line of the log, either.
	_, err := Parse("x.yml", []byte("test: {env: {\"a\\n::error::\": [b], \"c\\n::error::\": d}}\n\"e\\n::error::\": 1\nrelations: [{function: F, holds: x, follow-up: {\"x\\n::error::\": [y]}}]\n"))
	var all mistake.List
	if !errors.As(err, &all) {
		t.Fatal(err)
	}
	for _, e := range all {
		if strings.ContainsAny(e.Msg, "\r\n") {
			t.Errorf("%q", e.Msg)
		}
	}
}

// FuzzParse: any bytes give settings that Validate accepts, or errors with the
// file's name; never a panic, and no blow-up through aliases.
func FuzzParse(f *testing.F) {
	f.Add([]byte(full))
	f.Add([]byte("test: &a\n  flags: &b [*b, *a]\n"))
	f.Add([]byte("a: &a [x,x]\nb: &b [*a,*a]\npackages: [*b]\n"))
	f.Add([]byte("? {a: b}\n: c\n---\n- !!binary x\n"))
	f.Add([]byte("packages: !!null x\nseed: 0x10\nbudget: !!float 1\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		c, err := Parse("x.yml", data)
		if err != nil {
			var all mistake.List
			if !errors.As(err, &all) || len(all) == 0 {
				t.Fatalf("error of another type: %v", err)
			}
			for _, e := range all {
				if !strings.HasPrefix(e.Error(), "x.yml:") || e.Line < 0 {
					t.Fatalf("error without a place: %v", e)
				}
			}
			return
		}
		if err := c.Validate(); err != nil {
			t.Fatalf("accepted, but %v", err)
		}
	})
}

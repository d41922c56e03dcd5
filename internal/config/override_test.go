package config

import (
	"bytes"
	"encoding/json"
	"flag"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"gopkg.in/yaml.v3"
)

func parseFlags(args ...string) (*Overrides, error) {
	fs := flag.NewFlagSet("isodelta", flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	o := Flags(fs)
	return o, fs.Parse(args)
}

func TestOverrides(t *testing.T) {
	t.Parallel()
	base := Default()
	base.Tags = []string{"file"}
	base.Exclude = []string{"./file"}
	o, err := parseFlags("--packages", "./a,./b", "-packages=./c", "--tags", "x", "--budget", "5s", "--depth=any", "--no-prune", "--generated",
		"--fail-on", "observed,reached", "--fail-on", "forced", "--skip", "TestA,B", "--skip", "TestC", "--test-env", "A=b,c", "--test-env", "D=", "--test-flags", "-ldflags=-s,-w")
	if err != nil {
		t.Fatal(err)
	}
	got, err := o.Apply(base)
	if err != nil {
		t.Fatal(err)
	}
	want := base
	want.Packages = []string{"./a", "./b", "./c"}
	want.Tags = []string{"x"}
	want.Budget, want.Depth, want.Prune, want.Generated = 5*time.Second, 0, false, true
	want.FailOn = []string{"observed", "reached", "forced"}
	want.Test = Test{Skip: []string{"TestA,B", "TestC"}, Env: map[string]string{"A": "b,c", "D": ""}, Flags: []string{"-ldflags=-s,-w"}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	none, err := (&Overrides{}).Apply(base)
	if diff := cmp.Diff(base, none); diff != "" || err != nil {
		t.Errorf("no flags change the settings: %v\n%s", err, diff)
	}
	if err := o.Set("prune", "true"); err != nil {
		t.Error(err)
	}
	if again, _ := o.Apply(base); !again.Prune {
		t.Error("the last value of a flag does not count")
	}
	if err := o.Set("colour", "x"); err == nil {
		t.Error("Set accepts any name")
	}
}

func TestFlagErrors(t *testing.T) {
	t.Parallel()
	for want, args := range map[string][]string{
		`"5" is no duration`:                        {"--budget", "5"},
		`"al" is no depth`:                          {"--depth", "al"},
		`use universal, unique or both-branches`:    {"--list", "both"},
		`did you mean "forced"?`:                    {"--fail-on", "observed,foced"},
		`leads out of the module`:                   {"--packages", "/etc"},
		`"x" is neither true nor false`:             {"--prune=x"},
		`"A" is no environment variable`:            {"--test-env", "A"},
		`flag provided but not defined: -max-varia`: {"--max-varia", "1"},
	} {
		if _, err := parseFlags(args...); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: error %v, want … %s …", args, err, want)
		}
	}
}

func TestValidate(t *testing.T) {
	t.Parallel()
	if err := Default().Validate(); err != nil {
		t.Errorf("the defaults: %v", err)
	}
	for want, change := range map[string]func(*Config){
		"setting budget":   func(c *Config) { c.Budget = 0 },
		"setting depth":    func(c *Config) { c.Depth = -1 },
		"setting list":     func(c *Config) { c.List = "" },
		"setting fail-on":  func(c *Config) { c.FailOn = []string{"felt"} },
		"setting packages": func(c *Config) { c.Packages = []string{""} },
		"setting env":      func(c *Config) { c.Test.Env = map[string]string{"": "x"} },
	} {
		c := Default()
		change(&c)
		if err := c.Validate(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %s", err, want)
		}
	}
}

// TestSchema: the schema and the parser agree on every file here.
func TestSchema(t *testing.T) {
	t.Parallel()
	text, err := Schema()
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("config.json", doc); err != nil {
		t.Fatal(err)
	}
	schema, err := c.Compile("config.json")
	if err != nil {
		t.Fatal(err)
	}
	for file, want := range map[string]bool{
		full:                                    true,
		"{}":                                    true,
		"packages: ./...\n":                     true,
		"depth: 2\n":                            true,
		"budget: 1.5h\n":                        true,
		"fail-on: observed\n":                   true,
		"fail-on: []\n":                         true,
		"test: {env: {A: 1, B: b}}\n":           true,
		"accept: []\n":                          true,
		"accept: [{id: 0a1b2c3d, reason: x}]\n": true,
		"accept: [{id: 0a1b2c3d}]\n":            false,
		"accept: [{id: X, reason: x}]\n":        false,
		"accept: [{id: 0a1b2c3d, reason: x, expires: soon}]\n": false,
		"accept: [{id: 0a1b2c3d, reason: x, who: y}]\n":        false,
		"accept: {}\n": false,
		"policy: [{packages: ./..., fail-on: []}]\n": true,
		"policy: [{packages: ./...}]\n":              false,
		"fail-on: adequacy-drop=2\n":                 true,
		"fail-on: adequacy-drop=x\n":                 false,
		"budgets: 1h\n":                              false,
		"test: {flag: x}\n":                          false,
		"depth: 0\n":                                 false,
		"depth: many\n":                              false,
		"budget: 600\n":                              false,
		"budget: soon\n":                             false,
		"list: both\n":                               false,
		"fail-on: [reached]\n":                       true,
		"fail-on: [felt]\n":                          false,
		"prune: maybe\n":                             false,
		"seed: x\n":                                  false,
		"max-variants: -1\n":                         false,
		"packages: {a: b}\n":                         false,
		"test: []\n":                                 false,
	} {
		_, err := Parse("x.yml", []byte(file))
		if accepted := err == nil; accepted != want {
			t.Errorf("%q: parsed with error %v", file, err)
		}
		if err := schema.Validate(asJSON(t, file)); (err == nil) != want {
			t.Errorf("%q: schema says %v", file, err)
		}
	}
}

func asJSON(t *testing.T, file string) any {
	t.Helper()
	var v any
	if err := yaml.Unmarshal([]byte(file), &v); err != nil {
		t.Fatal(err)
	}
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

// TestKeys: each key says all that errors, help and schema need.
func TestKeys(t *testing.T) {
	t.Parallel()
	for _, k := range flagKeys() {
		if k.doc == "" || strings.HasSuffix(k.doc, ".") || k.flag == "" || k.set == nil || k.get == nil {
			t.Errorf("key %s is not complete", k.name)
		}
		if k.values == nil && k.example == "" && k.shape != boolean {
			t.Errorf("key %s has neither values nor an example", k.name)
		}
	}
}

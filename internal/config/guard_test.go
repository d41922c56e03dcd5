package config

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/isodelta/isodelta/diff/policy"
	"github.com/isodelta/isodelta/report/event"
)

func parsed(t *testing.T, text string) Config {
	t.Helper()
	c, err := Parse(FileName, []byte(text))
	if err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	return c
}

// TestProtect: what counts of each key, and what is said about it.
func TestProtect(t *testing.T) {
	t.Parallel()
	const observed = "fail-on: [observed, reached]\n"
	for _, test := range []struct {
		name, base, head string
		want             string // settings that count, as a file
		changes          string
	}{
		{"nothing", observed, observed, observed, ""},
		{"sandbox off", "", "sandbox: off\n", "", "sandbox auto → off: base"},
		{"sandbox on", "sandbox: off\n", "sandbox: auto\n", "sandbox: auto\n", "sandbox off → auto: head"},
		{"sandbox required", "sandbox: require\n", "", "sandbox: require\n", "sandbox require → auto: base"},
		{"no terms", observed, "", observed, "fail-on [observed, reached] → []: base"},
		{"other terms", observed, "fail-on: [forced]\n", "fail-on: [observed, reached, forced]\n", "fail-on [observed, reached] → [forced]: both"},
		{"more terms", observed, "fail-on: [reached, forced, observed]\n", "fail-on: [observed, reached, forced]\n", "fail-on [observed, reached] → [reached, forced, observed]: head"},
		{"a rule for all packages", observed, observed + "policy: [{packages: ./..., fail-on: []}]\n",
			observed + "policy: [{packages: ./..., fail-on: [observed, reached]}]\n", "policy [] → [./...: []]: both"},
		{"a rule less", "policy: [{packages: ./a, fail-on: observed}, {packages: ./b, fail-on: []}]\n", "policy: [{packages: ./a, fail-on: observed}]\n",
			"policy: [{packages: ./a, fail-on: observed}, {packages: ./b, fail-on: []}]\n", "policy [./a: [observed], ./b: []] → [./a: [observed]]: base"},
		{"rules in another order", "policy: [{packages: ./a, fail-on: observed}, {packages: ./..., fail-on: []}]\n", "policy: [{packages: ./..., fail-on: forced}, {packages: ./a, fail-on: observed}]\n",
			"policy: [{packages: ./a, fail-on: observed}, {packages: ./..., fail-on: []}]\n", "policy [./a: [observed], ./...: []] → [./...: [forced], ./a: [observed]]: base"},
		{"a rule made stricter", "policy: [{packages: ./a, fail-on: []}]\n", "policy: [{packages: ./a, fail-on: broken}]\n",
			"policy: [{packages: ./a, fail-on: broken}]\n", "policy [./a: []] → [./a: [broken]]: head"},
		{"environment", "test: {env: {TZ: UTC}}\n", "test: {env: {TZ: UTC, EVIL: ./evil.so}}\n", "test: {env: {TZ: UTC}}\n",
			"test.env [TZ=UTC] → [EVIL=./evil.so, TZ=UTC]: base"},
		{"what runs", "", "packages: ./a\nexclude: ./b\ntags: x\ntest: {flags: -short, skip: TestF}\ncalls: false\nbudget: 1s\nmax-variants: 1\n", "",
			"packages [] → [./a]: base; exclude [] → [./b]: base; tags [] → [x]: base; test.flags [] → [-short]: base; test.skip [] → [TestF]: base; " +
				"budget 10m0s → 1s: base; max-variants 0 → 1: base; calls true → false: base"},
		{"relations", "relations: [{function: F, holds: result == 1}]\n", "relations: [{function: F, holds: result == 2}]\n", "relations: [{function: F, holds: result == 2}]\n",
			"relations [F] → [F] (edited): head"},
		{"relations on other lines", "relations: [{function: F, holds: result == 1}]\n", "\n\nrelations: [{function: F, holds: result == 1}]\n", "relations: [{function: F, holds: result == 1}]\n", ""},
		{"categories", "", "categories: [{function: F, input: {a: {b: x}}}]\n", "categories: [{function: F, input: {a: {b: x}}}]\n", "categories [] → [F]: head"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			got := Protect(parsed(t, test.base), parsed(t, test.head), false)
			if diff := cmp.Diff(withoutPlaces(parsed(t, test.want)), withoutPlaces(got.Config)); diff != "" {
				t.Error(diff)
			}
			var changes []string
			for _, c := range got.Changes {
				changes = append(changes, fmt.Sprintf("%s %s → %s: %s", c.Key, c.Base, c.Head, c.Counts))
			}
			if said := strings.Join(changes, "; "); said != test.changes {
				t.Errorf("changes\n\t%s\nwant\n\t%s", said, test.changes)
			}
		})
	}
}

// TestProtectAcceptances: base's entries count as base has them, unless head
// takes them back; what head adds has no name.
func TestProtectAcceptances(t *testing.T) {
	t.Parallel()
	const (
		a = "11111111111111111111111111111111"
		b = "22222222222222222222222222222222"
		c = "33333333333333333333333333333333"
	)
	base := parsed(t, "accept: [{id: '"+a+"', reason: first, by: ann, expires: 2027-01-31}, {id: '"+b+"', reason: second}]\n")
	head := parsed(t, "accept: [{id: '"+a+"', reason: other, by: eve, expires: 2027-12-31}, {id: '"+c+"', reason: third, by: ann}]\n")
	for _, acceptHead := range []bool{false, true} {
		p := Protect(base, head, acceptHead)
		counts, proposed := p.Accept, p.Proposed
		if acceptHead {
			if len(proposed) > 0 || len(counts) != 2 || counts[1].ID != c || counts[1].By != "" || counts[1].From != "head" || p.Changes[0].Counts != event.CountsHead {
				t.Errorf("%+v", p)
			}
			continue
		}
		if len(counts) != 1 || len(proposed) != 1 || proposed[0].ID != c || proposed[0].By != "" || proposed[0].From != "head" {
			t.Fatalf("%+v, proposed %+v", counts, proposed)
		}
		if e := counts[0]; e.ID != a || e.Reason != "first" || e.By != "ann" || !e.Earlier || e.Expires.Year() != 2027 || e.Expires.Month() != 1 {
			t.Errorf("%+v", e)
		}
		if got := p.Changes; len(got) != 1 || got[0].Base != "[11111111, 22222222]" || got[0].Head != "[11111111, 33333333]" || got[0].Counts != event.CountsBase {
			t.Errorf("%+v", got)
		}
	}
}

// TestProtectFails: whatever both files say, no package has fewer terms to fail
// on than base gives it, and the sandbox is no weaker.
func TestProtectFails(t *testing.T) {
	t.Parallel()
	terms := rapid.SliceOfNDistinct(rapid.SampledFrom(policy.Terms()), 0, 3, rapid.ID)
	rules := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) policy.Rule {
		return policy.Rule{
			Packages: rapid.SliceOfN(rapid.SampledFrom([]string{"./...", "./a", "./a/...", "./b", "m/b/c"}), 1, 2).Draw(t, "packages"),
			FailOn:   terms.Draw(t, "terms"),
		}
	}), 0, 4)
	rapid.Check(t, func(t *rapid.T) {
		base, head := Default(), Default()
		for _, c := range []*Config{&base, &head} {
			c.FailOn, c.Policy, c.Sandbox = terms.Draw(t, "fail-on"), rules.Draw(t, "policy"), rapid.SampledFrom(sandboxes()).Draw(t, "sandbox")
		}
		if rapid.Bool().Draw(t, "longer") { // a list that begins as base's does
			head.Policy = slices.Concat(base.Policy, head.Policy)
		}
		got := Protect(base, head, false)
		if slices.Index(sandboxes(), got.Sandbox) > slices.Index(sandboxes(), base.Sandbox) {
			t.Fatalf("sandbox %s, base's is %s", got.Sandbox, base.Sandbox)
		}
		before, after := policy.Policy{FailOn: base.FailOn, Rules: base.Policy}, policy.Policy{FailOn: got.FailOn, Rules: got.Policy}
		for _, pkg := range []string{"m", "m/a", "m/a/x", "m/b", "m/b/c", "m/d"} {
			for _, term := range before.For(pkg, "m") {
				if !slices.Contains(after.For(pkg, "m"), term) {
					t.Fatalf("%s no longer fails on %s:\nbase %+v\nhead %+v\ncounts %+v", pkg, term, before, head.Policy, after)
				}
			}
		}
		if again := Protect(got.Config, got.Config, false); len(again.Changes) > 0 || !cmp.Equal(again.Config, got.Config) {
			t.Fatalf("joined with itself it is another: %+v", again)
		}
	})
}

// TestEveryKeyHasARule, in the code and in the documentation; and what a stream
// says about a change keeps to its schema.
func TestEveryKeyHasARule(t *testing.T) {
	t.Parallel()
	docs, err := os.ReadFile("../../docs/gate.md")
	if err != nil {
		t.Fatal(err)
	}
	known := rules()
	for _, s := range settings() {
		if known[s.path] == nil {
			t.Errorf("no rule says what head may do to %s", s.path)
		}
		delete(known, s.path)
		if !strings.Contains(string(docs), "`"+s.path+"`") {
			t.Errorf("docs/gate.md does not say what head may do to %s", s.path)
		}
	}
	for name := range known {
		t.Errorf("there is a rule for %s, which is no key", name)
	}
	head := parsed(t, "test: {env: {A: '"+strings.Repeat("世", 4000)+"'}}\n")
	for _, c := range Protect(Default(), head, false).Changes {
		if utf8.RuneCountInString(c.Head) > 256 || event.Validate(event.Config{Version: 1, Changes: []event.SettingChange{c}}) != nil {
			t.Errorf("%+v", c)
		}
	}
}

// TestOverridesCount: what a flag sets takes the place of both files, terms also
// of their rules.
func TestOverridesCount(t *testing.T) {
	t.Parallel()
	o := &Overrides{}
	if err := o.Set("fail-on", "observed"); err != nil {
		t.Fatal(err)
	}
	p := Protect(parsed(t, "policy: [{packages: ./..., fail-on: []}]\n"), parsed(t, "fail-on: [forced]\nsandbox: off\n"), false)
	p.Override(o)
	var counts []string
	for _, c := range p.Changes {
		counts = append(counts, c.Key+" "+c.Counts)
	}
	if got := strings.Join(counts, ", "); got != "sandbox base, fail-on input, policy input" {
		t.Error(got)
	}
	c, err := o.Apply(p.Config)
	if err != nil || len(c.Policy) > 0 || !slices.Equal(c.FailOn, []string{"observed"}) {
		t.Errorf("%+v, %v", c, err)
	}
}

// TestStrictest cannot be made stricter by any file.
func TestStrictest(t *testing.T) {
	t.Parallel()
	if p := Protect(Strictest(), parsed(t, "sandbox: off\n"), false); p.Sandbox != "require" || !slices.Equal(p.FailOn, policy.Terms()) {
		t.Errorf("%+v", p.Config)
	}
}

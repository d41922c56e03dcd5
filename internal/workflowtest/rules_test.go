package workflowtest

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// Everything that runs here or is copied from here keeps the rules.
func TestWorkflowsKeepTheRules(t *testing.T) {
	t.Parallel()
	hold := func(name, text string) {
		wrong, err := audit(text)
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		for _, w := range wrong {
			t.Errorf("%s: %s", name, w)
		}
	}
	for _, file := range append(workflowFiles(t, "docs/workflows", ".github/workflows"), filepath.Join(root, "action.yml")) {
		hold(file, text(t, file))
	}
	documents, err := filepath.Glob(filepath.Join(root, "docs", "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	shown := 0
	for _, file := range append(documents, filepath.Join(root, "README.md")) {
		name, err := filepath.Rel(root, file)
		if err != nil {
			t.Fatal(err)
		}
		for _, block := range blocks(t, name) {
			if strings.Contains(block, "uses:") || strings.Contains(block, "runs-on:") {
				shown++
				hold(name, block)
			}
		}
	}
	if shown != 3 { // README, docs/gate.md and the container form in docs/action.md
		t.Errorf("%d blocks with workflows were found, want 3", shown)
	}
	wrong, err := auditDependabot(text(t, filepath.Join(root, ".github/dependabot.yml")))
	if err != nil || len(wrong) > 0 {
		t.Errorf("dependabot.yml: %v, %v", wrong, err)
	}
}

var pin = regexp.MustCompile(`uses: ([A-Za-z0-9._/-]+)@([0-9a-f]{40})`)

// One action is pinned to the same commit everywhere.
func TestPinsAgree(t *testing.T) {
	t.Parallel()
	files := append(workflowFiles(t, "docs/workflows", ".github/workflows"), filepath.Join(root, "action.yml"), filepath.Join(root, "README.md"))
	documents, err := filepath.Glob(filepath.Join(root, "docs", "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	commits := map[string]string{}
	for _, file := range append(files, documents...) {
		for _, m := range pin.FindAllStringSubmatch(text(t, file), -1) {
			owner := strings.Join(strings.SplitN(m[1], "/", 3)[:2], "/")
			if other, ok := commits[owner]; ok && other != m[2] {
				t.Errorf("%s: %s is pinned to %s here and to %s elsewhere", file, owner, m[2], other)
			}
			commits[owner] = m[2]
		}
	}
	if len(commits) < 6 {
		t.Errorf("only %d actions are pinned: %v", len(commits), commits)
	}
}

func text(t *testing.T, file string) string {
	t.Helper()
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// good breaks no rule; each bad example below changes one thing in it.
const good = `name: good
on:
  push:
    tags: ['v*']

permissions: {}

jobs:
  build:
    if: github.event.pusher.name != 'somebody'
    runs-on: ubuntu-latest
    permissions:
      contents: read
    steps:
      - uses: actions/checkout@3d3c42e5aac5ba805825da76410c181273ba90b1 # v7.0.1
        with:
          persist-credentials: false
      - uses: actions/setup-go@b7ad1dad31e06c5925ef5d2fc7ad053ef454303e # v7.0.0
        with:
          cache: false
      - uses: isodelta/isodelta@v0
        with:
          cache: 'false'
      - run: echo "$NAME"
        env:
          NAME: ${{ github.event.head_commit.message }}
`

// Each rule sees what it is for.
func TestRulesSeeBadWorkflows(t *testing.T) {
	t.Parallel()
	if wrong, err := audit(good); err != nil || len(wrong) > 0 {
		t.Fatalf("the good one: %v, %v", wrong, err)
	}
	seen := map[string]bool{}
	for _, c := range []struct{ rule, old, new string }{
		{"unpinned-uses", "actions/checkout@3d3c42e5aac5ba805825da76410c181273ba90b1 # v7.0.1", "actions/checkout@v7"},
		{"unpinned-uses", " # v7.0.1", ""},
		{"unpinned-uses", " # v7.0.1", " # main"},
		{"unpinned-uses", "setup-go@b7ad1dad31e06c5925ef5d2fc7ad053ef454303e", "setup-go@b7ad1dad"},
		{"unpinned-uses", "isodelta/isodelta@v0", "isodelta/isodelta@main"},
		{"unpinned-uses", "isodelta/isodelta@v0", "docker://alpine:3"},
		{"unpinned-uses", "    steps:", "    uses: other/repository/.github/workflows/x.yml@main\n    steps:"},
		{"excessive-permissions", "permissions: {}\n", "permissions:\n  contents: write\n"},
		{"excessive-permissions", "permissions: {}\n", "permissions:\n  contents: read\n"},
		{"excessive-permissions", "permissions: {}\n", "permissions: read-all\n"},
		{"excessive-permissions", "permissions: {}\n", ""},
		{"excessive-permissions", "    permissions:\n      contents: read\n", ""},
		{"excessive-permissions", "    permissions:\n      contents: read\n", "    permissions: write-all\n"},
		{"artipacked", "persist-credentials: false", "fetch-depth: 0"},
		{"artipacked", "persist-credentials: false", "persist-credentials: true"},
		{"template-injection", `echo "$NAME"`, `echo "${{ github.head_ref }}"`},
		{"template-injection", `run: echo "$NAME"`, "uses: actions/github-script@3d3c42e5aac5ba805825da76410c181273ba90b1 # v9.0.0\n        with:\n          script: alert(${{ github.head_ref }})"},
		{"dangerous-triggers", "on:\n  push:\n    tags: ['v*']", "on: pull_request_target"},
		{"dangerous-triggers", "on:\n  push:\n    tags: ['v*']", "on: [push, workflow_run]"},
		{"dangerous-triggers", "on:\n  push:\n    tags: ['v*']", "on:\n  workflow_run:\n    workflows: [x]"},
		{"dangerous-triggers", "on:\n  push:\n    tags: ['v*']", "on: # zizmor: ignore[dangerous-triggers]\n  workflow_run:\n    workflows: [x]"},
		{"cache-poisoning", "cache: false", "cache: true"},
		{"cache-poisoning", "cache: 'false'", "command: gate"},
		{"cache-poisoning", "isodelta/isodelta@v0", "actions/cache/restore@27d5ce7f107fe9357f9df03efb73ab90386fccae # v5.0.5"},
		{"secrets-inherit", "    steps:", "    secrets: inherit\n    steps:"},
		{"overprovisioned-secrets", "github.event.head_commit.message", "toJSON(secrets)"},
		{"overprovisioned-secrets", "github.event.head_commit.message", "secrets[github.ref_name]"},
		{"bot-conditions", "github.event.pusher.name != 'somebody'", "github.actor == 'dependabot[bot]'"},
		{"bot-conditions", `run: echo "$NAME"`, `if: github.triggering_actor == 'renovate[bot]'` + "\n        run: echo"},
		{"github-env", `echo "$NAME"`, `echo "NAME=$NAME" >>"$GITHUB_ENV"`},
		{"insecure-commands", "          NAME:", "          ACTIONS_ALLOW_UNSECURE_COMMANDS: true\n          NAME:"},
		{"use-trusted-publishing", `echo "$NAME"`, "npm publish"},
		{"use-trusted-publishing", `run: echo "$NAME"`, "uses: pypa/gh-action-pypi-publish@3d3c42e5aac5ba805825da76410c181273ba90b1 # v1.0.0\n        with:\n          password: x"},
	} {
		seen[c.rule] = true
		bad := strings.Replace(good, c.old, c.new, 1)
		wrong, err := audit(bad)
		if err != nil {
			t.Errorf("%s, %q: %v", c.rule, c.new, err)
		}
		if bad == good || !slices.ContainsFunc(wrong, func(w string) bool { return strings.HasPrefix(w, c.rule+": ") }) {
			t.Errorf("%s does not see %q, but %q", c.rule, c.new, wrong)
		}
	}
	for _, r := range rules {
		if !seen[r.name] {
			t.Errorf("no bad example of %s", r.name)
		}
	}
	for _, bad := range []string{"updates:\n- package-ecosystem: gomod\n", "updates:\n- package-ecosystem: gomod\n  cooldown: {default-days: 1}\n"} {
		if wrong, err := auditDependabot(bad); err != nil || len(wrong) != 1 {
			t.Errorf("%q: %v, %v", bad, wrong, err)
		}
	}
}

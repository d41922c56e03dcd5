package workflowtest

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"
)

// audited is what the rules look at of a workflow, or of an action.yml.
type audited struct {
	On          yaml.Node
	Permissions yaml.Node
	Jobs        map[string]struct {
		If          string
		Permissions yaml.Node
		Secrets     yaml.Node
		Steps       []step
	}
	Runs struct{ Steps []step }

	text string
	uses []*yaml.Node // values, with the comments behind them
}

// rules are those of zizmor that need neither GitHub nor guesses, under its own
// names. Each says what is wrong with a workflow.
var rules = []struct {
	name  string
	check func(audited) []string
}{
	{"unpinned-uses", unpinned},
	{"excessive-permissions", excessive},
	{"artipacked", credentialsKept},
	{"template-injection", injectable},
	{"dangerous-triggers", dangerous},
	{"cache-poisoning", poisonable},
	{"secrets-inherit", inherited},
	{"overprovisioned-secrets", overprovisioned},
	{"bot-conditions", botConditions},
	{"github-env", environmentWritten},
	{"insecure-commands", insecureCommands},
	{"use-trusted-publishing", longLivedPublishing},
}

// audit holds a workflow against all rules.
func audit(text string) ([]string, error) {
	a := audited{text: text}
	var node yaml.Node
	if err := yaml.Unmarshal([]byte(text), &node); err != nil {
		return nil, err
	}
	if err := node.Decode(&a); err != nil {
		return nil, err
	}
	a.uses = valuesOf(&node, "uses")
	var wrong []string
	for _, r := range rules {
		for _, what := range r.check(a) {
			wrong = append(wrong, r.name+": "+what)
		}
	}
	return wrong, nil
}

// valuesOf finds the values of a key wherever it stands.
func valuesOf(n *yaml.Node, key string) []*yaml.Node {
	var found []*yaml.Node
	for i, child := range n.Content {
		if n.Kind == yaml.MappingNode && i%2 == 1 && n.Content[i-1].Value == key && child.Kind == yaml.ScalarNode {
			found = append(found, child)
		}
		found = append(found, valuesOf(child, key)...)
	}
	return found
}

// steps of all jobs, or of an action, with the names of the jobs.
func (a audited) steps(f func(job string, s step)) {
	for _, s := range a.Runs.Steps {
		f("action", s)
	}
	for name, job := range a.Jobs {
		for _, s := range job.Steps {
			f(name, s)
		}
	}
}

// ofSteps collects what is wrong with single steps.
func (a audited) ofSteps(wrong func(s step) string) []string {
	var list []string
	a.steps(func(job string, s step) {
		if what := wrong(s); what != "" {
			list = append(list, job+": "+what)
		}
	})
	slices.Sort(list)
	return list
}

func (s step) is(action string) bool {
	name, _, _ := strings.Cut(s.Uses, "@")
	return name == action || strings.HasPrefix(name, action+"/")
}

var (
	commit  = regexp.MustCompile(`^[A-Za-z0-9._-]+/[A-Za-z0-9._/-]+@[0-9a-f]{40}$`)
	version = regexp.MustCompile(`^# v\d+\.\d+\.\d+\b`)
	// docs/action.md says why this repository's own action and image are named so.
	ourOwn = regexp.MustCompile(`^(isodelta/isodelta@v0|docker://ghcr\.io/isodelta/isodelta:v\d+\.\d+\.\d+)$`)
)

// A tag can be moved to other code, a commit cannot.
func unpinned(a audited) (wrong []string) {
	for _, u := range a.uses {
		local := strings.HasPrefix(u.Value, "./")
		if !local && !ourOwn.MatchString(u.Value) && (!commit.MatchString(u.Value) || !version.MatchString(u.LineComment)) {
			wrong = append(wrong, u.Value+" is not pinned to a commit with its version beside it")
		}
	}
	return wrong
}

// What a token may do is said where it is needed, and nowhere above.
func excessive(a audited) (wrong []string) {
	if len(a.Jobs) == 0 {
		return nil
	}
	if a.Permissions.Kind != yaml.MappingNode || len(a.Permissions.Content) > 0 {
		wrong = append(wrong, "the workflow's permissions are not {}")
	}
	for name, job := range a.Jobs {
		if job.Permissions.Kind != yaml.MappingNode {
			wrong = append(wrong, "the job "+name+" does not list its permissions")
		}
	}
	return wrong
}

// A checkout keeps its token in .git, where every later step reads it.
func credentialsKept(a audited) []string {
	return a.ofSteps(func(s step) string {
		if s.is("actions/checkout") && s.With["persist-credentials"] != "false" {
			return "the checkout keeps its credentials"
		}
		return ""
	})
}

// The value of an expression inside a script is run: a branch's name would be
// enough to run anything.
func injectable(a audited) []string {
	return a.ofSteps(func(s step) string {
		if strings.Contains(s.Run+s.With["script"], "${{") {
			return fmt.Sprintf("a script holds an expression: %.60q", s.Run+s.With["script"])
		}
		return ""
	})
}

var justified = regexp.MustCompile(`(?m)^on: # zizmor: ignore\[dangerous-triggers\] \S+ \S+`)

// Events whose runs have the repository's secrets, whoever causes them.
func dangerous(a audited) (wrong []string) {
	for _, event := range []string{"pull_request_target", "workflow_run"} {
		if a.startedBy(event) && !justified.MatchString(a.text) {
			wrong = append(wrong, event+" without a reason beside on")
		}
	}
	return wrong
}

func (a audited) startedBy(event string) bool {
	return slices.ContainsFunc(a.On.Content, func(n *yaml.Node) bool { return n.Value == event }) || a.On.Value == event
}

// releases reports whether a workflow is started by a version.
func (a audited) releases() bool {
	return a.startedBy("release") || slices.ContainsFunc(a.On.Content, func(n *yaml.Node) bool {
		return slices.ContainsFunc(n.Content, func(n *yaml.Node) bool { return n.Value == "tags" })
	})
}

// What another run wrote into a cache must not get into a release, nor to where
// a token can write.
func poisonable(a audited) []string {
	if !a.releases() && !a.startedBy("workflow_run") && !a.startedBy("issue_comment") && !a.startedBy("pull_request_target") {
		return nil
	}
	return a.ofSteps(func(s step) string {
		restores := s.is("actions/cache") || s.is("actions/setup-go") && s.With["cache"] != "false" ||
			ours(s) && slices.Contains([]string{"", "compare", "gate"}, s.With["command"]) && s.With["cache"] != "false"
		if restores {
			return s.Uses + " restores a cache"
		}
		return ""
	})
}

func inherited(a audited) (wrong []string) {
	for name, job := range a.Jobs {
		if job.Secrets.Value == "inherit" {
			wrong = append(wrong, "the job "+name+" hands on all secrets")
		}
	}
	return wrong
}

var allSecrets = regexp.MustCompile(`(?i)\$\{\{[^}]*(tojson\(\s*secrets\s*\)|secrets\[)`)

func overprovisioned(a audited) []string {
	return allSecrets.FindAllString(a.text, -1)
}

var actorIsBot = regexp.MustCompile(`github\.(triggering_)?actor\b[^&|]*\[bot\]|\[bot\][^&|]*github\.(triggering_)?actor\b`)

// The actor is who caused the run last, which anybody can arrange.
func botConditions(a audited) (wrong []string) {
	for name, job := range a.Jobs {
		if actorIsBot.MatchString(job.If) {
			wrong = append(wrong, name+": "+job.If)
		}
	}
	return append(wrong, a.ofSteps(func(s step) string { return actorIsBot.FindString(s.If) })...)
}

var jobWide = regexp.MustCompile(`GITHUB_(ENV|PATH)\b`)

// What is written there changes every later step.
func environmentWritten(a audited) []string {
	return a.ofSteps(func(s step) string { return jobWide.FindString(s.Run) })
}

func insecureCommands(a audited) []string {
	return regexp.MustCompile(`ACTIONS_ALLOW_UNSECURE_COMMANDS`).FindAllString(a.text, -1)
}

var publishes = regexp.MustCompile(`\b(twine upload|gem push|npm publish|cargo publish)\b`)

// Registries take a token made for one run; a stored one can be stolen.
func longLivedPublishing(a audited) []string {
	return a.ofSteps(func(s step) string {
		if s.is("pypa/gh-action-pypi-publish") && s.With["password"] != "" {
			return s.Uses + " with a password"
		}
		return publishes.FindString(s.Run)
	})
}

// auditDependabot: a new version of somebody else's code waits, since what is bad
// is often found within days (zizmor's dependabot-cooldown).
func auditDependabot(text string) ([]string, error) {
	var d struct {
		Updates []struct {
			Ecosystem string `yaml:"package-ecosystem"`
			Cooldown  struct {
				Days int `yaml:"default-days"`
			}
		}
	}
	if err := yaml.Unmarshal([]byte(text), &d); err != nil {
		return nil, err
	}
	var wrong []string
	for _, u := range d.Updates {
		if u.Cooldown.Days < 7 {
			wrong = append(wrong, fmt.Sprintf("dependabot-cooldown: %s waits %d days", u.Ecosystem, u.Cooldown.Days))
		}
	}
	return wrong, nil
}

package workflowtest

import (
	"errors"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gopkg.in/yaml.v3"
)

// root is the repository's top.
const root = "../.."

// action is what is read of an action.yml.
type action struct {
	Inputs map[string]struct {
		Description string
		Default     *string
	}
	Outputs map[string]struct{ Description, Value string }
	Runs    struct{ Steps []step }
}

// workflow is what is read of a workflow.
type workflow struct {
	Permissions map[string]string
	Jobs        map[string]struct {
		Permissions map[string]string
		Steps       []step
	}
}

type step struct {
	Name, Uses, Run, Shell string
	If                     string
	Env                    map[string]string
	With                   map[string]string
}

func read[T any](t *testing.T, file string) T {
	t.Helper()
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var v T
	if err := yaml.Unmarshal(b, &v); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	return v
}

func workflowFiles(t *testing.T, dirs ...string) []string {
	t.Helper()
	var files []string
	for _, dir := range dirs {
		found, err := filepath.Glob(filepath.Join(root, dir, "*.yml"))
		if err != nil || len(found) == 0 {
			t.Fatalf("no workflows in %s: %v", dir, err)
		}
		files = append(files, found...)
	}
	return files
}

// ours reports whether a step uses this action.
func ours(s step) bool { return s.Uses == "./" || strings.HasPrefix(s.Uses, "isodelta/isodelta@") }

// GitHub only warns about an input that an action does not have, so a misspelt
// one would quietly do nothing.
func TestWorkflowsGiveInputsThatExist(t *testing.T) {
	t.Parallel()
	inputs := read[action](t, filepath.Join(root, "action.yml")).Inputs
	uses := 0
	for _, file := range workflowFiles(t, "docs/workflows", ".github/workflows") {
		for _, job := range read[workflow](t, file).Jobs {
			for _, s := range job.Steps {
				if !ours(s) {
					continue
				}
				uses++
				for name := range s.With {
					if _, ok := inputs[name]; !ok {
						t.Errorf("%s gives the input %s, which action.yml does not have", file, name)
					}
				}
			}
		}
	}
	if uses < 9 {
		t.Errorf("only %d steps use the action", uses)
	}
}

// A composite action's inputs reach a command only where they are mapped.
func TestInputsReachTheCommand(t *testing.T) {
	t.Parallel()
	a := read[action](t, filepath.Join(root, "action.yml"))
	var text strings.Builder
	env := map[string]string{}
	for _, s := range a.Runs.Steps {
		maps.Copy(env, s.Env)
		text.WriteString(s.If)
		for _, v := range s.With {
			text.WriteString(v)
		}
	}
	for name := range a.Inputs {
		mapped := "INPUT_" + strings.ToUpper(strings.ReplaceAll(name, "-", "_"))
		value := env[mapped]
		if value == "" {
			value = env[strings.ToUpper(strings.ReplaceAll(name, "-", "_"))]
		}
		if name == "output-directory" { // made absolute by the first step
			value = env["OUTPUT_DIRECTORY"]
		}
		if !strings.Contains(value, "inputs."+name) {
			t.Errorf("the input %s reaches no step as %s", name, mapped)
		}
	}
	for name, o := range a.Outputs {
		if o.Value != "${{ steps.run.outputs."+name+" }}" {
			t.Errorf("the output %s is %s", name, o.Value)
		}
	}
}

// What a reader looks up is all there, in one line each.
func TestInputsAndOutputsAreDocumented(t *testing.T) {
	t.Parallel()
	a := read[action](t, filepath.Join(root, "action.yml"))
	b, err := os.ReadFile(filepath.Join(root, "docs", "action.md"))
	if err != nil {
		t.Fatal(err)
	}
	doc := string(b)
	for name, in := range a.Inputs {
		if in.Description == "" || strings.Contains(in.Description, "\n") || in.Default == nil {
			t.Errorf("the input %s wants a description of one line and a default", name)
		}
		if !strings.Contains(doc, "\n| `"+name+"` |") {
			t.Errorf("docs/action.md has no row for the input %s", name)
		}
	}
	for name, out := range a.Outputs {
		if out.Description == "" || strings.Contains(out.Description, "\n") {
			t.Errorf("the output %s wants a description of one line", name)
		}
		if !strings.Contains(doc, "\n| `"+name+"` |") {
			t.Errorf("docs/action.md has no row for the output %s", name)
		}
	}
	rows := regexp.MustCompile("(?m)^\\| `([a-z-]+)` \\|").FindAllStringSubmatch(doc, -1)
	for _, row := range rows {
		_, in := a.Inputs[row[1]]
		_, out := a.Outputs[row[1]]
		if !in && !out {
			t.Errorf("docs/action.md has a row for %s, which action.yml does not have", row[1])
		}
	}
	for _, file := range workflowFiles(t, "docs/workflows") {
		if name := filepath.Base(file); !strings.Contains(doc, "workflows/"+name) {
			t.Errorf("docs/action.md does not name %s", name)
		}
	}
}

// Each job says what its token may do, and one that runs code of a pull request
// is given nothing but the right to read that code, in a token that no step of it
// but the checkout has.
func TestPermissions(t *testing.T) {
	t.Parallel()
	report := map[string]string{"checks": "write", "contents": "read", "pull-requests": "write"}
	checkout := map[string]string{"contents": "read"}
	want := map[string]map[string]map[string]string{
		"pull-request.yml": {"compare": checkout, "report": report},
		"shards.yml":       {"compare": checkout, "report": report},
		"compare.yml":      {"compare": checkout},
		"update-bots.yml":  {"compare": checkout},
		"publish.yml":      {"publish": {"actions": "read", "checks": "write", "contents": "read", "pull-requests": "write"}},
		"commands.yml":     {"answer": {"actions": "write", "contents": "read", "pull-requests": "write"}},
		"merge-group.yml":  {"compare": checkout, "report": {"checks": "write", "contents": "read"}},
		"release-gate.yml": {"gate": checkout, "release": {"contents": "write"}},
	}
	got := map[string]map[string]map[string]string{}
	for _, file := range workflowFiles(t, "docs/workflows") {
		jobs := map[string]map[string]string{}
		for name, job := range read[workflow](t, file).Jobs {
			jobs[name] = job.Permissions
			if name != "compare" {
				continue
			}
			last := job.Steps[len(job.Steps)-1]
			if token, given := last.With["github-token"]; !ours(last) || !given || token != "" {
				t.Errorf("%s: the step that compares has the token %q, or the one by default", file, token)
			}
		}
		got[filepath.Base(file)] = jobs
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// The jobs that hold a token which may write run no code but isodelta's.
func TestPrivilegedJobsCheckNothingOut(t *testing.T) {
	t.Parallel()
	jobs := 0
	for _, file := range workflowFiles(t, "docs/workflows") {
		for name, job := range read[workflow](t, file).Jobs {
			if !slices.Contains(slices.Collect(maps.Values(job.Permissions)), "write") || name == "release" {
				continue // the release is the user's own
			}
			jobs++
			for _, s := range job.Steps {
				action, _, _ := strings.Cut(s.Uses, "@")
				if s.Run != "" || !ours(s) && action != "actions/setup-go" && action != "actions/download-artifact" {
					t.Errorf("%s: the job %s has a step that may run other code: %s%s", file, name, s.Uses, s.Run)
				}
				if action == "actions/setup-go" && s.With["cache"] != "false" {
					t.Errorf("%s: the job %s restores a cache, which other code may have written", file, name)
				}
			}
		}
	}
	if jobs != 5 {
		t.Errorf("%d jobs may write, want 5", jobs)
	}
}

// The runner hands each input of a container to it as a variable, so the one that
// runs tests is given no token.
func TestContainerForm(t *testing.T) {
	t.Parallel()
	var w workflow
	for _, block := range blocks(t, "docs/action.md") {
		if strings.Contains(block, "docker://") {
			if err := yaml.Unmarshal([]byte(block), &w); err != nil {
				t.Fatal(err)
			}
		}
	}
	tokens := map[string]string{}
	for name, job := range w.Jobs {
		for _, s := range job.Steps {
			if strings.HasPrefix(s.Uses, "docker://") {
				tokens[name+" "+s.With["args"]] = s.With["github-token"]
			}
		}
	}
	want := map[string]string{"compare action": "", "report action --merge isodelta-results": "${{ github.token }}"}
	if diff := cmp.Diff(want, tokens); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(map[string]string{"contents": "read"}, w.Jobs["compare"].Permissions); diff != "" {
		t.Errorf("the job that compares may do more than read:\n%s", diff)
	}
}

// What README and the documentation tell people to copy is what is tested.
func TestBlocksToCopy(t *testing.T) {
	t.Parallel()
	for document, file := range map[string]string{"README.md": "pull-request.yml", "docs/gate.md": "release-gate.yml"} {
		var shown, want map[string]any
		for _, block := range blocks(t, document) {
			if strings.Contains(block, "\njobs:") {
				if err := yaml.Unmarshal([]byte(block), &shown); err != nil {
					t.Fatal(err)
				}
				break
			}
		}
		tested, err := os.ReadFile(filepath.Join(root, "docs/workflows", file))
		if err := errors.Join(err, yaml.Unmarshal(tested, &want)); err != nil {
			t.Fatal(err)
		}
		delete(want, "concurrency") // good to have, and nothing that has to be understood first
		if diff := cmp.Diff(want, shown); diff != "" {
			t.Errorf("docs/workflows/%s and %s differ (-file +document):\n%s", file, document, diff)
		}
	}
}

var fence = regexp.MustCompile("(?ms)^```yaml\n(.*?)^```$")

// blocks are the examples in YAML that a document shows.
func blocks(t *testing.T, document string) []string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(root, document))
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for _, m := range fence.FindAllStringSubmatch(string(b), -1) {
		list = append(list, m[1])
	}
	return list
}

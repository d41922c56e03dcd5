package workflowtest

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/isodelta/isodelta/bot/githubtest"
	"github.com/isodelta/isodelta/internal/longtest"
)

// runner runs workflows of one repository under act, against one double of
// GitHub's API.
type runner struct {
	t          *testing.T
	act        string
	repository string // the checkout that jobs get a copy of
	double     *githubtest.Server
	releases   *releases
	artifacts  string            // folder, shared by all runs
	version    string            // of the action that workflows use
	action     string            // folder with that action.yml
	env        map[string]string // further variables of every job
	token      string
}

// newRunner wants act, and a repository to run in.
func newRunner(t *testing.T, repository string, state githubtest.State) *runner {
	t.Helper()
	act := need(t, "act")
	longtest.Skip(t, "workflows take half a minute each")
	r := &runner{t: t, act: act, repository: repository, artifacts: t.TempDir(), version: released,
		action: t.TempDir(), env: map[string]string{}, token: githubtest.DefaultToken}
	state.Repository = "octo/figure1"
	r.double = githubtest.Start(t, githubtest.Options{State: state})
	r.releases = serveReleases(t)
	r.releases.start()
	b, err := os.ReadFile(filepath.Join(root, "action.yml"))
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(r.action, "action.yml"), string(b))
	return r
}

// permit makes a token of a workflow the only one that GitHub knows.
func (r *runner) permit(token string, permissions map[string]string) {
	r.double.Change(func(s *githubtest.State) {
		s.Tokens = []githubtest.Token{{Token: token, Login: "github-actions[bot]", App: "github-actions", Permissions: permissions}}
	})
}

// result of a run under act.
type result struct {
	ok      bool
	log     string
	outputs map[string]string // of the step that uses the action, the last one
}

var (
	usesOurs  = regexp.MustCompile(`isodelta/isodelta@v0\b`)
	setOutput = regexp.MustCompile(`⚙  ::set-output:: ([a-z-]+)=(.*)`)
)

// run runs a shipped workflow as the event would. The only change to the file is
// the version of the action that it names.
func (r *runner) run(event string, document map[string]any, workflow string, flags ...string) result {
	r.t.Helper()
	text, err := os.ReadFile(filepath.Join(root, "docs", "workflows", workflow))
	if err != nil {
		r.t.Fatal(err)
	}
	return r.runText(event, document, workflow, string(text), flags...)
}

func (r *runner) runText(event string, document map[string]any, name, text string, flags ...string) result {
	r.t.Helper()
	return r.attempt(2, event, document, name, text, flags...)
}

// silent matches a step that failed without a word. Every step of ours says why it
// fails, but act does not wait for what a failing step has written last.
var silent = regexp.MustCompile(`⭐ Run Main .*\n.*❌  Failure - Main `)

// attempt runs a workflow, and again, so many times at most, where act has lost what a
// step said.
func (r *runner) attempt(again int, event string, document map[string]any, name, text string, flags ...string) result {
	r.t.Helper()
	dir := r.t.TempDir()
	file := filepath.Join(dir, name)
	write(r.t, file, usesOurs.ReplaceAllString(text, "isodelta/isodelta@"+r.version))
	b, err := json.Marshal(document)
	if err != nil {
		r.t.Fatal(err)
	}
	write(r.t, filepath.Join(dir, "event.json"), string(b))

	args := []string{event, "--platform", "ubuntu-latest=-self-hosted", "--workflows", file,
		"--eventpath", filepath.Join(dir, "event.json"), "--no-cache-server"}
	for k, v := range r.environment() {
		args = append(args, "--env", k+"="+v)
	}
	for uses, path := range r.standIns(text) {
		args = append(args, "--local-repository", uses+"="+path)
	}
	if r.token != "" {
		// In a file, since GitHub's runner has it on no command line either.
		secrets := filepath.Join(dir, "secrets")
		write(r.t, secrets, "GITHUB_TOKEN="+r.token+"\n")
		args = append(args, "--secret-file", secrets)
	}
	cmd := exec.CommandContext(r.t.Context(), r.act, append(args, flags...)...)
	cmd.Dir = r.repository
	// act's own files, apart from those of other runs and of this machine's user.
	cmd.Env = append(os.Environ(), "XDG_CACHE_HOME="+filepath.Join(dir, "cache"), "XDG_CONFIG_HOME="+filepath.Join(dir, "config"))
	write(r.t, filepath.Join(dir, "config", "act", "actrc"), "")
	before := r.double.State()
	out, err := cmd.CombinedOutput()
	if err != nil && silent.Match(out) && again > 0 {
		// What the lost run posted would be posted twice.
		r.double.Change(func(s *githubtest.State) { *s = before })
		return r.attempt(again-1, event, document, name, text, flags...)
	}
	res := result{ok: err == nil, log: string(out), outputs: map[string]string{}}
	for _, m := range setOutput.FindAllStringSubmatch(res.log, -1) {
		res.outputs[m[1]] = m[2]
	}
	r.t.Cleanup(func() {
		if r.t.Failed() {
			r.t.Logf("act %s %s:\n%s", event, name, res.log)
		}
	})
	return res
}

// environment of every job: the double instead of GitHub, and this machine's Go.
func (r *runner) environment() map[string]string {
	env := map[string]string{
		"GITHUB_API_URL": r.double.URL, "GITHUB_SERVER_URL": r.releases.url,
		"ARTIFACTS": r.artifacts, "CI": "true",
	}
	for _, name := range []string{"GOCACHE", "GOMODCACHE", "GOPATH", "GOPROXY", "GOFLAGS", "GOTOOLCHAIN"} {
		env[name] = goEnv(r.t, name)
	}
	maps.Copy(env, r.env)
	return env
}

// standIns are the folders that stand for actions of others, in a workflow and
// in what is shipped.
func (r *runner) standIns(workflow string) map[string]string {
	stand := map[string]string{"isodelta/isodelta@" + r.version: r.action}
	uses := regexp.MustCompile(`uses: (actions/[a-z-]+)(/[a-z]+)?@(\S+)`)
	texts := []string{workflow}
	for _, f := range append(workflowFiles(r.t, "docs/workflows"), filepath.Join(root, "action.yml")) {
		b, err := os.ReadFile(f)
		if err != nil {
			r.t.Fatal(err)
		}
		texts = append(texts, string(b))
	}
	for _, text := range texts {
		for _, m := range uses.FindAllStringSubmatch(text, -1) {
			path, err := filepath.Abs(filepath.Join("testdata", m[1]))
			if err != nil {
				r.t.Fatal(err)
			}
			stand[m[1]+"@"+m[3]] = path
		}
	}
	return stand
}

// stored lists the files of an artifact.
func (r *runner) stored(artifact string) []string {
	r.t.Helper()
	var names []string
	top := filepath.Join(r.artifacts, artifact)
	err := filepath.WalkDir(top, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			rel, _ := filepath.Rel(top, path)
			names = append(names, filepath.ToSlash(rel))
		}
		return err
	})
	if err != nil {
		r.t.Errorf("artifact %s: %v", artifact, err)
	}
	slices.Sort(names)
	return names
}

// zipped is an artifact as GitHub would hand it out.
func (r *runner) zipped(artifact string) []byte {
	r.t.Helper()
	var files []string
	for _, name := range r.stored(artifact) {
		b, err := os.ReadFile(filepath.Join(r.artifacts, artifact, name))
		if err != nil {
			r.t.Fatal(err)
		}
		files = append(files, name, string(b))
	}
	return githubtest.Zip(files...)
}

func goEnv(t *testing.T, name string) string {
	t.Helper()
	out, err := exec.Command("go", "env", name).Output()
	if err != nil {
		t.Fatal(err)
	}
	return string(bytes.TrimSpace(out))
}

func write(t *testing.T, file, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// saw reports whether the log holds a text.
func (r result) saw(text string) bool { return strings.Contains(r.log, text) }

package workflowtest

import (
	"bytes"
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// say.go is the same on both versions but for what it hands on, so that the
// value that the thief below looks at is a finding.
const say = `package figure1

// Say is what gets out.
func Say(text string) string { return %s }
`

// thief is a test of a pull request that looks for tokens wherever a process may
// look for them. It hands on what it finds in hexadecimal, which no log masks,
// as an observed value, as output and as files.
const thief = `package figure1

import (
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"testing"
)

func loot() string {
	names, found := []string{}, map[string]bool{}
	texts := map[string]string{"its own": strings.Join(os.Environ(), "\x00")}
	files, _ := filepath.Glob("/proc/[0-9]*/environ")
	for _, file := range files {
		if b, err := os.ReadFile(file); err == nil {
			texts[file] = string(b)
		}
	}
	for _, text := range texts {
		for _, line := range strings.Split(text, "\x00") {
			if _, value, _ := strings.Cut(line, "="); strings.Contains(value, "ghs_") {
				found[hex.EncodeToString([]byte(value))] = true
			}
		}
	}
	for value := range found {
		names = append(names, value)
	}
	sort.Strings(names)
	return fmt.Sprintf("%d loots: %s", len(names), strings.Join(names, " "))
}

func TestThief(t *testing.T) {
	got := loot()
	fmt.Println(got)
	t.Log(got)
	for _, dir := range []string{".", os.TempDir(), OUTSIDE} {
		os.WriteFile(filepath.Join(dir, "loot"), []byte(got), 0o644)
	}
	if Say(got) == "" {
		t.Fatal("nothing to say")
	}
}
`

// secret is what nobody can guess, in the shape of GitHub's own tokens.
func secret(t *testing.T) string {
	t.Helper()
	b := make([]byte, 18)
	if _, err := rand.Read(b); err != nil {
		t.Fatal(err)
	}
	return "ghs_" + hex.EncodeToString(b)
}

// The workflow of README, on a pull request whose test would love to have the
// token that comments: the report gets there, the token nowhere.
func TestTokenIsOutOfReach(t *testing.T) {
	t.Parallel()
	outside := t.TempDir()
	p := newPull(t)
	p.commit(t, "main", "say.go", fmt.Sprintf(say, `"nothing"`))
	p.git(t, "checkout", "--quiet", "topic")
	p.git(t, "merge", "--quiet", "--message", "main", "main")
	p.commit(t, "topic", "say.go", fmt.Sprintf(say, "text"))
	p.commit(t, "topic", "thief_test.go", strings.ReplaceAll(thief, "OUTSIDE", fmt.Sprintf("%q", outside)))
	p.mergeAnew(t)
	r := newRunner(t, p.dir, p.state("octo/figure1"))
	r.token = secret(t)
	r.permit(r.token, map[string]string{"contents": "read", "pull-requests": "write", "checks": "write", "metadata": "read"})

	// The job that runs the thief, alone: it has nothing to ask GitHub with.
	if got := r.run("pull_request", p.event("octo/figure1"), "pull-request.yml", "--job", "compare"); !got.ok {
		t.Fatal("the job that compares failed")
	} else {
		r.wantAway(t, got, outside)
	}
	if asked := r.double.Requests(); len(asked) > 0 {
		t.Errorf("the job that compares asked GitHub: %+v", asked)
	}
	stream, err := os.ReadFile(filepath.Join(r.artifacts, "isodelta", "stream.jsonl"))
	if err != nil || !bytes.Contains(stream, []byte(`0 loots: `)) {
		t.Fatalf("the thief did not run, or found something (%v):\n%s", err, stream)
	}

	// Both jobs.
	got := r.run("pull_request", p.event("octo/figure1"), "pull-request.yml")
	s := r.double.State()
	if !got.ok || len(s.Comments) != 1 || len(s.Checks) != 1 {
		t.Fatalf("ok %v, %d comments, %d checks; want one of each", got.ok, len(s.Comments), len(s.Checks))
	}
	wantText(t, readers(t, s.Comments[0].Body), "TestThief", "0 loots")
	r.wantAway(t, got, outside)
}

// wantAway looks for the token wherever a job leaves something.
func (r *runner) wantAway(t *testing.T, got result, dirs ...string) {
	t.Helper()
	r.away(t, "the log", []byte(got.log))
	for _, q := range r.double.Requests() {
		r.away(t, q.Method+" "+q.Path, []byte(q.Path+q.Body))
	}
	for _, dir := range append(dirs, r.artifacts) {
		err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			b, err := os.ReadFile(path)
			r.away(t, path, b)
			return err
		})
		if err != nil {
			t.Error(err)
		}
	}
}

func (r *runner) away(t *testing.T, where string, text []byte) {
	t.Helper()
	for _, form := range []string{r.token, hex.EncodeToString([]byte(r.token))} {
		if bytes.Contains(text, []byte(form)) {
			t.Errorf("the token got into %s", where)
		}
	}
}

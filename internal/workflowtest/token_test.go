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
// look for them; it is told how those of this test begin, since other tests on the
// machine have some, too. It hands on what it finds in hexadecimal, which no log
// masks, as an observed value, as output and as files.
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
			if _, value, _ := strings.Cut(line, "="); strings.Contains(value, BEGIN) {
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

// random is what nobody can guess.
func random() string {
	b := make([]byte, 12)
	rand.Read(b)
	return hex.EncodeToString(b)
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
	begin := "ghs_" + random()
	p.commit(t, "topic", "thief_test.go", strings.NewReplacer("OUTSIDE", fmt.Sprintf("%q", outside), "BEGIN", fmt.Sprintf("%q", begin)).Replace(thief))
	p.mergeAnew(t)
	r := newRunner(t, p.dir, p.state("octo/figure1"))
	r.token = begin + random()
	// One that the job's author put into the environment of everything.
	r.env["GH_TOKEN"] = begin + random()
	secrets := []string{r.token, r.env["GH_TOKEN"]}
	r.permit(r.token, map[string]string{"contents": "read", "pull-requests": "write", "checks": "write", "metadata": "read"})

	// The job that runs the thief, alone: it has nothing to ask GitHub with.
	got := r.run("pull_request", p.event("octo/figure1"), "pull-request.yml", "--job", "compare")
	r.wantAway(t, got, outside, secrets)
	if asked := r.double.Requests(); len(asked) > 0 {
		t.Errorf("the job that compares asked GitHub: %+v", asked)
	}
	foundNothing := func() {
		stream, err := os.ReadFile(filepath.Join(r.artifacts, "isodelta", "stream.jsonl"))
		if !got.ok || err != nil || !bytes.Contains(stream, []byte("0 loots: ")) {
			t.Fatalf("ok %v; the thief did not run, or found something (%v):\n%s", got.ok, err, stream)
		}
	}
	foundNothing()

	// Both jobs.
	got = r.run("pull_request", p.event("octo/figure1"), "pull-request.yml")
	s := r.double.State()
	if !got.ok || len(s.Comments) != 1 || len(s.Checks) != 1 {
		t.Fatalf("ok %v, %d comments, %d checks; want one of each", got.ok, len(s.Comments), len(s.Checks))
	}
	foundNothing()
	wantText(t, readers(t, s.Comments[0].Body), "Say(")
	r.wantAway(t, got, outside, secrets)
}

// wantAway looks for secrets wherever a job leaves something, and in a folder.
func (r *runner) wantAway(t *testing.T, got result, dir string, secrets []string) {
	t.Helper()
	texts := map[string][]byte{"the log": []byte(got.log)}
	for _, q := range r.double.Requests() {
		texts[q.Method+" "+q.Path] = []byte(q.Path + q.Body)
	}
	for _, top := range []string{dir, r.artifacts} {
		err := filepath.WalkDir(top, func(path string, d fs.DirEntry, err error) error {
			if err == nil && !d.IsDir() {
				texts[path], err = os.ReadFile(path)
			}
			return err
		})
		if err != nil {
			t.Error(err)
		}
	}
	for where, text := range texts {
		for _, s := range secrets {
			if bytes.Contains(text, []byte(s)) || bytes.Contains(text, []byte(hex.EncodeToString([]byte(s)))) {
				t.Errorf("a token got into %s", where)
			}
		}
	}
}

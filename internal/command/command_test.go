package command

import (
	"context"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/testscript"

	"github.com/isodelta/isodelta/internal/longtest"
	"github.com/isodelta/isodelta/internal/withheld"
	"github.com/isodelta/isodelta/report/event"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"isodelta": func() {
			variables := withheld.Take()
			ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
			defer stop()
			os.Exit(Run(ctx, os.Args[1:], Streams{Out: os.Stdout, Err: os.Stderr, Withheld: variables}))
		},
	})
}

// TestScript runs the scripts below testdata/script; each opens with the
// reason why it exists. Besides testscript's own commands there are
//
//	versions DIR...   make a repository in ./repo with one commit for each DIR
//	                  (its files, and no others)
//	findings FILE N   a JSON stream holds exactly N findings
//	samefindings A B  two streams hold the same findings, and at least one
func TestScript(t *testing.T) {
	t.Parallel()
	dir := filepath.Join("testdata", "script")
	scripts, err := filepath.Glob(filepath.Join(dir, "*.txtar"))
	if err != nil || len(scripts) == 0 {
		t.Fatalf("no scripts in %s: %v", dir, err)
	}
	var chosen []string
	for _, s := range scripts {
		b, err := os.ReadFile(s)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasPrefix(string(b), "# ") {
			t.Errorf("%s does not open with the reason why it exists", s)
		}
		if !longtest.Only() || strings.Contains(string(b), "\n[!long] skip ") {
			chosen = append(chosen, s)
		}
	}
	testscript.Run(t, testscript.Params{
		Files:               chosen,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup:               setup,
		Condition: func(cond string) (bool, error) {
			return cond == "long" && longtest.On(), nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"versions":     versions,
			"findings":     findings,
			"samefindings": sameFindings,
		},
	})
}

// setup returns scripts the Go caches of this machine, and git no configuration
// but its own.
func setup(env *testscript.Env) error {
	for _, name := range []string{"GOCACHE", "GOMODCACHE", "GOPATH", "GOPROXY", "GOFLAGS", "GOTOOLCHAIN"} {
		out, err := exec.Command("go", "env", name).Output()
		if err != nil {
			return err
		}
		env.Setenv(name, strings.TrimSpace(string(out)))
	}
	// Each run takes a folder below it of its own. The names come back, and with
	// them what the go command compiled for them.
	env.Setenv("TMPDIR", os.TempDir())
	// With the race detector each process, helpers too, would take a second to end.
	env.Setenv("GORACE", "atexit_sleep_ms=0")
	home := filepath.Join(env.WorkDir, ".home")
	if err := os.MkdirAll(home, 0o755); err != nil {
		return err
	}
	env.Setenv("HOME", home)
	env.Setenv("XDG_CACHE_HOME", filepath.Join(home, "cache"))
	for k, v := range map[string]string{
		"GIT_AUTHOR_NAME": "A", "GIT_AUTHOR_EMAIL": "a@example.com", "GIT_COMMITTER_NAME": "A",
		"GIT_COMMITTER_EMAIL": "a@example.com", "GIT_CONFIG_NOSYSTEM": "1",
		"GIT_AUTHOR_DATE": "2026-01-02T03:04:05Z", "GIT_COMMITTER_DATE": "2026-01-02T03:04:05Z",
	} {
		env.Setenv(k, v)
	}
	return nil
}

func versions(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) == 0 {
		ts.Fatalf("usage: versions DIR...")
	}
	repo := ts.MkAbs("repo")
	ts.Check(os.MkdirAll(repo, 0o755))
	git := func(args ...string) {
		ts.Check(ts.Exec("git", append([]string{"-C", repo}, args...)...))
	}
	git("init", "-q", "-b", "main")
	for _, dir := range args {
		names, err := os.ReadDir(repo)
		ts.Check(err)
		for _, n := range names {
			if n.Name() != ".git" {
				ts.Check(os.RemoveAll(filepath.Join(repo, n.Name())))
			}
		}
		ts.Check(os.CopyFS(repo, os.DirFS(ts.MkAbs(dir))))
		git("add", "-A")
		git("commit", "-q", "--allow-empty", "-m", dir)
	}
}

func findings(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: findings FILE N")
	}
	s, err := readStream(ts.MkAbs(args[0]))
	ts.Check(err)
	if got := len(s.Findings); args[1] != strconv.Itoa(got) {
		for _, f := range s.Findings {
			ts.Logf("%+v", f)
		}
		ts.Fatalf("%s holds %d findings, want %s", args[0], got, args[1])
	}
}

func sameFindings(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: samefindings FILE FILE")
	}
	var found [2][]event.Finding
	for i, file := range args {
		s, err := readStream(ts.MkAbs(file))
		ts.Check(err)
		found[i] = s.Findings
	}
	if len(found[0]) == 0 {
		ts.Fatalf("%s holds no finding", args[0])
	}
	if d := cmp.Diff(found[0], found[1]); d != "" {
		ts.Fatalf("findings differ:\n%s", d)
	}
}

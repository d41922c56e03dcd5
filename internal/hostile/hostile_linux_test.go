package hostile_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/isodelta/isodelta/internal/longtest"
	"github.com/isodelta/isodelta/runner/execute/sandbox"
)

var update = flag.Bool("update", false, "write the table into docs/security.md")

// playArg, as the first argument, makes the test binary a stage.
const playArg = "hostile-stage"

// nobody is the unprivileged user that root plays, too.
const nobody = 65534

func TestMain(m *testing.M) {
	if len(os.Args) == 5 && os.Args[1] == playArg {
		if err := play(sandbox.Level(os.Args[2]), os.Args[3], os.Args[4], os.Stdout); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func levels() []sandbox.Level {
	return []sandbox.Level{sandbox.None, sandbox.Landlock, sandbox.LandlockNetwork, sandbox.Namespaces}
}

// user is who runs isodelta.
type user struct {
	name string
	id   int
}

// users are those that this process can be: root can be anybody.
func users() []user {
	if id := os.Geteuid(); id != 0 {
		return []user{{"user", id}}
	}
	return []user{{"root", 0}, {"user", nobody}}
}

// Each attempt ends as the level says that it does: what it holds is refused,
// what it leaves open succeeds, and without a sandbox all succeed, so that a
// refusal means something.
func TestAttempts(t *testing.T) {
	if !*update {
		longtest.Skip(t, "starts some hundred processes")
	}
	if runtime.GOARCH != "amd64" && runtime.GOARCH != "arm64" {
		t.Skip("system calls have other numbers here")
	}
	dir := sharedDir(t)
	binary := filepath.Join(dir, "attempts.test")
	build := exec.Command("go", "test", "-c", "-o", binary)
	build.Dir = filepath.Join("testdata", "attempts")
	build.Env = append(os.Environ(), "GOWORK=off", "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	exe := copyOf(t, filepath.Join(dir, "isodelta"))
	reports := make([]map[sandbox.Level]report, len(users()))
	t.Run("as", func(t *testing.T) {
		for i, u := range users() {
			t.Run(u.name, func(t *testing.T) {
				t.Parallel()
				reports[i] = playAs(t, u, dir, exe, binary)
			})
		}
	})
	if *update && !t.Failed() {
		updateDocs(t, reports)
	}
}

// playAs plays all levels as one user.
func playAs(t *testing.T, u user, dir, exe, binary string) map[sandbox.Level]report {
	all := map[sandbox.Level]report{}
	for _, level := range levels() {
		r := stageAs(t, u, level, dir, exe, binary)
		all[level] = r
		if r.Missing != "" {
			t.Logf("%s: not tried: %s", level, r.Missing)
			continue
		}
		for _, a := range attempts() {
			o := r.Outcomes[a.test]
			if want := a.expected(r.Found, u.id == 0); o.Done != want && !(a.fragile && level == sandbox.None) {
				t.Errorf("%s, %s: succeeds is %v, want %v: %s", level, a.what, o.Done, want, o.Reason)
			}
		}
	}
	return all
}

// sharedDir is a folder that every user can enter.
func sharedDir(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "hostile-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	return dir
}

// copyOf puts this program where every user can start it.
func copyOf(t *testing.T, path string) string {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	from, err := os.Open(self)
	if err != nil {
		t.Fatal(err)
	}
	defer from.Close()
	to, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY, 0o755)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.Copy(to, from); err != nil {
		t.Fatal(err)
	}
	if err := to.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

// stageAs plays all attempts at a level in a process of a user's, which has a
// token in its environment as a step of a workflow may.
func stageAs(t *testing.T, u user, level sandbox.Level, dir, exe, binary string) report {
	t.Helper()
	own := filepath.Join(dir, u.name+"-"+strings.TrimPrefix(string(level), "landlock+"))
	if err := os.Mkdir(own, 0o700); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), exe, playArg, string(level), own, binary)
	cmd.Dir = own
	cmd.Env = append(os.Environ(), "TMPDIR="+own, fmt.Sprintf("GITHUB_TOKEN=ghs_%d", time.Now().UnixNano()))
	if u.id != os.Geteuid() {
		if err := os.Chown(own, u.id, u.id); err != nil {
			t.Fatal(err)
		}
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uint32(u.id), Gid: uint32(u.id)}}
	}
	var errText bytes.Buffer
	cmd.Stderr = &errText
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s at %s: %v: %s", u.name, level, err, errText.String())
	}
	var r report
	if err := json.Unmarshal(out, &r); err != nil {
		t.Fatal(err)
	}
	return r
}

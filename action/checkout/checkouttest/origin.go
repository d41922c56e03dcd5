package checkouttest

import (
	"fmt"
	"net"
	"net/http"
	"net/http/cgi"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// Main runs the tests of a package with an empty home for git, so that the
// configuration of whoever runs them changes nothing.
func Main(m *testing.M) {
	home, err := os.MkdirTemp("", "home")
	if err != nil {
		panic(err)
	}
	cache, err := exec.Command("go", "env", "GOCACHE").Output()
	if err != nil {
		panic(err)
	}
	for key, value := range map[string]string{
		"GOCACHE": strings.TrimSpace(string(cache)), // it would be looked for in that home
		"HOME":    home, "XDG_CONFIG_HOME": filepath.Join(home, ".config"), "GIT_CONFIG_NOSYSTEM": "1",
		"GIT_AUTHOR_NAME": "Author", "GIT_AUTHOR_EMAIL": "author@example.com",
		"GIT_COMMITTER_NAME": "Author", "GIT_COMMITTER_EMAIL": "author@example.com",
		"GIT_TERMINAL_PROMPT": "0", "LC_ALL": "C.UTF-8",
	} {
		os.Setenv(key, value)
	}
	for _, key := range []string{"GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_CONFIG_GLOBAL"} {
		os.Unsetenv(key)
	}
	code := m.Run()
	os.RemoveAll(home)
	os.Exit(code)
}

// Origin is a bare repository with the history of a pull request:
//
//	first --- second --- third --- fourth        main
//	   \                     \
//	    one --- two ---------- merge             refs/pull/7/head is two
//
// as GitHub has it: the merge is of the pull request into third, and fourth
// came afterwards.
type Origin struct {
	Dir  string            // the bare repository, owner/name below the served folder
	Work string            // a working tree with the same history
	Hash map[string]string // of the commits, by the names above

	t   *testing.T
	now int
}

// New makes the repository.
func New(t *testing.T) *Origin {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	o := &Origin{t: t, Dir: filepath.Join(root, "srv", "owner", "name"), Work: filepath.Join(root, "work"), Hash: map[string]string{}, now: 1_700_000_000}
	o.Run(root, "init", "--quiet", "--bare", "--initial-branch=main", o.Dir)
	o.Run(root, "init", "--quiet", "--initial-branch=main", o.Work)
	o.Commit("first", map[string]string{"go.mod": "module m\n", "m.go": "package m\n", "sub/s.go": "package sub\n"})
	o.Git("tag", "-a", "v1.0.0", "-m", "one")
	o.Git("checkout", "--quiet", "-b", "topic")
	o.Commit("one", map[string]string{"one.go": "package m\n"})
	o.Commit("two", map[string]string{"two.go": "package m\n"})
	o.Git("checkout", "--quiet", "main")
	o.Commit("second", map[string]string{"sub/s.go": "package sub // second\n"})
	o.Commit("third", map[string]string{"third.go": "package m\n"})
	o.Git("checkout", "--quiet", "--detach")
	o.now += 60
	o.Git("merge", "--quiet", "--no-ff", "-m", "merge", "topic")
	o.Hash["merge"] = o.Git("rev-parse", "HEAD")
	o.Git("checkout", "--quiet", "main")
	o.Commit("fourth", map[string]string{"fourth.go": "package m\n"})
	o.Git("push", "--quiet", o.Dir, "main", "v1.0.0", o.Hash["two"]+":refs/pull/7/head", o.Hash["merge"]+":refs/pull/7/merge")
	return o
}

// Run runs git in a folder.
func (o *Origin) Run(dir string, args ...string) string {
	o.t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = dir
	date := fmt.Sprintf("%d +0000", o.now)
	cmd.Env = append(os.Environ(), "GIT_AUTHOR_DATE="+date, "GIT_COMMITTER_DATE="+date)
	out, err := cmd.CombinedOutput()
	if err != nil {
		o.t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return strings.TrimSpace(string(out))
}

// Git runs git in the working tree.
func (o *Origin) Git(args ...string) string { o.t.Helper(); return o.Run(o.Work, args...) }

// Commit writes files into the working tree and commits them under a name.
func (o *Origin) Commit(name string, files map[string]string) {
	o.t.Helper()
	for file, text := range files {
		file = filepath.Join(o.Work, filepath.FromSlash(file))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			o.t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			o.t.Fatal(err)
		}
	}
	o.now += 60
	o.Git("add", "--all")
	o.Git("commit", "--quiet", "-m", name)
	o.Hash[name] = o.Git("rev-parse", "HEAD")
}

// Allow makes the server as generous as GitHub.
func (o *Origin) Allow() *Origin {
	o.t.Helper()
	o.Run(o.Dir, "config", "uploadpack.allowReachableSHA1InWant", "true")
	o.Run(o.Dir, "config", "uploadpack.allowTipSHA1InWant", "true")
	o.Run(o.Dir, "config", "uploadpack.allowFilter", "true")
	return o
}

// Serve starts git's own server behind basic authentication with the password
// (none where it is empty), and counts the packs that it sends.
func (o *Origin) Serve(password string) (address string, packs *atomic.Int32) {
	o.t.Helper()
	path, err := exec.Command("git", "--exec-path").Output()
	if err != nil {
		o.t.Fatal(err)
	}
	backend := &cgi.Handler{
		Path: filepath.Join(strings.TrimSpace(string(path)), "git-http-backend"),
		Env:  []string{"GIT_PROJECT_ROOT=" + filepath.Dir(filepath.Dir(o.Dir)), "GIT_HTTP_EXPORT_ALL=1", "GIT_CONFIG_NOSYSTEM=1", "HOME=" + o.Work},
	}
	packs = &atomic.Int32{}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if _, got, _ := r.BasicAuth(); password != "" && got != password {
			w.Header().Set("WWW-Authenticate", `Basic realm="git"`)
			http.Error(w, "who are you\x1b[31m?", http.StatusUnauthorized)
			return
		}
		if strings.HasSuffix(r.URL.Path, "/git-upload-pack") {
			packs.Add(1)
		}
		backend.ServeHTTP(w, r)
	}))
	o.t.Cleanup(s.Close)
	return s.URL, packs
}

// Daemon starts git daemon, and returns its address.
func (o *Origin) Daemon() string {
	o.t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		o.t.Fatal(err)
	}
	port := l.Addr().(*net.TCPAddr).Port
	l.Close()
	root := filepath.Dir(filepath.Dir(o.Dir))
	cmd := exec.Command("git", "daemon", "--export-all", "--base-path="+root, "--listen=127.0.0.1", fmt.Sprintf("--port=%d", port), root)
	if err := cmd.Start(); err != nil {
		o.t.Fatal(err)
	}
	o.t.Cleanup(func() { cmd.Process.Kill(); cmd.Wait() })
	for range 100 {
		if c, err := net.Dial("tcp", fmt.Sprintf("127.0.0.1:%d", port)); err == nil {
			c.Close()
			return fmt.Sprintf("git://127.0.0.1:%d", port)
		}
		time.Sleep(50 * time.Millisecond)
	}
	o.t.Fatal("git daemon does not answer")
	return ""
}

// Clone makes what actions/checkout makes of a reference: one commit, on no
// branch, with origin pointing to address. More arguments go to git fetch.
func (o *Origin) Clone(address, ref string, args ...string) string {
	o.t.Helper()
	dir := filepath.Join(o.t.TempDir(), "checkout")
	o.Run("", "init", "--quiet", "--initial-branch=main", dir)
	fetch := append([]string{"fetch", "--quiet", "--no-tags"}, args...)
	o.Run(dir, append(fetch, "file://"+o.Dir, "+"+ref+":refs/remotes/pull/it")...)
	o.Run(dir, "checkout", "--quiet", "--detach", "refs/remotes/pull/it")
	if address != "" {
		o.Run(dir, "remote", "add", "origin", address+"/owner/name")
	}
	return dir
}

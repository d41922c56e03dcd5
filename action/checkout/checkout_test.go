package checkout

import (
	"encoding/base64"
	"errors"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/isodelta/isodelta/action/checkout/checkouttest"
	"github.com/isodelta/isodelta/runner/revision"
)

func TestMain(m *testing.M) { checkouttest.Main(m) }

const token = "ghs_secret"

func open(t *testing.T, o Options) *Checkout {
	t.Helper()
	o.Temp = t.TempDir()
	c, err := Open(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		c.Close()
		if left, _ := os.ReadDir(o.Temp); len(left) > 0 {
			t.Errorf("left behind: %v", left)
		}
	})
	return c
}

// mergeBaseAndFiles finds the merge base of the pull request, and lays out its
// files as the engine does.
func mergeBaseAndFiles(t *testing.T, c *Checkout, o *checkouttest.Origin, dir string) {
	t.Helper()
	base, err := c.MergeBase(t.Context(), o.Hash["fourth"], o.Hash["two"])
	if err != nil {
		t.Fatal(err)
	}
	if base != o.Hash["first"] {
		t.Fatalf("merge base %s, want %s", base, o.Hash["first"])
	}
	for _, commit := range []string{base, o.Hash["two"]} {
		if err := c.Require(t.Context(), commit); err != nil {
			t.Fatal(err)
		}
	}
	engine, err := revision.Open(dir, c.Objects()...)
	if err != nil {
		t.Fatal(err)
	}
	rng, err := engine.Resolve(t.Context(), []string{base, o.Hash["two"]})
	if err != nil {
		t.Fatal(err)
	}
	tree := filepath.Join(t.TempDir(), "tree")
	if _, err := engine.Materialise(t.Context(), rng.Base, tree); err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(filepath.Join(tree, "sub", "s.go")); err != nil || string(got) != "package sub\n" {
		t.Errorf("sub/s.go of the base: %q, %v", got, err)
	}
}

// TestFetch: whatever the checkout is like and whatever the server allows, the
// merge base and its files come, and the checkout stays as it is.
func TestFetch(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name    string
		allow   bool
		server  string // http, daemon, file
		ref     string
		args    []string
		arrange func(o *checkouttest.Origin, dir string) string // returns the folder to open
		packs   int32                                           // sent at most; 0 is not looked at
	}{
		{"shallow merge reference", true, "http", "refs/pull/7/merge", []string{"--depth=1"}, nil, 4},
		{"shallow head", true, "http", "refs/pull/7/head", []string{"--depth=1"}, nil, 4},
		{"a server that gives no commit by its hash", false, "http", "refs/pull/7/head", []string{"--depth=1"}, nil, 0},
		{"daemon", true, "daemon", "refs/pull/7/head", []string{"--depth=1"}, nil, 0},
		{"strict daemon", false, "daemon", "refs/pull/7/head", []string{"--depth=1"}, nil, 0},
		{"folder", true, "file", "refs/pull/7/head", []string{"--depth=1"}, nil, 0},
		{"partial", true, "http", "refs/pull/7/merge", []string{"--filter=blob:none"}, func(o *checkouttest.Origin, dir string) string {
			return dir
		}, 0},
		{"linked worktree", true, "http", "refs/pull/7/merge", []string{"--depth=1"}, func(o *checkouttest.Origin, dir string) string {
			o.Run(dir, "worktree", "add", "--quiet", "--detach", dir+"-linked")
			return dir + "-linked"
		}, 0},
		{"folder inside", true, "http", "refs/pull/7/merge", []string{"--depth=1"}, func(o *checkouttest.Origin, dir string) string {
			return filepath.Join(dir, "sub")
		}, 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			o := checkouttest.New(t)
			if test.allow {
				o.Allow()
			}
			address, packs := "", func() int32 { return 0 }
			switch test.server {
			case "http":
				a, n := o.Serve(token)
				address, packs = a, n.Load
			case "daemon":
				address = o.Daemon()
			case "file":
				address = "file://" + filepath.Dir(filepath.Dir(o.Dir))
			}
			dir := o.Clone(address, test.ref, test.args...)
			if test.arrange != nil {
				dir = test.arrange(o, dir)
			}
			before := snapshot(t, filepath.Dir(dir))
			mergeBaseAndFiles(t, open(t, Options{Dir: dir, Server: address, Token: token}), o, dir)
			if after := snapshot(t, filepath.Dir(dir)); before != after {
				t.Error("the checkout was changed")
			}
			if test.packs > 0 && packs() > test.packs {
				t.Errorf("%d packs were sent, want at most %d", packs(), test.packs)
			}
		})
	}
}

// A full clone needs no server.
func TestFullClone(t *testing.T) {
	t.Parallel()
	o := checkouttest.New(t)
	o.Run(o.Work, "checkout", "--quiet", "topic")
	mergeBaseAndFiles(t, open(t, Options{Dir: o.Work}), o, o.Work)
}

// snapshot is every file below root with its size, time and permissions.
func snapshot(t *testing.T, root string) string {
	t.Helper()
	var b strings.Builder
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		b.WriteString(path + " " + info.ModTime().String() + " " + info.Mode().String() + "\n")
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func basic(password string) string {
	return "AUTHORIZATION: basic " + base64.StdEncoding.EncodeToString([]byte("x-access-token:"+password))
}

// TestCredentials: the header that actions/checkout leaves is used, and the
// token where there is none; no secret and nothing of the server's page gets
// into a message.
func TestCredentials(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, token string
		arrange     func(o *checkouttest.Origin, dir, address string)
		server      string // instead of the address
		fails       string // part of the error
	}{
		{"token", token, nil, "", ""},
		{"header", "", func(o *checkouttest.Origin, dir, address string) {
			o.Run(dir, "config", "http."+address+"/.extraheader", basic(token))
		}, "", ""},
		{"included header", "", func(o *checkouttest.Origin, dir, address string) {
			file := filepath.Join(o.Work, "credentials.config")
			o.Run(dir, "config", "--file", file, "http."+address+"/.extraheader", basic(token))
			o.Run(dir, "config", "includeIf.gitdir:"+dir+"/.git.path", file)
		}, "", ""},
		{"wrong header, right token", token, func(o *checkouttest.Origin, dir, address string) {
			o.Run(dir, "config", "http."+address+"/.extraheader", basic("expired"))
		}, "", ""},
		{"address with a password", "", func(o *checkouttest.Origin, dir, address string) {
			u, _ := url.Parse(address)
			u.User = url.UserPassword("x", token)
			o.Run(dir, "remote", "set-url", "origin", u.String()+"/owner/name")
		}, "", ""},
		{"wrong token", "ghs_wrong", nil, "", "contents: read"},
		{"no token", "", nil, "", "authentication required"},
		{"token of another server", token, nil, "https://github.com", "authentication required"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			o := checkouttest.New(t).Allow()
			address, _ := o.Serve(token)
			dir := o.Clone(address, "refs/pull/7/merge", "--depth=1")
			if test.arrange != nil {
				test.arrange(o, dir, address)
			}
			server := address
			if test.server != "" {
				server = test.server
			}
			var log strings.Builder
			c := open(t, Options{Dir: dir, Server: server, Token: test.token, Log: func(s string) { log.WriteString(s) }})
			if got, want := c.KeepsCredentials(), strings.Contains(test.name, "header") || strings.Contains(test.name, "password"); got != want {
				t.Errorf("keeps credentials: %v, want %v", got, want)
			}
			err := c.Require(t.Context(), o.Hash["third"])
			if test.fails == "" && err != nil {
				t.Fatal(err)
			}
			if test.fails != "" && (err == nil || !strings.Contains(err.Error(), test.fails)) {
				t.Fatalf("error %v, want … %s …", err, test.fails)
			}
			said := log.String()
			if err != nil {
				said += err.Error()
			}
			for _, secret := range []string{"ghs_", basic(token)[len(basic(token))-8:], "who are you", "\x1b"} {
				if strings.Contains(said, secret) {
					t.Errorf("%q is in what was said: %s", secret, said)
				}
			}
		})
	}
}

// TestNames: a name is what the remote means by it, then what the checkout does.
func TestNames(t *testing.T) {
	t.Parallel()
	o := checkouttest.New(t).Allow()
	address, _ := o.Serve("")
	dir := o.Clone(address, "refs/pull/7/merge", "--depth=1")
	o.Run(dir, "branch", "main") // nobody moves it
	o.Run(dir, "branch", "only-here")
	c := open(t, Options{Dir: dir})
	for name, want := range map[string]string{
		"main": "fourth", "v1.0.0": "first", "refs/pull/7/head": "two", "refs/heads/main": "fourth",
		"HEAD": "merge", "only-here": "merge", o.Hash["second"]: "second",
	} {
		if got, err := c.Commit(t.Context(), name); err != nil || got != o.Hash[want] {
			t.Errorf("%s: %s, %v; want %s (%s)", name, got, err, o.Hash[want], want)
		}
	}
	var unknown *revision.UnknownRevisionError
	if _, err := c.Commit(t.Context(), "mian"); !errors.As(err, &unknown) {
		t.Errorf("mian: %v", err)
	}
	tags, err := c.Tags(t.Context())
	if err != nil || len(tags) != 1 || tags["v1.0.0"] != o.Hash["first"] {
		t.Errorf("tags %v, %v", tags, err)
	}
	parents, err := c.Parents(c.Head())
	if err != nil || len(parents) != 2 || parents[0] != o.Hash["third"] || parents[1] != o.Hash["two"] {
		t.Errorf("parents of the merge %v, %v", parents, err)
	}
}

// TestUnreachable: what cannot be had is named, with what to write into the
// workflow.
func TestUnreachable(t *testing.T) {
	t.Parallel()
	o := checkouttest.New(t).Allow()
	address, _ := o.Serve("")
	gone := strings.Repeat("ab", 20)
	var unreachable *UnreachableError
	for _, test := range []struct{ name, address, want string }{
		{"a commit that is nowhere", address, "force push"},
		{"no remote", "", "no remote"},
		{"nobody there", "http://127.0.0.1:1", "127.0.0.1:1"},
	} {
		dir := o.Clone(test.address, "refs/pull/7/merge", "--depth=1")
		c := open(t, Options{Dir: dir})
		_, err := c.Commit(t.Context(), gone)
		if !errors.As(err, &unreachable) || !strings.Contains(err.Error(), test.want) || !strings.Contains(err.Error(), "fetch-depth: 0") {
			t.Errorf("%s: %v", test.name, err)
		}
	}
	// Without a remote, the workflow's own repository is asked.
	dir := o.Clone("", "refs/pull/7/merge", "--depth=1")
	c := open(t, Options{Dir: dir, Server: address, Repository: "owner/name"})
	if err := c.Require(t.Context(), o.Hash["third"]); err != nil {
		t.Error(err)
	}
	// Two histories that never met are not a matter of depth.
	o.Git("checkout", "--quiet", "--orphan", "island")
	o.Commit("island", nil)
	o.Git("push", "--quiet", o.Dir, "island")
	c = open(t, Options{Dir: dir, Server: address, Repository: "owner/name"})
	if _, err := c.Commit(t.Context(), "island"); err != nil {
		t.Fatal(err)
	}
	if _, err := c.MergeBase(t.Context(), o.Hash["island"], c.Head()); !errors.Is(err, revision.ErrNoCommonAncestor) {
		t.Errorf("histories that never met: %v", err)
	}
}

func TestOpenFails(t *testing.T) {
	t.Parallel()
	if _, err := Open(Options{Dir: t.TempDir(), Temp: t.TempDir()}); err == nil || !strings.Contains(err.Error(), "actions/checkout") {
		t.Errorf("no repository: %v", err)
	}
}

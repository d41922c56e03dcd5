package commits

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
	"time"
)

// commit is one to compare.
type commit struct {
	ID   string `json:"id"`
	Kind string `json:"kind"` // regression, benign or ordinary
	Repo string `json:"repo"` // as in github.com/owner/name
	Base string `json:"base"`
	Head string `json:"head"`
	Fix  string `json:"fix"`  // mends a regression
	Pkg  string `json:"pkg"`  // packages whose tests run; all of them if empty
	Skip string `json:"skip"` // tests to leave out
}

//go:embed testdata/commits.json
var recorded []byte

// read returns the commits of a file, or the recorded ones.
func read(file string) ([]commit, error) {
	text := recorded
	if file != "" {
		var err error
		if text, err = os.ReadFile(file); err != nil {
			return nil, err
		}
	}
	var list []commit
	if err := json.Unmarshal(text, &list); err != nil {
		return nil, fmt.Errorf("commits %s: %w", file, err)
	}
	return list, nil
}

// clone makes a clone of a commit's repository in dir, of the one below clones.
func (c commit) clone(ctx context.Context, clones, dir string) error {
	owner := path.Base(path.Dir(c.Repo))
	name := path.Base(c.Repo)
	for _, at := range []string{filepath.Join(owner+"+"+name, "repo"), owner + "+" + name, name} {
		from := filepath.Join(clones, at)
		if !has(from, ".git") && !has(from, "HEAD") {
			continue // a folder of a repository may have the name, too
		}
		if exec.CommandContext(ctx, "git", "-C", from, "rev-parse", "--verify", "--quiet", c.Head+"^{commit}").Run() == nil {
			return errors.Join(
				git(ctx, "", "clone", "--quiet", "--shared", "--no-checkout", from, dir),
				// A repository without go.mod is named by this.
				git(ctx, dir, "remote", "set-url", "origin", "https://"+c.Repo))
		}
	}
	return fmt.Errorf("%s: no clone of %s with commit %s in %s: git clone https://%s %s", c.ID, c.Repo, c.Head, clones, c.Repo, filepath.Join(clones, owner+"+"+name))
}

// checkout lays out a revision, and nothing else. A clone that lacks large files, pictures mostly, is laid out without them.
func checkout(ctx context.Context, dir, revision string) error {
	err := git(ctx, dir, "checkout", "--quiet", "--force", "--detach", revision)
	if err != nil && strings.Contains(err.Error(), "unable to read sha1 file") {
		if err = git(ctx, dir, "read-tree", "--reset", revision); err == nil {
			// It ends with an error for what is missing, and writes the others.
			_ = git(ctx, dir, "checkout-index", "--quiet", "--force", "--all")
		}
	}
	return errors.Join(err, git(ctx, dir, "clean", "--quiet", "-fdx"))
}

// longestDownload is how long the modules of a version are fetched at most.
const longestDownload = 5 * time.Minute

// download fetches the modules that what is laid out in dir asks for, so that the network is not in the budget: workflows
// have them in a cache, and docs/environment.md advises it. What cannot be fetched may not be needed, and the comparison says
// what it lacks.
func (c commit) download(ctx context.Context, dir string, progress io.Writer) {
	limited, cancel := context.WithTimeout(ctx, longestDownload)
	defer cancel()
	cmd := exec.CommandContext(limited, "go", "mod", "download")
	cmd.Dir = filepath.Join(dir, filepath.FromSlash(strings.TrimSuffix(c.Pkg, "...")))
	if !has(cmd.Dir, ".") {
		cmd.Dir = dir // the package is not in this version
	}
	if text, err := cmd.CombinedOutput(); err != nil {
		fmt.Fprintf(progress, "%s: go mod download: %v: %s\n", c.ID, err, strings.TrimSpace(string(text)))
	}
}

func git(ctx context.Context, dir string, args ...string) error {
	cmd := exec.CommandContext(ctx, "git", args...)
	cmd.Dir = dir
	if text, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("git %s: %w: %s", strings.Join(args, " "), err, strings.TrimSpace(string(text)))
	}
	return nil
}

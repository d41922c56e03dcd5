package demo

import (
	_ "embed"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/go-git/go-git/v5"
	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/object"
	"golang.org/x/tools/txtar"
)

//go:embed figure1.txtar
var figure1 []byte

// Build makes the repository in dir, which must be empty or not exist. Its
// commits are the same each time: fixed author, fixed dates.
func Build(dir string) error { return build(dir, func(string) bool { return true }) }

// Figure1 makes the repository with the paper's figure alone: one change, and one
// behaviour that it changes.
func Figure1(dir string) error {
	return build(dir, func(name string) bool { return name == "go.mod" || strings.HasPrefix(name, "numbers") })
}

func build(dir string, wanted func(name string) bool) error {
	if names, err := os.ReadDir(dir); err == nil && len(names) > 0 {
		return fmt.Errorf("%s is not empty", dir)
	}
	repo, err := git.PlainInitWithOptions(dir, &git.PlainInitOptions{
		InitOptions: git.InitOptions{DefaultBranch: plumbing.NewBranchReferenceName("main")}})
	if err != nil {
		return fmt.Errorf("demo repository: %w", err)
	}
	tree, err := repo.Worktree()
	if err != nil {
		return err
	}
	archive := txtar.Parse(figure1)
	for i, c := range []struct{ folder, message string }{
		{"base/", "Param: the number behind a five"},
		{"head/", "createNumbers: two fives in a row"},
	} {
		for _, f := range archive.Files {
			name, ok := strings.CutPrefix(f.Name, c.folder)
			if !ok || !wanted(name) {
				continue
			}
			if err := os.WriteFile(filepath.Join(dir, name), f.Data, 0o644); err != nil {
				return err
			}
			if _, err := tree.Add(name); err != nil {
				return err
			}
		}
		who := &object.Signature{Name: "The isodelta Authors", Email: "demo@example.com",
			When: time.Date(2016, time.November, 13+i, 12, 0, 0, 0, time.UTC)}
		if _, err := tree.Commit(c.message, &git.CommitOptions{Author: who, Committer: who}); err != nil {
			return fmt.Errorf("demo repository: %w", err)
		}
	}
	return nil
}

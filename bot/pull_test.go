package bot

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/isodelta/isodelta/bot/githubtest"
)

func TestPullRequests(t *testing.T) {
	t.Parallel()
	const fork = "eve/lib"
	state := githubtest.State{
		Commits: []githubtest.Commit{{SHA: third, Parents: []string{second}}},
		PullRequests: []githubtest.PullRequest{
			{Number: 1, Head: first, HeadRepository: fork},
			{Number: 2, Head: first, HeadRepository: fork, State: "closed"},
			{Number: 3, Head: first, HeadRepository: "mallory/lib"}, // the same commit, proposed by somebody else
			{Number: 4, Head: first, HeadRepository: fork, BaseRef: "v1"},
			{Number: 5, Head: third, HeadRepository: fork}, // holds second, but it is not its head
			{Number: 6, Head: second, HeadRepository: fork, Unlisted: true},
			{Number: 7, Head: "4444444444444444444444444444444444444444"}, // the fork is deleted
		},
	}
	for n := range 40 { // others, so that there are pages
		state.PullRequests = append(state.PullRequests, githubtest.PullRequest{Number: 100 + n, Head: fmt.Sprintf("%040x", n), HeadRepository: fork})
	}
	_, c := double(t, githubtest.Options{State: state, PageSize: 3})
	for _, test := range []struct {
		commit, repository string
		want               []int
	}{
		{first, fork, []int{1, 4}},
		{first, "Eve/Lib", []int{1, 4}},
		{first, "mallory/lib", []int{3}},
		{first, "octo/lib", nil},
		{second, fork, []int{6}},
		{third, fork, []int{5}},
		{"4444444444444444444444444444444444444444", fork, nil},
		{"5555555555555555555555555555555555555555", fork, nil},
	} {
		found, err := c.PullRequests(context.Background(), test.commit, test.repository)
		if err != nil {
			t.Fatal(err)
		}
		var numbers []int
		for _, p := range found {
			numbers = append(numbers, p.Number)
		}
		if diff := cmp.Diff(test.want, numbers); diff != "" {
			t.Errorf("%.4s of %s: %s", test.commit, test.repository, diff)
		}
	}
	if _, err := c.PullRequests(context.Background(), first, ""); err == nil {
		t.Error("without a repository every fork would do")
	}
}

// What a stream says of commits is held against what GitHub knows of them.
func TestCommits(t *testing.T) {
	t.Parallel()
	state := pull()
	state.Commits = []githubtest.Commit{
		{SHA: "a1", Parents: []string{first, second}},
		{SHA: third, Parents: []string{"b2"}},
		{SHA: "b2", Parents: []string{"b1"}},
	}
	_, c := double(t, githubtest.Options{State: state})
	ctx := context.Background()
	for commit, want := range map[string][]string{"a1": {first, second}, "a4": nil} {
		if got, err := c.Parents(ctx, commit); err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: %v, %v", commit, got, err)
		}
	}
	for commit, want := range map[string]bool{third: true, "b1": true, "a1": false, second: false, "unknown": false} {
		if got, err := c.Contains(ctx, "main", commit); err != nil || got != want {
			t.Errorf("%s is on main: %v, %v", commit, got, err)
		}
	}
}

// A file of base is read at a commit, up to a limit; a link is not read.
func TestFile(t *testing.T) {
	t.Parallel()
	state := pull()
	state.Files = []githubtest.File{
		{Commit: third, Path: ".isodelta.yml", Text: "fail-on: [reached]\n"}, {Commit: third, Path: "sub/dir/x.yml", Text: strings.Repeat("x", 100)},
		{Commit: third, Path: "link.yml", Text: "/etc/passwd", Link: true}, {Commit: third, Path: "empty.yml"},
		{Commit: third, Path: "large.yml", Text: strings.Repeat("x", 2<<20)},
	}
	_, c := double(t, githubtest.Options{State: state})
	for path, want := range map[string]string{".isodelta.yml": "fail-on: [reached]\n", "sub/dir/x.yml": strings.Repeat("x", 100), "link.yml": "", "none.yml": "", "empty.yml": ""} {
		if got, err := c.File(context.Background(), third, path, 100); err != nil || string(got) != want || (got == nil) != (want == "" && path != "empty.yml") {
			t.Errorf("%s: %q, %v", path, got, err)
		}
	}
	if got, err := c.File(context.Background(), second, ".isodelta.yml", 100); got != nil || err != nil {
		t.Errorf("at another commit: %q, %v", got, err)
	}
	for path, limit := range map[string]int{"sub/dir/x.yml": 99, "large.yml": 1 << 30} {
		if _, err := c.File(context.Background(), third, path, limit); err == nil {
			t.Errorf("%s is read, of at most %d bytes", path, limit)
		}
	}
}

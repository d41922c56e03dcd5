package bot

import (
	"context"
	"fmt"
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

func TestMergeOf(t *testing.T) {
	t.Parallel()
	state := pull()
	state.Commits = []githubtest.Commit{
		{SHA: "a1", Parents: []string{first, second}},
		{SHA: "a2", Parents: []string{second, first}},
		{SHA: "a3", Parents: []string{second}},
	}
	_, c := double(t, githubtest.Options{State: state})
	for commit, want := range map[string]bool{"a1": true, "a2": false, "a3": false, "a4": false} {
		if got, err := c.MergeOf(context.Background(), commit, second); err != nil || got != want {
			t.Errorf("%s: %v, %v", commit, got, err)
		}
	}
}

package bot

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/isodelta/isodelta/bot/githubtest"
)

// Commits of the tests.
const (
	first  = "1111111111111111111111111111111111111111"
	second = "2222222222222222222222222222222222222222"
	third  = "3333333333333333333333333333333333333333"
)

const me = "github-actions[bot]"

// pull is pull request 7, whose head is second.
func pull() githubtest.State {
	return githubtest.State{
		PullRequests: []githubtest.PullRequest{{
			Number: 7, Head: second, HeadRef: "topic", HeadRepository: "octo/lib", Base: third, BaseRef: "main",
		}},
		Collaborators: map[string]string{"ann": "admin", "mia": "maintain", "wes": "write", "tom": "triage", "rob": "read"},
	}
}

func double(t *testing.T, opt githubtest.Options) (*githubtest.Server, *Client) {
	t.Helper()
	s := githubtest.Start(t, opt)
	return s, client(t, s, Options{})
}

func client(t *testing.T, s *githubtest.Server, opt Options) *Client {
	t.Helper()
	opt.API, opt.Repository = s.URL, "octo/lib"
	if opt.Token == "" {
		opt.Token = githubtest.DefaultToken
	}
	if opt.Pause == 0 {
		opt.Pause = 2 * time.Millisecond
	}
	c, err := New(opt)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

const opening = Heading + ": "

// comment about the head by run 10.
func comment(text string) Comment {
	return Comment{PullRequest: 7, Commit: second, RunID: 10, Attempt: 1, Body: opening + text}
}

// reported is the body of a comment as a run leaves it.
func reported(text string, m marker) string { return compose(opening+text, m) }

// runs of one workflow, each about a commit.
func runs(commits map[int64]string) []githubtest.Run {
	var list []githubtest.Run
	for id, commit := range commits {
		list = append(list, githubtest.Run{ID: id, Attempt: 2, Workflow: 3, Event: "pull_request", Status: "completed", Conclusion: "success", Commit: commit})
	}
	return list
}

func post(t *testing.T, c *Client, in Comment, state string) Posted {
	t.Helper()
	p, err := c.Post(context.Background(), in)
	if err != nil {
		t.Fatal(err)
	}
	if p.State != state {
		t.Fatalf("Post gives %s, want %s", p.State, state)
	}
	return p
}

// bodies of the comments of the double, without markers and openings.
func bodies(s *githubtest.Server) []string {
	var list []string
	for _, c := range s.State().Comments {
		text, _, _ := parseMarker(c.Body)
		list = append(list, strings.TrimPrefix(text, opening))
	}
	return list
}

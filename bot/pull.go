package bot

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/google/go-github/v60/github"
)

// PullRequest as far as a comment is concerned.
type PullRequest struct {
	Number         int
	URL            string
	Open           bool
	Author         string // login
	Head           string // SHA
	HeadRef        string // branch
	HeadRepository string // owner/name, "" where the fork was deleted
	Base           string // SHA of the branch that it goes to
	BaseRef        string // branch
	Merge          string // SHA of the test merge, "" where there is none
}

func pullRequest(p *github.PullRequest) PullRequest {
	return PullRequest{
		Number: p.GetNumber(), URL: p.GetHTMLURL(), Open: p.GetState() == "open", Author: p.GetUser().GetLogin(),
		Head: p.GetHead().GetSHA(), HeadRef: p.GetHead().GetRef(), HeadRepository: p.GetHead().GetRepo().GetFullName(),
		Base: p.GetBase().GetSHA(), BaseRef: p.GetBase().GetRef(), Merge: p.GetMergeCommitSHA(),
	}
}

// PullRequest returns one by its number.
func (c *Client) PullRequest(ctx context.Context, number int) (PullRequest, error) {
	var p *github.PullRequest
	op := operation{fmt.Sprintf("read pull request %d", number), "pull-requests: write"}
	err := c.do(ctx, op, func(ctx context.Context) (resp *github.Response, err error) {
		p, resp, err = c.api.PullRequests.Get(ctx, c.owner, c.name, number)
		return resp, err
	})
	if err != nil {
		return PullRequest{}, err
	}
	return pullRequest(p), nil
}

// PullRequests lists the open pull requests of the repository whose head is the
// commit, in the repository named (owner/name), by number. This is how a run
// for a fork finds its pull request: a number in an artifact proves nothing.
func (c *Client) PullRequests(ctx context.Context, headSHA, headRepository string) ([]PullRequest, error) {
	if headSHA == "" || headRepository == "" {
		return nil, fmt.Errorf("the pull request of commit %q in repository %q cannot be looked up", headSHA, headRepository)
	}
	found, err := c.pullsOfCommit(ctx, headSHA, headRepository)
	if err != nil || len(found) > 0 {
		return found, err
	}
	// GitHub does not always know a fork's commits by themselves.
	return c.openPulls(ctx, headSHA, headRepository)
}

func (c *Client) is(p *github.PullRequest, headSHA, headRepository string) bool {
	return p.GetState() == "open" && p.GetHead().GetSHA() == headSHA &&
		strings.EqualFold(p.GetHead().GetRepo().GetFullName(), headRepository) &&
		strings.EqualFold(p.GetBase().GetRepo().GetFullName(), c.opt.Repository)
}

func (c *Client) pullsOfCommit(ctx context.Context, headSHA, headRepository string) ([]PullRequest, error) {
	var found []PullRequest
	op := operation{"find the pull request of commit " + headSHA, "pull-requests: write"}
	err := c.pages(ctx, op, func(ctx context.Context, page github.ListOptions) (bool, *github.Response, error) {
		list, resp, err := c.api.PullRequests.ListPullRequestsWithCommit(ctx, c.owner, c.name, headSHA, &page)
		for _, p := range list {
			if c.is(p, headSHA, headRepository) {
				found = append(found, pullRequest(p))
			}
		}
		return true, resp, err
	})
	var status *StatusError
	if isNotFound(err) || errors.As(err, &status) && (status.Status == 422 || status.Status == 409) {
		return nil, nil // no such commit in this repository
	}
	sortPulls(found)
	return found, err
}

func (c *Client) openPulls(ctx context.Context, headSHA, headRepository string) ([]PullRequest, error) {
	var found []PullRequest
	seen := 0
	const maxPulls = 3000 // of a very busy repository, the latest
	op := operation{"list the open pull requests", "pull-requests: write"}
	err := c.pages(ctx, op, func(ctx context.Context, page github.ListOptions) (bool, *github.Response, error) {
		list, resp, err := c.api.PullRequests.List(ctx, c.owner, c.name, &github.PullRequestListOptions{
			State: "open", Sort: "updated", Direction: "desc", ListOptions: page,
		})
		for _, p := range list {
			if c.is(p, headSHA, headRepository) && !slices.ContainsFunc(found, func(f PullRequest) bool { return f.Number == p.GetNumber() }) {
				found = append(found, pullRequest(p))
			}
		}
		seen += len(list)
		return seen < maxPulls, resp, err
	})
	sortPulls(found)
	return found, err
}

func sortPulls(list []PullRequest) {
	slices.SortFunc(list, func(a, b PullRequest) int { return cmp.Compare(a.Number, b.Number) })
}

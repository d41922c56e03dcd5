package bot

import (
	"context"
	"encoding/base64"
	"fmt"

	"github.com/google/go-github/v60/github"
)

// File reads a file of the repository at a commit, nil where there is none: a
// folder or a submodule is none either, nor a link, but for one to a file of the
// repository, which GitHub follows. A larger one is an error.
func (c *Client) File(ctx context.Context, commit, path string, limit int) ([]byte, error) {
	var found *github.RepositoryContent
	op := operation{fmt.Sprintf("read %s at commit %.10s", path, commit), "contents: read"}
	err := c.do(ctx, op, func(ctx context.Context) (resp *github.Response, err error) {
		found, _, resp, err = c.api.Repositories.GetContents(ctx, c.owner, c.name, path, &github.RepositoryContentGetOptions{Ref: commit})
		return resp, err
	})
	if isNotFound(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if found.GetType() != "file" || found.GetTarget() != "" {
		return nil, nil
	}
	// GitHub leaves the text out where it is larger than a mebibyte.
	if found.GetSize() > limit || found.GetEncoding() != "base64" || found.Content == nil {
		return nil, fmt.Errorf("cannot %s: it has %d bytes, %d are read", op.doing, found.GetSize(), limit)
	}
	text, err := base64.StdEncoding.DecodeString(*found.Content) // line feeds are left out
	if err != nil {
		return nil, fmt.Errorf("cannot %s: %w", op.doing, err)
	}
	return text, nil
}

// Contains reports whether a branch, or a commit, is or has a commit in its history.
func (c *Client) Contains(ctx context.Context, branch, commit string) (bool, error) {
	var compared *github.CommitsComparison
	op := operation{fmt.Sprintf("compare commit %.10s with %s", commit, branch), "contents: read"}
	err := c.do(ctx, op, func(ctx context.Context) (resp *github.Response, err error) {
		compared, resp, err = c.api.Repositories.CompareCommits(ctx, c.owner, c.name, commit, branch, &github.ListOptions{PerPage: 1})
		return resp, err
	})
	if isNotFound(err) || unprocessable(err) {
		return false, nil // no such commit, or none with the same history
	}
	return compared.GetStatus() == "ahead" || compared.GetStatus() == "identical", err
}

// Parents of a commit; none where it is not there.
func (c *Client) Parents(ctx context.Context, commit string) ([]string, error) {
	var found *github.Commit
	op := operation{fmt.Sprintf("read commit %.40s", commit), "contents: read"}
	err := c.do(ctx, op, func(ctx context.Context) (resp *github.Response, err error) {
		found, resp, err = c.api.Git.GetCommit(ctx, c.owner, c.name, commit)
		return resp, err
	})
	if isNotFound(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var parents []string
	for _, p := range found.Parents {
		parents = append(parents, p.GetSHA())
	}
	return parents, nil
}

package bot

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	"github.com/google/go-github/v60/github"

	"github.com/isodelta/isodelta/diff/acceptance"
	"github.com/isodelta/isodelta/internal/lazyregexp"
)

// Ignored is a command that does not count, and why.
type Ignored struct {
	ID     string // of what it would accept, "" where that cannot be read
	Author string
	URL    string // of the comment
	Why    string // a sentence without a full stop
}

// Acceptances lists what people with write access accept in comments on a pull
// request, oldest first. The comments themselves are the record: deleting one
// takes the acceptance back, and of two for the same identifier the last one
// counts.
func (c *Client) Acceptances(ctx context.Context, pullRequest int) ([]acceptance.Entry, []Ignored, error) {
	var entries []acceptance.Entry
	var ignored []Ignored
	err := c.comments(ctx, pullRequest, func(comment *github.IssueComment) error {
		cmd, ok, err := ParseCommand(comment.GetBody())
		if !ok || isBot(comment.GetUser()) || err == nil && cmd.Verb != Accept {
			return nil
		}
		author := comment.GetUser().GetLogin()
		why := ""
		if err != nil {
			why = err.Error()
		} else if why, err = c.objection(ctx, comment); err != nil {
			return err
		}
		if why != "" {
			ignored = append(ignored, Ignored{cmd.ID, author, comment.GetHTMLURL(), why})
			return nil
		}
		e := acceptance.Entry{ID: cmd.ID, Reason: cmd.Reason, By: author, From: acceptance.FromComment}
		entries = append(withoutID(entries, e.ID), e)
		return nil
	})
	return entries, ignored, err
}

func withoutID(entries []acceptance.Entry, id string) []acceptance.Entry {
	var kept []acceptance.Entry
	for _, e := range entries {
		if e.ID != id {
			kept = append(kept, e)
		}
	}
	return kept
}

// objection says why a command does not count, "" where it does.
func (c *Client) objection(ctx context.Context, comment *github.IssueComment) (string, error) {
	author := comment.GetUser().GetLogin()
	may, err := c.mayWrite(ctx, author)
	if err != nil {
		return "", err
	}
	if !may {
		return fmt.Sprintf("%s has no write access to %s", author, c.opt.Repository), nil
	}
	if comment.GetUpdatedAt().Equal(comment.GetCreatedAt()) {
		return "", nil
	}
	editor, err := c.editor(ctx, comment.GetNodeID())
	switch {
	case ctx.Err() != nil:
		return "", ctx.Err()
	case err != nil:
		c.log.Debug("who edited a comment cannot be told", "comment", comment.GetHTMLURL(), "error", err)
		return "the comment was edited, and GitHub does not tell by whom; write a new one", nil
	case editor != "" && editor != author:
		return "the comment was edited by " + editor + ", not by its author; write a new one", nil
	}
	return "", nil
}

// editor is who edited a comment last, "" for nobody. REST does not tell.
func (c *Client) editor(ctx context.Context, node string) (string, error) {
	var data struct {
		Node *struct{ Editor *struct{ Login string } }
	}
	err := c.query(ctx, "query($id:ID!){node(id:$id){...on IssueComment{editor{login}}}}", map[string]any{"id": node}, &data)
	if err != nil {
		return "", err
	}
	if data.Node == nil {
		return "", errors.New("the comment is not there")
	}
	if data.Node.Editor == nil {
		return "", nil
	}
	return data.Node.Editor.Login, nil
}

var loginName = lazyregexp.New(`^[A-Za-z0-9][A-Za-z0-9_-]*$`)

// mayWrite reports whether a person has write access to the repository.
func (c *Client) mayWrite(ctx context.Context, login string) (bool, error) {
	if !loginName().MatchString(login) {
		return false, nil // a deleted account, or no person
	}
	c.mu.Lock()
	may, known := c.roles[login]
	c.mu.Unlock()
	if known {
		return may, nil
	}
	var level *github.RepositoryPermissionLevel
	op := operation{"read what access " + login + " has", "contents: read"}
	err := c.do(ctx, op, func(ctx context.Context) (resp *github.Response, err error) {
		level, resp, err = c.api.Repositories.GetPermissionLevel(ctx, c.owner, c.name, login)
		return resp, err
	})
	var denied *PermissionError
	if err != nil && (!isNotFound(err) || errors.As(err, &denied) && denied.Status != http.StatusNotFound) {
		return false, err
	}
	may = level.GetPermission() == "admin" || level.GetPermission() == "write"
	c.mu.Lock()
	c.roles[login] = may
	c.mu.Unlock()
	return may, nil
}

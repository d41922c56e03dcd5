package bot

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/google/go-github/v60/github"
)

// MaxBody is how long a Comment.Body may be, in characters: GitHub takes 65,536,
// and the marker needs some.
const MaxBody = 65536 - maxMarker

// DefaultKey is the configuration of a comment that names none.
const DefaultKey = "isodelta"

// Comment is the one that a pull request shows for a configuration.
type Comment struct {
	Key         string // of the configuration, at most 100 characters; "" is DefaultKey
	PullRequest int
	Commit      string // head SHA that the report is about
	RunID       int64  // of the workflow run that compared; 0 is not known
	Attempt     int    // of the run, from 1
	Body        string // Markdown that begins with Heading
	Quiet       bool   // make empty without one yet
}

// Posted says what became of a Comment.
type Posted struct {
	URL string // of the comment, "" where there is none
	// State is created, updated, unchanged (nothing was sent), superseded (one
	// about a later commit or run is there and was left alone), or quiet.
	State string
}

// States of a Posted.
const (
	Created    = "created"
	Updated    = "updated"
	Unchanged  = "unchanged"
	Superseded = "superseded"
	Quiet      = "quiet"
)

// Post makes the comment, or edits the one that is there. Its errors are
// *PermissionError, *LimitError and *TooLongError, or others that say what
// happened.
func (c *Client) Post(ctx context.Context, in Comment) (Posted, error) {
	m, err := in.marker()
	if err != nil {
		return Posted{}, err
	}
	const rounds = 5 // each lost to another run
	for range rounds {
		posted, done, err := c.postOnce(ctx, in, m)
		if err != nil || done {
			return posted, err
		}
	}
	return Posted{}, fmt.Errorf("the comment on pull request %d keeps being changed by another run; give each workflow a comment-key of its own", in.PullRequest)
}

// marker checks the comment.
func (in Comment) marker() (marker, error) {
	m := marker{in.Key, in.Commit, in.RunID, in.Attempt}
	if m.Key == "" {
		m.Key = DefaultKey
	}
	if utf8.RuneCountInString(m.Key) > 100 || !utf8.ValidString(m.Key) || slices.ContainsFunc([]rune(m.Key), unicode.IsControl) {
		return m, fmt.Errorf("%q is no comment key; want at most 100 printable characters", m.Key)
	}
	if in.PullRequest <= 0 {
		return m, errors.New("a comment needs a pull request")
	}
	if in.Commit == "" || len(in.Commit) > 64 {
		return m, errors.New("a comment needs the commit that it is about")
	}
	if in.RunID < 0 || in.Attempt < 0 {
		return m, errors.New("the number of a run is not negative")
	}
	if !headed(plain(in.Body)) {
		return m, fmt.Errorf("a comment has to begin with %q, or it would not be found again", Heading+":")
	}
	if n := utf8.RuneCountInString(in.Body); n > MaxBody {
		return m, &TooLongError{"the comment", n, MaxBody}
	}
	return m, nil
}

// sticky is a comment of ours with its marker.
type sticky struct {
	id   int64
	url  string
	text string
	marker
}

// postOnce looks, decides, writes and looks again; done is false where another
// run was faster, so that it has to be decided anew.
func (c *Client) postOnce(ctx context.Context, in Comment, m marker) (posted Posted, done bool, err error) {
	found, err := c.credible(ctx, in.PullRequest, m)
	if err != nil {
		return Posted{}, false, err
	}
	if len(found) == 0 {
		if in.Quiet {
			return Posted{State: Quiet}, true, nil
		}
		made, err := c.create(ctx, in.PullRequest, in.Body, m)
		if err != nil {
			return Posted{}, false, err
		}
		return c.settle(ctx, in.PullRequest, Posted{made.url, Created}, made)
	}
	head, err := c.headFor(ctx, in.PullRequest, m, found)
	if err != nil {
		return Posted{}, false, err
	}
	there := newest(found, head)
	switch {
	case there.supersedes(m, head):
		return Posted{there.url, Superseded}, true, nil
	case there.text == plain(in.Body) && there.Commit == m.Commit && there.Run == m.Run:
		c.tidy(ctx, found, there)
		return Posted{there.url, Unchanged}, true, nil
	}
	if now, err := c.reread(ctx, there.id); err != nil || now == nil || now.marker != there.marker {
		return Posted{}, false, err // deleted, or written to since it was listed
	}
	if err := c.edit(ctx, there.id, compose(in.Body, m), in.PullRequest); err != nil {
		if isNotFound(err) {
			return Posted{}, false, nil
		}
		return Posted{}, false, err
	}
	there.marker, there.text = m, plain(in.Body)
	return c.settle(ctx, in.PullRequest, Posted{there.url, Updated}, there)
}

// settle looks a moment after writing whether another run wrote too. Both do so
// with the same rule, so the newer report stays, in one comment.
func (c *Client) settle(ctx context.Context, pullRequest int, posted Posted, mine sticky) (Posted, bool, error) {
	if err := sleep(ctx, c.opt.Pause/2); err != nil {
		return posted, true, nil // it is written; only the second look is missing
	}
	found, err := c.credible(ctx, pullRequest, mine.marker)
	if err != nil {
		c.log.Warn("could not look at the comment again after writing it", "error", err)
		return posted, true, nil
	}
	if len(found) == 1 && found[0].marker == mine.marker {
		return posted, true, nil
	}
	if len(found) == 0 {
		return posted, true, nil // somebody deleted it at once; so be it
	}
	head, err := c.headFor(ctx, pullRequest, mine.marker, found)
	if err != nil {
		return posted, true, nil
	}
	there := newest(found, head)
	c.tidy(ctx, found, there)
	switch {
	case there.marker == mine.marker:
		return Posted{there.url, posted.State}, true, nil
	case mine.supersedes(there.marker, head):
		return Posted{}, false, nil // an older run wrote over it
	}
	return Posted{there.url, Superseded}, true, nil
}

// headFor returns the pull request's head where it decides: where not all is
// about the same commit.
func (c *Client) headFor(ctx context.Context, pullRequest int, m marker, found []sticky) (string, error) {
	if !slices.ContainsFunc(found, func(s sticky) bool { return s.Commit != m.Commit }) {
		return m.Commit, nil
	}
	p, err := c.PullRequest(ctx, pullRequest)
	return p.Head, err
}

// newest of several comments, the first one among equals.
func newest(found []sticky, head string) sticky {
	best := found[0]
	for _, s := range found[1:] {
		if s.supersedes(best.marker, head) {
			best = s
		}
	}
	return best
}

// tidy deletes duplicates of a comment, which two runs make that start together.
func (c *Client) tidy(ctx context.Context, found []sticky, keep sticky) {
	for _, s := range found {
		if s.id == keep.id {
			continue
		}
		err := c.do(ctx, operation{"delete a duplicate of the comment", "pull-requests: write"}, func(ctx context.Context) (*github.Response, error) {
			return c.api.Issues.DeleteComment(ctx, c.owner, c.name, s.id)
		})
		if err != nil && !isNotFound(err) {
			c.log.Warn("a duplicate of the comment stays", "url", s.url, "error", err)
		}
	}
}

// stickies lists our comments of a configuration ("" is any), oldest first.
func (c *Client) stickies(ctx context.Context, pullRequest int, key string) ([]sticky, error) {
	var found []sticky
	err := c.comments(ctx, pullRequest, func(comment *github.IssueComment) error {
		text, m, ok := parseMarker(comment.GetBody())
		if !ok || key != "" && m.Key != key {
			return nil
		}
		self, err := c.self(ctx)
		if err != nil {
			return err
		}
		if wrote(comment.GetUser(), self) {
			found = append(found, sticky{comment.GetID(), comment.GetHTMLURL(), text, m})
		}
		return nil
	})
	return found, err
}

// credible lists our comments of a configuration, without those that claim to be
// of a run after the present one and are not: they would keep every report away.
// A report beside such a comment is better than none, so where GitHub does not
// tell, they do not count either.
func (c *Client) credible(ctx context.Context, pullRequest int, now marker) ([]sticky, error) {
	found, err := c.stickies(ctx, pullRequest, now.Key)
	if err != nil || now.Run == 0 {
		return found, err
	}
	var kept []sticky
	for _, s := range found {
		if s.after(now) && !c.sameWorkflow(ctx, s.marker, now) {
			c.log.Warn("a comment is left alone: it says that it is of a later run, which cannot be confirmed", "url", s.url, "run", s.Run, "attempt", s.Attempt)
			continue
		}
		kept = append(kept, s)
	}
	return kept, ctx.Err()
}

// sameWorkflow reports whether GitHub confirms that the run of a marker had as many
// attempts, is about its commit, and of the same workflow as the present one.
func (c *Client) sameWorkflow(ctx context.Context, m, now marker) bool {
	run, err := c.Run(ctx, m.Run)
	if err != nil || run.Commit != m.Commit || run.Attempt < m.Attempt {
		return false
	}
	present, err := c.Run(ctx, now.Run)
	return err == nil && run.Workflow == present.Workflow && run.Event == present.Event
}

// comments calls f for each comment on a pull request, oldest first.
func (c *Client) comments(ctx context.Context, pullRequest int, f func(*github.IssueComment) error) error {
	op := operation{fmt.Sprintf("read the comments of pull request %d", pullRequest), "pull-requests: write"}
	seen := map[int64]bool{} // a comment moves to another page when one before it is deleted
	var all []*github.IssueComment
	err := c.pages(ctx, op, func(ctx context.Context, page github.ListOptions) (bool, *github.Response, error) {
		list, resp, err := c.api.Issues.ListComments(ctx, c.owner, c.name, pullRequest, &github.IssueListCommentsOptions{ListOptions: page})
		for _, comment := range list {
			if !seen[comment.GetID()] {
				seen[comment.GetID()] = true
				all = append(all, comment)
			}
		}
		return true, resp, err
	})
	if err != nil {
		return err
	}
	for _, comment := range all {
		if err := f(comment); err != nil {
			return err
		}
	}
	return nil
}

// reread returns the comment as it is now, nil where it is gone or no longer ours.
func (c *Client) reread(ctx context.Context, id int64) (*sticky, error) {
	var comment *github.IssueComment
	err := c.do(ctx, operation{"read the comment again", "pull-requests: write"}, func(ctx context.Context) (resp *github.Response, err error) {
		comment, resp, err = c.api.Issues.GetComment(ctx, c.owner, c.name, id)
		return resp, err
	})
	if isNotFound(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	text, m, ok := parseMarker(comment.GetBody())
	if !ok {
		return nil, nil
	}
	return &sticky{id, comment.GetHTMLURL(), text, m}, nil
}

func (c *Client) edit(ctx context.Context, id int64, body string, pullRequest int) error {
	op := operation{fmt.Sprintf("edit the comment on pull request %d", pullRequest), "pull-requests: write"}
	return c.do(repeatable(ctx), op, func(ctx context.Context) (*github.Response, error) {
		_, resp, err := c.api.Issues.EditComment(ctx, c.owner, c.name, id, &github.IssueComment{Body: &body})
		return resp, err
	})
}

// create makes the comment. Where it is not clear whether GitHub did so, it
// looks before it tries again.
func (c *Client) create(ctx context.Context, pullRequest int, text string, m marker) (sticky, error) {
	op := operation{fmt.Sprintf("write a comment on pull request %d", pullRequest), "pull-requests: write"}
	body := compose(text, m)
	pause := c.opt.Pause
	for n := 1; ; n++ {
		var made *github.IssueComment
		err := c.do(ctx, op, func(ctx context.Context) (resp *github.Response, err error) {
			made, resp, err = c.api.Issues.CreateComment(ctx, c.owner, c.name, pullRequest, &github.IssueComment{Body: &body})
			return resp, err
		})
		if err == nil {
			c.learn(made.GetUser().GetLogin())
			return sticky{made.GetID(), made.GetHTMLURL(), plain(text), m}, nil
		}
		if !unclear(err) || n == attempts {
			return sticky{}, err
		}
		if err := sleep(ctx, pause); err != nil {
			return sticky{}, err
		}
		pause = min(2*pause, time.Minute)
		found, listErr := c.stickies(ctx, pullRequest, m.Key)
		if listErr != nil {
			return sticky{}, errors.Join(err, listErr)
		}
		for _, s := range found {
			if s.marker == m {
				return s, nil
			}
		}
	}
}

// learn remembers our own login from what GitHub made of our comment, so that
// it need not be asked for.
func (c *Client) learn(login string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.login == "" {
		c.login = login
	}
}

package bot

import (
	"context"
	"errors"
	"fmt"

	"github.com/google/go-github/v60/github"

	"github.com/isodelta/isodelta/diff/acceptance"
)

// IssueComment is what the event issue_comment tells.
type IssueComment struct {
	Action        string // only created counts
	ID            int64
	PullRequest   int
	OnPullRequest bool // not on an issue
	Author        string
	Bot           bool   // no person wrote it
	Sender        string // who caused the event
	Body          string
}

// Response says what was done about a comment.
type Response struct {
	Verb     string // "" where the comment is no command
	Done     bool
	Reaction string // that the author sees: +1, -1, confused, or "" for none
	Message  string // for the log
}

// Reactions to a command.
const (
	done      = "+1"
	refused   = "-1"
	notKnown  = "confused"
	noCommand = ""
)

// Respond does what a comment asks for, if its author may, and reacts to it. An
// acceptance needs nothing but the comment itself, which the next run reads, so
// the jobs that failed are asked for again. What the token may not do is in the
// message; the error is of failures that say nothing about the comment.
func (c *Client) Respond(ctx context.Context, in IssueComment) (Response, error) {
	cmd, ok, wrong := ParseCommand(in.Body)
	if why := in.silent(ok); why != "" {
		return Response{Message: why}, nil
	}
	may, err := c.mayWrite(ctx, in.Author)
	if err != nil {
		return Response{Verb: cmd.Verb}, err
	}
	var r Response
	switch {
	case !may:
		r = Response{cmd.Verb, false, refused, fmt.Sprintf("%s has no write access to %s, so nothing is done", in.Author, c.opt.Repository)}
	case wrong != nil:
		r = Response{cmd.Verb, false, notKnown, wrong.Error()}
	default:
		if r, err = c.carryOut(ctx, in.PullRequest, cmd); err != nil {
			return r, err
		}
	}
	if err := c.react(ctx, in.ID, r.Reaction); err != nil {
		r.Message += "; " + err.Error()
	}
	return r, nil
}

// silent says why a comment gets no answer at all, not even a reaction.
func (in IssueComment) silent(command bool) string {
	switch {
	case !command:
		return "the comment is no command"
	case !in.OnPullRequest:
		return "the comment is on an issue, not on a pull request"
	case in.Action != "created":
		return "only new comments count; this one was " + in.Action
	case in.Bot:
		return "commands of bots do not count"
	case in.Sender != in.Author:
		return "the comment is not its sender's own"
	}
	return ""
}

// carryOut finds the run behind our comments and has it done again.
func (c *Client) carryOut(ctx context.Context, pullRequest int, cmd Command) (Response, error) {
	r := Response{Verb: cmd.Verb, Done: cmd.Verb == Accept, Reaction: done}
	if cmd.Verb == Accept {
		r.Message = fmt.Sprintf("%s is accepted: the next run applies it", acceptance.Short(cmd.ID))
	}
	asked, why, err := c.rerunLast(ctx, pullRequest, cmd.Verb == Accept)
	switch {
	case err != nil:
		return r, err
	case asked:
		r.Done = true
	case cmd.Verb == Rerun:
		r.Reaction = notKnown
	}
	if r.Message != "" {
		r.Message += "; "
	}
	r.Message += why
	return r, nil
}

// rerunLast has the runs done again that our comments are about; for an
// acceptance only failed ones, since it can change nothing else's conclusion.
// why says what was done, or why nothing was.
func (c *Client) rerunLast(ctx context.Context, pullRequest int, onlyFailed bool) (asked bool, why string, err error) {
	runs, why, err := c.lastRuns(ctx, pullRequest)
	if err != nil || why != "" {
		return false, why, err
	}
	for _, id := range runs {
		did, said, err := c.rerunOne(ctx, id, onlyFailed)
		if err != nil {
			return asked, why, err
		}
		if asked = asked || did; why != "" {
			why += "; "
		}
		why += said
	}
	return asked, why, nil
}

func (c *Client) rerunOne(ctx context.Context, id int64, onlyFailed bool) (bool, string, error) {
	run, err := c.Run(ctx, id)
	if why, err := said(err); why != "" || err != nil {
		return false, why, err
	}
	if run.Status != "completed" {
		return false, fmt.Sprintf("run %d is under way; comment again when it has ended if it should not have seen this", id), nil
	}
	if onlyFailed && run.Conclusion == "success" {
		return false, fmt.Sprintf("run %d did not fail, so it is not run again", id), nil
	}
	if why, err := said(c.Rerun(ctx, id, onlyFailed)); why != "" || err != nil {
		return false, why, err
	}
	if onlyFailed {
		return true, fmt.Sprintf("the failed jobs of run %d are run again", id), nil
	}
	return true, fmt.Sprintf("run %d is run again", id), nil
}

// lastRuns are those that our comments about the pull request's head come from.
func (c *Client) lastRuns(ctx context.Context, pullRequest int) (runs []int64, why string, err error) {
	found, err := c.stickies(ctx, pullRequest, "")
	if why, err := said(err); why != "" || err != nil {
		return nil, why, err
	}
	if len(found) == 0 {
		return nil, "there is no report of this bot on the pull request yet, so there is no run to do again", nil
	}
	p, err := c.PullRequest(ctx, pullRequest)
	if why, err := said(err); why != "" || err != nil {
		return nil, why, err
	}
	seen := map[int64]bool{}
	for _, s := range found {
		if s.Commit == p.Head && s.Run > 0 && !seen[s.Run] {
			seen[s.Run] = true
			runs = append(runs, s.Run)
		}
	}
	if len(runs) == 0 {
		return nil, "the last report is about an earlier commit; the run for the newest one is still to come", nil
	}
	return runs, "", nil
}

// said turns refusals into words, and leaves errors that say nothing about the
// command.
func said(err error) (string, error) {
	var (
		denied  *PermissionError
		missing *NotFoundError
		status  *StatusError
	)
	switch {
	case err == nil:
		return "", nil
	case errors.As(err, &denied), errors.As(err, &missing), errors.As(err, &status):
		return err.Error(), nil
	}
	return "", err
}

func (c *Client) react(ctx context.Context, comment int64, reaction string) error {
	if reaction == noCommand {
		return nil
	}
	op := operation{"react to the comment", "pull-requests: write"}
	return c.do(repeatable(ctx), op, func(ctx context.Context) (*github.Response, error) {
		_, resp, err := c.api.Reactions.CreateIssueCommentReaction(ctx, c.owner, c.name, comment, reaction)
		return resp, err
	})
}

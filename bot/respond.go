package bot

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

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
	Artifact      string // that runs which compare leave, or what its name begins with before a hyphen; "" is DefaultArtifact
}

// DefaultArtifact is what the artifact of a comparison is called.
const DefaultArtifact = "isodelta"

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
		if r, err = c.carryOut(ctx, in, cmd); err != nil {
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
func (c *Client) carryOut(ctx context.Context, in IssueComment, cmd Command) (Response, error) {
	r := Response{Verb: cmd.Verb, Done: cmd.Verb == Accept, Reaction: done}
	if cmd.Verb == Accept {
		r.Message = fmt.Sprintf("%s is accepted: the next run applies it", acceptance.Short(cmd.ID))
	}
	asked, why, err := c.rerunLast(ctx, in, cmd.Verb == Accept)
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
func (c *Client) rerunLast(ctx context.Context, in IssueComment, onlyFailed bool) (asked bool, why string, err error) {
	runs, head, why, err := c.lastRuns(ctx, in.PullRequest)
	if err != nil || why != "" {
		return false, why, err
	}
	for _, id := range runs {
		did, said, err := c.rerunOne(ctx, id, head, cmp.Or(in.Artifact, DefaultArtifact), onlyFailed)
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

func (c *Client) rerunOne(ctx context.Context, id int64, head, artifact string, onlyFailed bool) (bool, string, error) {
	run, err := c.Run(ctx, id)
	if why, err := said(err); why != "" || err != nil {
		return false, why, err
	}
	if why, err := c.foreign(ctx, run, head, artifact); why != "" || err != nil {
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

// foreign says why a run did not compare this pull request's head. The
// number comes out of a comment, and to run another workflow again may be to
// release or to deploy.
func (c *Client) foreign(ctx context.Context, run Run, head, artifact string) (string, error) {
	switch {
	case run.Event != "pull_request":
		return fmt.Sprintf("run %d was started by %s, not by a pull request, so it is not run again", run.ID, run.Event), nil
	case run.Commit != head:
		return fmt.Sprintf("run %d is about %.10s, not about the pull request's head, so it is not run again", run.ID, run.Commit), nil
	case run.Status != "completed":
		return "", nil // what it leaves is not known yet, and it is not run again now
	}
	left, err := c.Artifacts(ctx, run.ID)
	if why, err := said(err); why != "" || err != nil {
		return why, err
	}
	ours := func(a Artifact) bool { return a.Name == artifact || strings.HasPrefix(a.Name, artifact+"-") }
	if !slices.ContainsFunc(left, ours) {
		return fmt.Sprintf("run %d left no artifact %s, so it is no comparison of isodelta and is not run again; where the artifact has another name, give it as the input artifact", run.ID, artifact), nil
	}
	return "", nil
}

// lastRuns are those that our comments about the pull request's head come from.
func (c *Client) lastRuns(ctx context.Context, pullRequest int) (runs []int64, head, why string, err error) {
	found, err := c.stickies(ctx, pullRequest, "")
	if why, err := said(err); why != "" || err != nil {
		return nil, "", why, err
	}
	if len(found) == 0 {
		return nil, "", "there is no report of this bot on the pull request yet, so there is no run to do again", nil
	}
	p, err := c.PullRequest(ctx, pullRequest)
	if why, err := said(err); why != "" || err != nil {
		return nil, "", why, err
	}
	seen := map[int64]bool{}
	for _, s := range found {
		if s.Commit == p.Head && s.Run > 0 && !seen[s.Run] {
			seen[s.Run] = true
			runs = append(runs, s.Run)
		}
	}
	if len(runs) == 0 {
		return nil, "", "the last report is about an earlier commit; the run for the newest one is still to come", nil
	}
	return runs, p.Head, "", nil
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

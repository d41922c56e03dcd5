package action

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/isodelta/isodelta/bot/present"
	"github.com/isodelta/isodelta/diff/acceptance"
	"github.com/isodelta/isodelta/diff/policy"
)

// postingTime bounds everything that is said to GitHub.
const postingTime = 5 * time.Minute

// acceptComments marks what maintainers accepted in comments on the pull request.
func (j *Job) acceptComments(ctx context.Context, r result) {
	if j.Poster == nil || r.event.PullRequest == nil || len(r.stream.Findings) == 0 || ctx.Err() != nil {
		return
	}
	entries, ignored, err := j.Poster.Acceptances(ctx, r.event.PullRequest.Number)
	if err != nil {
		j.log.Message(LevelWarning, "What is accepted in comments is not known: "+err.Error())
		return
	}
	for _, i := range ignored {
		j.log.Line(fmt.Sprintf("A comment by %s that accepts something does not count: %s", i.Author, i.Why))
	}
	acceptance.Apply(r.stream, entries, time.Now())
}

// sayWhoPosts keeps somebody who waits for a comment of the job that compares
// from waiting in vain.
func (j *Job) sayWhoPosts() {
	const who = "This job runs the pull request's tests, so it posts nothing: a job with `command: report` makes the comment and the check of what it uploads (docs/action.md)."
	if j.Env.Inputs.Posting {
		j.log.Message(LevelWarning, "The inputs comment and check belong there: "+who)
		return
	}
	j.log.Line(who)
}

// post writes the comment and the check. That one of them cannot be posted is
// a warning: the step summary has the report.
func (j *Job) post(ctx context.Context, r result, v present.View, d policy.Decision, out outputs) {
	in := j.Env.Inputs
	comment := in.Comment != CommentNever && r.event.PullRequest != nil
	if !comment && !in.Check {
		return
	}
	if p := r.event.PullRequest; p != nil && p.Fork && r.event.Name == "pull_request" {
		j.log.Line("The pull request comes from a fork, so this run's token can only read: comment and check are left to the workflow on workflow_run that runs isodelta publish (docs/workflows).")
		return
	}
	if j.Poster == nil {
		j.log.Message(LevelNotice, "No comment and no check are made, since there is no token: pass `github-token`, or set `comment` and `check` to false.")
		return
	}
	ctx, cancel := context.WithTimeout(ctx, postingTime)
	defer cancel()
	j.log.Group("Post to GitHub")
	defer j.log.EndGroup()
	if comment {
		j.postComment(ctx, r, v, out)
	}
	if in.Check {
		j.postCheck(ctx, r, v, d, out)
	}
}

func (j *Job) postComment(ctx context.Context, r result, v present.View, out outputs) {
	comment, err := v.Comment(r.stream, j.Env.Inputs.Comment == CommentAuto)
	if err != nil {
		j.log.Message(LevelWarning, "No comment was made: "+err.Error())
		return
	}
	comment.PullRequest, comment.Commit = r.event.PullRequest.Number, r.reported
	comment.RunID, comment.Attempt = j.Env.RunID, j.Env.RunAttempt
	posted, err := j.Poster.Post(ctx, comment)
	if err != nil {
		j.log.Message(LevelWarning, "No comment was made: "+err.Error())
		return
	}
	out["comment-url"] = posted.URL
	j.log.Line(strings.TrimSpace("Comment: " + posted.State + " " + posted.URL))
}

func (j *Job) postCheck(ctx context.Context, r result, v present.View, d policy.Decision, out outputs) {
	check, err := v.Check(r.stream, d)
	if err != nil {
		j.log.Message(LevelWarning, "No check was made: "+err.Error())
		return
	}
	check.Commit, check.RunID, check.Attempt = r.reported, j.Env.RunID, j.Env.RunAttempt
	address, err := j.Poster.Check(ctx, check)
	if address != "" {
		out["check-url"] = address
	}
	if err != nil {
		j.log.Message(LevelWarning, "The check is not complete: "+err.Error())
		return
	}
	j.log.Line("Check: " + d.Conclusion + " " + address)
}

package action

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/isodelta/isodelta/bot"
	"github.com/isodelta/isodelta/diff/policy"
	"github.com/isodelta/isodelta/report/event"
)

// postingTime bounds everything that is said to GitHub.
const postingTime = 5 * time.Minute

// post writes the comment and the check. That one of them cannot be posted is
// a warning: the step summary has the report.
func (j *Job) post(ctx context.Context, r result, v view, d policy.Decision, annotations []Annotation, out outputs) {
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
		j.postCheck(ctx, r, v, d, annotations, out)
	}
}

func (j *Job) postComment(ctx context.Context, r result, v view, out outputs) {
	body, err := v.commentBody(r.stream)
	if err != nil {
		j.log.Message(LevelWarning, "No comment was made: "+err.Error())
		return
	}
	posted, err := j.Poster.Post(ctx, bot.Comment{Key: j.Env.Inputs.CommentKey, PullRequest: r.event.PullRequest.Number,
		Commit: r.reported, RunID: j.Env.RunID, Attempt: j.Env.RunAttempt, Body: body,
		Quiet: j.Env.Inputs.Comment == CommentAuto && silent(r.stream)})
	if err != nil {
		j.log.Message(LevelWarning, "No comment was made: "+err.Error())
		return
	}
	out["comment-url"] = posted.URL
	j.log.Line(strings.TrimSpace("Comment: " + posted.State + " " + posted.URL))
}

// silent tells whether a report needs no comment of its own.
func silent(s *event.Stream) bool {
	switch s.Verdict() {
	case event.NoExecutableChange, event.NoDifference, event.IntendedOnly, event.AcceptedOnly:
		return true
	}
	return false
}

// checkName is not the name of any usual job: a check run made here cannot be
// told from a job of the same name.
func (j *Job) checkName() string {
	name := "isodelta: behaviour"
	if k := j.Env.Inputs.CommentKey; k != DefaultCommentKey {
		name += " (" + k + ")"
	}
	return name
}

func (j *Job) postCheck(ctx context.Context, r result, v view, d policy.Decision, annotations []Annotation, out outputs) {
	text, err := v.markdown(r.stream, bot.MaxCheckText, false)
	if err != nil {
		j.log.Message(LevelWarning, "No check was made: "+err.Error())
		return
	}
	address, err := j.Poster.Check(ctx, bot.Check{Name: j.checkName(), Commit: r.reported, Conclusion: d.Conclusion,
		Title: checkTitle(r.stream), Summary: strings.Join(d.Reasons, "\n\n"), Text: text, DetailsURL: v.run,
		Annotations: botAnnotations(annotations), RunID: j.Env.RunID, Attempt: j.Env.RunAttempt})
	if address != "" {
		out["check-url"] = address
	}
	if err != nil {
		j.log.Message(LevelWarning, "The check is not complete: "+err.Error())
		return
	}
	j.log.Line("Check: " + d.Conclusion + " " + address)
}

// checkTitle is what GitHub shows beside the check's name.
func checkTitle(s *event.Stream) string {
	n := len(voices(s))
	switch s.Verdict() {
	case event.Differences:
		if n == 1 {
			return "1 behaviour change"
		}
		return fmt.Sprintf("%d behaviour changes", n)
	case event.NoExecutableChange:
		return "No executable change"
	case event.NoDifference:
		return "No behaviour change found"
	case event.IntendedOnly:
		return "Only intended behaviour changes"
	case event.AcceptedOnly:
		return "Only accepted behaviour changes"
	case event.NothingExplored:
		return "Nothing was explored"
	}
	return "The comparison is not whole"
}

// mostAnnotations of a check: 50 go into one call, and nobody reads more.
const mostAnnotations = 100

func botAnnotations(list []Annotation) []bot.Annotation {
	var out []bot.Annotation
	for _, a := range list[:min(len(list), mostAnnotations)] {
		if a.Path == "" || a.Start < 1 {
			continue
		}
		level := a.Level
		if level == LevelError {
			level = "failure"
		}
		out = append(out, bot.Annotation{Path: a.Path, Start: a.Start, End: max(a.Start, a.End), Level: level,
			Title: plain(a.Title), Message: plainLines(a.Message)})
	}
	return out
}

package publish

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/isodelta/isodelta/action"
	"github.com/isodelta/isodelta/bot"
	"github.com/isodelta/isodelta/bot/present"
	"github.com/isodelta/isodelta/bot/trust"
	"github.com/isodelta/isodelta/diff/acceptance"
	"github.com/isodelta/isodelta/diff/policy"
	"github.com/isodelta/isodelta/report/event"
)

// DefaultArtifact is the name under which the first workflow uploads.
const DefaultArtifact = "isodelta"

// Job posts what one workflow run found.
type Job struct {
	Client     *bot.Client
	Event      Event
	Artifact   string // name, or what the names of shards begin with before a hyphen
	Comment    action.CommentMode
	Key        string         // of the comment
	Check      bool           // make one
	Settings   trust.Settings // where policy and acceptances come from
	Server     string         // address of the web site
	Repository string         // owner/name
	// Directory takes the report's files, which this run uploads, "" for none; Page
	// is the address where they are found then.
	Directory, Page string
	// Summary appends to the step summary what render makes of at most limit
	// bytes.
	Summary func(render func(limit int) (string, error)) error
	Log     *action.Log
	Today   time.Time
}

// Outcome says what was posted.
type Outcome struct {
	Stream     *event.Stream // nil where nothing is published
	CommentURL string
	CheckURL   string
}

// Run publishes. Its error is of a stream that is refused or of GitHub that
// cannot be asked; that something cannot be posted is a warning.
func (j *Job) Run(ctx context.Context) (Outcome, error) {
	if !slices.Contains([]string{"pull_request", "pull_request_target"}, j.Event.Trigger) {
		j.Log.Line(fmt.Sprintf("Run %d was started by %s, not by a pull request: nothing to publish.", j.Event.RunID, j.Event.Trigger))
		return Outcome{}, nil
	}
	pulls, err := j.pulls(ctx)
	if err != nil {
		return Outcome{}, err
	}
	if len(pulls) == 0 {
		return Outcome{}, j.say("no report", fmt.Sprintf("No open pull request has %s as its head: it was closed, or a later commit was pushed, whose own run will report.", j.Event.HeadSHA))
	}
	s, err := j.stream(ctx)
	if err == nil {
		pulls, err = j.verify(ctx, s, pulls)
	}
	if err != nil {
		return j.refuse(ctx, err)
	}
	return j.publish(ctx, s, pulls)
}

// verify keeps the pull requests that the stream may be about.
func (j *Job) verify(ctx context.Context, s *event.Stream, pulls []bot.PullRequest) ([]bot.PullRequest, error) {
	var fit []bot.PullRequest
	var wrong error
	for _, p := range pulls {
		var other *trust.MismatchError
		err := j.guard().Check(ctx, s, trust.Subject{Head: j.Event.HeadSHA, Merges: []string{p.Merge}, Base: p.Base, BaseRef: p.BaseRef})
		switch {
		case err == nil:
			fit = append(fit, p)
		case errors.As(err, &other):
			wrong = err
		default:
			return nil, err
		}
	}
	if len(fit) == 0 {
		return nil, fmt.Errorf("run %d left the result of something else: %w", j.Event.RunID, wrong)
	}
	return fit, nil
}

func (j *Job) guard() *trust.Guard {
	return &trust.Guard{GitHub: j.Client, Settings: j.Settings, Today: j.Today}
}

// pulls are the open pull requests that the run may be about.
func (j *Job) pulls(ctx context.Context) ([]bot.PullRequest, error) {
	if j.Event.HeadRepository == "" {
		return nil, nil // the fork is deleted
	}
	found, err := j.Client.PullRequests(ctx, j.Event.HeadSHA, j.Event.HeadRepository)
	if err != nil || len(j.Event.Numbers) == 0 {
		return found, err
	}
	named := slices.DeleteFunc(slices.Clone(found), func(p bot.PullRequest) bool { return !slices.Contains(j.Event.Numbers, p.Number) })
	if len(named) == 0 {
		return found, nil
	}
	return named, nil
}

// refuse makes a neutral check in words of our own: nothing of the stream, nor
// of an error that may quote it, gets out of the log.
func (j *Job) refuse(ctx context.Context, cause error) (Outcome, error) {
	var (
		none    *noStream
		missing *bot.NotFoundError
		denied  *bot.PermissionError
		limit   *bot.LimitError
	)
	var settings *trust.SettingsError
	title, text := "The result is refused", fmt.Sprintf("What run [%d](%s) left cannot be used: it is damaged, of another version of isodelta, or not about this commit. The log of the publishing workflow says more.", j.Event.RunID, j.runURL())
	switch {
	case errors.As(cause, &denied), errors.As(cause, &limit):
		return Outcome{}, cause // about the token or GitHub, not about the stream
	case errors.As(cause, &settings):
		title, text = "The settings cannot be used", "What run [%d](%s) found cannot be judged: .isodelta.yml on the base branch is not valid. The log of the publishing workflow says more."
		text = fmt.Sprintf(text, j.Event.RunID, j.runURL())
	case errors.As(cause, &none), errors.As(cause, &missing):
		title, text = "There is no result", fmt.Sprintf("Run [%d](%s) left no result to publish; its log says why. Nothing is known about the change's behaviour.", j.Event.RunID, j.runURL())
		j.Log.Message(action.LevelNotice, "There is nothing to publish: "+cause.Error())
	}
	out := Outcome{}
	if j.Check {
		out.CheckURL = j.check(ctx, bot.Check{Conclusion: policy.Neutral, Title: title, Summary: text})
	}
	sayErr := j.say(strings.ToLower(title[:1])+title[1:], text)
	if none != nil || missing != nil {
		return out, sayErr
	}
	return out, fmt.Errorf("nothing is published: %w", errors.Join(cause, sayErr))
}

// say writes a short step summary.
func (j *Job) say(title, text string) error {
	j.Log.Line(text)
	return j.Summary(func(int) (string, error) {
		return fmt.Sprintf("### isodelta: %s\n\n%s\n", title, text), nil
	})
}

// publish renders and posts.
func (j *Job) publish(ctx context.Context, s *event.Stream, pulls []bot.PullRequest) (Outcome, error) {
	out := Outcome{Stream: s}
	pull, single := choosePull(pulls, s)
	s.Foreign = true
	if err := j.guard().Judge(ctx, s, pull.Base); err != nil {
		return j.refuse(ctx, err)
	}
	view := j.view()
	if single {
		j.accept(ctx, s, pull.Number)
		view.Base = pull.BaseRef
	}
	if j.Directory != "" {
		if _, err := action.WriteFiles(j.Directory, s, view); err != nil {
			return out, err
		}
		view.Report = j.Page
	}
	decision := policy.Decide(policy.Of(s.Config), s)
	err := j.Summary(func(limit int) (string, error) { return view.Markdown(s, limit, false) })
	if err != nil {
		j.Log.Message(action.LevelWarning, err.Error())
	}
	switch {
	case !single:
		j.Log.Message(action.LevelWarning, fmt.Sprintf("%d open pull requests have this head commit, and which of them the result is about cannot be told: no comment is made.", len(pulls)))
	case j.Comment != action.CommentNever:
		out.CommentURL = j.comment(ctx, s, view, pull.Number)
	}
	if j.Check {
		check, err := view.Check(s, decision)
		if err != nil {
			return out, err
		}
		out.CheckURL = j.check(ctx, check)
	}
	return out, nil
}

// choosePull takes the one whose base the comparison started from, where
// several pull requests propose the same commit to different branches. Where none
// can be told, it is some one of them.
func choosePull(pulls []bot.PullRequest, s *event.Stream) (bot.PullRequest, bool) {
	if len(pulls) == 1 {
		return pulls[0], true
	}
	fits := func(p bot.PullRequest) bool {
		v := s.Versions[0]
		return p.Base == v.Base.Commit || p.Merge != "" && p.Merge == v.Head.Commit
	}
	i := slices.IndexFunc(pulls, fits)
	if i < 0 || slices.ContainsFunc(pulls[i+1:], fits) {
		return pulls[0], false
	}
	return pulls[i], true
}

// accept applies the acceptances of the pull request's comments.
func (j *Job) accept(ctx context.Context, s *event.Stream, pullRequest int) {
	entries, ignored, err := j.Client.Acceptances(ctx, pullRequest)
	if err != nil {
		j.Log.Message(action.LevelWarning, "Acceptances by comment do not count: "+err.Error())
		return
	}
	for _, i := range ignored {
		j.Log.Line(fmt.Sprintf("A command of %s does not count: %s (%s)", i.Author, i.Why, i.URL))
	}
	acceptance.Apply(s, entries, j.Today)
}

func (j *Job) comment(ctx context.Context, s *event.Stream, view present.View, pullRequest int) string {
	comment, err := view.Comment(s, j.Comment == action.CommentAuto)
	if err != nil {
		j.Log.Message(action.LevelWarning, "No comment was made: "+err.Error())
		return ""
	}
	comment.PullRequest, comment.Commit = pullRequest, j.Event.HeadSHA
	comment.RunID, comment.Attempt = j.Event.RunID, j.Event.Attempt
	posted, err := j.Client.Post(ctx, comment)
	if err != nil {
		j.Log.Message(action.LevelWarning, "No comment was made: "+err.Error())
		return ""
	}
	j.Log.Line(strings.TrimSpace("Comment: " + posted.State + " " + posted.URL))
	return posted.URL
}

// check posts a check on the run's head commit.
func (j *Job) check(ctx context.Context, c bot.Check) string {
	c.Name, c.Commit, c.DetailsURL = j.view().CheckName(), j.Event.HeadSHA, j.runURL()
	c.RunID, c.Attempt = j.Event.RunID, j.Event.Attempt
	address, err := j.Client.Check(ctx, c)
	if err != nil {
		j.Log.Message(action.LevelWarning, "The check is not complete: "+err.Error())
	} else {
		j.Log.Line("Check: " + c.Conclusion + " " + address)
	}
	return address
}

func (j *Job) repositoryURL() string { return j.Server + "/" + j.Repository }

func (j *Job) runURL() string {
	return fmt.Sprintf("%s/actions/runs/%d", j.repositoryURL(), j.Event.RunID)
}

// view renders with links into the repository.
func (j *Job) view() present.View {
	return present.View{Repository: j.repositoryURL(), Run: j.runURL(), Key: j.Key}
}

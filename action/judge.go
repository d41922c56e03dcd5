package action

import (
	"cmp"
	"context"
	"errors"
	"time"

	"github.com/isodelta/isodelta/bot/trust"
	"github.com/isodelta/isodelta/report/event"
)

// errNoToken keeps a report from being greener than base's policy, which it cannot
// read.
var errNoToken = errors.New("there is no token to read base's .isodelta.yml with, by which the result is judged: pass the input github-token (contents: read), or say with the input fail-on what fails this job")

// judge checks that a stream which another job made is about this run, and puts it
// under the rules of base: a pull request's code ran in that job, and may have
// written whatever it likes. It returns the commit that comment and check are about.
func (j *Job) judge(ctx context.Context, e Event, s *event.Stream) (string, error) {
	of, rules := j.subject(e)
	guard := trust.Guard{GitHub: j.Poster, Settings: j.Settings, Today: time.Now()}
	if j.Poster == nil {
		if j.Settings.FailOn == nil {
			return "", errNoToken
		}
		guard.GitHub = offline{}
		j.log.Message(LevelWarning, "Without the input github-token the commits are not verified, and what .isodelta.yml accepts does not count.")
	}
	switch in := j.Env.Inputs; {
	case in.Base != "" || in.Head != "":
		j.log.Line("The inputs name what is compared; that the streams are about it is not verified.")
	case of.Head != "":
		if err := guard.Check(ctx, s, of); err != nil {
			return "", err
		}
	}
	if err := guard.Judge(ctx, s, rules); err != nil {
		return "", err
	}
	s.Foreign = e.PullRequest != nil && e.PullRequest.Fork
	reported := of.Head
	if len(s.Versions) > 0 {
		reported = cmp.Or(reported, s.Versions[0].Head.Commit)
	}
	return reported, nil
}

// subject is what the event is about, and the commit whose rules count: base's, or
// the run's own where only people with write access make one.
func (j *Job) subject(e Event) (of trust.Subject, rules string) {
	merges := []string{j.Env.SHA}
	switch {
	case e.PullRequest != nil:
		p := e.PullRequest
		return trust.Subject{Head: p.HeadSHA, Merges: merges, Base: p.BaseSHA, BaseRef: p.BaseRef}, p.BaseSHA
	case e.MergeGroup != nil:
		g := e.MergeGroup
		return trust.Subject{Head: g.HeadSHA, Merges: merges, Base: g.BaseSHA, BaseRef: g.BaseRef}, g.BaseSHA
	}
	return trust.Subject{Head: j.Env.SHA}, j.Env.SHA
}

// offline is GitHub where there is no token to ask it with.
type offline struct{}

func (offline) File(context.Context, string, string, int) ([]byte, error) { return nil, nil }

func (offline) Contains(context.Context, string, string) (bool, error) { return true, nil }

func (offline) Parents(context.Context, string) ([]string, error) { return nil, nil }

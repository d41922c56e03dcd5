package action

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/isodelta/isodelta/action/checkout"
	"github.com/isodelta/isodelta/bot"
	"github.com/isodelta/isodelta/bot/present"
	"github.com/isodelta/isodelta/bot/trust"
	"github.com/isodelta/isodelta/diff/acceptance"
	"github.com/isodelta/isodelta/diff/policy"
	"github.com/isodelta/isodelta/report"
	"github.com/isodelta/isodelta/report/event"
)

// Job is one step of a workflow. What the command line knows better is given to
// it as functions.
type Job struct {
	Env  Environment
	Out  io.Writer // the step's log
	Tool string    // version of isodelta
	// Invalid is what is wrong with the environment; it is reported in place of
	// a comparison. Nil for nothing.
	Invalid error

	// Prepare reads the configuration of both commits, with the inputs in place of
	// its settings; objects are read beside the repository's own. It is called
	// once, before anything is compared.
	Prepare func(commits Commits, objects []string) (Engine, error)
	// Code chooses the exit code for an error, Verdict the one for a stream.
	Code    func(error) int
	Verdict func(*event.Stream) int
	// Poster talks to GitHub for Merge; nil where there is no token. Run never
	// uses it: no process that runs tests is to be worth robbing.
	Poster Poster
	// Settings says how Merge reads base's configuration.
	Settings trust.Settings
	// Grace is how long a cancelled comparison may still take to sum up.
	Grace time.Duration

	log *Log
}

// Engine is a comparison that is ready to be made.
type Engine struct {
	// Compare emits the events of a comparison of two commits, given by their
	// full hashes; objects are read beside the repository's own.
	Compare func(ctx context.Context, base, head string, objects []string, sink event.Sink) error
	// Settle marks what is accepted and what head changes of the configuration,
	// before anybody sees the stream.
	Settle func(*event.Stream)
	// Options is all that influences the result beside the two trees, in a form
	// that encoding/json writes.
	Options any
	// FailOn is the policy that counts now, for results taken from the cache.
	FailOn []string
	Policy []event.PolicyRule
}

// Poster is the part of bot.Client that a job needs.
type Poster interface {
	trust.GitHub
	Post(context.Context, bot.Comment) (bot.Posted, error)
	Check(context.Context, bot.Check) (string, error)
	Acceptances(ctx context.Context, pullRequest int) ([]acceptance.Entry, []bot.Ignored, error)
}

// DefaultGrace leaves time for the report, of the five seconds after which a
// command that is told to end is ended, and of the seven and a half that GitHub
// gives a cancelled step.
const DefaultGrace = 3 * time.Second

// Run makes the comparison that the event asks for and reports it in the log,
// the summary, the files and the outputs. It posts nothing: it runs strangers'
// code, and Merge does that in a job that does not. It returns the exit code.
// Whatever fails, the step summary says it.
func (j *Job) Run(ctx context.Context) int {
	return j.report(ctx, func() (result, error) { return j.compare(ctx) })
}

// result is what there is to report.
type result struct {
	stream *event.Stream
	event  Event
	// commit that comment and check are about
	reported string
	// foreign says that another job made it. No code of the pull request ran in
	// this one, so that it may hold a token that can write, and post.
	foreign bool
	// annotated says that the job that compared wrote annotations already.
	annotated bool
}

func (j *Job) report(ctx context.Context, make func() (result, error)) int {
	j.log = NewLog(j.Out)
	j.log.Mask(j.Env.Inputs.Token)
	r, err := result{}, j.Invalid
	if err == nil {
		r, err = make()
	}
	j.log.EndGroup()
	if err != nil {
		return j.fail(ctx, err)
	}
	return j.publish(ctx, r)
}

// compare reads the event, finds and fetches the commits, and compares them.
func (j *Job) compare(ctx context.Context) (result, error) {
	j.sayWhoPosts()
	j.log.Group("Find the two commits")
	e, err := LoadEvent(j.Env)
	if err != nil && j.Env.Inputs.Base == "" {
		return result{}, err
	}
	co, err := checkout.Open(checkout.Options{Dir: j.Env.Directory(), Temp: j.Env.Temp, Server: j.Env.Server,
		Repository: j.Env.Repository, Token: j.Env.Inputs.Token, Log: j.log.Line})
	if err != nil {
		return result{}, err
	}
	defer co.Close()
	if co.KeepsCredentials() {
		j.log.Message(LevelWarning, "The checkout keeps a token in .git, where the tests that run now can read it: give actions/checkout `persist-credentials: false`.")
	}
	commits, err := Choose(ctx, j.Env, e, co)
	if err != nil {
		return result{}, err
	}
	for _, n := range commits.Notes {
		j.log.Line(n)
	}
	for _, w := range commits.Warnings {
		j.log.Message(LevelWarning, w)
	}
	engine, err := j.Prepare(commits, co.Objects())
	if err != nil {
		return result{}, err
	}
	r := result{event: e, reported: commits.Reported}
	r.stream, err = j.streamOf(ctx, engine, commits, co)
	if err != nil {
		return result{}, err
	}
	if engine.Settle != nil {
		engine.Settle(r.stream)
	}
	return r, nil
}

// streamOf takes the result from the cache, or makes it and keeps it there.
func (j *Job) streamOf(ctx context.Context, engine Engine, commits Commits, co *checkout.Checkout) (*event.Stream, error) {
	cache, err := openCache(j.Env.Inputs.Cache, j.Tool, engine.Options, commits, co)
	if err != nil {
		j.log.Message(LevelWarning, "The cache of results is not used: "+err.Error())
	}
	s, err := cache.get()
	if err != nil {
		j.log.Line("A damaged entry of the cache is made anew: " + err.Error())
	}
	if s != nil {
		j.log.Line("The result is taken from an earlier run over the same content.")
		s.Config.FailOn, s.Config.Policy = engine.FailOn, engine.Policy
	} else {
		if s, err = j.run(ctx, engine, commits, co.Objects()); err != nil {
			return nil, err
		}
		if err := cache.put(s); err != nil {
			j.log.Message(LevelWarning, "The result cannot be kept for later runs: "+err.Error())
		}
	}
	rename(s, commits)
	return s, nil
}

var errCancelled = errors.New("the job was cancelled before anything could be compared")

// run compares. When the job is cancelled, it takes what there is.
func (j *Job) run(ctx context.Context, engine Engine, commits Commits, objects []string) (*event.Stream, error) {
	recorder := &event.Recorder{}
	phases := newPhases(j.log)
	done := make(chan error, 1)
	go func() {
		done <- engine.Compare(ctx, commits.Base.Hash, commits.Head.Hash, objects, event.Tee(recorder, phases))
	}()
	var err error
	select {
	case err = <-done:
	case <-ctx.Done():
		select {
		case err = <-done:
		case <-time.After(j.Grace):
			err = ctx.Err() // the process ends soon, and what still runs with it
		}
	}
	phases.close()
	if err != nil && ctx.Err() == nil {
		return nil, err
	}
	s, streamErr := recorder.Stream()
	switch {
	case streamErr != nil:
		return nil, streamErr
	case ctx.Err() != nil && len(s.Versions) == 0:
		return nil, errCancelled
	case ctx.Err() != nil:
		s.Limits = append(s.Limits, event.Limit{Type: "limit", Kind: event.LimitCancelled, What: "this run",
			Reason: "the job was cancelled; what it had found by then is here, and the rest was not looked at"})
	}
	return s, nil
}

// rename puts in the names of the commits, which the engine knows by their
// hashes alone, and what was unexpected about them.
func rename(s *event.Stream, c Commits) {
	for i := range s.Versions {
		v := &s.Versions[i]
		v.Base.Asked, v.Base.Commit = c.Base.Asked, c.Base.Hash
		v.Head.Asked, v.Head.Commit = c.Head.Asked, c.Head.Hash
		v.MergeBase = c.MergeBase
	}
	for _, w := range c.Warnings {
		s.Limits = append(s.Limits, event.Limit{Type: "limit", Kind: event.LimitCommits, What: "the checkout", Reason: w})
	}
}

// fail reports that there is no comparison.
func (j *Job) fail(ctx context.Context, err error) int {
	code := j.Code(err)
	j.log.Message(LevelError, err.Error())
	text := failureText(err, j.Env.RunURL())
	if e := AppendSummary(j.Env.StepSummary, func(int) (string, error) { return text, nil }); e != nil {
		j.log.Message(LevelWarning, e.Error())
	}
	verdict := "failed" // no comparison, so none of its verdicts
	if ctx.Err() != nil {
		verdict = string(event.Incomplete)
	}
	if e := (outputs{"verdict": verdict}).write(j.Env.Output); e != nil {
		j.log.Message(LevelWarning, e.Error())
	}
	if dir := j.Env.Inputs.OutputDirectory; dir != "" {
		if e := os.MkdirAll(dir, 0o755); e == nil {
			e = replaceFile(dir, "report.md", func(w io.Writer) error { _, err := io.WriteString(w, text); return err })
			if e != nil {
				j.log.Message(LevelWarning, e.Error())
			}
		}
	}
	return code
}

// publish writes the files, the log, the summary, the comment, the check and
// the outputs, in the order of how long they may take: what is only on this
// machine comes first.
func (j *Job) publish(ctx context.Context, r result) int {
	s := r.stream
	decision := policy.Decide(policy.Of(s.Config), s)
	out := outputs{}
	out.count(s)
	view := viewOf(j.Env)
	if r.event.PullRequest != nil {
		view.Base = r.event.PullRequest.BaseRef
	}
	if r.foreign && j.Env.Inputs.OutputDirectory != "" && view.Run != "" {
		view.Report = view.Run + "#artifacts" // which this job uploads
	}
	for _, f := range []func() error{
		func() error {
			return AppendSummary(j.Env.StepSummary, func(limit int) (string, error) { return view.Markdown(s, limit, false) })
		},
		func() error { return j.writeFiles(s, view, out) },
		func() error { return report.Terminal(j.log.Writer(), s, report.TerminalOptions{Width: 120}) },
	} {
		if err := f(); err != nil {
			j.log.Message(LevelWarning, err.Error())
		}
	}
	if j.Env.Inputs.Shard == "" && !r.annotated {
		j.annotate(present.Annotations(s))
	}
	if r.foreign && ctx.Err() == nil {
		j.post(ctx, r, view, decision, out)
	}
	for _, reason := range decision.Reasons {
		j.log.Line(reason)
	}
	if err := out.write(j.Env.Output); err != nil {
		j.log.Message(LevelWarning, err.Error())
	}
	return j.Verdict(s)
}

// annotate writes the findings into the log, where GitHub shows them on the
// lines of the pull request. One annotation of each level is left for others.
func (j *Job) annotate(list []bot.Annotation) {
	dropped := 0
	for _, a := range list {
		level := a.Level
		if level == "failure" {
			level = LevelError
		}
		if !j.log.Annotate(Annotation{Level: level, Path: a.Path, Start: a.Start, End: a.End, Title: a.Title, Message: a.Message}, 1) {
			dropped++
		}
	}
	if dropped > 0 {
		j.log.Line(fmt.Sprintf("GitHub shows %d annotations of each level; %d more are in the report.", perLevel, dropped))
	}
}

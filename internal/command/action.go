package command

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"github.com/isodelta/isodelta/action"
	"github.com/isodelta/isodelta/action/checkout"
	"github.com/isodelta/isodelta/bot"
	"github.com/isodelta/isodelta/diff/policy"
	"github.com/isodelta/isodelta/report/event"
	"github.com/isodelta/isodelta/runner"
	"github.com/isodelta/isodelta/runner/revision"
)

// runAction is a step of a workflow. It takes no flags but --merge: everything
// else comes from the step's environment.
func runAction(ctx context.Context, args []string, streams Streams) (int, error) {
	f := newFlags("isodelta action")
	merge := ""
	f.set.StringVar(&merge, "merge", "", "")
	rest, err := f.parse(args)
	if err == nil && len(rest) > 0 {
		err = usageError{errors.New("action takes no revisions: the event says what to compare, or the inputs base and head do")}
	}
	if err != nil {
		return 0, err
	}
	env, envErr := action.ReadEnvironment(streams.Withheld.Get)
	if envErr != nil {
		envErr = usageError{envErr}
	}
	job := &action.Job{
		Env: env, Invalid: envErr, Out: streams.Out, Tool: Version(), Grace: action.DefaultGrace,
		Code:    workflowCode,
		Verdict: func(s *event.Stream) int { return verdictCode(s, decisive(env, s)) },
	}
	f.withheld = streams.Withheld.Names()
	job.Prepare = f.engine
	if job.Invalid == nil {
		job.Invalid = f.inputs(env)
	}
	if merge == "" {
		return job.Run(ctx), nil
	}
	failOn, err := failOn(env.Inputs.FailOn)
	if err != nil && job.Invalid == nil {
		job.Invalid = usageError{err}
	}
	job.Settings = trusted(env, failOn)
	if job.Poster, err = poster(env); err != nil {
		fmt.Fprintf(streams.Err, "isodelta: nothing will be posted: %v\n", err)
	}
	return job.Merge(ctx, merge), nil
}

// decisive is the policy that this step fails by. A job that another one reports
// on may leave that to it; that nothing whole was compared still fails.
func decisive(env action.Environment, s *event.Stream) policy.Policy {
	if !env.Inputs.Fail {
		return policy.Policy{}
	}
	return policy.Of(s.Config)
}

// workflowCode is exitCode for what only a workflow can do wrong, too.
func workflowCode(err error) int {
	var event *action.EventError
	var unreachable *checkout.UnreachableError
	if errors.As(err, &event) || errors.As(err, &unreachable) {
		return exitUsage
	}
	return exitCode(err)
}

// poster talks to GitHub; nil without a token.
func poster(env action.Environment) (action.Poster, error) {
	if env.Inputs.Token == "" || env.Repository == "" {
		return nil, nil
	}
	client, err := bot.New(bot.Options{Token: env.Inputs.Token, API: env.API, Repository: env.Repository, Tool: Version()})
	if err != nil {
		return nil, err // and no poster: a nil *bot.Client would be one
	}
	return client, nil
}

// inputs takes the action's inputs for flags.
func (f *flags) inputs(env action.Environment) error {
	in := env.Inputs
	f.dir, f.cache, f.temp, f.acceptFrom = env.Directory(), in.Cache, env.Temp, in.AcceptFrom
	if in.Config != "" {
		f.configFile = in.Config
		if !filepath.IsAbs(in.Config) {
			f.configFile = filepath.Join(f.dir, in.Config)
		}
	}
	for _, given := range []struct{ flag, value string }{
		{"packages", in.Packages}, {"tags", in.Tags}, {"budget", in.Budget}, {"fail-on", in.FailOn}, {"depth", in.Depth}, {"shard", in.Shard}, {"sandbox", in.Sandbox},
	} {
		if given.value == "" {
			continue
		}
		if err := f.set.Set(given.flag, given.value); err != nil {
			return usageError{fmt.Errorf("the input %s: %w", given.flag, err)}
		}
	}
	return nil
}

// engine reads the configuration of both commits.
func (f *flags) engine(commits action.Commits, objects []string) (action.Engine, error) {
	settings, err := f.guarded(revision.Version{Commit: commits.Settings}, revision.Version{Commit: commits.Head.Hash}, objects...)
	if err != nil {
		return action.Engine{}, err
	}
	options, err := f.options(settings.Config)
	if err != nil {
		return action.Engine{}, err
	}
	options.Withheld, options.Temp = f.withheld, f.temp
	if f.cache != "" {
		options.Cache = f.cache // kept between runs, beside the results
	}
	return action.Engine{
		Compare: func(ctx context.Context, base, head string, objects []string, sink event.Sink) error {
			options.Revisions, options.Objects = []string{base, head}, objects
			_, err := runner.Compare(ctx, options, sink)
			return err
		},
		Settle:  func(s *event.Stream) { settings.settle(s, time.Now()) },
		Options: influential(options),
		FailOn:  options.FailOn, Policy: options.Policy,
	}, nil
}

// influential are the options that make a result what it is, as text: not
// where it is made, nor what is said about it afterwards.
func influential(o runner.Options) string {
	skip := fmt.Sprint(o.SkipTests)
	o.Dir, o.Revisions, o.Objects, o.Executable, o.FailOn, o.Policy = "", nil, nil, "", nil, nil
	o.Withheld, o.Temp = nil, ""
	o.SkipTests, o.Loaded = nil, nil // addresses, which differ from run to run
	return fmt.Sprintf("%#v skip %q", o, skip)
}

package command

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/isodelta/isodelta/action"
	"github.com/isodelta/isodelta/bot"
	"github.com/isodelta/isodelta/bot/publish"
	"github.com/isodelta/isodelta/bot/trust"
	"github.com/isodelta/isodelta/diff/policy"
	"github.com/isodelta/isodelta/internal/config"
	"github.com/isodelta/isodelta/report/event"
)

// apiTime bounds what a step does that only talks to GitHub.
const apiTime = 10 * time.Minute

// runPublish is the step of the second workflow for forks: it posts what
// another run found. Everything comes from the step's environment.
func runPublish(ctx context.Context, args []string, streams Streams) (int, error) {
	step, err := openStep("publish", args, streams)
	if err != nil {
		return 0, err
	}
	defer step.event.Close()
	env, log := step.env, step.log
	e, err := publish.ParseEvent(step.event)
	if err != nil {
		return 0, usageError{err}
	}
	failOn, err := failOn(env.Inputs.FailOn)
	if err != nil {
		return 0, usageError{err}
	}
	job := publish.Job{
		Client: step.client, Event: e, Artifact: publish.DefaultArtifact, Comment: env.Inputs.Comment, Key: env.Inputs.CommentKey,
		// A check is made unless it is said otherwise: where it is required, a
		// pull request from a fork could not be merged without one.
		Check: streams.Withheld.Get("INPUT_CHECK") != "false", Settings: trusted(env, failOn), Server: env.Server, Repository: env.Repository,
		Directory: env.Inputs.OutputDirectory, Page: env.RunURL(),
		Log: log, Today: time.Now(),
		Summary: func(render func(int) (string, error)) error { return action.AppendSummary(env.StepSummary, render) },
	}
	if job.Page != "" {
		job.Page += "#artifacts"
	}
	if a := strings.TrimSpace(streams.Withheld.Get("INPUT_ARTIFACT")); a != "" {
		job.Artifact = a
	}
	limited, cancel := context.WithTimeout(ctx, apiTime)
	defer cancel()
	out, err := job.Run(limited)
	if err == nil && ctx.Err() != nil {
		err = errors.New("interrupted: the comment or the check may be missing")
	}
	if err != nil {
		log.Message(action.LevelError, err.Error()) // it may quote the stream
		return exitFailed, nil
	}
	if err := setOutputs(env.Output, map[string]string{"comment-url": out.CommentURL, "check-url": out.CheckURL}); err != nil {
		return 0, err
	}
	return exitOK, nil
}

// step is one that only talks to GitHub.
type step struct {
	env    action.Environment
	client *bot.Client
	log    *action.Log
	event  *os.File
}

// openStep reads the environment of a step and opens its event, which the caller
// closes.
func openStep(name string, args []string, streams Streams) (step, error) {
	for _, a := range args {
		if a == "-h" || a == "--help" || a == "-help" {
			return step{}, errHelp
		}
	}
	if len(args) > 0 {
		return step{}, usageError{fmt.Errorf("isodelta %s takes no arguments: it is a step of a workflow, and its environment says all", name)}
	}
	env, err := action.ReadEnvironment(streams.Withheld.Get)
	if err != nil {
		return step{}, usageError{err}
	}
	if env.EventPath == "" {
		return step{}, usageError{errors.New("GITHUB_EVENT_PATH is not set: this is no step of a GitHub workflow")}
	}
	s := step{env: env, log: action.NewLog(streams.Out)}
	s.log.Mask(env.Inputs.Token)
	s.client, err = bot.New(bot.Options{
		Token: env.Inputs.Token, API: env.API, Repository: env.Repository, Tool: Version(),
		Log: slog.New(slog.NewTextHandler(streams.Err, nil)), // says when it waits
	})
	if err != nil {
		return s, usageError{err}
	}
	if s.event, err = os.Open(env.EventPath); err != nil {
		return s, usageError{fmt.Errorf("the event file (GITHUB_EVENT_PATH): %w", err)}
	}
	return s, nil
}

// trusted says how a job that may write reads base's configuration.
func trusted(env action.Environment, failOn []string) trust.Settings {
	return trust.Settings{
		Files:  trust.Files(env.Inputs.Config, env.Inputs.WorkingDirectory, config.FileName),
		FailOn: failOn,
		Parse:  func(base, head trust.File) (trust.Rules, error) { return trustedRules(base, head, failOn) },
	}
}

// trustedRules joins the configuration files of both versions as a comparison does.
func trustedRules(base, head trust.File, failOn []string) (trust.Rules, error) {
	before, err := parseFile(base)
	if err != nil {
		return trust.Rules{}, err
	}
	after, headErr := parseFile(head)
	if headErr != nil {
		after = before
	}
	p := config.Protect(before, after, false)
	if headErr != nil {
		p.Changes = []event.SettingChange{{Key: "file", Base: cmp.Or(base.Name, "none"), Head: head.Name + ", which cannot be read", Counts: event.CountsBase}}
	}
	if failOn != nil {
		o := &config.Overrides{}
		if err := o.Set("fail-on", strings.Join(failOn, ",")); err != nil {
			return trust.Rules{}, err
		}
		p.Override(o)
	}
	return trust.Rules{Policy: policy.Policy{FailOn: p.FailOn, Rules: p.Policy}, Accept: p.Accept, Proposed: p.Proposed, Changes: p.Changes}, nil
}

func parseFile(f trust.File) (config.Config, error) {
	if f.Name == "" {
		return config.Default(), nil
	}
	return config.Parse(f.Name, f.Text)
}

// failOn reads the policy; nil where the input says nothing.
func failOn(input string) ([]string, error) {
	if input == "" {
		return nil, nil
	}
	terms := []string{}
	for term := range strings.SplitSeq(input, ",") {
		if err := policy.CheckTerm(term); err != nil {
			return nil, fmt.Errorf("the input fail-on: %.60q is %w", term, err)
		}
		terms = append(terms, term)
	}
	return terms, nil
}

// setOutputs sets outputs of the step. The values are addresses that GitHub
// gave; one that would end its line is left out.
func setOutputs(file string, values map[string]string) error {
	if file == "" {
		return nil
	}
	var b strings.Builder
	for _, name := range sortedKeys(values) {
		if v := values[name]; !strings.ContainsAny(v, "\r\n") {
			fmt.Fprintf(&b, "%s=%s\n", name, v)
		}
	}
	f, err := os.OpenFile(filepath.Clean(file), os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o644)
	if err != nil {
		return fmt.Errorf("the step's outputs: %w", err)
	}
	defer f.Close()
	if _, err := f.WriteString(b.String()); err != nil {
		return fmt.Errorf("the step's outputs: %w", err)
	}
	return nil
}

package action

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/isodelta/isodelta/action/checkout"
)

// Commits are the two commits that a run compares.
type Commits struct {
	Base, Head Commit
	MergeBase  bool // Base is the merge base of what Base.Asked names and Head
	// Settings is the commit whose settings protect: Base's or, where that is a
	// merge base, the one that Base.Asked names. Where head parted from its base is
	// head's own choice.
	Settings string
	// Reported is the commit that comment and check are about: the head of the
	// pull request also where its merge was compared.
	Reported string
	// Notes say how the two were chosen, Warnings what was not as expected, one
	// sentence each.
	Notes, Warnings []string
}

// Commit is one side.
type Commit struct {
	Asked string // what names it
	Hash  string // full
}

// chooser finds the commits of an event in a checkout.
type chooser struct {
	env   Environment
	event Event
	*checkout.Checkout
	c Commits
}

// Choose tells which two commits an event is about, and fetches them with all
// their files. They match what is checked out, or the warnings say why not.
func Choose(ctx context.Context, env Environment, e Event, co *checkout.Checkout) (Commits, error) {
	ch := &chooser{env: env, event: e, Checkout: co}
	if err := ch.choose(ctx); err != nil {
		return Commits{}, err
	}
	c := &ch.c
	if c.Base.Hash == c.Head.Hash {
		return Commits{}, fmt.Errorf("base and head are the same commit, %.10s: there is nothing to compare. %s", c.Head.Hash, ch.sameAdvice())
	}
	if !c.MergeBase {
		c.Settings = c.Base.Hash
	}
	for _, commit := range []string{c.Head.Hash, c.Base.Hash, c.Settings} {
		if err := co.Require(ctx, commit); err != nil {
			return Commits{}, err
		}
	}
	if c.Reported == "" {
		c.Reported = c.Head.Hash
	}
	return *c, nil
}

func (ch *chooser) sameAdvice() string {
	if ch.event.PullRequest != nil {
		return "Is another branch than the pull request's checked out? Leave out `ref` of the step actions/checkout"
	}
	return "Set the inputs base and head"
}

func (ch *chooser) note(format string, args ...any) {
	ch.c.Notes = append(ch.c.Notes, fmt.Sprintf(format, args...))
}

func (ch *chooser) warn(format string, args ...any) {
	ch.c.Warnings = append(ch.c.Warnings, fmt.Sprintf(format, args...))
}

// choose dispatches on the event. Inputs come first: they say what is wanted
// under any event.
func (ch *chooser) choose(ctx context.Context) error {
	if err := ch.permitted(); err != nil {
		return err
	}
	if in := ch.env.Inputs; in.Base != "" || in.Head != "" {
		return ch.asked(ctx, in.Base, in.Head)
	}
	switch ch.event.Name {
	case "pull_request", "pull_request_target":
		return ch.pullRequest(ctx, *ch.event.PullRequest)
	case "push":
		return ch.push(ctx, *ch.event.Push)
	case "merge_group":
		return ch.mergeGroup(ctx, *ch.event.MergeGroup)
	case "release":
		return ch.release(ctx, ch.event.Release.Tag)
	case "workflow_dispatch":
		return ch.dispatch(ctx)
	case "schedule":
		return ch.sinceRelease(ctx)
	}
	return fmt.Errorf("the event %s does not say what to compare: set the inputs base and head, or run on pull_request, push, merge_group, release, schedule or workflow_dispatch", shown(ch.event.Name))
}

// permitted refuses to run strangers' code with a token that can write, also
// where the inputs name the commits.
func (ch *chooser) permitted() error {
	if ch.env.Inputs.AllowTarget {
		return nil
	}
	switch ch.event.Name {
	case "pull_request_target":
		return errors.New("isodelta does not run on pull_request_target: the tests of the pull request would run with a token that can write and beside the repository's secrets. " +
			"Use the event pull_request; for pull requests from forks, a second workflow on workflow_run publishes the result (isodelta publish, docs/workflows). " +
			"If this job has no secrets and `permissions: {}`, set the input allow-pull-request-target to true")
	case "workflow_run":
		return errors.New("isodelta action does not run on workflow_run, which has a token that can write: use isodelta publish there, which posts what another run compared and runs no code of the pull request (docs/workflows)")
	case "issue_comment":
		return errors.New("isodelta action does not run on issue_comment, which has a token that can write: use isodelta comment there, which answers `/isodelta accept` and `/isodelta rerun` (docs/workflows)")
	}
	return nil
}

// asked compares what the inputs name. Where only one is given, the other is
// what is checked out, or the default branch.
func (ch *chooser) asked(ctx context.Context, base, head string) error {
	ch.c.Head = Commit{head, ""}
	if head == "" {
		ch.c.Head = Commit{"HEAD", ch.Head()}
	} else if err := ch.name(ctx, &ch.c.Head); err != nil {
		return fmt.Errorf("the input head: %w", err)
	}
	if base == "" {
		if base = ch.defaultBranch(); base == "" {
			return errors.New("the input head is given, but neither base nor a default branch: set base")
		}
	}
	ch.c.Base = Commit{Asked: base}
	if err := ch.name(ctx, &ch.c.Base); err != nil {
		return fmt.Errorf("the input base: %w", err)
	}
	if p := ch.event.PullRequest; p != nil {
		ch.c.Reported = p.HeadSHA
	}
	return ch.fromMergeBase(ctx, "as the inputs ask")
}

func (ch *chooser) name(ctx context.Context, c *Commit) (err error) {
	c.Hash, err = ch.Commit(ctx, c.Asked)
	return err
}

// fromMergeBase moves base back to where head parted from it.
func (ch *chooser) fromMergeBase(ctx context.Context, why string) error {
	base, err := ch.MergeBase(ctx, ch.c.Base.Hash, ch.c.Head.Hash)
	if err != nil {
		return err
	}
	ch.c.MergeBase, ch.c.Settings = base != ch.c.Base.Hash, ch.c.Base.Hash
	ch.c.Base.Hash = base
	if ch.c.MergeBase {
		ch.note("Comparing %.10s with %.10s, its merge base with %s, %s.", ch.c.Head.Hash, base, ch.c.Base.Asked, why)
	} else {
		ch.note("Comparing %.10s with %.10s (%s), %s.", ch.c.Head.Hash, base, ch.c.Base.Asked, why)
	}
	return nil
}

func (ch *chooser) defaultBranch() string { return ch.event.DefaultBranch }

// pullRequest compares what is checked out: GitHub's merge of the pull request
// with the commit that it was merged into, or the pull request's head with the
// merge base. On pull_request_target, which checks out the base, it is the head.
func (ch *chooser) pullRequest(ctx context.Context, p PullRequest) error {
	at := ch.Head()
	ch.c.Reported = p.HeadSHA
	ch.c.Base = Commit{p.BaseRef, p.BaseSHA}
	parents, err := ch.Parents(at)
	if err != nil {
		return err
	}
	switch {
	case at == p.HeadSHA:
		ch.c.Head = Commit{p.HeadRef, at}
		return ch.fromMergeBase(ctx, "since the head of the pull request is checked out")
	case len(parents) == 2 && parents[1] == p.HeadSHA:
		ch.merge(p, at, parents)
		return nil
	case len(parents) == 2 && at == ch.env.SHA && ch.event.Name == "pull_request":
		// GitHub made the merge anew after the event.
		ch.merge(p, at, parents)
		ch.c.Reported = parents[1]
		ch.warn("The pull request moved on after this run was started: its head was %.10s, and %.10s is checked out and compared.", p.HeadSHA, parents[1])
		return nil
	case ch.event.Name == "pull_request_target":
		ch.c.Head = Commit{p.HeadRef, p.HeadSHA}
		ch.note("The base is checked out, as pull_request_target does; the head of the pull request is fetched.")
		return ch.fromMergeBase(ctx, "as the event tells")
	}
	ch.c.Head, ch.c.Reported = Commit{"HEAD", at}, at
	ch.warn("Checked out is %.10s, which is neither the head of the pull request when the event happened (%.10s) nor its merge: the branch moved on, or `ref` of actions/checkout names something else. What is checked out is compared.", at, p.HeadSHA)
	return ch.fromMergeBase(ctx, "since another commit than the event's is checked out")
}

// merge compares a merge commit with its first parent: what the base branch
// does after the pull request and before.
func (ch *chooser) merge(p PullRequest, at string, parents []string) {
	ch.c.Head = Commit{fmt.Sprintf("refs/pull/%d/merge", p.Number), at}
	ch.c.Base.Hash = parents[0]
	ch.note("Comparing GitHub's merge of the pull request, %.10s, which is checked out, with its first parent on %s, %.10s.", at, p.BaseRef, parents[0])
	if parents[0] != p.BaseSHA {
		ch.note("The branch %s had moved from %.10s to %.10s when GitHub made the merge.", p.BaseRef, p.BaseSHA, parents[0])
	}
}

// push compares before and after. A new branch has no before, and a tag is
// compared with the one before it.
func (ch *chooser) push(ctx context.Context, p Push) error {
	if zeros(p.After) {
		return fmt.Errorf("the push deleted %s: there is nothing to compare. Give the job `if: ${{ !github.event.deleted }}`", p.Ref)
	}
	if tag, ok := cutTag(p.Ref); ok {
		return ch.release(ctx, tag)
	}
	branch := branchOf(p.Ref)
	after, err := ch.Commit(ctx, p.After)
	if err != nil {
		return err
	}
	ch.c.Head = Commit{branch, after}
	ch.checkedOut(after)
	if zeros(p.Before) {
		return ch.newBranch(ctx, branch)
	}
	ch.c.Base = Commit{p.Before, ""}
	err = ch.name(ctx, &ch.c.Base)
	switch {
	case err == nil && p.Forced:
		ch.note("Comparing what %s was before the forced push, %.10s, with what it is now, %.10s.", branch, p.Before, after)
		return nil
	case err == nil:
		ch.note("Comparing %s before the push, %.10s, with it after, %.10s.", branch, p.Before, after)
		return nil
	case p.Forced && branch != ch.defaultBranch():
		ch.warn("The forced push left %.10s, which can no longer be had; the merge base with the default branch takes its place.", p.Before)
		return ch.newBranch(ctx, branch)
	}
	return err
}

// newBranch compares with the default branch; the default branch itself, and
// one that is not ahead, with the commit before.
func (ch *chooser) newBranch(ctx context.Context, branch string) error {
	if d := ch.defaultBranch(); d != "" && d != branch {
		ch.c.Base = Commit{Asked: d}
		if err := ch.name(ctx, &ch.c.Base); err != nil {
			return fmt.Errorf("the default branch: %w", err)
		}
		if err := ch.fromMergeBase(ctx, "since the branch is new"); err != nil {
			return err
		}
		if ch.c.Base.Hash != ch.c.Head.Hash {
			return nil
		}
		ch.c.Notes = ch.c.Notes[:len(ch.c.Notes)-1]
	}
	return ch.commitBefore(ctx)
}

// commitBefore compares head with its first parent.
func (ch *chooser) commitBefore(ctx context.Context) error {
	parents, err := ch.Parents(ch.c.Head.Hash)
	if err != nil {
		return err
	}
	if len(parents) == 0 {
		return fmt.Errorf("%.10s is the first commit: there is nothing to compare it with", ch.c.Head.Hash)
	}
	ch.c.Base = Commit{ch.c.Head.Asked + "~1", parents[0]}
	ch.c.MergeBase = false
	ch.note("Comparing %.10s with the commit before it, %.10s.", ch.c.Head.Hash, parents[0])
	return nil
}

// checkedOut warns where something else is checked out than what is compared.
func (ch *chooser) checkedOut(want string) {
	if at := ch.Head(); at != want {
		ch.warn("Checked out is %.10s, the event is about %.10s, which is compared.", at, want)
	}
}

func (ch *chooser) mergeGroup(ctx context.Context, g MergeGroup) error {
	head, err := ch.Commit(ctx, g.HeadSHA)
	if err != nil {
		return err
	}
	ch.checkedOut(head)
	ch.c.Head = Commit{"the merge queue's entry", head}
	ch.c.Base = Commit{g.BaseRef, ""}
	if ch.c.Base.Hash, err = ch.Commit(ctx, g.BaseSHA); err != nil {
		return err
	}
	ch.note("Comparing the merge queue's entry, %.10s, with %s as it will be before, %.10s.", head, g.BaseRef, g.BaseSHA)
	return nil
}

// release compares a tag with the release before it.
func (ch *chooser) release(ctx context.Context, tag string) error {
	tags, err := ch.Tags(ctx)
	if err != nil {
		return err
	}
	head, ok := tags[tag]
	if !ok {
		return fmt.Errorf("the tag %s is not there any more", shown(tag))
	}
	previous, err := previousTag(slices.Collect(keys(tags)), tag)
	if err != nil {
		return err
	}
	ch.c.Head, ch.c.Base = Commit{tag, head}, Commit{previous, tags[previous]}
	ch.checkedOut(head)
	ch.note("Comparing %s with the release before it, %s.", tag, previous)
	return nil
}

// dispatch takes the inputs base and head of the workflow itself, where it has
// them, else what is checked out against the default branch.
func (ch *chooser) dispatch(ctx context.Context) error {
	base, head := ch.event.Inputs["base"], ch.event.Inputs["head"]
	if base != "" || head != "" {
		return ch.asked(ctx, base, head)
	}
	ch.c.Head = Commit{branchOf(ch.env.Ref), ch.Head()}
	return ch.newBranch(ctx, branchOf(ch.env.Ref))
}

// sinceRelease compares what is checked out with the latest release, or with
// the commit before where there is none.
func (ch *chooser) sinceRelease(ctx context.Context) error {
	ch.c.Head = Commit{branchOf(ch.env.Ref), ch.Head()}
	tags, err := ch.Tags(ctx)
	if err != nil {
		return err
	}
	latest := latestTag(slices.Collect(keys(tags)))
	if latest == "" || tags[latest] == ch.Head() {
		return ch.commitBefore(ctx)
	}
	ch.c.Base = Commit{latest, tags[latest]}
	ch.note("Comparing %.10s with the latest release, %s.", ch.Head(), latest)
	return nil
}

package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/semver"

	"github.com/isodelta/isodelta/diff/bump"
	"github.com/isodelta/isodelta/diff/policy"
	"github.com/isodelta/isodelta/report"
	"github.com/isodelta/isodelta/report/event"
	"github.com/isodelta/isodelta/runner/load"
	"github.com/isodelta/isodelta/runner/revision"
)

// gate reports whether the version of a release is enough for what changed.
func gate(ctx context.Context, args []string, streams Streams) (int, error) {
	f := newFlags("isodelta gate")
	asked := ""
	f.set.StringVar(&asked, "tag", "", "")
	f.set.Func("accept-from", "", f.setAcceptFrom)
	args, err := f.parse(args)
	if err != nil {
		return 0, err
	}
	r, err := openRelease(ctx, f.dir, args, asked)
	if err != nil {
		return 0, err
	}
	if f.loaded = r.load; r.wrongAsk() != nil {
		return 0, usageError{r.wrongAsk()}
	}
	settings, err := f.guarded(r.between.Base, r.between.Head)
	if err != nil {
		return 0, err
	}
	stream, err := f.run(ctx, r.revisions, settings.Config, settings.settle, streams)
	out := streams.Out
	switch {
	case errors.Is(err, errAnotherModule):
		r.anotherModule(out)
		return exitOK, nil
	case err != nil:
		return 0, err
	case toStdout(f.outputs):
		out = streams.Err
	default:
		if err := report.Terminal(out, stream, f.terminal(out)); err != nil {
			return 0, err
		}
		fmt.Fprintln(out)
	}
	if err := writeOutputs(f.outputs, stream, streams.Out); err != nil {
		return 0, err
	}
	return r.judge(out, stream), nil
}

// release is what a gate decides about.
type release struct {
	module    bump.Module
	revisions []string // what to compare
	base      string   // the version before, "" where it is not known
	head      string   // as the user named it
	asked     string   // the version asked for, "" for none
	api       bump.API
	basePath  string // base's module path
	between   revision.Range
}

// openRelease finds out which versions are meant.
func openRelease(ctx context.Context, dir string, args []string, tag string) (*release, error) {
	repo, err := revision.Open(dir)
	if err != nil {
		return nil, err
	}
	tags, err := repo.Tags()
	if err != nil {
		return nil, err
	}
	asked := args
	if len(args) == 0 {
		asked = []string{"HEAD", "HEAD"} // the base follows
	}
	between, err := repo.Resolve(ctx, asked)
	if err != nil {
		return nil, err
	}
	r := &release{revisions: args, head: between.Head.Asked, between: between}
	if r.module, err = moduleAt(repo, between.Head.Commit); err != nil {
		return nil, err
	}
	if len(args) == 0 {
		previous, err := r.previous(ctx, repo, between.Head.Commit, tags)
		if err != nil {
			return nil, err
		}
		r.revisions = []string{previous, "HEAD"}
		r.base, _ = r.module.Version(previous)
		if r.between, err = repo.Resolve(ctx, r.revisions); err != nil {
			return nil, err
		}
	} else if v, ok := r.module.Version(between.Base.Asked); ok {
		r.base = v
	} else {
		r.base = r.module.Highest(tagsOf(tags, between.Base.Commit))
	}
	switch {
	case tag != "":
		r.asked = strings.TrimPrefix(tag, r.module.Tag(""))
	case !between.Head.Worktree:
		r.asked = r.module.Highest(tagsOf(tags, between.Head.Commit))
	}
	return r, nil
}

// moduleAt reads the go.mod of the folder that the user stands in, or above it.
func moduleAt(repo *revision.Repository, commit string) (bump.Module, error) {
	for dir := path.Clean(repo.Prefix()); ; dir = path.Dir(dir) {
		data, err := repo.File(commit, path.Join(dir, "go.mod"), 1<<20)
		if err == nil {
			return bump.Module{Path: modfile.ModulePath(data), Dir: dir}, nil
		}
		if dir == "." || dir == "/" {
			return bump.Module{}, fmt.Errorf("no go.mod in %s or above it: run isodelta gate in a folder of the module that is released: %w", path.Clean(repo.Prefix()), err)
		}
	}
}

// previous is the tag of the release before a commit.
func (r *release) previous(ctx context.Context, repo *revision.Repository, head string, tags map[string]string) (string, error) {
	byCommit := map[string][]string{}
	for tag, commit := range tags {
		byCommit[commit] = append(byCommit[commit], tag)
	}
	var reachable []string
	seen, cut := map[string]bool{head: true}, false
	for queue := []string{head}; len(queue) > 0; queue = queue[1:] {
		if err := ctx.Err(); err != nil {
			return "", err
		}
		parents, err := repo.Parents(queue[0])
		var shallow *revision.ShallowError
		if errors.As(err, &shallow) {
			cut = true
			continue
		}
		if err != nil {
			return "", err
		}
		for _, p := range parents {
			if !seen[p] {
				seen[p] = true
				reachable = append(reachable, byCommit[p]...)
				queue = append(queue, p)
			}
		}
	}
	if tag := r.module.Previous(reachable); tag != "" {
		return tag, nil
	}
	why := "name one: isodelta gate REVISION..HEAD"
	if cut || len(tags) == 0 {
		why = "fetch the history with its tags (actions/checkout: fetch-depth: 0), or " + why
	}
	return "", usageError{fmt.Errorf("no version tag %s of %s comes before the head; %s", r.module.Tag("vX.Y.Z"), r.module.Path, why)}
}

func tagsOf(tags map[string]string, commit string) []string {
	var list []string
	for tag, at := range tags {
		if at == commit {
			list = append(list, tag)
		}
	}
	slices.Sort(list)
	return list
}

// wrongAsk says why no release can have the version asked for.
func (r *release) wrongAsk() error {
	if r.asked == "" {
		return nil
	}
	if v, ok := r.module.Version(r.module.Tag(r.asked)); !ok || v != r.asked {
		return fmt.Errorf("--tag %s: no version of a Go module; wanted %s", r.asked, r.module.Tag("v1.2.3"))
	}
	return r.module.Fits(r.asked)
}

// errAnotherModule ends a comparison across a change of the module's path.
var errAnotherModule = errors.New("the module's path changed")

// load takes in the API of both versions.
func (r *release) load(base, head *load.Tree) error {
	r.basePath = base.Module
	if base.Module != head.Module {
		return errAnotherModule
	}
	r.api = bump.APIOf(base, head)
	return nil
}

func (r *release) anotherModule(w io.Writer) {
	fmt.Fprintf(w, "%s is now %s: nothing imports the new module yet, so any version of it is enough.\n", r.basePath, r.module.Path)
}

// judge prints the table and chooses the exit code.
func (r *release) judge(w io.Writer, s *event.Stream) int {
	api, behaviour := bump.ByAPI(r.api, r.base), bump.ByBehaviour(s)
	need := max(api.Level, behaviour.Level)
	decision := policy.Decide(policy.Of(s.Config), s)
	code := verdictCode(s, policy.Of(s.Config))

	verdict := ""
	switch {
	case r.base == "":
		verdict = "a " + need.String() + " release; the base is no version, so none can be measured"
	case r.asked == "":
		verdict = "release it as " + r.next(need) + " or above"
	case semver.Compare(r.asked, r.base) <= 0:
		verdict = fmt.Sprintf("not enough: %s does not lie above %s", r.asked, r.base)
		code = max(code, exitFinding)
	case bump.Between(r.base, r.asked) < need:
		verdict = "not enough: it takes " + r.next(need)
		code = max(code, exitFinding)
	default:
		verdict = "enough"
	}
	if behaviour.Level == bump.None {
		verdict += ", as far as is known"
	}
	row := func(name, text string) { fmt.Fprintf(w, "%-11s %s\n", name, text) }
	row("release", fmt.Sprintf("%s → %s · %s", orUnknown(r.base), orUnknown(r.head), r.module.Path))
	if r.asked == "" {
		row("asked", "nothing: no --tag, and the head has no version tag")
	} else {
		row("asked", fmt.Sprintf("%s, %s", r.module.Tag(r.asked), askedLevel(r.base, r.asked)))
	}
	row("API", fmt.Sprintf("%s: %s", api.Level, api.Reason))
	for _, m := range shortList(r.api.Incompatible) {
		row("", "  incompatible: "+m)
	}
	for _, m := range shortList(r.api.Compatible) {
		row("", "  "+m)
	}
	row("behaviour", fmt.Sprintf("%s: %s", behaviour.Level, behaviour.Reason))
	if behaviour.Level == bump.Minor && bump.Between(r.base, r.asked) < bump.Minor {
		row("", "  if it is meant and small: isodelta accept ID --reason TEXT")
	}
	relating := s.Relating()
	if slices.ContainsFunc(s.Findings, func(f event.Finding) bool { return f.Open() && f.Proposed != nil }) ||
		slices.ContainsFunc(s.Relations, func(r event.Relation) bool { return relating.Open(r) && r.Proposed != nil }) {
		row("", "  head's own file accepts some of it: --accept-from head lets that count")
	}
	row("policy", decision.Conclusion+": "+strings.Join(decision.Reasons, " "))
	row("verdict", verdict)
	return code
}

// next names the tag of the release that a level asks for.
func (r *release) next(l bump.Level) string {
	v := bump.Next(r.base, l)
	if r.module.Fits(v) == nil {
		return r.module.Tag(v)
	}
	return r.module.Tag(v) + ", and a module path that ends in /" + semver.Major(v)
}

func askedLevel(base, asked string) string {
	l := bump.Between(base, asked)
	switch {
	case base == "":
		return "which cannot be measured"
	case l == bump.None:
		return "which is no step forward"
	}
	return "a " + l.String() + " release"
}

func orUnknown(s string) string {
	if s == "" {
		return "(no version)"
	}
	return s
}

// maxMessages bounds what the table lists.
const maxMessages = 10

func shortList(messages []string) []string {
	if len(messages) <= maxMessages {
		return messages
	}
	more := fmt.Sprintf("and %d more", len(messages)-maxMessages)
	return append(slices.Clone(messages[:maxMessages]), more)
}

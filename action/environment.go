package action

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"github.com/isodelta/isodelta/internal/lazyregexp"
	"github.com/isodelta/isodelta/report/event"
)

// Environment is what a step of a workflow is told through its environment.
// Fields are empty or 0 where the variable is not set.
type Environment struct {
	EventName string // GITHUB_EVENT_NAME
	EventPath string
	SHA       string // the commit that the run is about
	Ref       string // full name of the reference that the run is about

	Repository string // owner/name
	Server     string // address of the web site
	API        string
	RunID      int64
	RunAttempt int

	Workspace   string // the checkout
	Temp        string // RUNNER_TEMP, emptied after the job
	StepSummary string // files that the runner reads after the step
	Output      string

	Inputs Inputs
}

// Inputs are the inputs of the action, as action.yml maps them.
type Inputs struct {
	Base, Head       string // revisions instead of the event's
	Packages         string // patterns, separated by commas
	Tags             string // build tags, likewise
	Budget           string
	FailOn           string
	Depth            string
	Sandbox          string // auto, require or off
	AcceptFrom       string // base or head: whose entries of accept count; "" is base
	Config           string // file
	WorkingDirectory string
	Token            string
	Comment          CommentMode
	CommentKey       string
	Check            bool   // make a check run, where the command posts
	Posting          bool   // comment or check are asked for in so many words
	Fail             bool   // findings that the policy objects to fail the step
	Shard            string // i/n
	Shards           int    // how many there are, for merging; 0 where it is not said
	OutputDirectory  string
	Cache            string // folder, "" for none
	// AllowTarget allows to run a pull request's code on pull_request_target.
	AllowTarget bool
}

// CommentMode says when to comment on a pull request.
type CommentMode string

const (
	CommentAuto   CommentMode = "auto" // where there is something to say, or a comment already
	CommentAlways CommentMode = "true"
	CommentNever  CommentMode = "false"
)

// DefaultCommentKey tells comments of isodelta from others where no key is given.
const DefaultCommentKey = "isodelta"

var (
	repositoryName = lazyregexp.New(`^[A-Za-z0-9._-]{1,100}/[A-Za-z0-9._-]{1,100}$`)
	commentKey     = lazyregexp.New(`^[A-Za-z0-9][A-Za-z0-9._/-]{0,63}$`)
)

// ReadEnvironment reads the environment once. With an error it still returns
// what could be read, so that the step summary can say what is wrong.
func ReadEnvironment(getenv func(string) string) (Environment, error) {
	r := reader{getenv: getenv}
	e := Environment{
		EventName: r.text("GITHUB_EVENT_NAME"), EventPath: r.text("GITHUB_EVENT_PATH"),
		SHA: r.text("GITHUB_SHA"), Ref: r.text("GITHUB_REF"),
		Repository: r.shape("GITHUB_REPOSITORY", repositoryName, "owner/name"),
		Server:     strings.TrimSuffix(r.text("GITHUB_SERVER_URL"), "/"), API: r.text("GITHUB_API_URL"),
		RunID: r.number("GITHUB_RUN_ID"), RunAttempt: int(r.number("GITHUB_RUN_ATTEMPT")),
		Workspace: r.text("GITHUB_WORKSPACE"), Temp: r.text("RUNNER_TEMP"),
		StepSummary: r.text("GITHUB_STEP_SUMMARY"), Output: r.text("GITHUB_OUTPUT"),
	}
	e.Inputs = r.inputs()
	if e.Inputs.OutputDirectory == "" && e.Temp != "" {
		e.Inputs.OutputDirectory = filepath.Join(e.Temp, "isodelta")
	}
	if e.EventName == "" {
		r.wrong(errors.New("GITHUB_EVENT_NAME is not set: isodelta action runs in a step of a GitHub workflow; on your own machine run isodelta"))
	}
	return e, errors.Join(r.errs...)
}

// Directory is the folder to compare in.
func (e Environment) Directory() string {
	dir := e.Inputs.WorkingDirectory
	if dir == "" {
		dir = "."
	}
	if filepath.IsAbs(dir) || e.Workspace == "" {
		return dir
	}
	return filepath.Join(e.Workspace, dir)
}

// RunURL is the address of the workflow run, "" where it is not known.
func (e Environment) RunURL() string {
	if e.Server == "" || e.Repository == "" || e.RunID == 0 {
		return ""
	}
	url := fmt.Sprintf("%s/%s/actions/runs/%d", e.Server, e.Repository, e.RunID)
	if e.RunAttempt > 1 {
		url += fmt.Sprintf("/attempts/%d", e.RunAttempt)
	}
	return url
}

// reader collects what is wrong with variables.
type reader struct {
	getenv func(string) string
	errs   []error
}

func (r *reader) wrong(err error) { r.errs = append(r.errs, err) }

// text reads a variable. The runner hands the inputs of a container action over
// with the hyphens of their names; action.yml maps them to underscores, because
// some shells drop the others.
func (r *reader) text(name string) string {
	value := r.getenv(name)
	if input, ok := strings.CutPrefix(name, "INPUT_"); ok && value == "" {
		value = r.getenv("INPUT_" + strings.ReplaceAll(input, "_", "-"))
	}
	return strings.TrimSpace(value)
}

func (r *reader) shape(name string, want func() *regexp.Regexp, words string) string {
	s := r.text(name)
	if s != "" && !want().MatchString(s) {
		r.wrong(fmt.Errorf("%s is %.80q, wanted %s", name, s, words))
		return ""
	}
	return s
}

func (r *reader) number(name string) int64 {
	s := r.text(name)
	if s == "" {
		return 0
	}
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil || n < 0 {
		r.wrong(fmt.Errorf("%s is %.80q, wanted a number", name, s))
		return 0
	}
	return n
}

// inputs reads the action's inputs. A composite action sets no variables for
// them by itself: action.yml maps each, with underscores, because a shell may
// drop variables with hyphens in their names.
func (r *reader) inputs() Inputs {
	in := Inputs{
		Base: r.text("INPUT_BASE"), Head: r.text("INPUT_HEAD"),
		Packages: strings.Join(strings.FieldsFunc(r.text("INPUT_PACKAGES"), separates), ","),
		Tags:     strings.Join(strings.FieldsFunc(r.text("INPUT_TAGS"), separates), ","),
		Budget:   r.text("INPUT_BUDGET"),
		FailOn:   strings.Join(strings.FieldsFunc(r.text("INPUT_FAIL_ON"), separates), ","),
		Depth:    r.text("INPUT_DEPTH"), Config: r.text("INPUT_CONFIG"),
		WorkingDirectory: r.text("INPUT_WORKING_DIRECTORY"), Token: r.text("INPUT_GITHUB_TOKEN"),
		CommentKey: r.shape("INPUT_COMMENT_KEY", commentKey, "letters, digits and any of . _ / -, at most 64 characters"),
		Check:      r.unless("INPUT_CHECK"), Fail: r.unless("INPUT_FAIL"), Shard: r.text("INPUT_SHARD"),
		Shards:          int(min(r.number("INPUT_SHARDS"), 1<<20)),
		OutputDirectory: r.text("INPUT_OUTPUT_DIRECTORY"), Cache: r.text("INPUT_CACHE"),
		AllowTarget: r.flag("INPUT_ALLOW_PULL_REQUEST_TARGET"),
		Sandbox:     r.text("INPUT_SANDBOX"), AcceptFrom: r.text("INPUT_ACCEPT_FROM"),
	}
	switch in.AcceptFrom {
	case "", "base", "head":
	default:
		r.wrong(fmt.Errorf("the input accept-from is %.80q, wanted base or head", in.AcceptFrom))
		in.AcceptFrom = ""
	}
	if in.CommentKey == "" {
		in.CommentKey = DefaultCommentKey
	}
	switch mode := CommentMode(r.text("INPUT_COMMENT")); mode {
	case "", CommentAuto, "quiet":
		in.Comment = CommentAuto
	case CommentAlways, CommentNever:
		in.Comment = mode
	default:
		r.wrong(fmt.Errorf("the input comment is %.80q, wanted auto, true or false", string(mode)))
	}
	in.Posting = in.Comment == CommentAlways || r.text("INPUT_CHECK") == "true"
	if in.Shard != "" {
		if _, err := event.ParseShard(in.Shard); err != nil {
			r.wrong(fmt.Errorf("the input %w", err))
			in.Shard = ""
		}
	}
	return in
}

func separates(c rune) bool { return c == ',' || c == ' ' || c == '\t' || c == '\n' || c == '\r' }

// flag reports whether an input is true; one that is not given is false.
func (r *reader) flag(name string) bool {
	return r.either(name, "false")
}

// unless reports whether an input is true; one that is not given, or auto, is
// true.
func (r *reader) unless(name string) bool {
	return r.text(name) == "auto" || r.either(name, "true")
}

func (r *reader) either(name, standard string) bool {
	switch s := cmp.Or(r.text(name), standard); s {
	case "true":
		return true
	case "false":
	default:
		input := strings.ReplaceAll(strings.ToLower(strings.TrimPrefix(name, "INPUT_")), "_", "-")
		r.wrong(fmt.Errorf("the input %s is %.80q, wanted true or false", input, s))
	}
	return false
}

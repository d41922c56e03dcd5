package action

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"unicode"

	"github.com/isodelta/isodelta/internal/lazyregexp"
)

// maxEvent bounds the event file, in bytes. GitHub sends at most 25 MB.
const maxEvent = 32 << 20

// Event is what isodelta needs of the webhook document that started a run.
type Event struct {
	Name          string
	DefaultBranch string
	PullRequest   *PullRequest // of pull_request and pull_request_target
	Push          *Push
	MergeGroup    *MergeGroup
	Release       *Release
	Inputs        map[string]string // of workflow_dispatch; values that are no text are left out
}

// PullRequest is the pull request as it was when the event happened.
type PullRequest struct {
	Number           int
	BaseSHA, HeadSHA string
	BaseRef, HeadRef string // branches, without refs/heads/
	// Fork says that the head is another repository's: the token is read-only
	// there, whatever the workflow's permissions say.
	Fork bool
}

// Push is a push to a branch or a tag.
type Push struct {
	Ref           string // full
	Before, After string // full hashes; zeros where the reference was made or deleted
	Forced        bool
}

// MergeGroup is an entry of the merge queue.
type MergeGroup struct {
	BaseSHA, HeadSHA string
	BaseRef          string // branch
}

// Release is a release that was published.
type Release struct{ Tag string }

// EventError says what is wrong with the event file.
type EventError struct {
	Name string // of the event
	Err  error
}

func (e *EventError) Error() string {
	return fmt.Sprintf("the event file of %s cannot be used: %v. It is the file that GITHUB_EVENT_PATH names; GitHub writes it, so look for a step that replaced it, or give base and head yourself", shown(e.Name), e.Err)
}

func (e *EventError) Unwrap() error { return e.Err }

// LoadEvent reads the event file of a run. With an error the event has its name.
func LoadEvent(env Environment) (Event, error) {
	e, err := loadEvent(env)
	e.Name = env.EventName
	return e, err
}

func loadEvent(env Environment) (Event, error) {
	if env.EventPath == "" {
		return Event{}, &EventError{env.EventName, errors.New("GITHUB_EVENT_PATH is not set")}
	}
	f, err := os.Open(env.EventPath)
	if errors.Is(err, fs.ErrNotExist) {
		return Event{}, &EventError{env.EventName, errors.New("it does not exist")}
	}
	if err != nil {
		return Event{}, &EventError{env.EventName, err}
	}
	defer f.Close()
	return ParseEvent(env.EventName, f)
}

// document is the part of GitHub's webhook documents that is read.
type document struct {
	Repository struct {
		ID            int64  `json:"id"`
		DefaultBranch string `json:"default_branch"`
	} `json:"repository"`
	PullRequest *struct {
		Number int    `json:"number"`
		Base   branch `json:"base"`
		Head   branch `json:"head"`
	} `json:"pull_request"`
	Ref        string `json:"ref"`
	Before     string `json:"before"`
	After      string `json:"after"`
	Forced     bool   `json:"forced"`
	MergeGroup *struct {
		BaseSHA string `json:"base_sha"`
		HeadSHA string `json:"head_sha"`
		BaseRef string `json:"base_ref"`
	} `json:"merge_group"`
	Release *struct {
		Tag string `json:"tag_name"`
	} `json:"release"`
	Inputs map[string]json.RawMessage `json:"inputs"`
}

type branch struct {
	Ref        string `json:"ref"`
	SHA        string `json:"sha"`
	Repository *struct {
		ID int64 `json:"id"`
	} `json:"repo"` // null where a fork was deleted
}

// ParseEvent reads the document of the event called name. Everything that is
// used later has a closed shape afterwards: hashes are hashes, names of
// references hold no spaces or control characters. The error is an *EventError.
func ParseEvent(name string, r io.Reader) (Event, error) {
	text, err := io.ReadAll(io.LimitReader(r, maxEvent+1))
	if err != nil {
		return Event{}, &EventError{name, err}
	}
	if len(text) > maxEvent {
		return Event{}, &EventError{name, fmt.Errorf("it is larger than %d MiB", maxEvent>>20)}
	}
	var d document
	if err := json.Unmarshal(text, &d); err != nil {
		return Event{}, &EventError{name, fmt.Errorf("it is no JSON document of the expected shape (%s)", shown(err.Error()))}
	}
	e, err := d.event(name)
	if err != nil {
		return Event{}, &EventError{name, err}
	}
	return e, nil
}

func (d document) event(name string) (Event, error) {
	e := Event{Name: name, Inputs: map[string]string{}}
	if b := d.Repository.DefaultBranch; refName(b) {
		e.DefaultBranch = b
	}
	for k, v := range d.Inputs {
		var s string
		if json.Unmarshal(v, &s) == nil {
			e.Inputs[k] = s
		}
	}
	var err error
	switch name {
	case "pull_request", "pull_request_target":
		e.PullRequest, err = d.pullRequest()
	case "push":
		e.Push = &Push{Ref: d.Ref, Before: d.Before, After: d.After, Forced: d.Forced}
		err = errors.Join(wantRef("ref", d.Ref), wantHash("before", d.Before), wantHash("after", d.After))
	case "merge_group":
		if d.MergeGroup == nil {
			return e, errors.New("it has no merge_group")
		}
		g := *d.MergeGroup
		e.MergeGroup = &MergeGroup{g.BaseSHA, g.HeadSHA, strings.TrimPrefix(g.BaseRef, "refs/heads/")}
		err = errors.Join(wantHash("merge_group.base_sha", g.BaseSHA), wantHash("merge_group.head_sha", g.HeadSHA), wantRef("merge_group.base_ref", g.BaseRef))
	case "release":
		if d.Release == nil {
			return e, errors.New("it has no release")
		}
		e.Release = &Release{d.Release.Tag}
		err = wantRef("release.tag_name", d.Release.Tag)
	}
	return e, err
}

func (d document) pullRequest() (*PullRequest, error) {
	if d.PullRequest == nil {
		return nil, errors.New("it has no pull_request")
	}
	p := *d.PullRequest
	if p.Number <= 0 {
		return nil, fmt.Errorf("pull_request.number is %d", p.Number)
	}
	// A head without a repository was a fork that is gone.
	fork := p.Head.Repository == nil || p.Base.Repository == nil || p.Head.Repository.ID != p.Base.Repository.ID
	return &PullRequest{p.Number, p.Base.SHA, p.Head.SHA, p.Base.Ref, p.Head.Ref, fork}, errors.Join(
		wantHash("pull_request.base.sha", p.Base.SHA), wantHash("pull_request.head.sha", p.Head.SHA),
		wantRef("pull_request.base.ref", p.Base.Ref), wantRef("pull_request.head.ref", p.Head.Ref))
}

var fullHash = lazyregexp.New(`^[0-9a-f]{40}$`)

func wantHash(field, s string) error {
	if fullHash().MatchString(s) {
		return nil
	}
	if s == "" {
		return fmt.Errorf("%s is missing", field)
	}
	return fmt.Errorf("%s is %s, wanted the 40 digits of a commit's hash", field, shown(s))
}

func wantRef(field, s string) error {
	if refName(s) {
		return nil
	}
	if s == "" {
		return fmt.Errorf("%s is missing", field)
	}
	return fmt.Errorf("%s is %s, which is no name of a branch or tag", field, shown(s))
}

// refName reports whether a name keeps those of git's rules that keep it from
// being anything else, such as an option or an expression.
func refName(s string) bool {
	if s == "" || len(s) > 1024 || strings.HasPrefix(s, "-") || strings.HasPrefix(s, "/") ||
		strings.Contains(s, "..") || strings.Contains(s, "@{") || strings.ContainsAny(s, " ~^:?*[\\") {
		return false
	}
	return !strings.ContainsFunc(s, func(r rune) bool { return unicode.IsControl(r) || r == unicode.ReplacementChar })
}

func zeros(hash string) bool { return strings.Trim(hash, "0") == "" }

// shown makes text of unknown origin fit for a message: one line, short, quoted.
func shown(s string) string {
	if r := []rune(s); len(r) > 80 {
		s = string(r[:80]) + "…"
	}
	return fmt.Sprintf("%q", s)
}

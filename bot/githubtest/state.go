package githubtest

import (
	"slices"
	"time"
)

// State is all that the double remembers. Its zero value is an empty repository
// with one token; see New for what is filled in.
type State struct {
	Repository    string            `json:"repository"`    // owner/name
	Tokens        []Token           `json:"tokens"`        // that are let in
	Collaborators map[string]string `json:"collaborators"` // login to role: admin, maintain, write, triage, read
	PullRequests  []PullRequest     `json:"pull_requests"`
	Comments      []Comment         `json:"comments"`
	Checks        []Check           `json:"checks"`
	Runs          []Run             `json:"runs"`
	Artifacts     []Artifact        `json:"artifacts"`
	Commits       []Commit          `json:"commits"`
	Files         []File            `json:"files"`
}

// File is one of the repository at a commit.
type File struct {
	Commit string `json:"commit"` // SHA
	Path   string `json:"path"`
	Text   string `json:"text"`
	Link   bool   `json:"link"` // a symbolic link to Text
}

// Token is who may ask what.
type Token struct {
	Token string `json:"token"`
	Login string `json:"login"` // ends in [bot] for an app's installation
	App   string `json:"app"`   // slug of the app, "" for a person's token
	// Permissions by name, such as "pull-requests": "write". nil is all.
	Permissions map[string]string `json:"permissions"`
}

// may reports whether the token has the permission; level is read or write.
func (t Token) may(name, level string) bool {
	if t.Permissions == nil {
		return true
	}
	got := t.Permissions[name]
	return got == "write" || got == level
}

// PullRequest as far as the bot asks for it.
type PullRequest struct {
	Number         int    `json:"number"`
	State          string `json:"state"` // open or closed
	Head           string `json:"head"`  // SHA
	HeadRef        string `json:"head_ref"`
	HeadRepository string `json:"head_repository"` // owner/name, "" for a deleted fork
	Base           string `json:"base"`            // SHA
	BaseRef        string `json:"base_ref"`
	Merge          string `json:"merge"` // SHA of the test merge commit
	// Unlisted hides the pull request from the list by commit, as happens with
	// commits that are only in a fork.
	Unlisted bool `json:"unlisted"`
}

// Comment on an issue or a pull request.
type Comment struct {
	ID        int64      `json:"id"`
	Issue     int        `json:"issue"`
	Author    string     `json:"author"`
	App       string     `json:"app,omitempty"`
	Body      string     `json:"body"`
	Created   time.Time  `json:"created"`
	Updated   time.Time  `json:"updated"`
	Editor    string     `json:"editor,omitempty"` // who edited it last; "" for nobody
	Edits     int        `json:"edits"`
	Reactions []Reaction `json:"reactions,omitempty"`
}

// Reaction to a comment.
type Reaction struct {
	ID      int64  `json:"id"`
	Author  string `json:"author"`
	Content string `json:"content"`
}

// Check is a check run.
type Check struct {
	ID          int64        `json:"id"`
	Name        string       `json:"name"`
	Commit      string       `json:"commit"`
	App         string       `json:"app"`
	ExternalID  string       `json:"external_id"`
	Status      string       `json:"status"`
	Conclusion  string       `json:"conclusion"`
	DetailsURL  string       `json:"details_url"`
	Title       string       `json:"title"`
	Summary     string       `json:"summary"`
	Text        string       `json:"text"`
	Annotations []Annotation `json:"annotations"`
}

// Annotation of a check run, as GitHub's API spells it.
type Annotation struct {
	Path    string `json:"path"`
	Start   int    `json:"start_line"`
	End     int    `json:"end_line"`
	Level   string `json:"annotation_level"`
	Title   string `json:"title"`
	Message string `json:"message"`
}

// Run of a workflow.
type Run struct {
	ID             int64  `json:"id"`
	Attempt        int    `json:"attempt"`
	Workflow       int64  `json:"workflow"` // number of the workflow that it is a run of
	Event          string `json:"event"`
	Status         string `json:"status"` // queued, in_progress, completed
	Conclusion     string `json:"conclusion"`
	Commit         string `json:"commit"` // head SHA
	HeadRepository string `json:"head_repository"`
	Reruns         int    `json:"reruns"`        // how often all of it was asked for again
	FailedReruns   int    `json:"failed_reruns"` // how often its failed jobs were
}

// Artifact of a workflow run.
type Artifact struct {
	ID      int64  `json:"id"`
	Run     int64  `json:"run"`
	Name    string `json:"name"`
	Zip     []byte `json:"zip"` // the archive
	Expired bool   `json:"expired"`
}

// Commit and its parents, by SHA.
type Commit struct {
	SHA     string   `json:"sha"`
	Parents []string `json:"parents"`
}

func (s State) clone() State {
	s.Tokens = slices.Clone(s.Tokens)
	s.PullRequests = slices.Clone(s.PullRequests)
	s.Comments = slices.Clone(s.Comments)
	for i, c := range s.Comments {
		s.Comments[i].Reactions = slices.Clone(c.Reactions)
	}
	s.Checks = slices.Clone(s.Checks)
	for i, c := range s.Checks {
		s.Checks[i].Annotations = slices.Clone(c.Annotations)
	}
	s.Runs = slices.Clone(s.Runs)
	s.Artifacts = slices.Clone(s.Artifacts)
	s.Commits = slices.Clone(s.Commits)
	s.Files = slices.Clone(s.Files)
	return s
}

func find[T any](list []T, is func(T) bool) *T {
	if i := slices.IndexFunc(list, is); i >= 0 {
		return &list[i]
	}
	return nil
}

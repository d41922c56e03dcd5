package githubtest

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// pulls lists pull requests, or gives one.
func (s *Server) pulls(w http.ResponseWriter, c *call) {
	if forbid(w, c, "read", "pull-requests") {
		return
	}
	if c.params["pull_number"] != "" {
		n := int(c.number("pull_number"))
		p := find(s.state.PullRequests, func(p PullRequest) bool { return p.Number == n })
		if p == nil {
			notFound(w)
			return
		}
		writeJSON(w, http.StatusOK, s.pullJSON("pull-request", *p))
		return
	}
	q := c.URL.Query()
	var found []PullRequest
	for i := len(s.state.PullRequests) - 1; i >= 0; i-- { // newest first
		p := s.state.PullRequests[i]
		owner, _, _ := strings.Cut(p.HeadRepository, "/")
		switch {
		case q.Get("state") != "all" && stateOf(p) != or(q.Get("state"), "open"):
		case q.Get("head") != "" && q.Get("head") != owner+":"+p.HeadRef:
		case q.Get("base") != "" && q.Get("base") != p.BaseRef:
		default:
			found = append(found, p)
		}
	}
	s.listPulls(w, c, found)
}

func stateOf(p PullRequest) string { return or(p.State, "open") }

func or(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

// pullsOfCommit lists the pull requests whose head is the commit; GitHub lists
// those that hold it anywhere.
func (s *Server) pullsOfCommit(w http.ResponseWriter, c *call) {
	if forbid(w, c, "read", "pull-requests") {
		return
	}
	sha := c.params["commit_sha"]
	known := slices.ContainsFunc(s.state.Commits, func(x Commit) bool { return x.SHA == sha })
	var found []PullRequest
	for _, p := range s.state.PullRequests {
		if p.Head == sha || s.holds(p.Head, sha) {
			known = true
			if !p.Unlisted {
				found = append(found, p)
			}
		}
	}
	if !known {
		writeError(w, http.StatusUnprocessableEntity, "No commit found for SHA: "+sha, "")
		return
	}
	s.listPulls(w, c, found)
}

// holds reports whether a commit is among another's ancestors.
func (s *Server) holds(head, sha string) bool {
	c := find(s.state.Commits, func(c Commit) bool { return c.SHA == head })
	return c != nil && slices.ContainsFunc(c.Parents, func(p string) bool { return p == sha || s.holds(p, sha) })
}

func (s *Server) listPulls(w http.ResponseWriter, c *call, found []PullRequest) {
	list := []any{}
	for _, p := range page(s, w, c, found) {
		list = append(list, s.pullJSON("pull-request-simple", p))
	}
	writeJSON(w, http.StatusOK, list)
}

func (s *Server) pullJSON(schema string, p PullRequest) map[string]any {
	owner, _, _ := strings.Cut(p.HeadRepository, "/")
	v := s.check.sample(schema, map[string]any{
		"number": p.Number, "id": p.Number, "state": stateOf(p), "user": s.simpleUser(or(owner, "ghost")),
		"html_url":         "https://github.example/" + s.state.Repository + "/pull/" + itoa(int64(p.Number)),
		"merge_commit_sha": nil,
		"head":             map[string]any{"sha": p.Head, "ref": p.HeadRef, "label": owner + ":" + p.HeadRef},
		"base":             map[string]any{"sha": p.Base, "ref": or(p.BaseRef, "main")},
	})
	if p.Merge != "" {
		v["merge_commit_sha"] = p.Merge
	}
	v["base"].(map[string]any)["repo"] = s.repositoryJSON(s.state.Repository)
	head := v["head"].(map[string]any)
	if head["repo"] = nil; p.HeadRepository != "" {
		head["repo"] = s.repositoryJSON(p.HeadRepository)
	}
	return v
}

func (s *Server) repositoryJSON(name string) map[string]any {
	_, short, _ := strings.Cut(name, "/")
	return s.check.sample("repository", map[string]any{"full_name": name, "name": short})
}

// permission of a person. The old field "permission" knows neither maintain nor
// triage.
func (s *Server) permission(w http.ResponseWriter, c *call) {
	if forbid(w, c, "read", "metadata", "contents", "issues", "pull-requests") {
		return
	}
	login, _ := url.PathUnescape(c.params["username"])
	role := or(s.state.Collaborators[login], "read")
	old := map[string]string{"maintain": "write", "triage": "read"}[role]
	writeJSON(w, http.StatusOK, map[string]any{
		"permission": or(old, role), "role_name": role, "user": nil,
	})
}

// commit with its parents.
func (s *Server) commit(w http.ResponseWriter, c *call) {
	if forbid(w, c, "read", "contents") {
		return
	}
	commit := find(s.state.Commits, func(x Commit) bool { return x.SHA == c.params["commit_sha"] })
	if commit == nil {
		notFound(w)
		return
	}
	parents := []any{}
	for _, p := range commit.Parents {
		parents = append(parents, map[string]any{"sha": p, "url": "https://github.example/", "html_url": "https://github.example/"})
	}
	writeJSON(w, http.StatusOK, s.check.sample("git-commit", map[string]any{"sha": commit.SHA, "parents": parents}))
}

package githubtest

import (
	"encoding/base64"
	"net/http"
	"slices"
	"strings"
)

// contents returns a file at a commit.
func (s *Server) contents(w http.ResponseWriter, c *call) {
	if forbid(w, c, "read", "contents") {
		return
	}
	_, path, _ := strings.Cut(c.path, "/contents/")
	ref := c.URL.Query().Get("ref")
	f := find(s.state.Files, func(f File) bool { return f.Path == path && f.Commit == ref })
	if f == nil {
		notFound(w)
		return
	}
	fields := map[string]any{"type": "file", "name": path[strings.LastIndexByte(path, '/')+1:], "path": f.Path, "size": len(f.Text), "sha": "0"}
	if f.Link {
		fields["type"], fields["target"] = "symlink", f.Text
		writeJSON(w, http.StatusOK, s.check.sample("content-symlink", fields))
		return
	}
	fields["encoding"], fields["content"] = "base64", folded(base64.StdEncoding.EncodeToString([]byte(f.Text)))
	if len(f.Text) > 1<<20 {
		fields["encoding"], fields["content"] = "none", ""
	}
	writeJSON(w, http.StatusOK, s.check.sample("content-file", fields))
}

// folded breaks a text into lines as GitHub does.
func folded(s string) string {
	var b strings.Builder
	for line := range slices.Chunk([]byte(s), 60) {
		b.Write(line)
		b.WriteByte('\n')
	}
	return b.String()
}

// compare says how two commits lie to each other, as far as the state knows.
// Either may be the name of a branch that a pull request goes to.
func (s *Server) compare(w http.ResponseWriter, c *call) {
	if forbid(w, c, "read", "contents") {
		return
	}
	base, head, ok := strings.Cut(c.params["basehead"], "...")
	base, head = s.commitAt(base), s.commitAt(head)
	if !ok || !s.knows(base) || !s.knows(head) {
		notFound(w)
		return
	}
	status := "diverged"
	switch {
	case base == head:
		status = "identical"
	case s.holds(head, base):
		status = "ahead"
	case s.holds(base, head):
		status = "behind"
	}
	writeJSON(w, http.StatusOK, s.check.sample("commit-comparison", map[string]any{"status": status}))
}

func (s *Server) commitAt(name string) string {
	if p := find(s.state.PullRequests, func(p PullRequest) bool { return or(p.BaseRef, "main") == name }); p != nil {
		return p.Base
	}
	return name
}

// knows reports whether some part of the state names a commit.
func (s *Server) knows(commit string) bool {
	return slices.ContainsFunc(s.state.Commits, func(c Commit) bool { return c.SHA == commit || slices.Contains(c.Parents, commit) }) ||
		slices.ContainsFunc(s.state.PullRequests, func(p PullRequest) bool { return p.Base == commit || p.Head == commit || p.Merge == commit })
}

package githubtest

import (
	"net/http"
	"slices"
	"unicode/utf8"
)

// maxBody of a comment, in characters.
const maxBody = 65536

func (s *Server) hasPull(number int) bool {
	return slices.ContainsFunc(s.state.PullRequests, func(p PullRequest) bool { return p.Number == number })
}

// issueComments lists the comments of a pull request, or adds one.
func (s *Server) issueComments(w http.ResponseWriter, c *call) {
	issue := int(c.number("issue_number"))
	if !s.hasPull(issue) {
		notFound(w)
		return
	}
	if c.Method == http.MethodGet {
		if forbid(w, c, "read", "issues", "pull-requests") {
			return
		}
		list := []any{}
		for _, comment := range page(s, w, c, s.commentsOf(issue)) {
			list = append(list, s.commentJSON(comment))
		}
		writeJSON(w, http.StatusOK, list)
		return
	}
	if forbid(w, c, "write", "issues", "pull-requests") {
		return
	}
	body, ok := c.commentBody(w)
	if !ok {
		return
	}
	now := s.now()
	comment := Comment{ID: s.next(), Issue: issue, Author: c.token.Login, App: c.token.App, Body: body, Created: now, Updated: now}
	s.state.Comments = append(s.state.Comments, comment)
	writeJSON(w, http.StatusCreated, s.commentJSON(comment))
}

func (s *Server) commentsOf(issue int) []Comment {
	var list []Comment
	for _, c := range s.state.Comments {
		if c.Issue == issue {
			list = append(list, c)
		}
	}
	return list
}

func (c *call) commentBody(w http.ResponseWriter) (string, bool) {
	var in struct {
		Body string `json:"body"`
	}
	c.decode(&in)
	if n := utf8.RuneCountInString(in.Body); n > maxBody || n == 0 {
		message := "body is too long (maximum is 65536 characters)"
		if n == 0 {
			message = "body can't be blank"
		}
		writeJSON(w, http.StatusUnprocessableEntity, map[string]any{
			"message": "Validation Failed", "documentation_url": "https://docs.github.com/rest", "status": "422",
			"errors": []any{map[string]any{"resource": "IssueComment", "code": "unprocessable", "field": "data", "message": message}},
		})
		return "", false
	}
	return in.Body, true
}

// oneComment gives, edits or deletes a comment.
func (s *Server) oneComment(w http.ResponseWriter, c *call) {
	id := c.number("comment_id")
	comment := find(s.state.Comments, func(x Comment) bool { return x.ID == id })
	level := "write"
	if c.Method == http.MethodGet {
		level = "read"
	}
	switch {
	case comment == nil:
		notFound(w)
	case forbid(w, c, level, "issues", "pull-requests"):
	case c.Method == http.MethodGet:
		writeJSON(w, http.StatusOK, s.commentJSON(*comment))
	case c.Method == http.MethodPatch:
		if body, ok := c.commentBody(w); ok {
			comment.Body, comment.Editor, comment.Updated = body, c.token.Login, s.now()
			comment.Edits++
			writeJSON(w, http.StatusOK, s.commentJSON(*comment))
		}
	case c.Method == http.MethodDelete:
		s.state.Comments = slices.DeleteFunc(s.state.Comments, func(x Comment) bool { return x.ID == id })
		w.WriteHeader(http.StatusNoContent)
	}
}

func (s *Server) commentJSON(c Comment) map[string]any {
	fields := map[string]any{
		"id": c.ID, "node_id": nodeID(c.ID), "body": c.Body, "user": s.simpleUser(c.Author),
		"created_at": stamp(c.Created), "updated_at": stamp(c.Updated),
		"html_url":  "https://github.example/" + s.state.Repository + "/pull/" + itoa(int64(c.Issue)) + "#issuecomment-" + itoa(c.ID),
		"issue_url": s.URL + "/repos/" + s.state.Repository + "/issues/" + itoa(int64(c.Issue)),
		"url":       s.URL + "/repos/" + s.state.Repository + "/issues/comments/" + itoa(c.ID),
	}
	return s.check.sample("issue-comment", fields)
}

// reactions lists those to a comment, or adds one; one that is there already is
// given back.
func (s *Server) reactions(w http.ResponseWriter, c *call) {
	id := c.number("comment_id")
	comment := find(s.state.Comments, func(x Comment) bool { return x.ID == id })
	if comment == nil {
		notFound(w)
		return
	}
	if c.Method == http.MethodGet {
		if forbid(w, c, "read", "issues", "pull-requests") {
			return
		}
		list := []any{}
		for _, r := range page(s, w, c, comment.Reactions) {
			list = append(list, s.reactionJSON(r))
		}
		writeJSON(w, http.StatusOK, list)
		return
	}
	if forbid(w, c, "write", "issues", "pull-requests") {
		return
	}
	var in struct {
		Content string `json:"content"`
	}
	c.decode(&in)
	for _, r := range comment.Reactions {
		if r.Author == c.token.Login && r.Content == in.Content {
			writeJSON(w, http.StatusOK, s.reactionJSON(r))
			return
		}
	}
	r := Reaction{s.next(), c.token.Login, in.Content}
	comment.Reactions = append(comment.Reactions, r)
	writeJSON(w, http.StatusCreated, s.reactionJSON(r))
}

func (s *Server) reactionJSON(r Reaction) map[string]any {
	return s.check.sample("reaction", map[string]any{"id": r.ID, "content": r.Content, "user": s.simpleUser(r.Author)})
}

package githubtest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// call is one request on its way, with the lock held.
type call struct {
	*http.Request
	token  Token
	path   string
	params map[string]string
	body   []byte
}

func (c *call) number(param string) int64 {
	n, _ := strconv.ParseInt(c.params[param], 10, 64)
	return n
}

// route finds who answers.
func (s *Server) route(w http.ResponseWriter, c *call) {
	switch c.path {
	case "/user":
		s.user(w, c)
		return
	case "/rate_limit":
		s.rateLimit(w)
		return
	}
	inside, ok := strings.CutPrefix(strings.ToLower(c.path), strings.ToLower("/repos/"+s.state.Repository+"/"))
	if !ok {
		notFound(w)
		return
	}
	parts := strings.Split(inside, "/")
	kind := parts[0]
	if len(parts) > 1 {
		kind += "/" + parts[1]
	}
	switch {
	case kind == "issues/comments" && len(parts) == 4:
		s.reactions(w, c)
	case kind == "issues/comments":
		s.oneComment(w, c)
	case parts[0] == "issues":
		s.issueComments(w, c)
	case parts[0] == "check-runs":
		s.checkRuns(w, c)
	case parts[0] == "commits" && strings.HasSuffix(inside, "/check-runs"):
		s.checksOfCommit(w, c)
	case parts[0] == "commits":
		s.pullsOfCommit(w, c)
	case parts[0] == "contents":
		s.contents(w, c)
	case parts[0] == "compare":
		s.compare(w, c)
	case parts[0] == "git":
		s.commit(w, c)
	case parts[0] == "pulls":
		s.pulls(w, c)
	case parts[0] == "collaborators":
		s.permission(w, c)
	case kind == "actions/runs":
		s.runs(w, c)
	case kind == "actions/artifacts":
		s.download(w, c)
	default:
		notFound(w)
	}
}

func notFound(w http.ResponseWriter) { writeError(w, http.StatusNotFound, "Not Found", "") }

// forbid answers where the token lacks all of the permissions, and reports
// whether it did.
func forbid(w http.ResponseWriter, c *call, level string, permissions ...string) bool {
	for _, p := range permissions {
		if c.token.may(p, level) {
			return false
		}
	}
	message := "Resource not accessible by integration"
	if c.token.App == "" {
		message = "Resource not accessible by personal access token"
	}
	writeError(w, http.StatusForbidden, message, "")
	return true
}

func (c *call) decode(v any) { _ = json.Unmarshal(c.body, v) } // the description was checked before

// next returns out a number; they rise, as GitHub's do.
func (s *Server) next() int64 {
	s.last++
	return s.last
}

// now is later than every time that was given out before.
func (s *Server) now() time.Time {
	return time.Date(2026, 1, 2, 3, 0, 0, 0, time.UTC).Add(time.Duration(s.next()) * time.Second)
}

func stamp(t time.Time) string {
	if t.IsZero() {
		return "2026-01-02T03:04:05Z"
	}
	return t.UTC().Format(time.RFC3339)
}

// page cuts a list to what was asked for and sets the Link header.
func page[T any](s *Server, w http.ResponseWriter, c *call, list []T) []T {
	query := c.URL.Query()
	size, _ := strconv.Atoi(query.Get("per_page"))
	if size <= 0 {
		size = 30
	}
	size = min(size, 100)
	if s.opt.PageSize > 0 {
		size = min(size, s.opt.PageSize)
	}
	number, _ := strconv.Atoi(query.Get("page"))
	number = max(number, 1)
	from := min((number-1)*size, len(list))
	to := min(from+size, len(list))
	var links []string
	link := func(n int, rel string) {
		q := url.Values{}
		for k, v := range query {
			q[k] = v
		}
		q.Set("page", strconv.Itoa(n))
		links = append(links, fmt.Sprintf(`<%s%s?%s>; rel="%s"`, s.URL, c.path, q.Encode(), rel))
	}
	if number > 1 {
		link(number-1, "prev")
	}
	if to < len(list) {
		link(number+1, "next")
		link((len(list)+size-1)/size, "last")
	}
	if len(links) > 0 {
		w.Header().Set("Link", strings.Join(links, ", "))
	}
	return list[from:to]
}

func (s *Server) user(w http.ResponseWriter, c *call) {
	if c.token.App != "" { // GitHub knows no user behind an installation's token
		writeError(w, http.StatusForbidden, "Resource not accessible by integration", "")
		return
	}
	user := person(c.token.Login)
	user["user_view_type"] = "public"
	writeJSON(w, http.StatusOK, s.check.sample("public-user", user))
}

func (s *Server) rateLimit(w http.ResponseWriter) {
	rate := map[string]any{"limit": 1000, "used": 100, "remaining": 900, "reset": 1800000000}
	writeJSON(w, http.StatusOK, s.check.sample("rate-limit-overview", map[string]any{
		"rate": rate, "resources": map[string]any{"core": rate, "search": rate},
	}))
}

// person is the part of a user that tells who it is.
func person(login string) map[string]any {
	kind := "User"
	if strings.HasSuffix(login, "[bot]") {
		kind = "Bot"
	}
	id := int64(1)
	for _, r := range login {
		id = id*31 + int64(r)
		id %= 1 << 30
	}
	return map[string]any{"login": login, "id": id, "type": kind}
}

func (s *Server) simpleUser(login string) any {
	if login == "" {
		return nil // a deleted account
	}
	return s.check.sample("simple-user", person(login))
}

// graphql knows two questions: who am I, and who edited this comment.
func (s *Server) graphql(w http.ResponseWriter, token Token, body []byte) {
	var q struct {
		Query     string         `json:"query"`
		Variables map[string]any `json:"variables"`
	}
	if err := json.Unmarshal(body, &q); err != nil {
		writeError(w, http.StatusBadRequest, "Problems parsing JSON", "")
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case strings.Contains(q.Query, "viewer"):
		writeJSON(w, http.StatusOK, map[string]any{"data": map[string]any{"viewer": map[string]any{"login": token.Login}}})
	case strings.Contains(q.Query, "editor"):
		id, _ := q.Variables["id"].(string)
		c := find(s.state.Comments, func(c Comment) bool { return nodeID(c.ID) == id })
		if c == nil {
			writeJSON(w, http.StatusOK, map[string]any{"data": map[string]any{"node": nil}, "errors": []any{
				map[string]any{"type": "NOT_FOUND", "message": "Could not resolve to a node"},
			}})
			return
		}
		var editor any
		if c.Editor != "" {
			editor = map[string]any{"login": strings.TrimSuffix(c.Editor, "[bot]")}
		}
		writeJSON(w, http.StatusOK, map[string]any{"data": map[string]any{"node": map[string]any{"editor": editor}}})
	default:
		writeJSON(w, http.StatusOK, map[string]any{"errors": []any{map[string]any{"message": "the double knows no such query"}}})
	}
}

func nodeID(comment int64) string { return fmt.Sprintf("IC_%d", comment) }

package githubtest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"time"
)

// DefaultToken is let in by a Server whose State names no tokens. It belongs to
// the app that workflows have, as their github.token does.
const DefaultToken = "double-token"

// Options of a Server.
type Options struct {
	State State
	// Address to listen on, such as 127.0.0.1:9999; "" for any free port.
	Address string
	// Prefix of all paths, such as /api/v3 for a GitHub Enterprise Server.
	Prefix string
	// PageSize bounds the pages; 0 is what was asked for, at most 100.
	PageSize int
	// Changed is called after each request that may have changed something.
	Changed func(*Server)
	// Find gives further artifacts of a run, nil for none.
	Find func(run int64) []Artifact
}

// Request as it came in.
type Request struct {
	Method string `json:"method"`
	Path   string `json:"path"` // with the query, without the prefix
	Body   string `json:"body,omitempty"`
	Status int    `json:"status"`
	Login  string `json:"login,omitempty"`
}

// Server is the double. Use New or Start.
type Server struct {
	URL string // of the API, without a slash at the end

	opt      Options
	listener *httptest.Server
	blobs    *httptest.Server // where artifacts lie; another host, as at GitHub
	check    *description

	mu         sync.Mutex
	state      State
	last       int64 // number given out last
	failures   []*Failure
	intercept  func(method, path string)
	requests   []Request
	violations []string
}

// New starts a double on loopback. Close it.
func New(opt Options) (*Server, error) {
	d, err := loadDescription()
	if err != nil {
		return nil, err
	}
	s := &Server{opt: opt, check: d, state: opt.State.clone(), last: 1000}
	if s.state.Repository == "" {
		s.state.Repository = "octo/lib"
	}
	if s.state.Tokens == nil {
		s.state.Tokens = []Token{{Token: DefaultToken, Login: "github-actions[bot]", App: "github-actions"}}
	}
	if s.state.Collaborators == nil {
		s.state.Collaborators = map[string]string{}
	}
	s.listener = httptest.NewUnstartedServer(http.HandlerFunc(s.serve))
	if opt.Address != "" {
		l, err := net.Listen("tcp", opt.Address)
		if err != nil {
			return nil, err
		}
		s.listener.Listener.Close()
		s.listener.Listener = l
	}
	s.blobs = httptest.NewServer(http.HandlerFunc(s.serveBlob))
	s.listener.Start()
	s.URL = s.listener.URL + opt.Prefix
	return s, nil
}

// TB is the part of testing.TB that Start needs.
type TB interface {
	Helper()
	Fatal(...any)
	Errorf(string, ...any)
	Cleanup(func())
}

// Start starts a double for a test and closes it with the test, which fails
// where a request or an answer was not as GitHub describes it.
func Start(t TB, opt Options) *Server {
	t.Helper()
	s, err := New(opt)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		s.Close()
		for _, v := range s.Violations() {
			t.Errorf("not as GitHub describes its API: %s", v)
		}
	})
	return s
}

// Close ends the double and waits for requests under way.
func (s *Server) Close() {
	s.listener.CloseClientConnections()
	s.listener.Close()
	s.blobs.Close()
}

// State returns a copy of what the double holds.
func (s *Server) State() State {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.state.clone()
}

// Change edits what the double holds.
func (s *Server) Change(edit func(*State)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	edit(&s.state)
}

// Intercept has f called before each request is served, outside of all locks; f
// may change the state, and send requests of its own. nil ends that.
func (s *Server) Intercept(f func(method, path string)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.intercept = f
}

// Requests lists those that came in, in order, with what was answered.
func (s *Server) Requests() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.requests)
}

// Calls counts the requests with that method ("" is any) whose path holds a
// text.
func (s *Server) Calls(method, path string) int {
	n := 0
	for _, r := range s.Requests() {
		if (method == "" || r.Method == method) && strings.Contains(r.Path, path) {
			n++
		}
	}
	return n
}

// Violations lists where requests or answers were not as GitHub describes them.
func (s *Server) Violations() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.violations)
}

func (s *Server) violation(format string, args ...any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.violations = append(s.violations, fmt.Sprintf(format, args...))
}

// serve answers one request: failures first, then the description, then rights,
// then the work.
func (s *Server) serve(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(io.LimitReader(r.Body, 8<<20))
	if err != nil {
		return // the client went away
	}
	path, ok := strings.CutPrefix(r.URL.Path, s.opt.Prefix)
	shown := strings.TrimPrefix(r.URL.RequestURI(), s.opt.Prefix)
	s.mu.Lock()
	intercept := s.intercept
	s.mu.Unlock()
	if intercept != nil {
		intercept(r.Method, path)
	}
	answer := httptest.NewRecorder()
	login := ""
	defer func() {
		s.mu.Lock()
		s.requests = append(s.requests, Request{r.Method, shown, string(body), answer.Code, login})
		s.mu.Unlock()
		if s.opt.Changed != nil {
			s.opt.Changed(s)
		}
	}()
	fails := s.failure(r.Method, path)
	if fails != nil {
		wait(r, fails.Delay)
		if fails.Status != 0 || fails.Drop {
			if fails.After {
				s.work(httptest.NewRecorder(), r, path, body)
			}
			answer.Code = fails.Status
			fails.write(w)
			return
		}
	}
	if !ok {
		writeError(answer, http.StatusNotFound, "Not Found", "")
	} else {
		login = s.work(answer, r, path, body)
	}
	for k, v := range answer.Header() {
		w.Header()[k] = v
	}
	w.WriteHeader(answer.Code)
	_, _ = io.Copy(w, bytes.NewReader(answer.Body.Bytes()))
}

func wait(r *http.Request, d time.Duration) {
	if d <= 0 {
		return
	}
	select {
	case <-time.After(d):
	case <-r.Context().Done():
	}
}

// work does what is asked for and returns who asked.
func (s *Server) work(w *httptest.ResponseRecorder, r *http.Request, path string, body []byte) string {
	token, ok := s.token(r)
	if !ok {
		writeError(w, http.StatusUnauthorized, "Bad credentials", "")
		return ""
	}
	if path == "/graphql" || path == "/api/graphql" {
		s.graphql(w, token, body)
		return token.Login
	}
	input, wrong, err := s.check.request(r, path, body)
	if input == nil {
		s.violation("%s %s: %v", r.Method, path, err)
		writeError(w, http.StatusNotFound, "Not Found", "")
		return token.Login
	}
	if wrong != nil {
		s.violation("%s %s: %v", r.Method, path, wrong)
		writeError(w, http.StatusUnprocessableEntity, "Invalid request.\n\n"+wrong.Error(), "")
		return token.Login
	}
	w.Header().Set("X-RateLimit-Limit", "1000")
	w.Header().Set("X-RateLimit-Remaining", "900")
	w.Header().Set("X-RateLimit-Resource", "core")
	s.mu.Lock()
	s.route(w, &call{Request: r, token: token, path: path, params: input.PathParams, body: body})
	s.mu.Unlock()
	if err := s.check.response(r, input, w); err != nil {
		s.violation("the double's own answer to %s %s (%d): %v", r.Method, path, w.Code, err)
	}
	return token.Login
}

func (s *Server) token(r *http.Request) (Token, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	scheme, secret, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	if !strings.EqualFold(scheme, "Bearer") && !strings.EqualFold(scheme, "token") {
		return Token{}, false
	}
	t := find(s.state.Tokens, func(t Token) bool { return t.Token == secret })
	if t == nil {
		return Token{}, false
	}
	return *t, true
}

func writeJSON(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(v)
}

func writeError(w http.ResponseWriter, status int, message, url string) {
	if url == "" {
		url = "https://docs.github.com/rest"
	}
	writeJSON(w, status, map[string]any{"message": message, "documentation_url": url, "status": fmt.Sprint(status)})
}

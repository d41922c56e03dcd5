package githubtest

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func start(t *testing.T, opt Options) *Server {
	t.Helper()
	s, err := New(opt)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

func ask(t *testing.T, s *Server, method, path, body string) (int, string, http.Header) {
	t.Helper()
	return askAs(t, s, DefaultToken, method, path, body)
}

func askAs(t *testing.T, s *Server, token, method, path, body string) (int, string, http.Header) {
	t.Helper()
	req, err := http.NewRequest(method, s.URL+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	if body != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	req.Header.Set("Authorization", "Bearer "+token)
	resp, err := http.DefaultTransport.RoundTrip(req) // without following redirects
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, string(b), resp.Header
}

const repo = "/repos/octo/lib"

// TestRequestsAreValidated: a double that lets mistakes pass proves nothing.
func TestRequestsAreValidated(t *testing.T) {
	t.Parallel()
	annotation := `{"path":"a","start_line":1,"end_line":1,"annotation_level":"notice","message":"m"}`
	check := func(conclusion string, annotations int) string {
		return fmt.Sprintf(`{"name":"n","head_sha":"s","conclusion":%q,"output":{"title":"t","summary":"s","annotations":[%s]}}`,
			conclusion, strings.TrimSuffix(strings.Repeat(annotation+",", annotations), ","))
	}
	for _, test := range []struct {
		name, method, path, body string
		wrong                    bool
	}{
		{"a comment", "POST", repo + "/issues/7/comments", `{"body":"x"}`, false},
		{"no body", "POST", repo + "/issues/7/comments", `{}`, true},
		{"body of another type", "POST", repo + "/issues/7/comments", `{"body":7}`, true},
		{"number in words", "GET", repo + "/issues/seven/comments", "", true},
		{"unknown parameter", "GET", repo + "/issues/7/comments?sort=newest", "", true},
		{"unknown operation", "GET", repo + "/issues/7/timeline", "", true},
		{"unknown method", "PUT", repo + "/issues/7/comments", `{"body":"x"}`, true},
		{"50 annotations", "POST", repo + "/check-runs", check("neutral", 50), false},
		{"51 annotations", "POST", repo + "/check-runs", check("neutral", 51), true},
		{"bogus conclusion", "POST", repo + "/check-runs", check("fine", 0), true},
		{"no commit", "POST", repo + "/check-runs", `{"name":"n"}`, true},
		{"bogus reaction", "POST", repo + "/issues/comments/1/reactions", `{"content":"shrug"}`, true},
		{"no JSON", "POST", repo + "/issues/comments/1/reactions", `{`, true},
	} {
		s := start(t, Options{State: State{
			PullRequests: []PullRequest{{Number: 7}}, Comments: []Comment{{ID: 1, Issue: 7, Author: "a", Body: "b"}},
		}})
		status, answer, _ := ask(t, s, test.method, test.path, test.body)
		if wrong := len(s.Violations()) > 0; wrong != test.wrong {
			t.Errorf("%s: violations are %q", test.name, s.Violations())
		}
		if (status >= 400) != test.wrong {
			t.Errorf("%s: answered with %d %s", test.name, status, answer)
		}
	}
}

// TestAnswersAreWhole asks for everything there is, with all fields filled and
// with as few as can be; New holds the answers against the description.
func TestAnswersAreWhole(t *testing.T) {
	t.Parallel()
	full := State{
		Tokens:        []Token{{Token: DefaultToken, Login: "ann"}, {Token: "app", Login: "app[bot]", App: "app"}},
		Collaborators: map[string]string{"ann": "maintain"},
		PullRequests:  []PullRequest{{Number: 7, Head: "h", HeadRef: "r", HeadRepository: "a/b", Base: "b", Merge: "m"}, {Number: 8, Head: "h"}},
		Comments: []Comment{
			{ID: 1, Issue: 7, Author: "ann", Body: "b", Reactions: []Reaction{{1, "ann", "+1"}, {2, "", "-1"}}},
			{ID: 2, Issue: 7},
		},
		Checks:    []Check{{ID: 3, Name: "n", Commit: "h", Status: "completed", Conclusion: "neutral", Annotations: []Annotation{{"a", 1, 2, "notice", "", "m"}}}, {ID: 4, Commit: "h", Status: "queued"}},
		Runs:      []Run{{ID: 5, Attempt: 1, Status: "completed", Conclusion: "failure", Event: "push", Commit: "h"}, {ID: 6, Status: "queued"}},
		Artifacts: []Artifact{{ID: 9, Run: 5, Name: "n"}, {ID: 10, Run: 5, Name: "x", Expired: true}},
		Commits:   []Commit{{SHA: "h", Parents: []string{"b"}}},
	}
	s := start(t, Options{State: full})
	for path, want := range map[string]int{
		"/user": 200, "/rate_limit": 200,
		repo + "/pulls": 200, repo + "/pulls/7": 200, repo + "/pulls/8": 200, repo + "/pulls/9": 404, repo + "/pulls?state=closed": 200,
		repo + "/commits/h/pulls": 200, repo + "/commits/x/pulls": 422, repo + "/git/commits/h": 200, repo + "/git/commits/x": 404,
		repo + "/issues/7/comments": 200, repo + "/issues/9/comments": 404,
		repo + "/issues/comments/1": 200, repo + "/issues/comments/2": 200, repo + "/issues/comments/3": 404,
		repo + "/issues/comments/1/reactions": 200,
		repo + "/check-runs/3":                200, repo + "/check-runs/4": 200, repo + "/check-runs/3/annotations": 200, repo + "/check-runs/9": 404,
		repo + "/commits/h/check-runs?check_name=n": 200, repo + "/collaborators/ann/permission": 200,
		repo + "/actions/runs/5": 200, repo + "/actions/runs/6": 200, repo + "/actions/runs/7": 404, repo + "/actions/runs/5/artifacts": 200,
		repo + "/actions/artifacts/9/zip": 302, repo + "/actions/artifacts/10/zip": 410, repo + "/actions/artifacts/11/zip": 404,
		"/repos/other/lib/pulls": 404,
	} {
		if status, answer, _ := ask(t, s, "GET", path, ""); status != want {
			t.Errorf("%s: %d, want %d: %s", path, status, want, answer)
		}
	}
	if status, _, _ := askAs(t, s, "app", "GET", "/user", ""); status != 403 {
		t.Errorf("an app has a user: %d", status)
	}
	if status, _, _ := askAs(t, s, "guess", "GET", "/user", ""); status != 401 {
		t.Errorf("an unknown token: %d", status)
	}
	for _, v := range s.Violations() {
		t.Error(v)
	}
}

func TestPages(t *testing.T) {
	t.Parallel()
	state := State{PullRequests: []PullRequest{{Number: 7}}}
	for i := range 5 {
		state.Comments = append(state.Comments, Comment{ID: int64(i + 1), Issue: 7, Author: "a", Body: "b"})
	}
	s := start(t, Options{State: state, PageSize: 2})
	path, seen := repo+"/issues/7/comments?per_page=100", ""
	for range 4 {
		_, body, header := ask(t, s, "GET", path, "")
		var list []struct{ ID int }
		if err := json.Unmarshal([]byte(body), &list); err != nil {
			t.Fatal(err)
		}
		for _, c := range list {
			seen += fmt.Sprint(c.ID)
		}
		seen += "|"
		next, _, ok := strings.Cut(header.Get("Link"), `>; rel="next"`)
		if !ok {
			break
		}
		path = strings.TrimPrefix(next[strings.LastIndex(next, "<")+1:], s.URL)
	}
	if seen != "12|34|5|" {
		t.Errorf("pages are %s", seen)
	}
}

func TestFailures(t *testing.T) {
	t.Parallel()
	s := start(t, Options{State: State{PullRequests: []PullRequest{{Number: 7}}}})
	comments := repo + "/issues/7/comments"
	post := func() (int, http.Header) {
		status, _, header := ask(t, s, "POST", comments, `{"body":"x"}`)
		return status, header
	}
	s.Fail(SecondaryLimit(7, 1).On("POST", "comments"))
	s.Fail(Failure{Method: "POST", Skip: 1, Times: 1, Status: 502, After: true})
	if status, header := post(); status != 403 || header.Get("Retry-After") != "7" {
		t.Errorf("the limit: %d, %v", status, header)
	}
	if status, _ := post(); status != 201 {
		t.Errorf("after the limit: %d", status)
	}
	if status, _ := post(); status != 502 || len(s.State().Comments) != 2 {
		t.Errorf("a lost answer: %d, %d comments", status, len(s.State().Comments))
	}
	s.Fail(PrimaryLimit(time.Unix(1800000000, 0), 1))
	if status, header := post(); status != 403 || header.Get("X-RateLimit-Reset") != "1800000000" || header.Get("X-RateLimit-Remaining") != "0" {
		t.Errorf("the primary limit: %d, %v", status, header)
	}
	s.Fail(Failure{Drop: true, Times: 1})
	if resp, err := http.Post(s.URL, "text/plain", nil); err == nil { // not repeated by net/http, as GET is
		resp.Body.Close()
		t.Error("a dropped connection gives an answer")
	}
	s.Fail(Failure{Delay: 50 * time.Millisecond, Times: 1})
	begin := time.Now()
	if status, _ := post(); status != 201 || time.Since(begin) < 50*time.Millisecond {
		t.Errorf("a slow answer: %d after %v", status, time.Since(begin))
	}
	if n := s.Calls("POST", "comments"); n != 5 {
		t.Errorf("%d requests are remembered", n)
	}
	if len(s.Violations()) > 0 {
		t.Error(s.Violations())
	}
}

// TestServe runs the program as workflows under act do.
func TestServe(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("builds a program")
	}
	dir := t.TempDir()
	program := filepath.Join(dir, "serve")
	if out, err := exec.Command("go", "build", "-o", program, "./serve").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	state, err := json.Marshal(State{PullRequests: []PullRequest{{Number: 7}}, Runs: []Run{{ID: 5, Status: "completed"}}})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "state.json"), state, 0o644); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(program, "-addr", "127.0.0.1:0", "-state", dir, "-prefix", "/api/v3")
	cmd.Stderr = os.Stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := false
	defer func() {
		if !ended {
			_ = cmd.Process.Kill()
			_ = cmd.Wait()
		}
	}()
	var url []byte
	for range 1200 { // a minute at most
		if url, err = os.ReadFile(filepath.Join(dir, "ready")); err == nil && len(url) > 0 {
			break
		}
		time.Sleep(50 * time.Millisecond)
	}
	s := &Server{URL: strings.TrimSpace(string(url))}
	if status, body, _ := ask(t, s, "POST", repo+"/issues/7/comments", `{"body":"hello"}`); status != 201 {
		t.Fatalf("%d %s", status, body)
	}
	// An artifact that is put there while the program runs.
	folder := filepath.Join(dir, "artifacts", "5")
	if err := os.MkdirAll(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, "isodelta.zip"), Zip("a", "b"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, body, _ := ask(t, s, "GET", repo+"/actions/runs/5/artifacts", ""); !strings.Contains(body, `"name":"isodelta"`) {
		t.Errorf("artifacts are %s", body)
	}
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	ended = true
	if err := cmd.Wait(); err != nil {
		t.Errorf("the program ends with %v", err)
	}
	var after State
	b, err := os.ReadFile(filepath.Join(dir, "state.json"))
	if err != nil || json.Unmarshal(b, &after) != nil || len(after.Comments) != 1 || after.Comments[0].Body != "hello" {
		t.Errorf("the state is %v %s", err, b)
	}
}

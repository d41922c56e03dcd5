package bot

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/isodelta/isodelta/bot/githubtest"
)

func TestPostEditsItsOwnCommentAndNoOther(t *testing.T) {
	t.Parallel()
	state := pull()
	// Somebody copied our comment with its marker; it is theirs.
	copied := reported("what the bot said", marker{DefaultKey, second, 9, 1})
	quoted := "> " + strings.ReplaceAll(copied, "\n", "\n> ")
	state.Comments = []githubtest.Comment{
		{ID: 1, Issue: 7, Author: "rob", Body: copied},
		{ID: 2, Issue: 7, Author: me, Body: quoted + "\n\na comment of another workflow"},
		{ID: 3, Issue: 7, Author: "codecov[bot]", App: "codecov", Body: copied},
		{ID: 4, Issue: 8, Author: me, Body: copied},
	}
	s, c := double(t, githubtest.Options{State: state, PageSize: 2})
	before := s.State().Comments

	made := post(t, c, comment("one"), Created)
	if !strings.Contains(made.URL, "/pull/7#issuecomment-") {
		t.Errorf("the address is %q", made.URL)
	}
	in := comment("two")
	in.RunID = 11
	if p := post(t, c, in, Updated); p.URL != made.URL {
		t.Errorf("another comment was edited: %s", p.URL)
	}
	other := comment("of another configuration")
	other.Key = "nightly --> <b>"
	post(t, c, other, Created)
	post(t, c, other, Unchanged)

	after := s.State().Comments
	if diff := cmp.Diff(before, after[:4]); diff != "" {
		t.Errorf("comments that are not ours were changed:\n%s", diff)
	}
	if diff := cmp.Diff([]string{"two", "of another configuration"}, bodies(s)[4:]); diff != "" {
		t.Error(diff)
	}
}

func TestPostSendsNothingWhereNothingChanged(t *testing.T) {
	t.Parallel()
	s, c := double(t, githubtest.Options{State: pull()})
	post(t, c, comment("same\r\nlines\n"), Created)
	n := len(s.Requests())
	post(t, c, comment("same\nlines"), Unchanged)
	for _, r := range s.Requests()[n:] {
		if r.Method != http.MethodGet {
			t.Errorf("%s %s was sent", r.Method, r.Path)
		}
	}
}

func TestPostQuiet(t *testing.T) {
	t.Parallel()
	s, c := double(t, githubtest.Options{State: pull()})
	quiet := comment("no difference")
	quiet.Quiet = true
	post(t, c, quiet, Quiet)
	if n := len(s.State().Comments); n != 0 {
		t.Fatalf("%d comments were made", n)
	}
	loud := comment("a difference")
	post(t, c, loud, Created)
	quiet.RunID = 11
	post(t, c, quiet, Updated) // what it said before no longer holds
}

// TestPostOrder has a report meet the comment that another run made.
func TestPostOrder(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name  string
		there marker // the pull request's head is second
		in    marker
		want  string
	}{
		{"head over an earlier commit", marker{Commit: first, Run: 9}, marker{Commit: second, Run: 10}, Updated},
		{"head over an earlier commit of a later run", marker{Commit: first, Run: 11}, marker{Commit: second, Run: 10}, Updated},
		{"earlier commit after head", marker{Commit: second, Run: 10}, marker{Commit: first, Run: 9}, Superseded},
		{"earlier commit run again later", marker{Commit: second, Run: 10}, marker{Commit: first, Run: 12}, Superseded},
		{"earlier commit of an unknown run", marker{Commit: second, Run: 10}, marker{Commit: first}, Superseded},
		{"same commit, later run", marker{Commit: second, Run: 10}, marker{Commit: second, Run: 11}, Updated},
		{"same commit, earlier run", marker{Commit: second, Run: 10}, marker{Commit: second, Run: 9, Attempt: 4}, Superseded},
		{"same run, next attempt", marker{Commit: second, Run: 10, Attempt: 1}, marker{Commit: second, Run: 10, Attempt: 2}, Updated},
		{"same run, earlier attempt", marker{Commit: second, Run: 10, Attempt: 2}, marker{Commit: second, Run: 10, Attempt: 1}, Superseded},
		{"neither is the head, later run", marker{Commit: first, Run: 9}, marker{Commit: third, Run: 10}, Updated},
		{"neither is the head, earlier run", marker{Commit: first, Run: 9}, marker{Commit: third, Run: 8}, Superseded},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			state := pull()
			test.there.Key = DefaultKey
			state.Runs = runs(map[int64]string{test.there.Run: test.there.Commit, test.in.Run: test.in.Commit})
			state.Comments = []githubtest.Comment{{ID: 1, Issue: 7, Author: me, Body: reported("there", test.there)}}
			s, c := double(t, githubtest.Options{State: state})
			post(t, c, Comment{PullRequest: 7, Commit: test.in.Commit, RunID: test.in.Run, Attempt: test.in.Attempt, Body: opening + "new"}, test.want)
			want := "there"
			if test.want == Updated {
				want = "new"
			}
			if got := bodies(s); len(got) != 1 || got[0] != want {
				t.Errorf("comments are now %q, want %q", got, want)
			}
		})
	}
}

// TestPostRace has many runs post at once, in every interleaving that happens.
func TestPostRace(t *testing.T) {
	t.Parallel()
	for round := range 4 {
		t.Run(fmt.Sprint(round), func(t *testing.T) {
			t.Parallel()
			state := pull()
			state.Runs = runs(map[int64]string{10: second, 11: second, 12: second, 13: second, 14: second})
			s := githubtest.Start(t, githubtest.Options{State: state})
			s.Fail(githubtest.Failure{Method: http.MethodPost, Delay: 3 * time.Millisecond})
			var all sync.WaitGroup
			for run := int64(10); run < 15; run++ {
				c := client(t, s, Options{Pause: 600 * time.Millisecond})
				all.Add(1)
				go func() {
					defer all.Done()
					in := comment(fmt.Sprintf("of run %d", run))
					in.RunID = run
					if _, err := c.Post(context.Background(), in); err != nil {
						t.Errorf("run %d: %v", run, err)
					}
				}()
			}
			all.Wait()
			if diff := cmp.Diff([]string{"of run 14"}, bodies(s)); diff != "" {
				t.Errorf("after the race:\n%s", diff)
			}
		})
	}
}

// TestPostAtTheWorstMoment has another run write between our second look and
// our writing, and directly after our writing.
func TestPostAtTheWorstMoment(t *testing.T) {
	t.Parallel()
	there := []githubtest.Comment{{ID: 1, Issue: 7, Author: me, Body: reported("there", marker{DefaultKey, first, 5, 1})}}
	write := func(s *githubtest.Server, m marker, text string) {
		m.Key = DefaultKey
		s.Change(func(state *githubtest.State) { state.Comments[0].Body = reported(text, m) })
	}
	t.Run("older over newer", func(t *testing.T) {
		t.Parallel()
		state := pull()
		state.Comments = there
		s, c := double(t, githubtest.Options{State: state})
		var written, spoiled atomic.Bool
		s.Intercept(func(method, path string) {
			if method == http.MethodGet && written.Load() && spoiled.CompareAndSwap(false, true) {
				write(s, marker{Commit: first, Run: 6}, "older")
			}
			if method == http.MethodPatch {
				written.Store(true)
			}
		})
		post(t, c, comment("newer"), Updated)
		if !spoiled.Load() {
			t.Fatal("the other run never wrote")
		}
		if got := bodies(s); got[0] != "newer" {
			t.Errorf("the older report stayed: %q", got)
		}
	})
	t.Run("newer before older", func(t *testing.T) {
		t.Parallel()
		state := pull()
		state.Comments, state.Runs = there, runs(map[int64]string{10: second, 20: second})
		s, c := double(t, githubtest.Options{State: state})
		var looked atomic.Bool
		s.Intercept(func(method, path string) {
			// After the list and before the second look.
			if method == http.MethodGet && strings.Contains(path, "issues/comments/1") && looked.CompareAndSwap(false, true) {
				write(s, marker{Commit: second, Run: 20}, "newer")
			}
		})
		post(t, c, comment("older"), Superseded)
		if got := bodies(s); got[0] != "newer" {
			t.Errorf("the newer report is gone: %q", got)
		}
	})
	t.Run("deleted meanwhile", func(t *testing.T) {
		t.Parallel()
		state := pull()
		state.Comments = there
		s, c := double(t, githubtest.Options{State: state})
		s.Intercept(func(method, path string) {
			if method == http.MethodPatch {
				s.Change(func(state *githubtest.State) { state.Comments = nil })
			}
		})
		post(t, c, comment("new"), Created)
		if got := bodies(s); len(got) != 1 || got[0] != "new" {
			t.Errorf("comments are %q", got)
		}
	})
}

func TestPostTidiesDuplicates(t *testing.T) {
	t.Parallel()
	state := pull()
	state.Comments = []githubtest.Comment{
		{ID: 1, Issue: 7, Author: me, Body: reported("old", marker{DefaultKey, first, 5, 1})},
		{ID: 2, Issue: 7, Author: me, Body: reported("newer", marker{DefaultKey, second, 9, 1})},
		{ID: 3, Issue: 7, Author: me, Body: reported("other", marker{"other", first, 5, 1})},
	}
	s, c := double(t, githubtest.Options{State: state})
	post(t, c, comment("newest"), Updated)
	if diff := cmp.Diff([]string{"newest", "other"}, bodies(s)); diff != "" {
		t.Error(diff)
	}
}

// TestPostBesideForgedMarkers: another workflow of the same account posts what a
// pull request wrote. Its comment is neither believed nor overwritten nor deleted,
// and the report is there.
func TestPostBesideForgedMarkers(t *testing.T) {
	t.Parallel()
	const forged = 9007199254740991
	elsewhere := func(m marker) string { return compose("### Coverage: 12 %\n\nwritten by the pull request", m) }
	for name, test := range map[string]struct {
		body string
		runs map[int64]string // that GitHub knows, of the same workflow but for 12
	}{
		"another heading, no such run":      {elsewhere(marker{DefaultKey, second, forged, 1}), nil},
		"another heading, an earlier run":   {elsewhere(marker{DefaultKey, second, 1, 1}), map[int64]string{1: second}},
		"another heading, the present run":  {elsewhere(marker{DefaultKey, second, 10, 1}), nil},
		"our heading, no such run":          {reported("quiet", marker{DefaultKey, second, forged, 1}), nil},
		"our heading, of another commit":    {reported("quiet", marker{DefaultKey, second, 11, 1}), map[int64]string{11: first}},
		"our heading, of another workflow":  {reported("quiet", marker{DefaultKey, second, 12, 1}), map[int64]string{12: second}},
		"our heading, a later attempt":      {reported("quiet", marker{DefaultKey, second, 10, 99}), nil},
		"our heading, head of a later push": {reported("quiet", marker{DefaultKey, third, forged, 1}), nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			state := pull()
			state.Runs = append(runs(test.runs), runs(map[int64]string{10: second})...)
			for i := range state.Runs {
				if state.Runs[i].ID == 12 {
					state.Runs[i].Workflow = 4
				}
			}
			state.Comments = []githubtest.Comment{{ID: 1, Issue: 7, Author: me, App: "github-actions", Body: test.body}}
			s, c := double(t, githubtest.Options{State: state})
			post(t, c, comment("the report"), Created)
			again := comment("the report, again")
			again.Attempt = 2
			post(t, c, again, Updated)
			after := s.State().Comments
			if len(after) != 2 || after[0].Body != test.body || after[0].Edits != 0 {
				t.Fatalf("the comments are %+v", after)
			}
			if got := bodies(s)[1]; got != "the report, again" {
				t.Errorf("the report is %q", got)
			}
		})
	}
}

func TestPostRejectsBeforeSending(t *testing.T) {
	t.Parallel()
	s, c := double(t, githubtest.Options{State: pull()})
	long := comment(strings.Repeat("é", MaxBody+1-len(opening)))
	var tooLong *TooLongError
	if _, err := c.Post(context.Background(), long); !errors.As(err, &tooLong) || tooLong.Len != MaxBody+1 {
		t.Errorf("a long comment gives %v", err)
	}
	for name, spoil := range map[string]func(*Comment){
		"no pull request": func(c *Comment) { c.PullRequest = 0 },
		"no commit":       func(c *Comment) { c.Commit = "" },
		"long key":        func(c *Comment) { c.Key = strings.Repeat("k", 101) },
		"key of lines":    func(c *Comment) { c.Key = "a\nb" },
		"negative run":    func(c *Comment) { c.RunID = -1 },
		"other heading":   func(c *Comment) { c.Body = "### Coverage" },
		"longer heading":  func(c *Comment) { c.Body = Heading + "s" },
	} {
		in := comment("x")
		spoil(&in)
		if _, err := c.Post(context.Background(), in); err == nil {
			t.Errorf("%s is no error", name)
		}
	}
	if n := len(s.Requests()); n != 0 {
		t.Errorf("%d requests were sent", n)
	}
	longest := comment(strings.Repeat("é", MaxBody-len(opening)))
	longest.Key = strings.Repeat("\U0001F600", 100)
	post(t, c, longest, Created) // GitHub takes the longest there may be
}

// TestPostFailures goes through what GitHub may answer.
func TestPostFailures(t *testing.T) {
	t.Parallel()
	denied, limit, status := isA[*PermissionError], isA[*LimitError], isA[*StatusError]
	comments := "/issues/7/comments"
	tests := []struct {
		name  string
		fail  []githubtest.Failure
		token string
		err   func(error) bool // nil for success
		says  string           // in the error
		posts int              // requests to create
		made  int              // comments in the end
	}{
		{name: "read fails twice", fail: []githubtest.Failure{githubtest.Status(502, 2).On("GET", comments)}, posts: 1, made: 1},
		{name: "read always fails", fail: []githubtest.Failure{githubtest.Status(503, 0).On("GET", comments)}, err: status, says: "503"},
		{name: "read gives a page of a proxy", fail: []githubtest.Failure{{Status: 502, Times: 1, HTML: true}}, posts: 1, made: 1},
		{name: "connection breaks", fail: []githubtest.Failure{{Drop: true, Times: 2, Method: "GET"}}, posts: 1, made: 1},
		{name: "create fails", fail: []githubtest.Failure{githubtest.Status(500, 2).On("POST", comments)}, posts: 3, made: 1},
		{name: "create is done, its answer lost", fail: []githubtest.Failure{{Status: 502, After: true, Times: 1, Method: "POST", Path: comments}}, posts: 1, made: 1},
		{name: "create is done, the connection breaks", fail: []githubtest.Failure{{Drop: true, After: true, Times: 1, Method: "POST", Path: comments}}, posts: 1, made: 1},
		{name: "create always fails", fail: []githubtest.Failure{githubtest.Status(500, 0).On("POST", comments)}, err: status, says: "500", posts: attempts},
		{name: "secondary limit", fail: []githubtest.Failure{githubtest.SecondaryLimit(1, 1).On("POST", comments)}, posts: 2, made: 1},
		{name: "long secondary limit", fail: []githubtest.Failure{githubtest.SecondaryLimit(900, 0).On("POST", comments)}, err: limit, says: "15m0s", posts: 1},
		{name: "secondary limit without a time", fail: []githubtest.Failure{githubtest.SecondaryLimit(0, 0).On("POST", comments)}, err: limit, says: "1m0s", posts: 1},
		{name: "too many requests", fail: []githubtest.Failure{githubtest.Status(429, 0).On("POST", comments)}, err: limit, posts: 1},
		{name: "primary limit", fail: []githubtest.Failure{githubtest.PrimaryLimit(time.Now().Add(time.Hour), 0).On("GET", comments)}, err: limit, says: "later"},
		{name: "primary limit that ends", fail: []githubtest.Failure{githubtest.PrimaryLimit(time.Now().Add(time.Second), 1).On("POST", comments)}, posts: 2, made: 1},
		{name: "token that may not write", token: "reader", err: denied, says: `add "pull-requests: write"`, posts: 1},
		{name: "token that may nothing", token: "nothing", err: denied, says: "pull-requests: write"},
		{name: "unknown token", token: "nonsense", err: denied, says: "401"},
		{name: "hidden", fail: []githubtest.Failure{githubtest.Status(404, 0).On("POST", comments)}, err: denied, says: "404", posts: 1},
		{name: "conflict", fail: []githubtest.Failure{githubtest.Status(409, 0).On("POST", comments)}, err: status, says: "409", posts: 1},
		{name: "unprocessable", fail: []githubtest.Failure{githubtest.Status(422, 0).On("POST", comments)}, err: status, says: "422", posts: 1},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			state := pull()
			state.Tokens = []githubtest.Token{
				{Token: githubtest.DefaultToken, Login: me, App: "github-actions"},
				{Token: "reader", Login: me, App: "github-actions", Permissions: map[string]string{"pull-requests": "read"}},
				{Token: "nothing", Login: me, App: "github-actions", Permissions: map[string]string{}},
			}
			s := githubtest.Start(t, githubtest.Options{State: state})
			for _, f := range test.fail {
				s.Fail(f)
			}
			c := client(t, s, Options{Token: test.token, MaxWait: 3 * time.Second})
			posted, err := c.Post(context.Background(), comment("text"))
			switch {
			case test.err == nil && (err != nil || posted.State != Created || posted.URL == ""):
				t.Errorf("Post gives %+v, %v", posted, err)
			case test.err != nil && (err == nil || !test.err(err) || !strings.Contains(err.Error(), test.says)):
				t.Errorf("the error is %T %v, want another one with %q", err, err, test.says)
			}
			if n := s.Calls("POST", comments); n != test.posts {
				t.Errorf("%d requests to create, want %d", n, test.posts)
			}
			if n := len(s.State().Comments); n != test.made {
				t.Errorf("%d comments, want %d", n, test.made)
			}
		})
	}
}

// isA reports whether err is an E or wraps one. The subtests run at the same
// time, so each call has a variable of its own.
func isA[E error](err error) bool {
	var e E
	return errors.As(err, &e)
}

func TestPostEditIsRepeated(t *testing.T) {
	t.Parallel()
	s, c := double(t, githubtest.Options{State: pull()})
	post(t, c, comment("one"), Created)
	s.Fail(githubtest.Failure{Status: 502, After: true, Times: 1, Method: "PATCH"})
	s.Fail(githubtest.SecondaryLimit(1, 1).On("PATCH", ""))
	post(t, c, comment("two"), Updated)
	if diff := cmp.Diff([]string{"two"}, bodies(s)); diff != "" {
		t.Error(diff)
	}
}

func TestPostSlowAnswer(t *testing.T) {
	t.Parallel()
	s := githubtest.Start(t, githubtest.Options{State: pull()})
	s.Fail(githubtest.Failure{Delay: time.Minute, Times: 1, Method: "GET"})
	c := client(t, s, Options{Timeout: time.Second})
	post(t, c, comment("text"), Created)

	// It would answer long after the test has to be over.
	s.Fail(githubtest.Failure{Delay: time.Hour, Method: "GET"})
	ctx, cancel := context.WithTimeout(context.Background(), 100*time.Millisecond)
	defer cancel()
	if _, err := c.Post(ctx, comment("text")); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("the error is %v", err)
	}
}

func TestPostTokens(t *testing.T) {
	t.Parallel()
	for _, token := range []githubtest.Token{
		{Token: "t", Login: "ann"},
		{Token: "t", Login: "our-app[bot]", App: "our-app"},
	} {
		state := pull()
		state.Tokens = []githubtest.Token{token}
		state.Comments = []githubtest.Comment{{ID: 1, Issue: 7, Author: me, Body: reported("theirs", marker{DefaultKey, first, 5, 1})}}
		s := githubtest.Start(t, githubtest.Options{State: state})
		c := client(t, s, Options{Token: "t"})
		post(t, c, comment("ours"), Created)
		in := comment("ours, again")
		in.Attempt = 2
		post(t, client(t, s, Options{Token: "t"}), in, Updated)
		if diff := cmp.Diff([]string{"theirs", "ours, again"}, bodies(s)); diff != "" {
			t.Errorf("%s: %s", token.Login, diff)
		}
	}
}

func TestEnterpriseServer(t *testing.T) {
	t.Parallel()
	s, c := double(t, githubtest.Options{State: pull(), Prefix: "/api/v3"})
	post(t, c, comment("one"), Created)
	again := comment("two")
	again.Attempt = 2
	c = client(t, s, Options{}) // it has to ask who it is
	post(t, c, again, Updated)
	for _, r := range s.Requests() {
		if strings.HasSuffix(r.Path, "graphql") && r.Path != "/api/graphql" {
			t.Errorf("GraphQL was asked at %s", r.Path)
		}
	}
}

func TestNewErrors(t *testing.T) {
	t.Parallel()
	for name, opt := range map[string]Options{
		"no token":       {Repository: "octo/lib"},
		"no repository":  {Token: "t"},
		"no owner":       {Token: "t", Repository: "lib"},
		"path":           {Token: "t", Repository: "octo/../lib"},
		"no address":     {Token: "t", Repository: "octo/lib", API: "api.github.com"},
		"other protocol": {Token: "t", Repository: "octo/lib", API: "ftp://host/"},
	} {
		if _, err := New(opt); err == nil {
			t.Errorf("%s is no error", name)
		}
	}
}

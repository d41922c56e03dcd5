package bot

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/isodelta/isodelta/bot/githubtest"
)

func check(annotations int) Check {
	c := Check{
		Name: "isodelta", Commit: second, Conclusion: "neutral", Title: "2 differences", Summary: "What differs",
		Text: "More", DetailsURL: "https://github.example/run", RunID: 10, Attempt: 1,
	}
	for i := range annotations {
		c.Annotations = append(c.Annotations, Annotation{"a.go", i + 1, i + 1, "warning", "differs", fmt.Sprintf("number %d", i)})
	}
	return c
}

// TestCheckFailures has GitHub fail while annotations are added, which it
// appends: none may be missing or there twice.
func TestCheckFailures(t *testing.T) {
	t.Parallel()
	one := func(f githubtest.Failure) []githubtest.Failure { return []githubtest.Failure{f} }
	tests := []struct {
		name        string
		fail        []githubtest.Failure
		annotations int
		creates     int
		updates     int
	}{
		{"none", nil, 0, 1, 0},
		{"one call", nil, 50, 1, 0},
		{"two calls", nil, 51, 1, 1},
		{"many", nil, 230, 1, 4},
		{"create fails", one(githubtest.Status(502, 1).On("POST", "check-runs")), 120, 2, 2},
		{"create is done, its answer lost", one(githubtest.Failure{Method: "POST", Status: 502, After: true, Times: 1}), 120, 1, 2},
		{"update fails", one(githubtest.Status(502, 2).On("PATCH", "")), 120, 1, 4},
		{"update is done, its answer lost", one(githubtest.Failure{Method: "PATCH", Status: 502, After: true, Times: 1}), 120, 1, 2},
		{"the last update is done, the connection breaks", one(githubtest.Failure{Method: "PATCH", Drop: true, After: true, Times: 1, Skip: 1}), 120, 1, 2},
		{"limit during updates", one(githubtest.SecondaryLimit(1, 1).On("PATCH", "")), 120, 1, 3},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			s, c := double(t, githubtest.Options{State: pull(), PageSize: 1})
			for _, f := range test.fail {
				s.Fail(f)
			}
			in := check(test.annotations)
			url, err := c.Check(context.Background(), in)
			if err != nil || !strings.Contains(url, "/runs/") {
				t.Fatalf("Check gives %q, %v", url, err)
			}
			checks := s.State().Checks
			if len(checks) != 1 {
				t.Fatalf("there are %d checks", len(checks))
			}
			var want []githubtest.Annotation
			for _, a := range in.Annotations {
				want = append(want, githubtest.Annotation(a))
			}
			got := checks[0]
			if diff := cmp.Diff(want, got.Annotations); diff != "" {
				t.Error(diff)
			}
			got.ID, got.Annotations = 0, nil
			if diff := cmp.Diff(githubtest.Check{
				Name: "isodelta", Commit: second, App: "github-actions", ExternalID: "isodelta:10:1", Status: "completed",
				Conclusion: "neutral", DetailsURL: "https://github.example/run", Title: "2 differences", Summary: "What differs", Text: "More",
			}, got); diff != "" {
				t.Error(diff)
			}
			if n := s.Calls("POST", "check-runs"); n != test.creates {
				t.Errorf("%d requests to create, want %d", n, test.creates)
			}
			if n := s.Calls("PATCH", "check-runs"); n != test.updates {
				t.Errorf("%d requests to update, want %d", n, test.updates)
			}
		})
	}
}

func TestCheckErrors(t *testing.T) {
	t.Parallel()
	state := pull()
	state.Tokens = []githubtest.Token{
		{Token: githubtest.DefaultToken, Login: me, App: "github-actions", Permissions: map[string]string{"pull-requests": "write", "checks": "read"}},
		{Token: "person", Login: "ann"},
	}
	s, c := double(t, githubtest.Options{State: state})
	var denied *PermissionError
	if _, err := c.Check(context.Background(), check(1)); !errors.As(err, &denied) || denied.Permission != "checks: write" {
		t.Errorf("without the right: %v", err)
	}
	if _, err := client(t, s, Options{Token: "person"}).Check(context.Background(), check(1)); !errors.As(err, &denied) || !strings.Contains(err.Error(), "GitHub App") {
		t.Errorf("with a person's token: %v", err)
	}
	n := len(s.Requests())
	for name, spoil := range map[string]func(*Check){
		"no name":            func(c *Check) { c.Name = "" },
		"no summary":         func(c *Check) { c.Summary = "" },
		"another conclusion": func(c *Check) { c.Conclusion = "stale" },
		"long text":          func(c *Check) { c.Text = strings.Repeat("x", MaxCheckText+1) },
		"another level":      func(c *Check) { c.Annotations[0].Level = "error" },
	} {
		in := check(1)
		spoil(&in)
		if _, err := c.Check(context.Background(), in); err == nil {
			t.Errorf("%s is no error", name)
		}
	}
	if len(s.Requests()) != n {
		t.Error("something was sent")
	}
}

// TestCheckAnnotationsThatGitHubRefuses: one bad annotation must not cost all.
func TestCheckAnnotationsThatGitHubRefuses(t *testing.T) {
	t.Parallel()
	s, c := double(t, githubtest.Options{State: pull()})
	in := check(0)
	in.Annotations = []Annotation{
		{"", 1, 1, "notice", "", "no file"},
		{"a.go", 0, 0, "notice", "", "no line"},
		{"../a.go", 1, 1, "notice", "", "outside"},
		{"/a.go", 1, 1, "notice", "", "outside"},
		{"a\n.go", 1, 1, "notice", "", "two lines"},
		{"a.go", 1, 1, "notice", "", " \n"},
		{"a.go", 9, 3, "notice", strings.Repeat("é", 300), strings.Repeat("é", 64<<10)},
		{"a.go", 99999999999, 1 << 62, "warning", "a\x1b[31m\n\u202eb\u2028c\x00", "one\u202e\ntwo\r\x07\tthree"},
	}
	in.Title, in.Summary = "a\nb\u202e", strings.Repeat("é", MaxCheckText)
	if _, err := c.Check(context.Background(), in); err != nil {
		t.Fatal(err)
	}
	check := s.State().Checks[0]
	if check.Title != "a\uFFFDb\uFFFD" || len(check.Summary) > MaxCheckText || len(check.Summary) < MaxCheckText-10 {
		t.Errorf("the title is %q, the summary has %d bytes", check.Title, len(check.Summary))
	}
	got := check.Annotations
	if len(got) != 2 || got[0].Start != 9 || got[0].End != 9 || len(got[0].Title) > 255 || len(got[0].Message) > 64<<10 {
		t.Fatalf("annotations are %.200v", got)
	}
	want := githubtest.Annotation{Path: "a.go", Start: maxLine, End: maxLine, Level: "warning", Title: "a\uFFFD[31m\uFFFD\uFFFDb\uFFFDc\uFFFD", Message: "one\uFFFD\ntwo\uFFFD\uFFFD    three"}
	if diff := cmp.Diff(want, got[1]); diff != "" {
		t.Error(diff)
	}
}

// TestCheckWithoutAnnotations: whatever GitHub has against an annotation, the
// check itself is made.
func TestCheckWithoutAnnotations(t *testing.T) {
	t.Parallel()
	s, c := double(t, githubtest.Options{State: pull()})
	s.Fail(githubtest.Status(422, 1).On("POST", "check-runs"))
	if _, err := c.Check(context.Background(), check(60)); err != nil {
		t.Fatal(err)
	}
	if checks := s.State().Checks; len(checks) != 1 || len(checks[0].Annotations) != 0 || checks[0].Conclusion != "neutral" {
		t.Errorf("checks are %.300v", checks)
	}
}

package bot

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"slices"
	"unicode/utf8"

	"github.com/google/go-github/v60/github"
)

// Check is a check run, which GitHub shows beside the commit. Only the app that
// made it can change it, and a name that another workflow uses too cannot be
// told apart: give it one of its own.
type Check struct {
	Name        string
	Commit      string // head SHA, not a merge commit's: GitHub shows it there
	Conclusion  string // success, failure or neutral
	Title       string
	Summary     string // Markdown, cut to MaxCheckText characters
	Text        string // Markdown, at most MaxCheckText characters; "" for none
	DetailsURL  string // "" for none
	Annotations []Annotation
	RunID       int64 // of the workflow run that compared; 0 is not known
	Attempt     int
}

// MaxCheckText is how long the texts of a check may be, in characters.
const MaxCheckText = 65535

// Annotation is a remark on lines of a file.
type Annotation struct {
	Path           string // slash-separated, relative to the repository
	Start, End     int    // lines, from 1
	Level          string // notice, warning or failure
	Title, Message string // plain text, which may be hostile; cut to 255 characters and 64 KB
}

// perCall is how many annotations GitHub takes at once.
const perCall = 50

// Check makes a check run that is complete at once, so that none is left
// waiting when this process ends early; annotations beyond the first fifty
// follow by updates. It returns the page of the check.
func (c *Client) Check(ctx context.Context, in Check) (string, error) {
	if err := in.valid(); err != nil {
		return "", err
	}
	in.Title, in.Summary = shortened(line(in.Title), maxTitle), shortened(in.Summary, MaxCheckText)
	annotations := githubAnnotations(in.Annotations)
	id := in.identity()
	run, err := c.createCheck(ctx, in, id, annotations[:min(perCall, len(annotations))])
	if unprocessable(err) && len(annotations) > 0 {
		c.log.Warn("GitHub refuses the check with its annotations; it is made without them", "error", err)
		annotations = nil
		run, err = c.createCheck(ctx, in, id, nil)
	}
	if err != nil {
		return "", err
	}
	if err := c.annotate(ctx, in, run, annotations); err != nil {
		return run.GetHTMLURL(), err
	}
	return run.GetHTMLURL(), nil
}

func (in Check) valid() error {
	if in.Name == "" || in.Commit == "" || in.Title == "" || in.Summary == "" {
		return errors.New("a check needs a name, a commit, a title and a summary")
	}
	if !slices.Contains([]string{"success", "failure", "neutral"}, in.Conclusion) {
		return fmt.Errorf("a check cannot conclude with %q; want success, failure or neutral", in.Conclusion)
	}
	if n := utf8.RuneCountInString(in.Text); n > MaxCheckText {
		return &TooLongError{"the text of the check", n, MaxCheckText}
	}
	for _, a := range in.Annotations {
		if !slices.Contains([]string{"notice", "warning", "failure"}, a.Level) {
			return fmt.Errorf("an annotation has no level %q; want notice, warning or failure", a.Level)
		}
	}
	return nil
}

// identity by which a check is found again whose creation was not answered.
func (in Check) identity() string {
	if in.RunID == 0 {
		return "isodelta:" + rand.Text()
	}
	return fmt.Sprintf("isodelta:%d:%d", in.RunID, in.Attempt)
}

func (in Check) output(annotations []*github.CheckRunAnnotation) *github.CheckRunOutput {
	out := &github.CheckRunOutput{Title: &in.Title, Summary: &in.Summary, Annotations: annotations}
	if in.Text != "" {
		out.Text = &in.Text
	}
	return out
}

func (c *Client) createCheck(ctx context.Context, in Check, id string, annotations []*github.CheckRunAnnotation) (*github.CheckRun, error) {
	op := operation{"make the check on commit " + in.Commit, "checks: write"}
	opt := github.CreateCheckRunOptions{
		Name: in.Name, HeadSHA: in.Commit, ExternalID: &id, Status: github.String("completed"),
		Conclusion: &in.Conclusion, Output: in.output(annotations),
	}
	if in.DetailsURL != "" {
		opt.DetailsURL = &in.DetailsURL
	}
	pause := c.opt.Pause
	for n := 1; ; n++ {
		var run *github.CheckRun
		err := c.do(ctx, op, func(ctx context.Context) (resp *github.Response, err error) {
			run, resp, err = c.api.Checks.CreateCheckRun(ctx, c.owner, c.name, opt)
			return resp, err
		})
		if err == nil || !unclear(err) || n == attempts {
			return run, err
		}
		if err := sleep(ctx, pause); err != nil {
			return nil, err
		}
		pause *= 2
		made, listErr := c.checkMade(ctx, in, id)
		if listErr != nil {
			return nil, errors.Join(err, listErr)
		}
		if made != nil {
			return made, nil
		}
	}
}

// checkMade finds the check by its identity, nil for none.
func (c *Client) checkMade(ctx context.Context, in Check, id string) (*github.CheckRun, error) {
	var made *github.CheckRun
	op := operation{"look for the check on commit " + in.Commit, "checks: write"}
	err := c.pages(ctx, op, func(ctx context.Context, page github.ListOptions) (bool, *github.Response, error) {
		list, resp, err := c.api.Checks.ListCheckRunsForRef(ctx, c.owner, c.name, in.Commit, &github.ListCheckRunsOptions{
			CheckName: &in.Name, Filter: github.String("all"), ListOptions: page,
		})
		if err != nil {
			return false, resp, err
		}
		for _, run := range list.CheckRuns {
			if run.GetExternalID() == id {
				made = run
				return false, resp, nil
			}
		}
		return true, resp, nil
	})
	return made, err
}

// annotate appends the annotations that the check does not have yet. GitHub
// appends, so an update must not be sent twice: where its answer is lost, the
// check's own count says where to go on.
func (c *Client) annotate(ctx context.Context, in Check, run *github.CheckRun, annotations []*github.CheckRunAnnotation) error {
	op := operation{"add annotations to the check on commit " + in.Commit, "checks: write"}
	at, failed, pause := min(perCall, len(annotations)), 0, c.opt.Pause
	for at < len(annotations) {
		to := min(at+perCall, len(annotations))
		err := c.do(ctx, op, func(ctx context.Context) (*github.Response, error) {
			_, resp, err := c.api.Checks.UpdateCheckRun(ctx, c.owner, c.name, run.GetID(), github.UpdateCheckRunOptions{
				Name: in.Name, Output: in.output(annotations[at:to]),
			})
			return resp, err
		})
		if err == nil {
			at, failed, pause = to, 0, c.opt.Pause
			continue
		}
		if failed++; !unclear(err) || failed == attempts {
			return err
		}
		if err := sleep(ctx, pause); err != nil {
			return err
		}
		pause *= 2
		count, countErr := c.annotationCount(ctx, run.GetID())
		if countErr != nil {
			return errors.Join(err, countErr)
		}
		at = max(at, min(count, to))
	}
	return nil
}

func (c *Client) annotationCount(ctx context.Context, id int64) (int, error) {
	var run *github.CheckRun
	err := c.do(ctx, operation{"read the check again", "checks: write"}, func(ctx context.Context) (resp *github.Response, err error) {
		run, resp, err = c.api.Checks.GetCheckRun(ctx, c.owner, c.name, id)
		return resp, err
	})
	return run.GetOutput().GetAnnotationsCount(), err
}

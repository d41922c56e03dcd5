package bot

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/google/go-github/v60/github"
)

// Run is a workflow run.
type Run struct {
	ID         int64
	Attempt    int
	Workflow   int64  // number of the workflow that it is a run of
	Event      string // that started it
	Status     string // completed, or what comes before that
	Conclusion string // success, failure, cancelled…; "" before it is completed
	Commit     string // head SHA
	URL        string
}

// Run returns a workflow run.
func (c *Client) Run(ctx context.Context, id int64) (Run, error) {
	var r *github.WorkflowRun
	op := operation{fmt.Sprintf("read run %d", id), "actions: read"}
	err := c.do(ctx, op, func(ctx context.Context) (resp *github.Response, err error) {
		r, resp, err = c.api.Actions.GetWorkflowRunByID(ctx, c.owner, c.name, id)
		return resp, err
	})
	if err != nil {
		return Run{}, err
	}
	return Run{
		ID: r.GetID(), Attempt: r.GetRunAttempt(), Workflow: r.GetWorkflowID(), Event: r.GetEvent(), Status: r.GetStatus(),
		Conclusion: r.GetConclusion(), Commit: r.GetHeadSHA(), URL: r.GetHTMLURL(),
	}, nil
}

// Rerun has a completed run done again, or only its failed jobs. It is not
// repeated where the answer is lost: twice would be once too often.
func (c *Client) Rerun(ctx context.Context, id int64, onlyFailed bool) error {
	op := operation{fmt.Sprintf("run %d again", id), "actions: write"}
	err := c.do(ctx, op, func(ctx context.Context) (*github.Response, error) {
		if onlyFailed {
			return c.api.Actions.RerunFailedJobsByID(ctx, c.owner, c.name, id)
		}
		return c.api.Actions.RerunWorkflowByID(ctx, c.owner, c.name, id)
	})
	var denied *PermissionError
	if errors.As(err, &denied) && denied.Status == http.StatusForbidden && !strings.Contains(denied.Message, "not accessible") {
		return &StatusError{denied.Doing, denied.Status, denied.Message} // too old, or running already
	}
	return err
}

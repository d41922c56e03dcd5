package bot

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/google/go-github/v60/github"
)

// PermissionError says that the token may not do something. The report is
// elsewhere too, so it is no reason to fail a run.
type PermissionError struct {
	Doing      string // what was tried, such as "write a comment on pull request 3"
	Permission string // for the workflow's permissions, such as "pull-requests: write"; "" where none would help
	Status     int    // HTTP status: 401, 403 or 404
	Message    string // GitHub's own words
}

func (e *PermissionError) Error() string {
	text := fmt.Sprintf("the token may not %s (%d: %s)", e.Doing, e.Status, e.Message)
	switch {
	case e.Status == http.StatusUnauthorized:
		return text + "; it is expired or of another server, pass ${{ github.token }} as github-token"
	case e.Permission != "":
		return text + fmt.Sprintf("; add \"%s\" to the workflow's permissions. On pull requests from forks the token can only read: use the two workflows of docs/workflows, the second of which runs isodelta publish", e.Permission)
	}
	return text
}

// LimitError says that GitHub's rate limit lasts longer than MaxWait.
type LimitError struct {
	Doing string
	Wait  time.Duration // that GitHub asks for
	Max   time.Duration // that was allowed in all
}

func (e *LimitError) Error() string {
	return fmt.Sprintf("cannot %s: GitHub's rate limit is used up and asks to wait %v, more than the %v allowed; run the job again later",
		e.Doing, e.Wait.Round(time.Second), e.Max)
}

// NotFoundError says that something is not there, or hidden from the token.
type NotFoundError struct {
	Doing   string
	Message string
}

func (e *NotFoundError) Error() string {
	return fmt.Sprintf("cannot %s: %s", e.Doing, e.Message)
}

// TooLongError says that a text is longer than GitHub takes. Nothing was sent.
type TooLongError struct {
	What      string // such as "the comment"
	Len, Room int    // in characters
}

func (e *TooLongError) Error() string {
	return fmt.Sprintf("%s has %d characters, %d are allowed; render it with a lower limit", e.What, e.Len, e.Room)
}

// operation is what a request is for, in words of a message, with the
// permission that it takes.
type operation struct{ doing, permission string }

// do calls f, and calls it again after a limit that was slept out.
func (c *Client) do(ctx context.Context, op operation, f func(context.Context) (*github.Response, error)) error {
	for {
		_, err := f(ctx)
		if err == nil {
			return nil
		}
		if ctx.Err() != nil {
			return fmt.Errorf("cannot %s: %w", op.doing, ctx.Err())
		}
		wait, limited := limitOf(err)
		if !limited {
			return explain(op, err)
		}
		waited, sleepErr := c.waitFor(ctx, wait)
		if sleepErr != nil {
			return fmt.Errorf("cannot %s: %w", op.doing, sleepErr)
		}
		if !waited {
			return &LimitError{op.doing, wait, c.opt.MaxWait}
		}
	}
}

// explain puts an error of go-github into words.
func explain(op operation, err error) error {
	var answer *github.ErrorResponse
	if !errors.As(err, &answer) || answer.Response == nil {
		return fmt.Errorf("cannot %s: GitHub cannot be reached: %w", op.doing, err)
	}
	message := answer.Message
	for _, e := range answer.Errors {
		if e.Message != "" {
			message += ": " + e.Message
		}
	}
	status := answer.Response.StatusCode
	if message == "" {
		message = http.StatusText(status)
	}
	switch status {
	case http.StatusUnauthorized, http.StatusForbidden:
		return &PermissionError{op.doing, op.permission, status, message}
	case http.StatusNotFound:
		// GitHub hides what a token may not see; for writing that is the
		// likelier reason, because what is written to was read before.
		if writes(answer.Response) {
			return &PermissionError{op.doing, op.permission, status, message}
		}
		return &NotFoundError{op.doing, message}
	}
	return &StatusError{op.doing, status, message}
}

func writes(r *http.Response) bool { return r.Request != nil && r.Request.Method != http.MethodGet }

// StatusError is any other refusal.
type StatusError struct {
	Doing   string
	Status  int
	Message string
}

func (e *StatusError) Error() string {
	return fmt.Sprintf("cannot %s: GitHub answers %d: %s", e.Doing, e.Status, e.Message)
}

// unclear reports whether the request may have been carried out although its
// answer is an error.
func unclear(err error) bool {
	var status *StatusError
	if errors.As(err, &status) {
		return status.Status >= 500
	}
	var (
		denied  *PermissionError
		limit   *LimitError
		missing *NotFoundError
	)
	return !errors.As(err, &denied) && !errors.As(err, &limit) && !errors.As(err, &missing) &&
		!errors.Is(err, context.Canceled) && !errors.Is(err, context.DeadlineExceeded)
}

// unprocessable reports whether GitHub does not take what was sent.
func unprocessable(err error) bool {
	var status *StatusError
	return errors.As(err, &status) && status.Status == http.StatusUnprocessableEntity
}

// isNotFound reports whether the thing is gone.
func isNotFound(err error) bool {
	var missing *NotFoundError
	var denied *PermissionError
	return errors.As(err, &missing) || errors.As(err, &denied) && denied.Status == http.StatusNotFound
}

package publish

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
)

// Event is what GitHub tells about the workflow run that ended.
type Event struct {
	RunID          int64
	Attempt        int
	Trigger        string // event that started the run
	Conclusion     string
	HeadSHA        string
	HeadRepository string // owner/name
	// Numbers of pull requests, as far as GitHub knows them: none for forks.
	Numbers []int
}

// maxEvent bounds the event file, in bytes.
const maxEvent = 32 << 20

var (
	hash           = regexp.MustCompile(`^([0-9a-f]{40}|[0-9a-f]{64})$`)
	repositoryName = regexp.MustCompile(`^[A-Za-z0-9_.-]+/[A-Za-z0-9_.-]+$`)
)

// ParseEvent reads the document of the event workflow_run.
func ParseEvent(r io.Reader) (Event, error) {
	var d struct {
		Action string `json:"action"`
		Run    *struct {
			ID         int64  `json:"id"`
			Attempt    int    `json:"run_attempt"`
			Event      string `json:"event"`
			Conclusion string `json:"conclusion"`
			HeadSHA    string `json:"head_sha"`
			Head       struct {
				FullName string `json:"full_name"`
			} `json:"head_repository"`
			PullRequests []struct {
				Number int `json:"number"`
			} `json:"pull_requests"`
		} `json:"workflow_run"`
	}
	text, err := io.ReadAll(io.LimitReader(r, maxEvent+1))
	if err == nil && len(text) > maxEvent {
		err = fmt.Errorf("it is larger than %d MiB", maxEvent>>20)
	}
	if err == nil {
		err = json.Unmarshal(text, &d)
	}
	switch {
	case err != nil:
	case d.Run == nil:
		err = errors.New("it names no workflow run: isodelta publish runs on the event workflow_run")
	case d.Action != "" && d.Action != "completed":
		err = fmt.Errorf("the run is %.40q; use workflow_run with types: [completed]", d.Action)
	case d.Run.ID <= 0 || !hash.MatchString(d.Run.HeadSHA):
		err = errors.New("the workflow run has no number or no head commit")
	}
	if err != nil {
		return Event{}, fmt.Errorf("the event file cannot be used: %w", err)
	}
	e := Event{
		RunID: d.Run.ID, Attempt: max(d.Run.Attempt, 1), Trigger: d.Run.Event, Conclusion: d.Run.Conclusion,
		HeadSHA: d.Run.HeadSHA,
	}
	if repositoryName.MatchString(d.Run.Head.FullName) {
		e.HeadRepository = d.Run.Head.FullName
	}
	for _, p := range d.Run.PullRequests {
		e.Numbers = append(e.Numbers, p.Number)
	}
	return e, nil
}

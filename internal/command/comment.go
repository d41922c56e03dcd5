package command

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/isodelta/isodelta/action"
	"github.com/isodelta/isodelta/bot"
)

// runComment is a step of a workflow on issue_comment: it answers /isodelta
// accept and /isodelta rerun. Whatever is asked for, the step does not fail.
func runComment(ctx context.Context, args []string, streams Streams) (int, error) {
	step, err := openStep("comment", args, streams)
	if err != nil {
		return 0, err
	}
	defer step.event.Close()
	comment, err := parseComment(step.event)
	if err != nil {
		return 0, usageError{err}
	}
	comment.Artifact = strings.TrimSpace(os.Getenv("INPUT_ARTIFACT"))
	ctx, cancel := context.WithTimeout(ctx, apiTime)
	defer cancel()
	r, err := step.client.Respond(ctx, comment)
	if err != nil {
		step.log.Message(action.LevelWarning, "The comment is not answered: "+err.Error())
		return exitOK, nil
	}
	step.log.Line(r.Message)
	return exitOK, nil
}

// parseComment reads the document of the event issue_comment.
func parseComment(r io.Reader) (bot.IssueComment, error) {
	type user struct {
		Login string `json:"login"`
		Type  string `json:"type"`
	}
	var d struct {
		Action string `json:"action"`
		Issue  struct {
			Number      int              `json:"number"`
			PullRequest *json.RawMessage `json:"pull_request"`
		} `json:"issue"`
		Comment *struct {
			ID   int64  `json:"id"`
			Body string `json:"body"`
			User user   `json:"user"`
		} `json:"comment"`
		Sender user `json:"sender"`
	}
	const maxEvent = 32 << 20 // bytes; GitHub sends at most 25 MB
	text, err := io.ReadAll(io.LimitReader(r, maxEvent+1))
	if err == nil && len(text) > maxEvent {
		err = fmt.Errorf("it is larger than %d MiB", maxEvent>>20)
	}
	if err == nil {
		err = json.Unmarshal(text, &d)
	}
	if err == nil && (d.Comment == nil || d.Comment.ID <= 0 || d.Issue.Number <= 0) {
		err = fmt.Errorf("it names no comment: isodelta comment runs on the event issue_comment")
	}
	if err != nil {
		return bot.IssueComment{}, fmt.Errorf("the event file cannot be used: %w", err)
	}
	return bot.IssueComment{
		Action: d.Action, ID: d.Comment.ID, PullRequest: d.Issue.Number, OnPullRequest: d.Issue.PullRequest != nil,
		Author: d.Comment.User.Login, Bot: d.Comment.User.Type == "Bot", Sender: d.Sender.Login, Body: d.Comment.Body,
	}, nil
}

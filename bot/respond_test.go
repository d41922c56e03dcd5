package bot

import (
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/isodelta/isodelta/bot/githubtest"
	"github.com/isodelta/isodelta/diff/acceptance"
)

func TestAcceptances(t *testing.T) {
	t.Parallel()
	state := pull()
	state.Collaborators["her"] = "write"
	say := func(author, body string) {
		id := int64(len(state.Comments) + 1)
		state.Comments = append(state.Comments, githubtest.Comment{ID: id, Issue: 7, Author: author, Body: body})
	}
	say("wes", "/isodelta accept 00000000000000000000000000000001 the first word")
	say("rob", "/isodelta accept 00000000000000000000000000000002 may only read")
	say("tom", "/isodelta accept 00000000000000000000000000000003 may only triage")
	say("stranger", "/isodelta accept 00000000000000000000000000000004 is nobody here")
	say("ann", "/isodelta accept 00000000000000000000000000000005 is an admin\nand more lines")
	say("mia", "/isodelta accept 00000000000000000000000000000006 maintains")
	say("wes", "> /isodelta accept 00000000000000000000000000000007 quotes")
	say("wes", "/isodelta rerun")
	say("wes", "/isodelta accept nonsense")
	say("dependabot[bot]", "/isodelta accept 00000000000000000000000000000008 is a bot")
	say(me, "/isodelta accept 00000000000000000000000000000009 is this bot")
	say("", "/isodelta accept 0000000000000000000000000000000a has no account any more")
	say("her", "/isodelta accept 00000000000000000000000000000001 the last word")
	say("wes", "/isodelta accept 0000000000000000000000000000000b edited by himself")
	say("wes", "/isodelta accept 0000000000000000000000000000000c edited by another")
	for i, editor := range map[int]string{13: "wes", 14: "ann"} {
		state.Comments[i].Editor = editor
		state.Comments[i].Updated = state.Comments[i].Created.AddDate(2030, 0, 0)
	}
	s, c := double(t, githubtest.Options{State: state, PageSize: 4})
	entries, ignored, err := c.Acceptances(context.Background(), 7)
	if err != nil {
		t.Fatal(err)
	}
	want := []acceptance.Entry{
		{ID: "00000000000000000000000000000005", Reason: "is an admin", By: "ann", From: acceptance.FromComment},
		{ID: "00000000000000000000000000000006", Reason: "maintains", By: "mia", From: acceptance.FromComment},
		{ID: "00000000000000000000000000000001", Reason: "the last word", By: "her", From: acceptance.FromComment},
		{ID: "0000000000000000000000000000000b", Reason: "edited by himself", By: "wes", From: acceptance.FromComment},
	}
	if diff := cmp.Diff(want, entries); diff != "" {
		t.Error(diff)
	}
	var why []string
	for _, i := range ignored {
		why = append(why, i.Author+": "+i.Why)
	}
	said := strings.Join(why, "\n")
	for _, w := range []string{"rob: rob has no write", "tom: ", "stranger: ", "wes: \"nonsense\" is no", "\n:  has no write", "edited by ann"} {
		if !strings.Contains(said, w) {
			t.Errorf("%q is not said:\n%s", w, said)
		}
	}
	if len(ignored) != 6 {
		t.Errorf("%d are ignored:\n%s", len(ignored), said)
	}
	if n := s.Calls("GET", "/collaborators/wes/"); n != 1 {
		t.Errorf("the access of one person was asked for %d times", n)
	}

	// Where nobody tells who edited, an edited command does not count.
	s.Fail(githubtest.Status(403, 0).On("", "graphql"))
	entries, _, err = client(t, s, Options{}).Acceptances(context.Background(), 7)
	if err != nil || len(entries) != 3 {
		t.Errorf("without GraphQL: %v, %v", entries, err)
	}
	// Where nobody tells who may what, nothing is accepted.
	s.Fail(githubtest.Status(500, 0).On("", "collaborators"))
	if entries, _, err := client(t, s, Options{}).Acceptances(context.Background(), 7); err == nil {
		t.Errorf("without permissions: %v", entries)
	}
}

func TestRespond(t *testing.T) {
	t.Parallel()
	const accept = "/isodelta accept 0badc0de0badc0de0badc0de0badc0de it is meant"
	tests := []struct {
		name     string
		in       IssueComment
		run      githubtest.Run // behind the report, ID 10
		report   string         // commit of the report, "" for none
		token    string
		reaction string
		done     bool
		reruns   int
		failed   int
		says     string
	}{
		{name: "accept after a failure", in: IssueComment{Author: "wes", Body: accept}, report: second, run: githubtest.Run{Status: "completed", Conclusion: "failure"}, reaction: "+1", done: true, failed: 1, says: "failed jobs of run 10"},
		{name: "accept after a success", in: IssueComment{Author: "wes", Body: accept}, report: second, run: githubtest.Run{Status: "completed", Conclusion: "success"}, reaction: "+1", done: true, says: "did not fail"},
		{name: "accept during the run", in: IssueComment{Author: "mia", Body: accept}, report: second, run: githubtest.Run{Status: "in_progress"}, reaction: "+1", done: true, says: "under way"},
		{name: "accept before any report", in: IssueComment{Author: "wes", Body: accept}, reaction: "+1", done: true, says: "no report"},
		{name: "accept while the next commit runs", in: IssueComment{Author: "wes", Body: accept}, report: first, reaction: "+1", done: true, says: "earlier commit"},
		{name: "accept without the right to rerun", in: IssueComment{Author: "wes", Body: accept}, report: second, run: githubtest.Run{Status: "completed", Conclusion: "failure"}, token: "no reruns", reaction: "+1", done: true, says: "actions: write"},
		{name: "rerun", in: IssueComment{Author: "ann", Body: "/isodelta rerun"}, report: second, run: githubtest.Run{Status: "completed", Conclusion: "success"}, reaction: "+1", done: true, reruns: 1, says: "run 10 is run again"},
		{name: "rerun without a report", in: IssueComment{Author: "ann", Body: "/isodelta rerun"}, reaction: "confused", says: "no report"},
		{name: "rerun of a run that is gone", in: IssueComment{Author: "ann", Body: "/isodelta rerun"}, report: second, run: githubtest.Run{ID: 99}, reaction: "confused", says: "cannot read run 10"},
		{name: "rerun of a push", in: IssueComment{Author: "ann", Body: "/isodelta rerun"}, report: second, run: githubtest.Run{Status: "completed", Conclusion: "success", Event: "push"}, reaction: "confused", says: "started by push"},
		{name: "rerun of another commit", in: IssueComment{Author: "ann", Body: "/isodelta rerun"}, report: second, run: githubtest.Run{Status: "completed", Conclusion: "success", Commit: first}, reaction: "confused", says: "is about 1111111111"},
		{name: "rerun of another workflow", in: IssueComment{Author: "ann", Body: "/isodelta rerun", Artifact: "behaviour"}, report: second, run: githubtest.Run{Status: "completed", Conclusion: "success"}, reaction: "confused", says: "no artifact behaviour"},
		{name: "accept after a failed release", in: IssueComment{Author: "wes", Body: accept}, report: second, run: githubtest.Run{Status: "completed", Conclusion: "failure", Event: "release"}, reaction: "+1", done: true, says: "started by release"},
		{name: "not allowed", in: IssueComment{Author: "rob", Body: accept}, report: second, run: githubtest.Run{Status: "completed", Conclusion: "failure"}, reaction: "-1", says: "no write access"},
		{name: "not allowed to triage either", in: IssueComment{Author: "tom", Body: "/isodelta rerun"}, report: second, run: githubtest.Run{Status: "completed"}, reaction: "-1"},
		{name: "not allowed, not understood", in: IssueComment{Author: "rob", Body: "/isodelta dance"}, reaction: "-1"},
		{name: "not understood", in: IssueComment{Author: "wes", Body: "/isodelta dance"}, reaction: "confused", says: "knows no"},
		{name: "no command", in: IssueComment{Author: "wes", Body: "thanks\n" + accept}},
		{name: "edited", in: IssueComment{Author: "wes", Body: accept, Action: "edited"}},
		{name: "bot", in: IssueComment{Author: "wes", Body: accept, Bot: true}},
		{name: "edited by another", in: IssueComment{Author: "wes", Body: accept, Sender: "rob"}},
		{name: "token that may not react", in: IssueComment{Author: "wes", Body: accept}, token: "no reactions", reaction: "+1", done: true, says: "may not react"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			state := pull()
			state.Tokens = []githubtest.Token{
				{Token: githubtest.DefaultToken, Login: me, App: "github-actions"},
				{Token: "no reruns", Login: me, App: "github-actions", Permissions: map[string]string{"pull-requests": "write", "actions": "read", "contents": "read"}},
				{Token: "no reactions", Login: me, App: "github-actions", Permissions: map[string]string{"pull-requests": "read", "actions": "write"}},
			}
			if test.run.ID == 0 {
				test.run.ID = 10
			}
			test.run.Attempt = 1
			if test.run.Commit == "" {
				test.run.Commit = second
			}
			if test.run.Event == "" {
				test.run.Event = "pull_request"
			}
			state.Runs = []githubtest.Run{test.run}
			state.Artifacts = []githubtest.Artifact{{ID: 1, Run: 10, Name: "isodelta-shard-1"}}
			state.Comments = []githubtest.Comment{
				{ID: 1, Issue: 7, Author: test.in.Author, Body: test.in.Body},
				// A marker of somebody else points to no run.
				{ID: 2, Issue: 7, Author: "rob", Body: reported("x", marker{DefaultKey, second, 666, 1})},
			}
			if test.report != "" {
				state.Comments = append(state.Comments, githubtest.Comment{ID: 3, Issue: 7, Author: me, Body: reported("report", marker{DefaultKey, test.report, 10, 1})})
			}
			s := githubtest.Start(t, githubtest.Options{State: state})
			in := test.in
			in.ID, in.PullRequest, in.OnPullRequest = 1, 7, true
			if in.Action == "" {
				in.Action = "created"
			}
			if in.Sender == "" {
				in.Sender = in.Author
			}
			r, err := client(t, s, Options{Token: test.token}).Respond(context.Background(), in)
			if err != nil {
				t.Fatal(err)
			}
			if r.Reaction != test.reaction || r.Done != test.done || !strings.Contains(r.Message, test.says) {
				t.Errorf("the response is %+v", r)
			}
			after := s.State()
			if got := after.Runs[0]; got.Reruns != test.reruns || got.FailedReruns != test.failed {
				t.Errorf("run again %d times, its failed jobs %d times", got.Reruns, got.FailedReruns)
			}
			reaction := ""
			for _, r := range after.Comments[0].Reactions {
				reaction += r.Content
			}
			if want := test.reaction; reaction != want && test.token != "no reactions" {
				t.Errorf("the comment has the reactions %q", reaction)
			}
			if test.reaction == "" && len(s.Requests()) > 0 {
				t.Errorf("%d requests for a comment that gets no answer", len(s.Requests()))
			}
			if s.Calls("", "666") > 0 {
				t.Error("somebody else's marker was believed")
			}
		})
	}
}

func TestRespondNotOnIssues(t *testing.T) {
	t.Parallel()
	s, c := double(t, githubtest.Options{State: pull()})
	r, err := c.Respond(context.Background(), IssueComment{Action: "created", ID: 1, PullRequest: 7, Author: "ann", Sender: "ann", Body: "/isodelta rerun"})
	if err != nil || r.Reaction != "" || len(s.Requests()) > 0 {
		t.Errorf("an issue: %+v, %v", r, err)
	}
}

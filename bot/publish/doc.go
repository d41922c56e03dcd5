// Package publish is the second of the two workflows for pull requests from
// forks: it posts what the first one found.
//
// The first runs the pull request's code with a token that can only read, and
// uploads the event stream as an artifact. This one has a token that may write,
// so it believes nothing of the first: the pull request is asked for by the
// head commit that GitHub's own event names, the stream is bounded, validated
// and must be about that commit or a merge of it, compared with a commit of the
// branch that the pull request goes to. Policy and acceptances are those of base
// and of comments (package trust), and everything in the stream is rendered as
// hostile text (package report), the linked report.html too. No code is checked out
// or run.
//
// Where the stream is refused, nothing of it is shown: the check is neutral and
// says so in words of our own, the log has the error.
//
// What it cannot do: a pull request's code runs in the same job as the
// comparison, so it can falsify the stream as a whole, within what is valid. So
// the first line of comment and check says who reports, the check is never a
// success, and no code of the stream is offered for pasting.
package publish

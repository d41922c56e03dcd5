// Package bot is everything that talks to GitHub's API: the sticky comment, the
// check run, who a commit's pull request is, what a workflow run left behind,
// and the commands that people write under a pull request.
//
// The comment of a configuration is found again by its first line, by a hidden
// marker on its last line and by its author: a marker in anybody else's comment,
// or in one of another workflow of the same account, is text. The marker carries
// commit, run and attempt, so that of two runs the one about the pull request's
// head wins, and at the same commit the later one; a run that is later than the
// present one counts only where GitHub confirms it. The API cannot
// write on a condition, so Post reads again right before it writes and once more
// shortly after; what the other run did meanwhile is then found and put right by
// whichever of the two is newer.
//
// Reading, editing and deleting are repeated on network errors and answers
// above 499; creating only after a look whether the first attempt came through.
// Limits of the rate are slept out up to Options.MaxWait. A token that may not
// do something gives a *PermissionError, which names the permission to add to
// the workflow: callers say so and go on, because the report is in the step
// summary as well.
//
// Files and commits of base are read for package trust, which judges by them what
// other jobs found.
//
// Artifacts are hostile: only files of expected names are unpacked, into memory
// and up to a limit, and the token never goes to the host that stores them.
//
// A run is done again only if it is of the event pull_request, about the head
// commit, and left the artifact of a comparison: its number comes out of a comment.
//
// What it cannot do: it cannot tell its own comment from one that another workflow
// of the same account posts as a whole in the words of a pull request. It renders nothing (package report), and it does not see
// who edited a comment where the token may not ask GraphQL; an edited command
// does not count then.
package bot

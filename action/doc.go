// Package action is isodelta as a step of a GitHub workflow.
//
// A [Job] reads its environment once ([ReadEnvironment]), the event that
// started the run ([LoadEvent]), and finds the two commits that the event is
// about ([Choose]). Package checkout fetches what a shallow checkout lacks. The
// engine then compares them, and the job writes, in this order: the step
// summary, the files of the output directory, the report and annotations into
// the log, and the outputs. The summary is written whatever else fails, also
// where no comparison could be made.
//
// # Two jobs
//
// [Job.Run] runs the code of the pull request, so it is given no token that can
// write, asks GitHub for nothing but missing commits, and posts nothing.
// [Job.Merge], in a job that has the token and runs nothing of the pull request,
// reads the stream or the shards' streams that other jobs left, and makes the
// comment and the check through package bot as well. Nothing that GitHub refuses
// makes it fail: the exit code says what the policy says.
//
// # Which commits
//
// On a pull request the head is what is checked out. Where that is the merge
// that GitHub makes of the pull request, the base is its first parent;
// otherwise it is the merge base. A push is compared with what was there
// before, a new branch with where it left the default branch, an entry of the
// merge queue with the one before, a release with the release before it, and a
// scheduled run with the latest release. The inputs base and head come before
// all that. Where the checkout and the event are not about the same commit,
// the report says so.
//
// # Hostile input
//
// Names of branches and files, values of tests and the words of compilers
// and servers reach the log, where lines may be workflow commands: [Log] keeps
// them from being that. Outputs are written only if they have the shape that
// they are known to have. Run refuses to run on pull_request_target,
// where strangers' tests would run with a token that can write.
//
// [Job.Merge] reports what other jobs compared, one or several shards, with nothing
// of the repository on the disk. Those jobs ran the pull request's code, so their
// streams are refused unless they are about this run's commits, and policy and
// acceptances are base's (package trust).
//
// # A cancelled job
//
// GitHub sends an interrupt and ends the step some seconds later. The
// comparison is given five of them to sum up; then what it found so far is
// reported as incomplete, in the summary and in the files, and nothing is
// posted: another run has taken this one's place.
//
// # The cache
//
// A whole result is kept under a key made of the two versions' files, the
// program, the Go toolchain and every option that influences it. A result taken
// from there says so. What tests read from elsewhere (the network, other
// variables of the environment) is not part of the key.
//
// # What it cannot do
//
// Annotations are limited by GitHub to ten of each level for a step. A
// comparison that does not stop within the five seconds is left to the runner
// to end, and its temporary files with it; those below
// RUNNER_TEMP that a killed run leaves are removed by the next one.
package action

// Package workflowtest tests action.yml, the workflows that users copy
// (docs/workflows), and this repository's own (.github/workflows).
//
// It holds tests only. Some read the files: every input that a workflow gives is
// one that action.yml takes, what a document shows to copy is what is tested, and
// all of it keeps those rules of zizmor that need no network (audit_test.go), since
// no registry that this project uses has zizmor itself. Others run the files as
// they are shipped: actionlint and shellcheck check them, and act runs them as
// GitHub's runner would, against a double of GitHub's API (bot/githubtest), after
// which the comment is rendered and read.
//
// act, actionlint and shellcheck have to be on the PATH. Where they are not, those
// tests are skipped, or fail where tools are required (package internal/required),
// as in .ci/run, which also installs them. With -short nothing runs under act.
//
// Actions of others are not downloaded: testdata/actions has stand-ins, which
// keep artifacts in a folder, say what a cache would be asked for, and do nothing
// for checkout and setup-go. Nor are attestations asked for: testdata/bin/gh stands
// for gh. So what those themselves do is not tested here, nor other runners than
// Linux.
package workflowtest

// Package commits compares the two versions of real commits, and judges what is reported
// by running the tests to paste.
//
// # How
//
// testdata/commits.json names commits of public repositories: regressions, with the commit
// that later mended each, refactorings, and ordinary changes; testdata/fresh.json, for
// -commits, names regressions that were mined later, testdata/services.json those of handlers,
// routers, clients, commands, loggers and encoders; docs/evaluation.md tells the first run of these,
// for which nothing was tuned, from later ones. No repository is fetched: -clones
// names a folder with a clone of each repository, as owner+name, owner+name/repo or name.
// Each is cloned from there to a folder of its own, and compared by the isodelta command as
// a user would, after go mod download of both versions; -streams names a folder with streams that were written before, ID.jsonl,
// instead.
//
// Each test to paste is put beside the code of base, of head and of the commit that mended
// the regression, and run with go test. One that passes on base, fails on head and passes
// on the mended code shows the regression itself. One that does not pass on base, or does
// not fail on head, is unsound. The place of an item is that in the report: what is small,
// intended or accepted is folded, and is no item.
//
// # What it cannot do
//
// Findings without a test are not judged, so that a regression may be shown by more items
// than are counted. Whether an item is worth its reader's time is for people to say.
package commits

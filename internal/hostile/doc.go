// Package hostile tries to break out of the sandbox. Its testdata holds a
// module whose tests write, connect, signal, outlive, fill and forge; they run
// as the tests of a pull request do, at every level and as every user that the
// machine gives, and what happened is compared with what the level promises
// ([github.com/isodelta/isodelta/runner/execute/sandbox.Gap]).
//
// The table in docs/security.md is what one run of it found:
//
//	go test ./internal/hostile -update
//
// Whatever is attacked was made by the test itself: files in a folder next to
// the writable one, servers on loopback, processes that sleep. Amounts are
// small.
package hostile

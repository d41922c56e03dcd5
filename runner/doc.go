// Package runner compares two versions of a Go module and tells what differs
// in behaviour. It is the engine: it emits events and prints nothing.
//
// # How
//
// A comparison is a journey through stages. Each stage is a package of its own, with
// values in and values out; this package brings them into their order, hands on what
// they return, and sums up:
//
//  1. revision resolves base and head with go-git and writes both trees into a
//     temporary directory. The user's repository is only read.
//  2. load parses and type-checks both; matching asks isomorph to match their
//     control-flow graphs (Algorithm 1 of the ISON paper) and to find the changed
//     set Δ. If Δ is empty, that is the answer, and nothing is built.
//  3. instrument rewrites the code of each version (each condition becomes
//     negatable) and the tests of each suite (each value that a test looks at
//     becomes an observation). matching then pairs the conditions of both versions.
//  4. build makes, for each suite and affected package, one test binary for base and
//     one for head. A suite always runs in its own tree; the other version's code
//     comes as an overlay of it, so both versions run the same tests, with the same
//     testdata, at the same path. Test declarations that do not fit the other version
//     are dropped one by one, and listed. reach adds what makes calls of our own to
//     the binaries, relation/check the relations that functions may have.
//  5. baseline runs every test five times on both versions, in two processes, those
//     nearest to the change first. What varies by itself is left out and listed. What
//     differs is *observed*.
//  6. reach calls functions that show the change, on both versions, with inputs of its
//     own (package calls): what differs is *reached*. An input is shrunk and run again
//     in fresh processes before it becomes a finding. Where there is a budget, the
//     nearest package is called for a few seconds as soon as it is built, so that who
//     waits sees a first difference soon.
//  7. relation/check runs the same groups of calls on both versions, for the
//     metamorphic relations that are declared, that relation suggests, and that
//     relation/automr infers from base: what holds on base and not on head is
//     *broken*, and confirmed like a finding.
//  8. negation chooses negation sets (Algorithm 2); negation/explore runs them on both
//     versions, and diff compares. What differs is *forced*.
//  9. confirm runs each observed or forced difference again as soon as it comes up, in
//     five fresh processes on both versions, negated and not, before it becomes a
//     finding. What was like findings that stand already waits until here, and is
//     worked off while there is time.
//  10. reach goes on making calls in the time that is left over.
//  11. paste tries the Go tests that were written for findings and broken relations:
//     one is shown if it passes on base and fails on head.
//  12. The summary folds forced findings whose branch a reached input takes into that
//     one, puts findings into clusters, draws graphs and counts adequacy (coverage),
//     and tells how the time was spent.
//
// Head's suite, the common test set of the paper's section 3.2, runs whole; of
// base's suite those tests run that the change edits or removes, because the
// rest are the same tests.
//
// Package budget says until when each stage may go on. What has no time is listed.
// Relations, Replay, ReplayRelation and ReplayGroup begin as a comparison does, and run
// only some of the stages.
//
// # What it cannot do
//
// It compares on the platform it runs on. At the top of a repository the modules that the change
// is in are compared one after the other, each by itself, into one stream: conditions, entries and
// relations are numbered for each module, and a workspace loaded at once would give a module
// other versions of its dependencies than its own go.mod does. A difference that two of them show
// is told twice. Of modules that only use one of them those are compared whose tests the change edits.
// Tests of a nested module that drive the code of another are run for it if their packages are asked for, and the nested
// module takes the other from its folder. A change that shows
// only in files read at run time is reported as a limit. A negated branch may be one
// that no input takes, which is why forced findings stand below observed ones.
package runner

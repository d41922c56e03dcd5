// Package runner compares two versions of a Go module and tells what differs
// in behaviour. It is the engine: it emits events and prints nothing.
//
// The journey of a comparison, and the package that does each step:
//
//  1. revision resolves base and head with go-git and writes both trees into a
//     temporary directory. The user's repository is only read.
//  2. load parses and type-checks both; isomorph matches their control-flow
//     graphs (Algorithm 1 of the ISON paper) and finds the changed set Δ. If Δ
//     is empty, that is the answer, and nothing is built.
//  3. instrument rewrites the code of each version (each condition becomes
//     negatable) and the tests of each suite (each value that a test looks at
//     becomes an observation). The results go into overlays.
//  4. execute builds, for each suite and affected package, one test binary for
//     base and one for head. A suite always runs in its own tree; the other
//     version's code comes as an overlay of it, so both versions run the same
//     tests, with the same testdata, at the same path. Test declarations that
//     do not fit the other version are dropped one by one, and listed.
//  5. The baseline: every test five times on both versions, in two processes.
//     What varies by itself is left out and listed. What differs is *observed*.
//  6. replay calls functions that show the change, on both versions, with inputs
//     of its own: what differs is *reached*. It takes most of the budget, and
//     what negation leaves over.
//  7. relation gives the metamorphic relations that functions showing the change
//     may have; swarm infers laws of those on numbers from base. The same groups
//     of calls are run on both versions (replay): what holds on base and not on
//     head is *broken*, and confirmed like a finding. Package adequacy measures
//     how much those groups tested.
//  8. negation chooses negation sets (Algorithm 2); both versions run them;
//     diff compares. What differs is *forced*.
//  9. Each difference is run again in five fresh processes on both versions,
//     negated and not, before it becomes a finding. A reached one is shrunk
//     first; a Go test is written for it, and shown if it passes on base and
//     fails on head. Forced findings whose branch a reached input takes are
//     folded into it.
//
// Head's suite, the common test set of the paper's section 3.2, runs whole; of
// base's suite those tests run that the change edits or removes, because the
// rest are the same tests.
//
// What it cannot do: it compares one module at a time, on the platform it runs
// on; a change that shows only in files read at run time is reported as a
// limit; and a negated branch may be one that no input takes, which is why
// forced findings stand below observed ones.
package runner

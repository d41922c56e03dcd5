// Package calls makes calls of our own on both versions and compares them: the
// second rung of the ladder, *reached*. An input that it finds is a real one, no
// code is modified, and it can be written as a Go test.
//
// How. One test binary of each version holds package harness and a generated
// file that registers what sequences of calls can name. The parent asks, and gets
// answers, as package wire describes:
//
//   - Package surface says what that is: NewAPI chooses it by types, CollectLiterals
//     gathers texts and numbers, NewHooks numbers functions whose calls are watched.
//   - A Search keeps one process of each version. Each makes sequences, led by
//     the branches that they take there, and runs the other's; so neither version
//     alone decides what is looked for. A process that ends is replaced; the
//     sequence under way is left out from then on, its numbers are kept small, and
//     an operation that is not changed itself and ends processes again and again
//     is not called any more, unless nothing else that is called leads to what is changed.
//     One whose loops do not end, and take ever longer, may make fewer rounds (shorten).
//     A search is Lost where next to nothing that it calls executes what changed; it is widened at once then.
//   - Where the versions differ is a Discrepancy: an operation and a component
//     (result, error, receiver, argument, what it printed, how the call ended, an earlier result).
//     Of one sequence only the first counts, the rest may be its consequence. Of
//     one discrepancy only a few witnesses are kept, so that an intended change
//     does not hide the others.
//   - Where the run time ends one version's process (a deadlock, a stack that overflows, a
//     fatal error, a panic on a goroutine) and the other version returns, that is a
//     discrepancy too. It is the run time's verdict that counts: it has to be the same in
//     each of some fresh processes. A call that had to be ended is tried alone, once, for
//     what an earlier sequence left behind may hide a deadlock. Batches are smaller while processes end, and what
//     the sequence ended with is left out of them.
//   - Which version alone gives an error belongs to a discrepancy, so that what is repaired does
//     not hide what is broken with it; and what head fails in, or does not return from, has room of its own among
//     the differences that are confirmed of one operation. And ExamineWays goes on where something is known to differ:
//     with calls that do not take all branches of the changed functions that the known one takes, and with those
//     that differ in another manner, by the characters, parts or numbers that are more on one version, by what
//     one version gives nothing for, or by a part that no known one has. One further input is confirmed as it is, with
//     fewer steps alone.
//   - Examine confirms: the most telling witness of a discrepancy is shrunk
//     (Shrink, after Zeller and Hildebrandt's delta debugging: fewer steps, then
//     simpler literals, and only while the difference stays as telling, and in the manner of the witness, for else
//     it becomes another one), and
//     repeated alone in a pair of fresh processes, which must agree each time. What does not
//     differ there is made twice in a row, for the first time may have left what it takes.
//     What a function calls back is tried plainly, too, and told in its place.
//   - The binary can run metamorphic groups and call functions of numbers in
//     batches: Sources makes source inputs, Relate runs groups of them on both
//     versions, ConfirmRelation shrinks and repeats one. Values returns what
//     calls give as values, also with conditions of the code negated. FreshValues does
//     that on both versions in fresh processes.
//   - An Aimer searches one version for sequences that take a branch; WriteTaking writes
//     a test of one.
//   - WriteTest writes a test that asserts what base does, and VerifyTest shows
//     it only if it passes on base and fails on head.
//
// The way of making sequences is Randoop's (Pacheco, Lahiri, Ernst, Ball:
// "Feedback-Directed Random Test Generation", ICSE 2007); comparing two versions
// instead of checking contracts, and what else differs, is told in package
// harness.
//
// What it cannot do:
//   - Only what can be named from a test of the package on both versions is
//     called. What the change adds, removes or gives a signature that callers of base
//     cannot mean has no counterpart; its callers are called instead.
//   - What a test built in unexported fields is written down for calls in place alone, and
//     changed only as a whole: parts of it by themselves may be states that no call leads to.
//   - Differences that only calls of unexported functions show are counted and
//     not reported: made-up arguments break promises that their callers keep. That is so
//     unless they are changed, and the package's own tests call them and no call executes them, or nothing else
//     differs and what calls them is as before: see Widen.
//     Functions that assign to package-level variables are left alone too, unless
//     they are what has changed, or they alone give what others take. Both are
//     called where nothing else reaches the change.
//   - Where an argument is nil, or nil is in a list, and nobody in the module gives the function nil there, and it
//     does not ask for it, a panic over nil is not reported. Nil lists and maps are values.
//   - Time-outs are no evidence: a call that waits for a connection that brings nothing, and one that works for ever
//     outside of the module, show nothing. A timer that a call waits for is due at once, after a millisecond where there are
//     connections, and what goes on by timers for
//     ever is ended as any endless loop is, or after 1,000 of them, 300 where there are connections; but a thread in a system call
//     has all of them wait as long as they say. A process that does nothing for a fifth of a second, on Linux, is not waited for. Code that varies by itself is not compared for
//     long: what does not repeat three times is given up.
//   - A difference that no visible component shows, in anything that can be done
//     with the value, stays unseen.
package calls

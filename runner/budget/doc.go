// Package budget divides the time of one comparison among its stages. It is the
// only place that knows shares, floors and what is allowed beyond the end; all of
// it is arithmetic on times that are passed in, so a table can test it.
//
// # How
//
// A Plan is made of the budget, of when the run began, and of what came up so far
// (Found). With a budget B:
//
//   - A package's tests are built if half of B is not over yet; the first package
//     in any case. Every build ends at 0.8 B.
//   - The baseline takes 40 % of what is left of B.
//   - Calls of our own take 60 % of what is left, and a quarter of B whatever
//     building took, but never go on after 1.05 B. The last quarter of their time
//     is for calls in place.
//   - Relations take a quarter of what is left. A function that is called for them when
//     the time for confirming is over, too, is ended.
//   - Negation takes the rest of B, less a tenth where there is something to write
//     tests to paste for.
//   - However long all before them took, relations and negation have a twenty-fifth of B
//     each, before 1.05 B.
//   - Calls go on in 85 % of what negation leaves over.
//   - What a stage has seen is confirmed within an eighth of B, at least 5 and at most 8
//     seconds, after its end, and not after 1.1 B.
//   - Tests to paste are built and tried until 1.15 B, when the run ends.
//
// What has no time is listed as a limit by its stage, and so is what was cut short; none
// of it is left out in silence.
//
// # Where the numbers come from
//
// Each constant has its origin: measured, decided, derived from another number, or a
// guess. Decided are the end of the run, 1.15 B, and the floor of calls.
//
// # What it cannot do
//
// It stops nothing. A stage asks before it begins something, and bounds what it
// has begun by the time that it was given. Loading both versions, and summing up,
// are not bounded: neither can be cut short and leave a result.
package budget

// Package acceptance marks the differences that a maintainer has taken on.
//
// # What an identifier stands for
//
// An acceptance names a cause by its hash (package diff): the kind of difference
// and the changed functions that ran, each with the digest of its canonical SSA
// on head; not lines, comments, formatting, names of locals, generated inputs,
// values or tests. So it is the same whatever the seed, the budget or the
// machine, and a further edit of one of these functions gives the difference
// another identifier: the acceptance no longer counts, and the maintainer is
// asked again. Base's code is left out on purpose: the acceptance given on a pull
// request still counts when the release that contains it is compared with the
// one before.
//
// The file holds the whole hash, SHA-256, as isodelta accept writes it; a comment
// names its first 32 digits, which the report shows. What counts has at least as
// many. Short identifiers can be searched for: with the eight digits of earlier
// versions it took a second to write code that an acceptance of something else
// covered, and even 64 bits are met in 2^32 tries by somebody who writes both
// changes. With 128 bits, no acceptance has to be bound to the commit that it was
// given for, and it outlives a rebase.
//
// An acceptance covers every finding of that kind that executed no changed
// function but those. The rung does not matter: what was accepted because a
// negated branch showed it is accepted when an input is found that takes the
// branch. The kind does: where values were accepted, a panic is something new.
//
// What else differs of a call that is covered is covered with it, as far as the report
// showed it: what the call returns beside the error always, its receiver and its
// arguments only if the accepted item said that such a part differs. A value that
// differs without an error is never covered so.
//
// An identifier is looked for among the causes of the findings and of their
// clusters alone. A difference that shows with fewer functions in another run has
// another cause, and is asked about. An entry whose code is there and that no
// finding shows is neither an error nor stale.
//
// # Relations
//
// A broken relation has an identifier of its own, for it may be that no finding is about
// its function: the hash of the function and of the changed functions that ran where it
// fails, each with its digest on head. An entry covers all broken relations that were found
// of the function by that code, for which of them are found differs from run to run. What
// somebody declared is another matter: its text is part of the hash, and an entry covers
// this one relation. Findings that are accepted settle the relations of their functions as
// before.
//
// Which relations are found depends on seed and budget, so that an entry about one may be
// called stale by a comparison that did not find it broken; the limit says so.
//
// # Whose entries count
//
// The caller says: Apply takes those that count. Entries of head's own file that
// do not are given to Propose, so that the report can show them.
//
// # What is reported
//
// Findings stay in the stream and carry the acceptance. An entry that has run
// out or is too short does not count, and one that stands for nothing in this
// comparison is stale: for all of these a Limit of kind "stale-acceptance" is
// added. Nothing is called stale by a comparison that was cut off, ran nothing or
// is one of several shards, nor if the entry stands in base's file too: it is then
// about an earlier change.
//
// # What it cannot do
//
// What acts without being code of the module (a dependency, a data file) is not
// part of the identifier. A new version of isodelta or of Go may write the
// canonical SSA in another way; then the maintainer is asked again.
package acceptance

// Package acceptance marks the differences that a maintainer has taken on.
//
// # What an identifier stands for
//
// Reports show a cluster's identifier, eight hexadecimal digits, and that is
// what an acceptance names. It is made (package diff) of the kind of
// difference and of the changed functions that ran, each with the digest of its
// canonical SSA on head; not of lines, comments, formatting, names of locals,
// generated inputs, values or tests. So it is the same whatever the seed, the
// budget or the machine, and a further edit of one of these functions gives the
// difference another identifier: the acceptance no longer counts, and
// the maintainer is asked again. Base's code is left out on purpose: the
// acceptance given on a pull request still counts when the release that
// contains it is compared with the one before.
//
// An acceptance covers every finding of that kind that executed no changed
// function but those. The rung does not matter: what was accepted because a
// negated branch showed it is accepted when an input is found that takes the
// branch. The kind does: where values were accepted, a panic is something new.
//
// A cluster may show with fewer of its functions in one run than in another.
// So an identifier is looked for among all small sets of changed functions, not
// only among the clusters at hand. What an identifier is found for and
// no finding shows, is neither an error nor stale.
//
// # What is reported
//
// Findings stay in the stream and carry the acceptance. An entry that has run
// out does not count, and one that stands for nothing in this comparison is
// stale: for both a Limit of kind "stale-acceptance" is added. Nothing is called
// stale by a comparison that was cut off, ran nothing or is one of several
// shards, nor if the entry stands in base's file too: it is then about an earlier
// change.
//
// # What it cannot do
//
// Eight digits are no protection against somebody who searches for code with
// the digest of an accepted one, and the file is part of what the pull request
// proposes: who reviews it reviews its acceptances. What acts without being
// code of the module (a dependency, a data file) is not part of the identifier.
// A new version of isodelta or of Go may write the canonical SSA in another way;
// then the maintainer is asked again.
package acceptance

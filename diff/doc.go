// Package diff decides what counts as a difference in behaviour, which kind it
// is, whether it is intended, and which differences have the same cause.
//
// Compare takes what one test did on base and on head. Outcomes decide first,
// then the visible digests of the observation sites; hidden state is a hint
// and never a difference. What a parent's watchdog ended is no evidence, and
// two executions that both ran out of fuel are not compared: how much work a
// version does before it is stopped is not behaviour.
//
// Clusters are made from the changed functions that ran, then from the kind
// and the outcomes on base and on head, so that one cause is one item, however
// many functions show it and in whatever way the calls were found. What is seen
// only after a call, as where memory is shared, is apart from what calls give. A call
// that needs another one which differs by itself is explained by that. What several tests
// see through one call, and what is the same part of a value whichever function shows it, is
// one cluster as well. What is small never explains what is not. Within a cluster
// the strongest and simplest finding speaks for all, and a call before what a test sees of it.
//
// Where an experiment has found the edits to blame for two findings (event.Finding.Blamed), these decide: the same
// short edit, or copies of it, make them one cluster, and other edits make them two. What head mends with an
// edit that a test of the change needs is marked as intended.
//
// What differs of one call is one cluster, too, whatever its kind: the finding that
// leads the call (event.Leaders) decides which, so that an error and the value that
// comes with it are one item. A call where only a value differs does not join
// the cluster of an error.
//
// A cluster has a cause: the kind of difference, and the changed functions that
// ran, with the digests of their canonical SSA on head. Its hash (SHA-256) is what
// an acceptance names; package acceptance says what follows from this. The
// identifier that reports show and that replay and accept take is the beginning of
// a hash of the cause and of the evidence (rung, intention, outcomes, whether it is seen only afterwards): eight digits,
// or as many more as it takes to tell it from the others of the stream.
//
// What a call returns beside an error is not part of the cause; that its receiver or an
// argument differs in another way is.
//
// What it cannot do: an error and a value that were seen on different inputs are not
// known to belong together. Two causes in one function that show in the same way
// end up in one cluster.
package diff

// Package policy decides whether a comparison fails.
//
// A policy is a list of terms, each of which is a reason to fail:
//
//	observed            a difference that an existing test sees
//	reached             one that a call with an input of our own shows
//	forced              one that only a negated branch shows
//	small               one of these that hardly matters (event.Finding.Small), which comes under no other term
//	broken              a relation that held on base and does not on head, or a declared one that holds on neither
//	adequacy-drop=1.5   the tests cover 1.5 percentage points of the branches less
//
// Adequacy is measured over all packages, so that its term counts in the general
// list only.
//
// A relation is broken or not whatever findings there are: the calls that break
// it are compared between the versions, too, and usually show a difference that
// is reached. Where all findings of its function are intended or accepted, the
// broken relation is taken on with them. One without a finding cannot be
// accepted: take it out of the configuration, or make it hold. A declared
// relation that holds on neither version is no difference, but nobody declares
// what need not be true.
//
// Rules give other terms to some packages. The package that counts is the one
// whose test or call shows the difference, or whose function has the relation.
// Of several rules that fit, the first counts, alone; where none fits, the
// general terms do. Patterns are those of package pattern.
//
// Intended and accepted differences never fail. A difference that no term
// names does not fail either, but it does not make a success: the
// conclusion is neutral, as it is when nothing was explored, when the
// comparison is not whole, and when nothing executed the change. Success means
// that a whole comparison executed the change and found nothing open.
//
// The terms are part of the stream (event.Config), so that a merged stream, or
// one that another job publishes, is judged by what the comparison was made
// with.
package policy

// Package matching knows what base and head have in common and what they do not:
// Δ, the changed set, and the conditions of both versions in pairs.
//
// # How
//
// Of runs package isomorph on both trees and instruments the code of both versions.
// The two meet by position: both name a leaf of a condition by its file and byte
// offset in the unmodified source, so a pair is a condition that isomorph matched and
// that instrument made negatable in both versions. Pairs are numbered; branch 2*i+o
// of pair i stands for the branches with outcome o of its condition on base and on
// head.
//
// What proves that a variant need not run stands here, too: one that executes nothing
// of Δ on base behaves the same on head (Quiet), and a branch from which no
// execution of the test gets to Δ cannot make a difference (Rank).
//
// # What it cannot do
//
// A condition that only one version has is in no pair and is never negated. What
// blocks pruning (assembly, linkname and the like, see isomorph) blocks it for the
// whole run.
package matching

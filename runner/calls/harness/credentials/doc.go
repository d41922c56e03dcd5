// Package credentials gives code under test keys and certificates: well-known ones, of which package harness has the texts.
//
// # How
//
// What they are is read from those texts, anew each time. A test to paste declares functions that do the same, see package gosource.
//
// # What it cannot do
//
// There is one key of each kind, one certificate, which is its own authority, and no chain.
package credentials

// Package load parses and type-checks the packages of one module in one
// materialised tree, with their tests, for the two analyses that need syntax
// and types: isomorph (matching) and instrument (rewriting). It also has the
// notation for where something stands in a tree: a Place.
//
// It calls golang.org/x/tools/go/packages, which starts go list, for what packages there
// are; the types it finds itself, so that only dependencies are compiled (see typing).
// The one other place that calls it is package declare, for packages of the standard
// library that only the expressions of a configuration name.
//
// [Bumps] says which modules two trees are built with other code of, and Tree.Sources
// type-checks these whole, together with the tree's own code and what lies between.
//
// Of a large module, [Reachable] says which packages link something that differs, tests
// included. Only these are parsed and type-checked whole; of the rest what they import is
// declared. The branches of what they merely call are not there to be forced then. Before anything
// is listed, an [Outline] reads from the files what of the module imports what, so that the go command
// does not fetch what other packages of it need. Where the change reaches one that imports nearly all
// others, such as a registry of drivers, nearly all is listed.
//
// What it cannot do: it loads one module at a time; the module's dependencies
// are read from export data, without syntax, but for those of Tree.Sources.
package load

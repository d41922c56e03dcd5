// Package gomod gives a tree of Go files that has no go.mod one, so that repositories from
// before modules can be compared.
//
// Path finds the module's path: what import comments say; else what files of the tree
// import that lies in the tree; else the repository's origin; else what README says to get. Make writes the file and has
// the go command add what is imported, in its latest versions. Only trees that were laid
// out for a comparison are written to. Rename gives a module another path, in its own
// imports, too: base's follows head's. AddSums adds to a go.sum what the go command wants there. Whole fetches a version of
// a module, for its tests.
//
// What it cannot do: a module that a nested one of the repository requires is renamed
// without that. A vendor folder of the time before modules is left out, so
// dependencies are newer than those that the code was written for. Versions that were
// published since may change what is compared, on both sides alike.
package gomod

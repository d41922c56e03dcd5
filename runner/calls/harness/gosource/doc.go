// Package gosource writes sequences of calls down as Go source, for the test that
// a finding comes with. It is injected beside package harness, and the file that
// registers what can be called hands its Describe to harness.Serve.
//
// Writing needs the run-time: what expression stands for a value depends on the
// type that an interface holds when a step is reached, and functions whose
// results depend on a digest of their arguments are written as a table of what
// they gave. So Source runs each step once it has written it, on a machine of its
// own.
//
// Source gives the statements up to the place where two versions differ, with
// the names of packages left open (see wire.Code). A writer goes through the
// steps; what stands between them is in files by what is written: a call, a
// literal, a reference to an earlier result, a special value, a type. Names of
// variables come last, when it is known what they must not hide.
//
// What a version alone can do with the language, such as a call of a function whose signature changed, and what is the
// harness's own, such as an answer over a connection, is a function that the test declares for itself (wire.Stub). What
// only a compiler needs of it is marked (wire.Aside), so that people read the call without.
//
// Views lists the expressions by which a test can look at the place, with what
// they gave: of the value itself, its parts, and what it prints as.
//
// What it cannot do: it does not name what is unexported in another package,
// declared in a function, or in a package internal to another module; it does not
// write a literal beyond 16 KiB, or a function whose results depend on a digest of
// its arguments and that was called with more than twelve different ones. Source
// then says why.
//
// The package uses the standard library and the injected packages only, and the
// language of Go 1.21: see package harness.
package gosource

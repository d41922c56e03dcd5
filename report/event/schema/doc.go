// Package schema holds the JSON schema (draft 2020-12) of one line of the stream
// that package event defines, for programs that read streams. `isodelta report
// --schema` prints it.
//
// The file is generated from the types of package event, their tags and their
// comments, by that package's tests, which fail where the two differ; package
// event itself, on which everything depends, does without a generator.
//
// It is the schema of the lines that this version writes. A reader of streams is
// to ignore fields and types that it does not know, so that the schema of one
// version is too strict for streams of a later one.
package schema

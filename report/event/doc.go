// Package event defines isodelta's native output: a stream of JSON Lines.
//
// The engine emits events and never prints; every report (terminal,
// Markdown, …) is a rendering of a stream, and so are merged shards. An event
// is one JSON object on one line, told apart by its "type" field. Fields are
// only ever added: readers must ignore the ones they do not know.
//
// The package knows nothing of how events come about; it depends on the
// standard library and on the schema generator alone, so that every other
// package may import it.
package event

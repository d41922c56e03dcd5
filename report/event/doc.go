// Package event defines isodelta's native output: a stream of JSON Lines.
//
// The engine emits events and never prints; every report (terminal,
// Markdown, …) is a rendering of a stream, and so are merged shards. An event
// is one JSON object on one line, told apart by its "type" field. Fields are
// only ever added: readers must ignore the ones they do not know, and lines of
// types they do not know, which Decoder counts.
//
// Writer and Recorder are the sinks, Tee joins several. Decoder and ReadStream
// take a stream for hostile: its size is bounded, every event is validated, an
// error names the line, and what stood before a damaged or cut off line is kept.
// Texts, lists and the number of events have bounds, and what is called a
// package, a test, a file or a shard is one; Fit cuts what the engine emits to
// that. Kinds, verdicts, states and other closed sets are types with their
// members as constants (sets.go). The JSON schema of a line, in package schema,
// is generated from the types, their tags and their comments; Validate reads the
// types and the tags.
//
// Stream groups a whole comparison. Its Verdict trusts the summary only as far
// as the events bear it out. Relating joins its relations to its findings, by
// module and function, which decides what a relation adds: a broken one is a
// difference of its own unless all findings of its function are intended or
// accepted, and it puts their clusters first within their rung.
//
// A report does not contradict itself: each relation lists what the inputs of findings say
// of it (Relation.Judged), and Validate refuses one that claims what such an input refutes.
// Where the summary says that all were judged (Summary.RelationsJudged), a stream with one
// that is kept and was not judged on a finding of its own function is not valid either.
// What is not checked: whether the engine judged it rightly, findings without a program,
// and calls that a finding's program makes of other functions.
//
// Merge joins the streams of shards. What every shard finds by itself (the
// numbers of functions, conditions, covered branches, the observed findings)
// is counted once, what was divided is added up: a target that several shards
// called is one target with the sum of their calls. Relations are divided by functions, and
// one that several shards tried all the same is one with the worst of their states. Branches explored by force
// can be neither: two shards may take the same one. So a shard lists them
// (Summary.ExploredBranches, as ranges of numbers, which are the same in every
// shard of one comparison), and Merge counts the union; where a list is
// missing, the largest count stands as a lower bound, and a limit says so.
// A shard that is missing or cut off is named in a limit and makes the verdict
// incomplete, whatever the others found.
//
// What it cannot do: it does not know whether what an event says is true, and
// two working trees with the same commit and the same changed functions are
// taken for the same.
//
// The package knows nothing of how events come about; it depends on the
// standard library and on the go command's words for import paths alone, so that
// every other package may import it.
package event

// Package rig is what evaluations work in: a temporary directory, the go
// command, the seeded run time, the sandbox, and the sequence of parts that
// each measures its subjects and prints a table.
//
// A Workspace is opened once. It lays subjects out as modules, builds them plain
// or instrumented as the engine does (Rig), gives labs to run the binaries in,
// and compares the processor time of two binaries of one suite. Compare makes a
// whole comparison with the engine. Run runs the parts asked for; then it prints the
// figures and the circumstances they were measured under.
//
// It does not build what the engine builds across two versions: a rig is one
// version with its own tests.
package rig

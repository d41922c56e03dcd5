// Package keeper is the process between isodelta and a program that package sandbox locks in.
//
// # How
//
// Every program that imports the package can be a keeper: started with [Arg] as its first
// argument, it does not come as far as main. This package's init reads the words that follow, which say what to
// restrict, arranges mounts, restricts one thread, starts the target from it, and stays to keep watch until
// the target and what it started have ended. It exits as the target did, with [Killed] added to the number of
// a signal, or with [Failed].
//
// A keeper is started for every process of a test, so the time that it takes counts. Packages are initialised
// in the order of their paths once what they import is initialised, and this one imports little: neither net nor
// regexp, on which most of the other packages of the program wait. So it is at work before those
// are initialised, which would take longer than its own work. A test sees to it.
//
// # What it cannot do
//
// It trusts its arguments, which are those of the program that started it. What the restrictions leave open is
// told by package sandbox. On other systems than Linux there is no keeper.
package keeper

// Arg, as the first argument, turns a program into the keeper.
const Arg = "__isodelta-sandbox"

const (
	// Failed is the exit status of a keeper that could not restrict itself or not start the target.
	Failed = 125
	// Killed is what the keeper adds to the number of the signal that ended the target, as a shell does: the
	// first process of a namespace cannot end itself by a signal.
	Killed = 128
)

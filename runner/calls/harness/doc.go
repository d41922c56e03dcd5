// Package harness makes calls of our own inside the module under test. Like
// package probe, beside which it is injected, it never runs inside isodelta
// itself: Write puts its sources where a build finds them by -overlay, with those
// of package wire, which describes what is asked and answered, and of package
// gosource, which writes sequences of calls as Go source, and of package serving, which has
// handlers answer over a connection, and of package credentials, which has keys and certificates. One generated test file
// for each package under test registers what can be called.
//
// It works in two ways.
//
// Sequences. The test TestIsodeltaCalls hands the process over to Serve, which
// answers the parent's frames: make so many sequences and run them, run these,
// explain this one. The generator works as Randoop does (Pacheco, Lahiri, Ernst,
// Ball: "Feedback-Directed Random Test Generation", ICSE 2007): values that calls
// return feed later calls if they are neither nil nor errors nor equal to one
// already kept. A function that gives no such value in nearly all calls gives way to others, and to types that implement the
// interface (yields). It goes beyond Randoop in several ways. A sequence that took a branch
// never taken before is kept, extended and changed, as a fuzzer does it.
// Operations that show the change are called more often (wire.Role), those that take much longer than others are called less often (wire.Costs), and of several changed functions each has its turn (leads, ways). What took a branch of the change that few sequences take is changed more often (scant). Some contexts and channels come
// to their end while a call waits for it (waiting). What an earlier call was given
// is given again (repeated), what is of another module has something done to it first, as tests do (prepare), and what a kept sequence
// made comes along with what happened to it there (events), so that what is stored is found, a call is made many times in a row with one thing (grown), and a method of one value once more with less (anew). Literals come
// from the change, the code and its tests (Plain), some texts are documents that fit a struct (Document), others paths of files that are made for the sequence (PathOf), also of a whole folder that the tests read, or of none that is there, or with a symbolic link, errors from the package's variables, alone or beneath another one. Results are written to and
// appended to (wire.OpWrite, wire.OpExtend), exported fields of what constructors give are set (wire.OpSet) and read (Selector), exported variables and the time zone are set in front (Assign), and code is started in a folder (StartIn), and all is looked at again when all steps are
// through, so that memory that one version shares and the other copies shows. And
// sequences recorded from tests lead to states that types alone do not: their
// holes, for what could not be written down, are filled; what happened to one thing is one of its own, however long. Those that ask servers by clients without a transport of their own get a step that answers (Answers). And some give a value what calls
// it back, and use it afterwards (reentrant). There are no contracts to
// check: the other version is the oracle, so any sequence that can be built is
// worth running.
//
// In place. While an existing test runs, the entry of a hooked function copies
// receiver and arguments deeply (survey). It changes plain parts of the copies or
// exchanges others for values seen before (mutator, stock), and calls the function
// on the copies, as often as the order says. The test has built the state, so no
// constructor is needed; it goes on undisturbed. A call is known by the digest of
// its input, not by its place in a row, which falls out of step once versions
// differ.
//
// Groups. Closures that package relation has written run metamorphic groups: the
// parent names relations and source sequences, and each group reports whether the
// relation holds (Group). Functions of numbers have adapters without reflection,
// which are called in batches (Numeric).
//
// Values. The parent can have the last step of a sequence told with values, which it
// calculates with, and with conditions of the code negated while that step runs: a
// wrong variant of the function that costs no build (wire.Values).
//
// Goals. The search for a branch (aim) runs here, too, in a binary of code that tells what
// it compares. An execution is as near as the decisions that were still ahead where it
// parted from the way to the branch (the approach level), then as near as the operands
// there were to deciding otherwise (the branch distance). The nearest attempt is pushed
// by what is cheap first: one operand is put in the place of the other where that stands
// in the input, as a number, a letter, a length, a part of a date, a word, a key
// (toState); numbers are moved by one, and what the slopes say is solved exactly, what is
// left over given to a second number (affine); numbers are moved one after the other
// in steps that double (alternate); and what is no number is exchanged: nil, readers
// that fail, dynamic types, constants, truths in structs, calls before the last one
// (shapes). Where setting a number for one condition breaks an earlier one, other numbers
// mend that. Where a condition has no operands, decisions just before it, mostly of a
// function that it called, become goals themselves (lesser).
//
// A text that may be a command line, as tests give one to a helper that cuts it, is changed word by word, and gets flags that
// the change names.
//
// What is compared. Each call gives its ending (returned, panicked, ran out of
// fuel) and a visible and a hidden digest for each component: the results, then
// the arguments that it can have changed, then what it wrote to the standard output and
// to the standard error, where the code may print (Printing). Of a call that asks for the end
// of the process, what it wrote by then is compared, and its exit status. Only visible digests decide; a hidden
// difference makes the parent ask more of that value (wire.Sweep).
// What is made of a text with an address in it is not compared: cut or in capitals no address
// is known as one.
//
// A Machine runs sequences, one at a time, with what a Registry holds. The server,
// the generator and package gosource each work on one. A sequence with a function that takes the test which calls it
// runs as a test of its own (InTest), a subtest of the one that makes the calls.
//
// Everything is drawn from one seed (Rand), and all orders are the registering
// file's, which both versions share: the same seed makes the same sequences as
// long as the code takes the same branches, and the parent asks for no time (wire.Setup's Batch): what is
// called less often since it takes long depends on the machine then.
//
// What it cannot do:
//   - Structs get their exported fields only; what unexported ones hold has to
//     come from constructors, from methods, or from a test. Where there is no constructor that others can
//     call, they are written down without those.
//   - Implementations of an interface are those of the module, a few readers, writers,
//     contexts and file systems, and structs of closures (IsStub), which keep no state. Closures have
//     plain shapes: the same results each time, results by the digest of the arguments,
//     a list of their calls, with what they are given or what a function of the package says of it (TellerOf), one call of a method of what they are given (Call), one field of it set (Setting), or, the first
//     time, of a value that the sequence has made (Back), which may be given what the function is given itself (Given);
//     where the module starts no goroutines, some panic.
//     Exported functions of the package are given as they are (Named). A type that stands for testing.TB
//     (TBSource) notes what is said to it, and ends no call; one that stands for net.Conn (ConnSource) gives a text to be read, and keeps what is written. Nothing stands for a *testing.T.
//   - Generic functions are called for two or three basic type arguments.
//   - Work is counted in conditions of instrumented code. A call that blocks, or
//     works long elsewhere, ends only when the parent loses patience; a panic on
//     a goroutine of the code's own, a fatal error or too much memory ends the
//     process. The parent sees what was under way and leaves it out.
//   - Sequences share the process, hence package-level variables: what one leaves
//     behind can change what the next one does, so the parent confirms alone in
//     fresh processes.
//   - A client with a transport of its own that nobody gives it asks servers that are not there.
//   - Whoever keeps pointers in integers, or writes to the memory of a copied map
//     while it is copied, gets copies that are not whole.
//
// The package uses the standard library and what is injected with it only, and
// the language of Go 1.21: the build tag in each file lifts modules with an older
// go line up to that.
package harness

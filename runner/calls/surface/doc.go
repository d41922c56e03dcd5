// Package surface says what calls of our own can name in a package: functions, methods
// and variables that both versions declare alike, types, constants, and makers of values
// of other modules that parameters need.
//
// # How
//
//   - NewAPI chooses that, by types. It gives each operation its place in the source, so
//     that the engine can say how closely it shows the change, and writes the file that
//     registers all of it in the test binary (API.File). What the compiler objects to
//     is dropped line by line (API.Mend).
//   - A function whose signature the change widens (options or a context more, an error or a
//     result more, a named type or an interface for what it stands for) is called on both
//     versions through what they have in common (adapter). What only one takes is left out or
//     empty. What only one gives is left out. An error that it does not give counts as nil.
//     A constructor that takes an interface or an opaque struct more or less takes the longer list. The version that
//     lacks one leaves it.
//   - CollectLiterals gathers texts and numbers from the code, the tests, testdata and files that tests name, of
//     both versions, those that the change touches first. What a file of YAML, JSON, txtar or a fuzz test's corpus is made
//     of are texts, too.
//   - Where anything is taken, struct types are registered: those that tests declare, and others that are derived from
//     them and crossed with each other. What decoders fill and has to do with the change is registered for texts that fit it.
//   - Parameters and fields whose texts name files are told by where they get to, and struct types with JSON tags that the change
//     defines otherwise get an operation that decodes a document into one and encodes it again.
//   - Functions of test files that are given a text and give what came of it are drivers: they are called like exported
//     ones, at first with what calls in the tests are given (API.Driven). What gives their other arguments may be unexported.
//     Of functions of test files that take the test first, it is no parameter: each sequence with one has a test of its own.
//   - Exported fields that lead to methods, or that the code puts functions into, are read of what functions give, and first
//     elements of slices of such structs (selectors): a client's services, a list of rules.
//   - Exported variables of plain types that the package's functions read and do not write are set, and those that flags are
//     kept in, and fields of plain types of the module's exported variables. The standard input is given where the code reads it.
//   - The main function of a command, and a function Execute without parameters, take the words of a command line.
//   - Interfaces of parameters, and of fields that callers set, get types that implement them.
//   - Functions of other modules that the package's tests call, or the package itself, with what operations are given, are
//     called, too: what fills a store, gives a router its routes, or makes what implements an interface (used).
//   - Methods of what handlers and other callbacks are given are registered for functions that
//     the code is given, which call them (harness.Call): a framework's context answers.
//   - NewHooks numbers the functions whose calls are recorded while tests run
//     (API.Recipes makes sequences of them) or made in place.
//   - AddRelation, AddChoices and AddNumeric register what metamorphic relations need:
//     groups, categories, and adapters that call a function of numbers in batches.
//
// # What it cannot do
//
// Of net/http, requests and what answers them are made; what listens or connects is left
// alone. A net.Conn is one in memory, on which nobody waits for anybody. Answers are recorded, or sent over a connection in memory (package serving).
// Functions that others give are called to a depth of three. Functions of test files make
// values, if they belong to the package itself.
//
// A function that only one version has, or has with a signature that callers of the other
// cannot mean, is not called (API.OneSided): one that takes a number or a text more, say, for
// nobody knows which is like before. Of a widened one no calls are made in place, and no
// relations are checked. One whose parameters nothing can make is not called, either
// (API.Ineligible says why).
// Generic functions and methods of generic types are called for few type arguments: predeclared
// types, or two types of the package or the one under test where the constraint takes none of these.
package surface

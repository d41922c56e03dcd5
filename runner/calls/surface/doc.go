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
//   - CollectLiterals gathers texts and numbers from the code, the tests and testdata of
//     both versions, those that the change touches first.
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
// alone. Answers are recorded, or sent over a connection in memory (package serving).
// Functions that others give are called to a depth of three. Functions of test files make
// values, if they belong to the package itself.
//
// A function that only one version has, or has with another signature, is not called
// (API.OneSided); nor is one whose parameters nothing can make (API.Ineligible says why).
// Methods of generic types are called for few type arguments.
package surface

// Package reach calls functions that show the change, on both versions, with inputs of
// its own. What differs is reached: the input is evidence that anybody can run.
//
// # How
//
// A Surface knows what can be called in each package, and adds it to the test binaries
// while these are built (it is build's Caller). A Stage then searches, package by package,
// the nearest to the change first (package calls has the search itself). Where the process that makes calls ends before the
// first one, it is started in a copy of the package's folder, to which it may write, or without the TestMain,
// or with the init functions that end it left where they would. Later, while
// tests that execute the change run once more, further calls are made in place: at the
// entries of exported functions, on changed copies of what the tests hand over. What
// differs is shrunk and confirmed in fresh processes. A call that the run time ends the test's
// process for, on one version alone, differs, too.
//
// Fold puts forced findings under reached ones: where an input takes the branch that was
// forced, it is the better evidence; where many inputs take it and nothing differs, the
// forced state is one that no input leads to.
//
// # What it cannot do
//
// Calls are made in at most six packages. Functions whose arguments cannot be made, and
// those that change package-level variables, are listed as targets that were not called.
package reach

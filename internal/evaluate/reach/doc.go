// Package reach measures the search for inputs that take branches: isodelta reach on
// thirty planted goals (package goals), with no solver.
//
// # How
//
// The goals become a module in a repository of its own. Each goal is looked for by itself,
// with the same seed and the same bound of executions, as isodelta reach does it: a goal
// counts as reached only if the test that is printed for it passes by itself and takes
// the branch. Executions are counted until the branch is taken; the time is that of the
// search in the test process, builds and the start of processes left out.
//
// # What it cannot do
//
// The goals were written for the purpose. They say which shapes of conditions the search
// can deal with, and nothing about how often these occur.
package reach

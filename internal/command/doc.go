// Package command is isodelta's command line: it reads flags and the
// configuration, starts the engine, and gives its events to the renderers.
//
// Reports go to standard output, progress and errors to standard error. Exit
// codes are in exit.go and nowhere else. Every run of a comparison is recorded
// in the user's cache folder, so that `isodelta replay ID` finds it again.
package command

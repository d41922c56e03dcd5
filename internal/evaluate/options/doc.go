// Package options reads the settings of an evaluation from its arguments: flags,
// the parts to run, and lists of subjects.
//
// All that is wrong with arguments is a [UsageError], which the command shows with
// the exit code for it. What a flag means, and which bounds it has, is its
// evaluation's own matter.
package options

// Package mistake is what is wrong in a file that people write, such as
// .isodelta.yml: each mistake with its place, so that an editor finds it, and all
// of them at once.
//
// A List is an error whose single mistakes errors.As finds. Whether a mistake ends
// the program, and with which exit code, is for the command to say.
package mistake

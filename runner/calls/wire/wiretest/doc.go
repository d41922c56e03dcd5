// Package wiretest draws what package wire describes, for property tests of several
// packages: literals of every form, and sequences whose references lead back.
//
// What it cannot do: a sequence that it draws fits no registry. It can be encoded, decoded
// and written as source; to run, it has to be made by the harness.
package wiretest

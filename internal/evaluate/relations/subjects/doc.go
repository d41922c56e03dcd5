// Package subjects holds forty functions of numbers of the kind that shops, railways,
// forms and tables have, written to judge what is inferred of such code. Each has one case
// that few inputs meet; told to leave it out, a function is another one, whose laws are
// false of the first: that is how false laws are planted.
//
// The file is frozen: a test of package relations holds its digest, so that nothing can
// be tuned to it unnoticed.
package subjects

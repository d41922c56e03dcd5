// Package subject makes the subjects of the evaluation: stand-alone Go
// modules, each one package of the installed Go distribution with its own
// tests and testdata.
//
// Nothing of the distribution is stored in this repository. Make copies the
// package that the installed toolchain has, so figures depend on the Go
// version and an evaluation prints it.
//
// A package stands alone when its code imports no internal package, or only
// ones whose functions have a public twin of the same meaning (internal/bytealg
// and strings, internal/byteorder and encoding/binary, internal/reflectlite
// and reflect); those calls are renamed. Code is otherwise copied byte for
// byte. Test declarations that use an internal package are cut out, together
// with what needs them, and listed in Module.Dropped.
//
// What it cannot do: packages with assembly, cgo or files embedded from
// elsewhere, packages bound to the run time by linkname, and packages whose
// tests read other packages' files are not in the list.
package subject

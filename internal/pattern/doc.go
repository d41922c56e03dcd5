// Package pattern matches import paths against package patterns as the go command
// does: those of the configuration, the command line and a policy.
//
// A pattern that begins with ./ or is . is relative to the module; any other is an
// import path, and "all" is all of the module. In both, "..." stands for any text, "x/..." names x too,
// a wildcard matches no element "vendor" of the path of a vendored package, and
// none finds packages in folders called testdata or beginning with . or _ unless
// the pattern begins below such a folder. `go help packages` has the rules; a test
// holds them against go list.
//
// Patterns may come from strangers: matching takes time linear in the lengths of
// pattern and path for each wildcard, and compiles no regular expression.
//
// What it cannot do: it looks at names alone. It knows nothing of folders that a
// go.mod ignores, of "std", "cmd" and "tool", or of what exists.
package pattern

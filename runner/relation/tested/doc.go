// Package tested finds metamorphic relations in the tests of a package: what a test states
// over two calls for some values may hold for others, too. They are candidates, as
// templates are. Package check believes those that hold on base for enough inputs.
//
// # How
//
// Find goes through the statements of each function in the test files, in their order, and
// keeps for each variable the term that it holds: a constant, a call of the package under
// test, a result of one, an argument as a call has left it, an operation on others. What
// cannot be followed is a term of its own. Blocks that may not run, loops and function
// literals make it forget the variables that they assign to.
//
// A comparison that makes the test fail is a claim over terms. So are an assertion, what a
// function for testing/quick returns, and what an example prints as true. A claim over at
// least two calls becomes a relation of one of them, the source call: the arguments of that
// are the parameters, and all else has to be made of them. A constant becomes a parameter
// if another call gets the same one, and stays where only one does. Where several calls can be the source call, the
// one is taken that leaves least fixed. Conditions around a claim that are about parameters
// come along.
//
// A claim over one call is a fact: a function gives this for that. Facts of a function,
// rows of tables among them, of which the arguments are permuted and the results equal or
// negative, make it symmetric or antisymmetric.
//
// The body of a fuzz test is a property already. It is copied into the package, if it uses
// nothing that only the tests have, and becomes a relation of the function that gets all of
// its arguments: inputs are those of functions.
//
// # What it cannot do
//
//   - It follows no calls between functions of the tests. A helper that makes two calls and
//     compares them is looked at by itself.
//   - A constant that two calls get is always generalised. Where Sum(x, 0) = Sum(0, x) holds
//     for 0 only, it is lost.
//   - Rows that are permutations are found among arguments, not among the elements of lists.
//   - Interfaces' methods, promoted methods and type arguments that are no basic types are not
//     followed, nor are calls that take or give channels.
//   - Of fuzz tests, the files below testdata/fuzz are not read; what f.Add gets is among the
//     literals that inputs are made of anyway. Each body is tied to one function, so that it
//     only runs where calls of this are made.
package tested

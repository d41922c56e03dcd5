// Package mutant seeds small faults, the mutants of mutation analysis, in the
// non-test code of a loaded module, and finds out which of them the module's
// own tests detect.
//
// Make walks the code, collects every mutant that the operators allow,
// shuffles them by a seed and takes the first N that type-check. Operators:
//
//	relational  < <= > >= == != become the boundary, the opposite and an equality
//	arithmetic  + - * / % & | ^ &^ << >>, compound assignments, ++ and --
//	logical     && and || change places, ! before a condition comes or goes
//	constant    n becomes n+1 and n-1, 0 becomes 1, "" and "x" change places, true and false
//	deletion    a call, an assignment to existing variables, ++ or -- goes
//
// There are two forms of the same mutants. Apply gives the text of a file with
// one mutant. Schemata gives one program that holds many, chosen at run time
// by one integer: build once, run each. A property test holds the two
// together.
//
// # The form of the schemata
//
// The program with mutants must have the same conditions, in the same order,
// as the one without, since it is instrumented afterwards. So nothing is
// chosen by an if in the code: a mutated expression becomes a call of a small
// generic function that is generated beside the code, in files with the
// standard header of generated files, and that evaluates each operand once.
//
//	a < b      isodeltaSite3(a, b)
//	x          isodeltaNot(4, x)             as a condition
//	10         isodeltaPick[int](5, 11, 10)
//	x += y     x = isodeltaSite6(x, y)
//	f(x)       for range isodeltaKeep(7) { f(x) }
//
// A range loop branches without a condition expression, which is why it, and
// not an if, guards a deletion. A mutated condition is still one leaf, at the
// place where Program.Shift says. Mutants that change which leaves a
// decision has (&& for ||, negation of a compound) are Structural, and are in
// the schemata only if asked for: there the right operand becomes a function
// literal, so that it is still evaluated only if need be.
//
// # What it cannot do
//
// Constants that the language wants constant (declarations, array lengths,
// keys of array literals) are not mutated, nor rune literals, tables of more
// than 32 elements, generated files, cgo files, go and defer statements.
// Mutants that the schemata cannot hold (the type cannot be named in the file,
// the assigned operand has effects) are marked Plain. Equivalent mutants are
// left out only where certain (len(x) > 0 and len(x) != 0), so the number of
// undetected mutants is an upper bound of the undetected faults. Panics of a
// mutant are taken by a process boundary and hangs by a time limit; nothing
// else confines it.
package mutant

// Package automr measures the inference of metamorphic relations (package
// runner/relation/automr) as the AutoMR paper does ("Automatic Discovery and
// Cleansing of Numerical Metamorphic Relations", sections IV and V). Its parts,
// each with its flag:
//
//	-inference  relations by type (Table III), redundancy removed (Table IV),
//	            time (Table VI)
//	-laws       the laws of Table I and of the text, and whether what was kept
//	            implies them
//	-detection  mutants killed by relations, by type (Table V)
//	-alarms     groups that fail on correct code
//	-implied    relations that only an SMT solver finds implied by others
//	-methods    the null-space method and the paper's, side by side
//
// # How
//
// The programs are those of the paper's Table II that Go has. Functions of
// package math are copied at run time from the distribution: the pure Go files,
// with the branches to assembly cut out, and of these only what the functions
// reach; lines stay where they are. Slices are compared, sorted and searched by
// the distribution's package slices; the scalar product is ours, since there is
// none. A module with the copy and a small server is built by the go command;
// a child process answers batches of inputs over a pipe. A panic ends a row, a
// row that takes too much processor time ends the child, and the rows after it
// are given to another one.
//
// Mutants are all those that internal/evaluate/mutant makes of what the eight
// programs of Apache Commons Math reach in the copy, which is what the paper's
// 14 to 297 for each program are nearest to; those of the program's own file
// are counted apart as well. They are in one binary, and each has a process of
// its own. A mutant is killed by a type of relations if a metamorphic group
// holds on the original and fails on the mutant, all outputs being numbers.
// Groups in which a promised output is missing (NaN, infinite), or in which a
// call panics or does not end, kill as well and are counted apart. Sources are
// drawn as package automr draws them, from the domain of inference and from all
// of the region where a relation claims to hold, with another seed than the
// inference's.
//
// Shares are of all mutants. Beside them stand shares of those that a direct
// comparison with the original distinguishes on many inputs, special values
// among them: by any bit, or "notably", at a finite input where the original
// has an output and by more than the tolerance of relations. The others are
// likely equivalent, or differ where no relation over numbers looks.
//
// To the paper's programs ten fees are added (package fees), which have what those
// lack: thresholds, constants beyond 20, nothing at all for half of the inputs. The
// inference is given their constants, as the product gives them; that of the paper's
// programs is not.
//
// What is inferred goes beyond the forms of the paper's Table III: equalities with
// input relations of a degree above 1, inequalities of one input or three and of a
// higher degree. These are counted apart from the paper's.
//
// False detections are groups that apply and fail on correct code: on the
// original with inputs that the inference has not seen, and on an
// implementation of each function that was written independently (package
// independent). A relation is judged as it is printed, in all of the region that a
// reader takes it to hold in, half of the inputs being such as people use (package
// everyday). A group that fails for a follow-up input that is rounded is told apart
// by what moves as small as that rounding do to its outputs (automr.Relation.Moves).
//
// A solver is installed by apt-get install z3 or cvc5; the one that the PATH has is
// used, as the product uses it.
//
// An equality is redundant if it follows from the others that were kept. Both
// this and whether a law was found are decided for generic inputs: the outputs
// at the law's points, and at those that relations lead to from there, are
// unknowns; relations are polynomial equations between them; a claim follows if
// its polynomial is a combination of theirs with polynomial coefficients, up to
// degree 3. Inequalities between two outputs follow if the half-planes of the
// relations leave nothing on the other side.
//
// # What it cannot do
//
// That a claim follows is certain up to rounding; that it does not is not, as
// the search for points and the degree are bounded. The mutants are not the
// paper's, whose operators and language are others, so shares compare only
// roughly. Which mutants are equivalent is not known, only which were not
// distinguished. Times are wall clock on the machine as busy as it is.
package automr

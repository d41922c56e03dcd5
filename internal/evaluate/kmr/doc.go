// Package kmr measures whether k-MR coverage, as package adequacy computes it,
// says how many faults metamorphic testing finds. It repeats the experiments of
// Fu, Sun, Zhang and Liu, "Test Adequacy for Metamorphic Testing", on programs
// of our own. Its parts, each with its flag:
//
//	-programs  programs, mutants, relations and requirements (Tables V and VI)
//	-k         effectiveness of suites that are adequate for k = 1 to 4, and of
//	           those with all relations that apply (RQ1)
//	-levels    effectiveness, detection rates and metamorphic groups by level of
//	           adequacy, and their rank correlation (RQ2 and RQ3)
//
// # How
//
// The programs are in package subjects, their relations, categories and inputs
// in package properties. Package faulty makes their mutants and executes all
// metamorphic groups on each.
//
// The pool is the first inputs, of many random ones, of each complete test
// frame, 10 as in the paper, and random ones besides. Frames and pairs of
// choices that no random input has are infeasible, as are branches and
// statements that no input of the pool covers; how many were left out is
// printed. A mutant is left out as equivalent if no output differs, neither of
// the pool and its groups nor of as many random inputs again. One that hangs is
// left out as well, since it needs no relation to be noticed. A panic violates
// the relation whose group meets it.
//
// A suite for RQ1 has random source inputs of which none can be spared, and
// for each of them k random relations, of different output relations as far as
// there are. A suite for RQ2 is grown until its degree is in an interval of a
// tenth: in random order, each pair of a source input and one more of its
// relations is taken that adds to the degree and does not leave the interval;
// k is 3, and 2 for IO-CTF. Fault detection effectiveness is the share of the
// mutants that count. The mean fault detection rate of all mutants is the mean
// effectiveness of all suites: both are sums over the same pairs of mutant and
// suite. So the share of mutants with a high rate is printed besides.
//
// The rank correlation of level and effectiveness is given twice: of the means
// of the levels, which is what the paper's figures show, and of single suites,
// where the scatter within a level counts too. Levels that no suite can have,
// since a single group adds more than a tenth, are left out.
//
// # What it cannot do
//
// Programs, relations and categories are by one hand, and the programs are
// small. "Equivalent" is what was not told apart: a mutant that differs only
// where a sum is exactly a limit may be among them; -list names them. Suites of
// a higher level are larger as well, which the table of groups shows: adequacy
// is not separated from size.
package kmr

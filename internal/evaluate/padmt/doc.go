// Package padmt measures whether source inputs that are chosen and ordered by the paths that they
// take find faults sooner: PaDMT. It repeats the experiments of Sun, Liu, Fu, Liu and Liu,
// "Path-directed source test case generation and prioritization in metamorphic testing", on
// programs of our own. Its parts, each with its flag:
//
//	-programs  programs, relations, mutants, paths (Table 4)
//	-score     mutants detected by violated relations (Table 5)
//	-apfd      how soon, against other techniques (Tables 7 and 8)
//	-curve     what each tenth of a suite detects (Figure 4)
//	-cost      what it costs (Table 9)
//
// # How
//
// Programs are the five of the evaluation of k-MR coverage and the six of package programs, with
// all mutants that package mutant makes. All suites of a program are taken from one pool of random
// inputs. All groups of the pool are executed on all mutants, once: what an input detects is what
// its applicable relations detect together. The path of an input is the set of branches that it
// takes on the original.
//
// A suite has one input for each path of the pool, and further ones, a second of each path and so
// on, where that gives fewer than -least; where there are more paths than -most, it has those that
// are found first. "Unordered" has them in the random order in which they
// are found; "PaDMT" in that of package prioritise, by branches. "Random" are as many inputs in the
// order in which they are drawn. "Adaptive" is adaptive random testing with a fixed set of 10
// candidates, by a distance of inputs that knows nothing of the program.
//
// Each seed is another order in which the pool is found. APFD counts a mutant that no input of the
// suite detects as n + 1, and all mutants that are not taken for equivalent, as the paper does: so
// one that no relation detects lowers all techniques alike.
//
// Time is that of making the inputs that a technique looks at, and of choosing: for paths that is
// the whole pool, run once with counters in a process of its own.
//
// # What it cannot do
//
// The paper gets its paths by symbolic execution; here a path is what some random input takes, so
// that the generator of inputs, which is aimed at where rules change, does part of the work for all
// techniques. The seeds share the pool, so that p is about the choice from it and not about other
// pools. Programs and relations are by one hand, and the programs are small. Mutants are no real
// faults; the paper's eight of number parsing are of another program.
package padmt

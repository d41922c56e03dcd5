// Package automr infers and cleanses metamorphic relations of numerical programs:
// AutoMR (Zhang, Zhang, Chen, Hao, Moscato: "Automatic Discovery and Cleansing of
// Numerical Metamorphic Relations", ICSME 2019), all eight types of its Table III.
//
// A relation of h inputs says: if i(j) = A(j)u (or >, <), u being the monomials of
// the first input, then B v = 0 (or ≤ 0), v being the monomials of all outputs.
//
// The input domain is the program's, as in the paper. A region is any part of the
// input space with bounds for each element, for which the paper has no word.
//
// How, by the method NullSpace:
//
//   - Equalities (types I to V). For a given A, the B with B v = 0 are the null
//     space of the matrix that has v for many inputs as rows, so only A is
//     searched and B is read off a singular value decomposition. Candidates for A
//     are simple affine mappings (see candidates.go), for one element also all
//     small integer polynomials up to degree 3 and shifts that a particle swarm
//     finds. A basis of a null space is made sparse; constants that are close to
//     recognisable ones (rationals, multiples of π, e, logarithms, square roots)
//     become those if they verify.
//   - Near-null vectors of smooth functions are no laws. So every candidate is
//     judged on inputs that the search has not seen: of the domain, of both signs
//     and of all magnitudes up to 10³⁰⁰, as far as the program has outputs there.
//     The widest region in which a law holds is its Region; one that holds in the
//     domain only, though there are outputs elsewhere, is none. Nor is one that
//     fails by more than rounding at inputs where programs tend to have cases:
//     whole, fractional and round numbers up to 1000, ends of the domain, elements
//     that are equal, opposite or close (see trial.go). What is rounding is told by
//     moves of the follow-up inputs (see rounding.go), however large these are.
//   - What follows is left out: compositions of laws f(g(x)) = M f(x) + c; linear
//     combinations of laws over all input relations; what is in the ideal of kept
//     laws, up to a degree; of shifts and of scalings all but generators (see
//     generate.go).
//   - Inequalities. VII: in regions of the input space, the directions in which
//     outputs of a group vary least (here near-null vectors are welcome), bounded
//     by their extremes on a sample and around its extreme points, with a margin.
//     Regions of negative inputs are left to parity where it is a law.
//     VIII: monotonicity, and the longest sides of the convex hull of outputs of
//     ordered inputs. VI: the least strict threshold beyond which outputs are
//     linearly dependent.
//   - Cleansing (phase III) of what is left: similarity (equation 23), rank of the
//     matrix C for equalities, implication for inequalities (formula 24): exact for
//     linear ones by Fourier-Motzkin elimination over the rationals, by an SMT
//     solver for others if there is one.
//
// The method Paper searches A and B with the paper's cost function and ranges; it
// is there for comparison.
//
// Where the paper's text leaves things open: its cost of equalities is least for
// B = 0, so B is scaled to a largest coefficient of 1; equation 23 divides by the
// number of entries, by which x + π and x + 2π are the same, so it only decides
// between relations of the same exact A; and of dependent equalities a subset is
// kept rather than the singular vectors, which are dense.
//
// What it cannot do:
//   - Input relations other than the candidates and shifts of one element: a scale
//     of 7/3, an element shifted by another's sine.
//   - Laws with more than 35 output monomials: many output elements at high degree.
//   - Laws that hold on a curve or in a region that is none of those tried.
//   - A branch that is taken for inputs nobody samples is not seen by validation:
//     a case of one input in several thousand, or one beyond 1000 that is at no
//     constant of the program. A law of the parts of a program that fails only where
//     inputs of one group, half a step apart, lie on both sides of such a place passes.
//   - Subnormal inputs are tried last, and do not decide what is a law: Sources has
//     some only where the relation held for them.
//   - Programs with fewer than a tenth of outputs in their domain: nothing is said.
package automr

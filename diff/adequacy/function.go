package adequacy

import "slices"

// Function collects the source inputs of one function under test, what they
// satisfied, and the relations that they were associated with.
type Function struct {
	required map[Criterion]indexed
	// satisfying gives for each requirement the source inputs that satisfy it.
	satisfying map[Criterion][][]int
	sources    map[string]int
	relations  []map[string]bool // of each source input
}

// NewFunction starts with no source input.
func NewFunction(r Requirements) *Function {
	f := &Function{required: r.indexed(), satisfying: map[Criterion][][]int{}, sources: map[string]int{}}
	for c, x := range f.required {
		f.satisfying[c] = make([][]int, len(x))
	}
	return f
}

// Source adds what a source input satisfied. The input is any text that tells
// source inputs apart: adding to a known one adds to what it satisfied. What is
// not required, such as a branch of another function, is ignored.
func (f *Function) Source(input string, s Satisfied) {
	t := f.source(input)
	for _, c := range Criteria() {
		for _, requirement := range s.of(c) {
			if i, ok := f.required[c][requirement]; ok {
				f.satisfying[c][i] = append(f.satisfying[c][i], t)
			}
		}
	}
}

// Associate records that a metamorphic group of the source input and the
// relation was executed and its outputs verified (Definition 1), whether the
// relation held or not. Doing so again changes nothing.
func (f *Function) Associate(input, relation string) { f.relations[f.source(input)][relation] = true }

func (f *Function) source(input string) int {
	t, ok := f.sources[input]
	if !ok {
		t = len(f.relations)
		f.sources[input] = t
		f.relations = append(f.relations, map[string]bool{})
	}
	return t
}

// Score is the k-MR coverage under a criterion. k less than 1 means the
// criterion's default.
func (f *Function) Score(c Criterion, k int) Score {
	if k < 1 {
		k = c.DefaultK()
	}
	counts := make([]int, len(f.relations))
	for t, set := range f.relations {
		counts[t] = len(set)
	}
	met, of := KMR(f.satisfying[c], counts, k)
	return Score{met, of}
}

// Satisfying gives, for each requirement of a criterion, in the order of the
// declaration, the source inputs that satisfy it, associated with a relation or
// not: ascending numbers from 0, in the order in which inputs became known. It
// is what KMR takes.
func (f *Function) Satisfying(c Criterion) [][]int {
	out := make([][]int, len(f.satisfying[c]))
	for i, inputs := range f.satisfying[c] {
		out[i] = slices.Clone(inputs)
		slices.Sort(out[i])
		out[i] = slices.Compact(out[i])
	}
	return out
}

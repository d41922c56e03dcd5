package adequacy

// Criterion is a coverage criterion for source inputs, on which k-MR coverage
// builds. Its text is the criterion of the event.
type Criterion string

// The criteria.
const (
	Statement  Criterion = "kmr-statement"
	Branch     Criterion = "kmr-branch"
	Choice     Criterion = "kmr-ichoice"
	ChoicePair Criterion = "kmr-ichoice-pair"
	Frame      Criterion = "kmr-ioctf"
)

// Criteria returns all criteria, in the order of reports.
func Criteria() []Criterion { return []Criterion{Statement, Branch, Choice, ChoicePair, Frame} }

// DefaultK is the k beyond which the paper finds little more faults: 2 for
// IO-CTF, 3 for the others.
func (c Criterion) DefaultK() int {
	if c == Frame {
		return 2
	}
	return 3
}

// Score is the adequacy of one or more functions under one criterion.
type Score struct {
	Met float64 // sum of the degrees to which requirements are met, each from 0 to 1
	Of  float64 // number of requirements
}

package automr

import "fmt"

// OutputForm is the form of the output relation, whatever its coefficients are: see
// package relation, whose words it uses where a relation of another source may have the
// same. It is "" for a relation of a single input.
func (r Relation) OutputForm() string {
	linear := r.Outputs == 1 && r.OutputDegree == 1 && len(r.A) == 1
	switch {
	case len(r.A) == 0:
		return ""
	case r.OutputOp != Equal && linear && r.B[0] == 0 && r.B[1] == -r.B[2]:
		return "ordered"
	case r.OutputOp != Equal:
		return fmt.Sprintf("at most, of degree %d, of %d outputs", r.OutputDegree, r.Groups()*r.Outputs)
	case !linear:
		return fmt.Sprintf("equal, of degree %d, of %d outputs", r.OutputDegree, r.Groups()*r.Outputs)
	}
	switch alpha, beta := -r.B[1]/r.B[2], -r.B[0]/r.B[2]; {
	case alpha == 1 && beta == 0:
		return "equal"
	case alpha == -1 && beta == 0:
		return "negated"
	case alpha == 1:
		return "another by a constant"
	case beta == 0:
		return "a multiple"
	}
	return "linear"
}

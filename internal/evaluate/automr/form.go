package automr

import "github.com/isodelta/isodelta/runner/relation/automr"

// form is a type of relations as the tables count it: what package automr infers
// goes beyond the forms of the paper's Table III, and is told apart from them.
type form struct {
	of    automr.Type
	other bool
}

// formOf returns the form of a relation. Those of the paper have input relations of
// degree 1, and as many inputs and the output degree that it has for their type.
func formOf(r automr.Relation) form {
	inputs, degree := 2, 1
	switch r.Type {
	case automr.TypeII:
		degree = 2
	case automr.TypeIII:
		degree = 3
	case automr.TypeIV:
		inputs = 3
	case automr.TypeV:
		inputs, degree = 3, 2
	}
	return form{r.Type, r.InputDegree != 1 || r.Groups() != inputs || r.OutputDegree != degree}
}

func (f form) String() string {
	if f.other {
		return f.of.String() + ", other form"
	}
	return f.of.String()
}

// column is one of the tables': some forms.
type column struct {
	name, title string
	has         func(form) bool
}

// columns are the paper's forms, one for each type, then the others.
func columns() []column {
	var out []column
	for _, t := range automr.AllTypes {
		out = append(out, column{t.String(), t.String(), func(f form) bool { return f == form{t, false} }})
	}
	return append(out,
		column{"curved", "I–VI, other forms", func(f form) bool { return f.other && f.of < automr.TypeVII }},
		column{"bands", "VII–VIII, other forms", band})
}

// band reports whether a form is an inequality that the paper does not have: of one
// input or three, or of a higher degree. Such bands are tables of values in disguise.
func band(f form) bool { return f.other && f.of >= automr.TypeVII }

// forms are those that something is true of.
type forms map[form]bool

// any reports whether a condition holds for one of them.
func (fs forms) any(has func(form) bool) bool {
	for f := range fs {
		if has(f) {
			return true
		}
	}
	return false
}

package declare

// A Text is a text of a configuration file, and where it stands there.
type Text struct {
	Value string
	Line  int // of its first character, from 1
	// Column is that character's, from 1; 0 if the text does not stand in the
	// line as it is, for escapes in it or because it goes over several lines.
	Column int
	// Block says that each line of the text is one of the file.
	Block bool
}

// place is where a byte of the text stands; line and column count from 1.
func (t Text) place(line, column int) (int, int) {
	switch {
	case t.Block:
		return t.Line + line - 1, 0
	case t.Column > 0 && line == 1:
		return t.Line, t.Column + column - 1
	}
	return t.Line, 0
}

// A Declaration is a relation as a configuration file declares it: nothing is
// checked but the form of the file.
type Declaration struct {
	Function  Text
	Name      Text // "" for none
	When      Text // "" for none
	FollowUps [][]Assignment
	Holds     Text
	Tolerance float64
}

// An Assignment gives a parameter of a follow-up call its value.
type Assignment struct{ Param, Value Text }

// Categorisation is the categories and choices of a function, as a
// configuration file declares them.
type Categorisation struct {
	Function      Text
	Input, Output []Category
}

// Category is one category with its choices.
type Category struct {
	Name    Text
	Choices []Choice
}

// Choice is a name and a condition.
type Choice struct{ Name, When Text }

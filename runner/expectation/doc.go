// Package expectation finds the lines in which a change itself says what head gives for an
// input: rows of edited tests, data files, documentation comments, a change log.
//
// # How
//
// Read takes the lines that differ between both trees and keeps what is added and removed where expectations
// are written. A difference comes as the text of a call and the text of what each version
// gives. Of cuts these into literals: texts, numbers, true and false. A difference is
// expected by a few added lines in a row that hold all literals of the input and all
// literals that head gives and base does not, each as often, and no literal that base alone
// gives. A short input, or a short value such as true, is no evidence by itself: it counts only
// where the change removes a line with the same input and what base gives. A declaration whose name says
// that it is a version, and whose text the change replaces, explains values that differ by
// nothing but these texts. Words in place of others, behind the same name, are expected where an edit makes all
// of the same replacements, whatever the input is. An exported field that the change adds explains what only head
// names by it or by its tags, where nothing else that changed ran or no other part differs. A word that the edit to blame
// adds to a switch, a table, a list or a comparison explains a call with that word, unless the call fails on head. An edited test
// that fails on base explains a difference with the two values of its message, or with the wanted value and the name of the field.
// An edited test that fails without the edits to blame explains a call with a text that is new in it. A text in added code explains
// a list that has this text on head and lacks it on base, and so does a type that the change declares. It explains a value that a test sees on head only, if all its texts are such
// ones, and a call with this word that base refuses by naming it, and head does not refuse. A phrase of the code that the change
// writes in another way explains values that differ by nothing but this phrase.
//
// # What it cannot do
//
// It reads literals, not programs: an expectation that is computed, or spread over more
// lines, is not found. A line about another function that holds the same literals is
// mistaken for an expectation; in tests that is made unlikely by asking that the file names
// the function that is called.
package expectation

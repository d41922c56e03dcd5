// Package properties holds what is known of the subjects without looking at
// their code: categories and choices, a source of inputs, and metamorphic
// relations.
//
// A relation makes follow-up inputs of a source input and says what must hold
// between all outputs. Its output relation has a short name, such as "equal" or
// "not less", by which relations of different form are told apart. A follow-up
// may be drawn at random; the same draw of the same source input is always the
// same group. A relation that says nothing of a source input gives no follow-up
// inputs.
//
// The package knows the subjects' rules as a specification gives them: what is
// included, and where a rate changes. It depends on the subjects alone, because
// it is also built beside mutated ones.
package properties

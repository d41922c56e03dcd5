package event

import "fmt"

// When says for which inputs of a function the versions differ, as far as inputs that were
// made for this tell. Without conditions nearly all differ.
type When struct {
	// Conditions hold for each input that differs. With Exact all inputs differ for which
	// they hold.
	Conditions []WhenCondition `json:"conditions" jsonschema:"maxItems=4"`
	Exact      bool            `json:"exact"`
	Differ     int             `json:"differ"` // of Compared
	Compared   int             `json:"compared"`
}

// WhenCondition is something that is so of an input.
type WhenCondition struct {
	Code string `json:"code" jsonschema:"maxLength=4096"`              // an argument, or a condition of the code
	Says string `json:"says" jsonschema:"maxLength=400"`               // as in "is negative"
	File string `json:"file,omitempty" jsonschema:"format=local-path"` // of the condition
	Line int    `json:"line,omitempty"`
}

// check says what cannot be.
func (w *When) check() error {
	if w != nil && (w.Differ < 0 || w.Differ > w.Compared) {
		return fmt.Errorf("%d of %d inputs differ", w.Differ, w.Compared)
	}
	return nil
}

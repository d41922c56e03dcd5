package diff

import "github.com/isodelta/isodelta/runner/outcome"

// ValueKind tells the kind of the difference between two values, each as text
// with its category.
func ValueKind(base, head outcome.Text) string { return kindOf(base, head) }

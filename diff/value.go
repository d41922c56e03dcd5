package diff

import "github.com/isodelta/isodelta/runner/execute"

// ValueKind tells the kind of the difference between two values, each as text
// with its category.
func ValueKind(base, head execute.Text) string { return kindOf(base, head) }

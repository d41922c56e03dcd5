package outcome_test

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/isodelta/isodelta/runner/outcome"
)

func TestBranches(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		conditions := rapid.IntRange(1, 1000).Draw(t, "conditions")
		i, value := rapid.IntRange(0, conditions-1).Draw(t, "condition"), rapid.Bool().Draw(t, "value")
		b := outcome.Of(i, value)
		if b.Condition() != i || b.Value() != value {
			t.Fatalf("branch %d of condition %d, %t is %d, %t", b, i, value, b.Condition(), b.Value())
		}
		if s := b.Sibling(); s.Condition() != i || s.Value() == value {
			t.Fatalf("the sibling of branch %d is %d", b, s)
		}
		if arm := outcome.Arm(conditions, 0); arm <= outcome.Of(conditions-1, true) {
			t.Fatalf("arm 0 is branch %d, among those of %d conditions", arm, conditions)
		}
	})
}

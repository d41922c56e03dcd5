package baseline

import (
	"strings"
	"testing"
	"time"

	"github.com/isodelta/isodelta/runner/build"
	"github.com/isodelta/isodelta/runner/instrument"
)

// Slow tests come after the others, in their order and once more only; when the time for
// finding out which are slow is lost, the rest run as they come.
func TestTurns(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		tests, slow string
		left        time.Duration
		want        string // the order of turns
	}{
		{"", "", time.Minute, ""},
		{"a b c", "", time.Minute, "a b c"},
		{"a b c", "a", time.Minute, "a b c a"},
		{"a b c d", "a c", time.Minute, "a b c d a c"},
		{"a b", "a b", time.Minute, "a b a b"},
		{"a b c d", "a b c", 2 * time.Second, "a b c d a b"},
		{"a b", "a", 0, "a b"},
	} {
		var list []*Test
		for _, name := range strings.Fields(c.tests) {
			list = append(list, &Test{Test: &build.Test{Test: instrument.Test{Name: name}}})
		}
		turns := newTurns(list, c.left)
		var got []string
		for {
			test, mayWait := turns.next()
			if test == nil {
				break
			}
			got = append(got, test.Name)
			if mayWait && strings.Contains(c.slow, test.Name) {
				turns.wait(test, time.Second)
			}
		}
		if order := strings.Join(got, " "); order != c.want {
			t.Errorf("%q with %q slow and %s to lose: %s, want %s", c.tests, c.slow, c.left, order, c.want)
		}
	}
}

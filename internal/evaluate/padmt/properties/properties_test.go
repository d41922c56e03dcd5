package properties

import (
	"testing"

	"github.com/isodelta/isodelta/internal/evaluate/kmr/properties"
)

// TestRelationsHold: those that do not hold on the originals would count as detection.
func TestRelationsHold(t *testing.T) {
	t.Parallel()
	const draws = 30_000
	for _, s := range Subjects() {
		d := s.Describe()
		t.Run(d.Name, func(t *testing.T) {
			t.Parallel()
			used := make([]int, len(d.Relations))
			for draw := range uint64(draws) {
				for k := range d.Relations {
					switch s.Group(k, draw) {
					case properties.Violated:
						t.Fatalf("%q is violated by draw %d, %+v", d.Relations[k], draw, s.Input(draw))
					case properties.Held:
						used[k]++
					}
				}
			}
			for k, n := range used {
				if n < draws/500 {
					t.Errorf("%q applies to %d of %d inputs only", d.Relations[k], n, draws)
				}
			}
			t.Logf("%d relations", len(d.Relations))
		})
	}
}

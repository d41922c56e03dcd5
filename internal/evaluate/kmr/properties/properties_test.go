package properties

import (
	"testing"
)

// Relations that do not hold on the originals would count as detection.
func TestRelationsHold(t *testing.T) {
	t.Parallel()
	const draws = 20_000
	for _, s := range Subjects() {
		d := s.Describe()
		t.Run(d.Name, func(t *testing.T) {
			t.Parallel()
			if len(d.Relations) < 20 {
				t.Errorf("%d relations, want at least 20", len(d.Relations))
			}
			least, forms := len(d.Relations), len(d.Relations)
			used := make([]int, len(d.Relations))
			for draw := range uint64(draws) {
				n, different := 0, map[string]bool{}
				for k := range d.Relations {
					switch s.Group(k, draw) {
					case Violated:
						t.Fatalf("%q is violated by draw %d", d.Relations[k], draw)
					case Held:
						used[k]++
						n++
						different[d.Forms[k]] = true
					}
				}
				least, forms = min(least, n), min(forms, len(different))
			}
			for k, n := range used {
				if n == 0 {
					t.Errorf("%q never applies", d.Relations[k])
				}
			}
			// k goes up to 4 in the evaluation.
			if forms < 4 {
				t.Errorf("some source input has relations of %d different forms only, want 4", forms)
			}
			t.Logf("%d relations; of each source input at least %d, of %d forms", len(d.Relations), least, forms)
		})
	}
}

// The same draw is the same input in every process, whatever ran before.
func TestDraws(t *testing.T) {
	t.Parallel()
	for _, s := range Subjects() {
		first := s.Output(7)
		s.Group(0, 8)
		if again := s.Output(7); again != first {
			t.Errorf("%s: %s, then %s", s.Describe().Name, first, again)
		}
		differ := false
		for draw := range uint64(10) {
			differ = differ || s.Output(draw) != first
		}
		if !differ {
			t.Errorf("%s: all draws give %s", s.Describe().Name, first)
		}
	}
}

// A choice that no input has would be a requirement that none can meet.
func TestChoicesOccur(t *testing.T) {
	t.Parallel()
	for _, s := range Subjects() {
		d := s.Describe()
		type choice struct {
			out              bool
			category, choice int
		}
		seen := map[choice]bool{}
		for draw := range uint64(20_000) {
			in, out := s.Picks(draw)
			for c, n := range in {
				seen[choice{false, c, n}] = true
			}
			for c, n := range out {
				seen[choice{true, c, n}] = true
			}
		}
		for _, side := range []struct {
			out     bool
			choices []int
		}{{false, d.In}, {true, d.Out}} {
			for c, n := range side.choices {
				for k := range n {
					if !seen[choice{side.out, c, k}] {
						t.Errorf("%s: no input has choice %d of category %d, output %v", d.Name, k, c, side.out)
					}
				}
			}
		}
	}
}

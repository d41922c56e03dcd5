package variation

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/isodelta/isodelta/runner/calls/harness"
	"github.com/isodelta/isodelta/runner/calls/surface"
	"github.com/isodelta/isodelta/runner/instrument"
	"github.com/isodelta/isodelta/runner/probe"
)

// words makes values for the points of one package.
type words struct {
	plain   *harness.Plain
	groups  map[string][]string // values of points, by group
	texts   []string            // of all points
	numbers []int64             // nearest to the change
}

// newWords takes values from the points of a suite's package, and from what the code and the change contain.
func newWords(points []instrument.Point, pkg string, lits surface.Literals) *words {
	w := &words{plain: harness.NewPlain(), groups: map[string][]string{}}
	for near, list := range lits.Texts {
		for _, s := range list {
			w.plain.AddText(near, s)
		}
	}
	for near, list := range lits.Numbers {
		for _, n := range list {
			w.plain.AddNumber(near, n)
		}
	}
	w.numbers = lits.Numbers[0]
	for _, p := range points {
		if p.Package != pkg {
			continue
		}
		if p.Group != "" && !slices.Contains(w.groups[p.Group], p.Value) {
			w.groups[p.Group] = append(w.groups[p.Group], p.Value)
		}
		if p.Kind == instrument.PointText {
			w.texts = append(w.texts, p.Value)
		}
	}
	return w
}

// most is how many different values there are for a point that has few; 0 where there is no end.
func most(p instrument.Point) int {
	switch p.Kind {
	case instrument.PointTruth:
		return 1
	case instrument.PointStatement:
		return 2
	case instrument.PointList:
		return len(operations(p.Length))
	case instrument.PointMap:
		return p.Length
	}
	return 0
}

// maxElements is how many elements of a list are dropped, doubled and swapped.
const maxElements = 4

// operations are those on a list of so many elements.
func operations(length int) []string {
	var out []string
	for i := range length {
		if i >= maxElements {
			out = append(out, probe.DropElement+strconv.Itoa(i))
			continue
		}
		n := strconv.Itoa(i)
		out = append(out, probe.DoubleElement+n, probe.DropElement+n)
		if i+1 < length {
			out = append(out, probe.SwapElements+n)
		}
	}
	return out
}

// value is the kth value for a point, as package probe reads it.
func (w *words) value(r *harness.Rand, p instrument.Point, k int) string {
	switch p.Kind {
	case instrument.PointTruth:
		return "other"
	case instrument.PointStatement:
		return []string{"2", "0"}[k%2]
	case instrument.PointList:
		all := operations(p.Length)
		return all[k%len(all)]
	case instrument.PointTable:
		return fmt.Sprintf("%d.%d.%d", r.Intn(p.Length), r.Intn(len(p.Elements)), r.Intn(p.Length))
	case instrument.PointMap:
		return probe.DropElement + strconv.Itoa(k%p.Length)
	case instrument.PointInteger:
		return w.integer(r, p, k)
	case instrument.PointFloat:
		f, _ := strconv.ParseFloat(p.Value, 64)
		return strconv.FormatFloat(w.plain.Float(r, f), 'g', -1, 64)
	}
	return w.text(r, p)
}

// text is from the same group, or any that a test has, or made of what is known.
func (w *words) text(r *harness.Rand, p instrument.Point) string {
	others := w.groups[p.Group]
	switch {
	case len(others) > 1 && r.Chance(35):
		return others[r.Intn(len(others))]
	case len(w.texts) > 0 && r.Chance(12):
		return w.texts[r.Intn(len(w.texts))]
	}
	return w.plain.String(r, p.Value)
}

// integer is beside the one that is there at first, then one of the same group, of the change, or any.
func (w *words) integer(r *harness.Rand, p instrument.Point, k int) string {
	n, err := strconv.ParseInt(p.Value, 10, 64)
	if err != nil {
		return p.Value
	}
	others := w.groups[p.Group]
	near := []int64{0, n + 1, n - 1, 1, -1, 2, 2 * n}
	switch {
	case k < len(near):
		n = near[k]
	case len(others) > 1 && r.Chance(30):
		return others[r.Intn(len(others))]
	case len(w.numbers) > 0 && r.Chance(30):
		n = w.numbers[r.Intn(len(w.numbers))]
	default:
		n = w.plain.Int(r, n, 16)
	}
	return strconv.FormatInt(fit(n, p.Bits), 10)
}

// maxNumber bounds numbers: a test may make a list of that length.
const maxNumber = 1 << 16

// fit cuts a number to so many bits, without a sign where there are fewer than 0.
func fit(n int64, bits int) int64 {
	n = min(max(n, -maxNumber), maxNumber)
	if bits < 0 {
		bits, n = -bits, max(n, -n)
		if bits < 64 {
			n &= 1<<bits - 1
		}
		return n
	}
	shift := 64 - bits
	return n << shift >> shift
}

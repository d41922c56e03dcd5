package padmt

import (
	"fmt"
	"math"
	"reflect"
)

// A part is one number or choice of an input.
type part struct {
	place  string  // such as .Bags[], the same for all elements of a list
	at     string  // such as .Bags[2]
	number float64 // NaN for a choice
	choice string
}

// distances gives a distance of inputs: the mean, over all parts that one of two has, of how far
// they differ. Numbers differ by their difference as a share of all that the pool has at that
// place; choices, which are named types, truth values and characters, differ or not; and what
// only one of them has differs as much as can be.
func distances(inputs []any) func(i, j int) float64 {
	flat := make([]map[string]part, len(inputs))
	low, high := map[string]float64{}, map[string]float64{}
	for i, x := range inputs {
		flat[i] = map[string]part{}
		var parts []part
		parts = flatten(parts, reflect.ValueOf(x), "", "")
		for _, p := range parts {
			flat[i][p.at] = p
			if math.IsNaN(p.number) {
				continue
			}
			if _, ok := low[p.place]; !ok {
				low[p.place], high[p.place] = p.number, p.number
			}
			low[p.place], high[p.place] = min(low[p.place], p.number), max(high[p.place], p.number)
		}
	}
	vectors, width := tabulate(flat, low, high)
	return func(i, j int) float64 { return apart(vectors[i], vectors[j], width) }
}

// flatten lists the parts of a value.
func flatten(to []part, v reflect.Value, place, at string) []part {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			name := "." + v.Type().Field(i).Name
			to = flatten(to, v.Field(i), place+name, at+name)
		}
	case reflect.Slice:
		to = append(to, part{place: place + ".len", at: at + ".len", number: float64(v.Len())})
		for i := range v.Len() {
			to = flatten(to, v.Index(i), place+"[]", fmt.Sprintf("%s[%d]", at, i))
		}
	case reflect.String:
		to = append(to, part{place: place + ".len", at: at + ".len", number: float64(v.Len())})
		for i, c := range []byte(v.String()) {
			to = append(to, part{at: fmt.Sprintf("%s[%d]", at, i), number: math.NaN(), choice: string(c)})
		}
	case reflect.Bool:
		to = append(to, part{at: at, number: math.NaN(), choice: fmt.Sprint(v.Bool())})
	case reflect.Int, reflect.Int32:
		if v.Type().PkgPath() != "" {
			return append(to, part{at: at, number: math.NaN(), choice: fmt.Sprint(v.Int())})
		}
		to = append(to, part{place: place, at: at, number: float64(v.Int())})
	default:
		panic(fmt.Sprintf("no distance of a %s", v.Type()))
	}
	return to
}

// tabulate gives each part a column: numbers between 0 and 1, choices as numbers 2 apart, NaN for
// what an input does not have.
func tabulate(flat []map[string]part, low, high map[string]float64) (rows [][]float64, width int) {
	columns, choices := map[string]int{}, map[string]float64{}
	for _, input := range flat {
		for at := range input {
			if _, ok := columns[at]; !ok {
				columns[at] = len(columns)
			}
		}
	}
	for _, input := range flat {
		row := make([]float64, len(columns))
		for c := range row {
			row[c] = math.NaN()
		}
		for at, p := range input {
			if math.IsNaN(p.number) {
				if _, ok := choices[p.choice]; !ok {
					choices[p.choice] = 2 * float64(len(choices))
				}
				row[columns[at]] = choices[p.choice]
			} else if spread := high[p.place] - low[p.place]; spread > 0 {
				row[columns[at]] = (p.number - low[p.place]) / spread
			} else {
				row[columns[at]] = 0
			}
		}
		rows = append(rows, row)
	}
	return rows, len(columns)
}

// apart is the mean difference of two rows.
func apart(a, b []float64, width int) float64 {
	sum, n := 0.0, 0
	for c := range width {
		x, y := a[c], b[c]
		switch {
		case x != x && y != y: // NaN: neither has it
			continue
		case x != x || y != y:
			sum++
		default:
			sum += min(1, math.Abs(x-y))
		}
		n++
	}
	if n == 0 {
		return 0
	}
	return sum / float64(n)
}

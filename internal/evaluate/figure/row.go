package figure

import (
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"text/tabwriter"
)

// Row makes a line of a table of text and whole numbers.
func Row(cells ...any) []string {
	out := make([]string, len(cells))
	for i, c := range cells {
		out[i] = fmt.Sprint(c)
	}
	return out
}

// Percent is x in percent with one digit, and a dash for NaN.
func Percent(x float64) string {
	if math.IsNaN(x) {
		return "-"
	}
	return fmt.Sprintf("%.1f%%", 100*x)
}

// Decimal is x with so many digits after the point, and a dash for NaN.
func Decimal(x float64, digits int) string {
	if math.IsNaN(x) {
		return "-"
	}
	return strconv.FormatFloat(x, 'f', digits, 64)
}

// Sum adds up the numbers of two rows, which are the same ones in the same order.
func Sum(to, from []*int) {
	for i, n := range from {
		*to[i] += *n
	}
}

// CountIf counts what holds.
func CountIf(n *int, holds bool) {
	if holds {
		*n++
	}
}

// Table prints rows in columns: the first to the left, the others to the
// right.
func Table(w io.Writer, title string, rows [][]string) error {
	width := 0
	for _, r := range rows {
		width = max(width, len(r[0]))
	}
	if _, err := fmt.Fprintf(w, "\n%s\n", title); err != nil {
		return err
	}
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	for _, r := range rows {
		if _, err := fmt.Fprintf(tw, "%-*s\t%s\t\n", width, r[0], strings.Join(r[1:], "\t")); err != nil {
			return err
		}
	}
	return tw.Flush()
}

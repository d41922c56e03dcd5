package variation

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/isodelta/isodelta/report/event"
	"github.com/isodelta/isodelta/runner/baseline"
	"github.com/isodelta/isodelta/runner/instrument"
	"github.com/isodelta/isodelta/runner/outcome"
	"github.com/isodelta/isodelta/runner/probe"
)

// Variation is what stands in the place of a point.
type Variation struct {
	Point instrument.Point
	Value string // as package probe reads it
}

// Came is the result of a varied test without what the test expects: whether that fails says nothing about an
// input that it was not written for.
func Came(r outcome.Result) outcome.Result {
	if r.Outcome == event.Fail || r.Outcome == event.Pass {
		r.Outcome, r.Skipped, r.Message = event.Pass, false, ""
	}
	return r
}

// Command is what a process is told.
func (v Variation) Command() map[int]string { return map[int]string{v.Point.ID: v.Value} }

// Variant is what one variation did to one test.
type Variant struct {
	Test       *baseline.Test
	Variation  Variation
	Fuel       int64 // that was allowed
	Base, Head outcome.Result
	Kind       event.Kind // of the difference, where there is one

	ran bool // on head, too
}

// Event tells a variation in Go source.
func (v Variation) Event() event.Varied {
	return event.Varied{File: v.Point.File, Line: v.Point.Line, Ordinal: v.Point.Ordinal, Was: v.Point.Text, Is: v.source()}
}

// Find returns the variation of a test's point that a stream tells of; false where the test has no such
// point.
func Find(t *baseline.Test, told event.Varied) (Variation, bool) {
	for _, p := range pointsOf(t) {
		if p.File != told.File || p.Line != told.Line || p.Ordinal != told.Ordinal || p.Text != told.Was {
			continue
		}
		for _, value := range values(p, told.Is) {
			if v := (Variation{p, value}); v.source() == told.Is {
				return v, true
			}
		}
	}
	return Variation{}, false
}

// values are those of a point that may stand in the source as is.
func values(p instrument.Point, is string) []string {
	switch p.Kind {
	case instrument.PointText:
		s, err := strconv.Unquote(is)
		if err != nil {
			return nil
		}
		return []string{s}
	case instrument.PointTruth:
		return []string{"other"}
	case instrument.PointStatement:
		return []string{"0", "2"}
	case instrument.PointList, instrument.PointMap:
		return operations(p.Length)
	case instrument.PointTable:
		return cells(p)
	}
	return []string{is}
}

// source is what stands there instead, in Go source; "" for nothing.
func (v Variation) source() string {
	p := v.Point
	switch p.Kind {
	case instrument.PointText:
		return strconv.Quote(v.Value)
	case instrument.PointTruth:
		return strconv.FormatBool(p.Value != "true")
	case instrument.PointStatement:
		n, _ := strconv.Atoi(v.Value)
		return strings.TrimSuffix(strings.Repeat(p.Text+"; ", n), "; ")
	case instrument.PointTable:
		return cell(p, v.Value)
	case instrument.PointList, instrument.PointMap:
		return p.Before + strings.Join(elements(p.Elements, v.Value), ", ") + "}"
	}
	return v.Value
}

// elements are those of a list after an operation.
func elements(list []string, operation string) []string {
	name, number, _ := strings.Cut(operation, ":")
	i, err := strconv.Atoi(number)
	if err != nil || i >= len(list) {
		return list
	}
	out := append([]string(nil), list[:i]...)
	switch name + ":" {
	case probe.DropElement:
		return append(out, list[i+1:]...)
	case probe.DoubleElement:
		return append(append(out, list[i]), list[i:]...)
	case probe.SwapElements:
		if i+1 < len(list) {
			return append(append(out, list[i+1], list[i]), list[i+2:]...)
		}
	}
	return list
}

// Says tells in a few words what is varied, as in ", with 2 in place of 1".
func Says(v event.Varied) string {
	switch {
	case v.LeftOut():
		return ", without " + cut(v.Was)
	case v.Twice():
		return ", with " + cut(v.Was) + " twice"
	case v.Row():
		return ", after " + cut(v.Is)
	}
	return ", with " + cut(v.Is) + " in place of " + cut(v.Was)
}

// maxSaid bounds a piece of source in a comment, in runes.
const maxSaid = 60

func cut(s string) string {
	if r := []rune(s); len(r) > maxSaid {
		return string(r[:maxSaid]) + "…"
	}
	return s
}

// cell is the assignment that a variation of a table stands for: a field of a row from another row.
func cell(p instrument.Point, value string) string {
	var row, field, from int
	if n, err := fmt.Sscanf(value, "%d.%d.%d", &row, &field, &from); n != 3 || err != nil || field >= len(p.Elements) {
		return ""
	}
	return fmt.Sprintf("%[1]s[%[2]d].%[3]s = %[1]s[%[4]d].%[3]s", p.Before, row, p.Elements[field], from)
}

// maxCells bounds the variations of a table that are looked through.
const maxCells = 200_000

// cells are all variations of a table.
func cells(p instrument.Point) (out []string) {
	for row := range p.Length {
		for field := range p.Elements {
			for from := range p.Length {
				if len(out) < maxCells {
					out = append(out, fmt.Sprintf("%d.%d.%d", row, field, from))
				}
			}
		}
	}
	return out
}

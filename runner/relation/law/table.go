package law

import (
	"fmt"
	"math"
	"slices"
)

// A Variable is a value of each row: an argument of a call, or a result.
type Variable struct {
	Math string // as readers see it: "f(x)"
	Go   string // Go expression of the kind's Go type
	Kind Kind
}

// A Table holds recorded values, a column for each variable. It does not change.
type Table struct {
	variables []Variable
	rows      int
	columns   []column
}

// column holds one value for each row.
type column struct {
	defined []bool
	values  any // []bool, []int64, …, [][]string
}

// NewTable makes a table of rows, which have a value of the variable's kind for each
// variable, or nil. A floating-point number that is not a number is undefined, and so is
// a list with one.
func NewTable(variables []Variable, rows [][]any) (*Table, error) {
	t := &Table{variables: slices.Clone(variables), rows: len(rows)}
	for i, row := range rows {
		if len(row) != len(variables) {
			return nil, fmt.Errorf("row %d has %d values for %d variables", i, len(row), len(variables))
		}
	}
	for j, v := range variables {
		c, err := columnOf(v.Kind, rows, j)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", v.Math, err)
		}
		t.columns = append(t.columns, c)
	}
	return t, nil
}

// Variables returns the variables.
func (t *Table) Variables() []Variable { return slices.Clone(t.variables) }

// Rows returns the number of rows.
func (t *Table) Rows() int { return t.rows }

// Row returns the values of a row.
func (t *Table) Row(i int) []any {
	row := make([]any, len(t.columns))
	for j, c := range t.columns {
		row[j] = c.at(i)
	}
	return row
}

func columnOf(k Kind, rows [][]any, j int) (column, error) {
	switch k {
	case Bool:
		return fill[bool](rows, j)
	case Int:
		return fill[int64](rows, j)
	case Float:
		return fill[float64](rows, j)
	case Text:
		return fill[string](rows, j)
	case Bools:
		return fill[[]bool](rows, j)
	case Ints:
		return fill[[]int64](rows, j)
	case Floats:
		return fill[[]float64](rows, j)
	case Texts:
		return fill[[]string](rows, j)
	}
	return column{}, fmt.Errorf("variables of no kind have no column")
}

func fill[T any](rows [][]any, j int) (column, error) {
	defined, values := make([]bool, len(rows)), make([]T, len(rows))
	for i, row := range rows {
		if row[j] == nil {
			continue
		}
		v, ok := row[j].(T)
		if !ok {
			return column{}, fmt.Errorf("row %d is a %T, not a %T", i, row[j], v)
		}
		values[i], defined[i] = v, isNumber(v)
	}
	return column{defined, values}, nil
}

// isNumber reports whether nothing in a value is a floating-point NaN.
func isNumber(v any) bool {
	switch v := v.(type) {
	case float64:
		return !math.IsNaN(v)
	case []float64:
		return !slices.ContainsFunc(v, math.IsNaN)
	}
	return true
}

// at returns the value of a row, nil if it is undefined.
func (c column) at(i int) any {
	if !c.defined[i] {
		return nil
	}
	switch values := c.values.(type) {
	case []bool:
		return values[i]
	case []int64:
		return values[i]
	case []float64:
		return values[i]
	case []string:
		return values[i]
	case [][]bool:
		return values[i]
	case [][]int64:
		return values[i]
	case [][]float64:
		return values[i]
	case [][]string:
		return values[i]
	}
	return nil
}

package law

// Verdict is what a row says about a relation.
type Verdict int8

// The verdicts. A row for which the relation is undefined says nothing.
const (
	Silent Verdict = iota
	Holds
	Fails
)

// An Evaluator evaluates trees over one table. It computes the column of each distinct
// subtree once, as long as it can keep them. It is for one goroutine at a time.
type Evaluator struct {
	table *Table
	// young and old hold columns by the keys of trees. When young is full it becomes old,
	// and what has not been asked for since goes.
	young, old map[string]column
	held       int // by young, in bytes, roughly
	most       int
}

// Memory is how much an Evaluator keeps at most, in bytes, roughly.
const Memory = 64 << 20

// NewEvaluator evaluates over a table.
func NewEvaluator(t *Table) *Evaluator {
	return &Evaluator{table: t, young: map[string]column{}, most: Memory / 2}
}

// Verdicts returns what each row says about a relation, a tree of kind Bool.
func (e *Evaluator) Verdicts(x *Expr) []Verdict {
	c := e.column(x)
	values := c.values.([]bool)
	out := make([]Verdict, len(values))
	for i, defined := range c.defined {
		switch {
		case defined && values[i]:
			out[i] = Holds
		case defined:
			out[i] = Fails
		}
	}
	return out
}

// Values returns the value of a tree for each row, nil where it is undefined.
func (e *Evaluator) Values(x *Expr) []any {
	c := e.column(x)
	out := make([]any, e.table.rows)
	for i := range out {
		out[i] = c.at(i)
	}
	return out
}

func (e *Evaluator) column(x *Expr) column {
	if x.op == Read {
		return e.table.columns[x.variable]
	}
	if c, ok := e.young[x.key]; ok {
		return c
	}
	c, ok := e.old[x.key]
	if !ok {
		c = e.compute(x)
	}
	e.keep(x, c)
	return c
}

func (e *Evaluator) compute(x *Expr) column {
	if x.op == Constant {
		return repeated(x.value, e.table.rows)
	}
	var few [2]column
	args := few[:len(x.args)]
	for i, a := range x.args {
		args[i] = e.column(a)
	}
	return x.over.run(e.table.rows, args)
}

func (e *Evaluator) keep(x *Expr, c column) {
	e.held += len(x.key) + e.table.rows*perRow(x.kind)
	if e.held > e.most {
		e.old, e.young, e.held = e.young, map[string]column{}, 0
	}
	e.young[x.key] = c
}

// perRow is the room that a value of a kind takes, roughly.
func perRow(k Kind) int {
	switch {
	case k == Bool:
		return 2
	case k.IsNumber():
		return 9
	case k == Text:
		return 40
	}
	return 100
}

// repeated is the column of a constant.
func repeated(v any, rows int) column {
	switch v := v.(type) {
	case bool:
		return repeat(v, rows)
	case int64:
		return repeat(v, rows)
	case float64:
		return repeat(v, rows)
	case string:
		return repeat(v, rows)
	}
	return column{}
}

func repeat[T any](v T, rows int) column {
	defined, values := make([]bool, rows), make([]T, rows)
	for i := range values {
		defined[i], values[i] = true, v
	}
	return column{defined, values}
}

package tested

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strconv"
	"strings"

	"github.com/isodelta/isodelta/runner/relation"
)

// minPairs is how many pairs of rows have to be permutations of one another: a single
// pair may be chance.
const minPairs = 2

// maxFacts bounds what is compared with one another of one function.
const maxFacts = 400

// A fact is one expected result: what a function is given and what it should give.
type fact struct {
	args  []string // keys
	want  string
	value constant.Value
	at    token.Pos
}

// factsOf are what claims say of one call each, by the key of the function and result.
func (f *finder) factsOf() (facts map[string][]fact, of map[string]*term) {
	facts, of = map[string][]fact{}, map[string]*term{}
	for _, c := range f.found {
		got, want := c.left, c.right
		switch {
		case c.op == token.EQL && got.kind != result:
			got, want = want, got
		case c.op == token.ILLEGAL, c.op == token.NOT:
			want = newTerm(literal, "const bool "+strconv.FormatBool(c.op == token.ILLEGAL), types.Typ[types.Bool])
		case c.op != token.EQL:
			continue
		}
		if got == nil || want == nil || got.kind != result || len(got.parts[0].parts) < 2 || want.calls(nil) != nil || got.parts[0].call.Sig.Variadic() {
			continue
		}
		key := got.parts[0].call.Expr + " " + strconv.Itoa(got.index)
		of[key] = got
		for _, row := range f.rowsIn(append([]*term{want}, got.parts[0].parts...)) {
			if x, ok := f.fact(got, want, row); ok && len(facts[key]) < maxFacts {
				x.at = c.at
				if row != nil {
					x.at = row.Pos()
				}
				facts[key] = append(facts[key], x)
			}
		}
	}
	return facts, of
}

// rowsIn are the rows of the table that terms are fields of; a single nil where there is
// none.
func (f *finder) rowsIn(list []*term) []*ast.CompositeLit {
	var table *ast.CompositeLit
	for _, t := range list {
		if t.field != "" && t.parts[0].object != nil {
			table = f.rows[t.parts[0].object]
		}
	}
	if table == nil {
		return []*ast.CompositeLit{nil}
	}
	var out []*ast.CompositeLit
	for _, e := range table.Elts {
		if kv, ok := e.(*ast.KeyValueExpr); ok {
			e = kv.Value
		}
		if u, ok := e.(*ast.UnaryExpr); ok {
			e = u.X
		}
		if row, ok := e.(*ast.CompositeLit); ok {
			out = append(out, row)
		}
	}
	return out
}

// fact is what a claim says in a row of its table, nil for none.
func (f *finder) fact(got, want *term, row *ast.CompositeLit) (fact, bool) {
	var x fact
	for _, a := range got.parts[0].parts {
		key, _, ok := f.cell(a, row)
		if !ok {
			return fact{}, false
		}
		x.args = append(x.args, key)
	}
	var ok bool
	x.want, x.value, ok = f.cell(want, row)
	return x, ok
}

// cell is the value of a term in a row.
func (f *finder) cell(t *term, row *ast.CompositeLit) (key string, v constant.Value, ok bool) {
	switch {
	case t.kind == literal:
		return t.key, t.value, true
	case t.kind == unknown && strings.HasPrefix(t.key, "literal "):
		return t.key, nil, true
	case row == nil || t.field == "" || t.parts[0].object == nil || f.rows[t.parts[0].object] == nil:
		return "", nil, false
	}
	s, is := f.info.TypeOf(row).Underlying().(*types.Struct)
	if !is {
		return "", nil, false
	}
	for i, e := range row.Elts {
		name := ""
		if kv, keyed := e.(*ast.KeyValueExpr); keyed {
			if id, plain := kv.Key.(*ast.Ident); plain {
				name = id.Name
			}
			e = kv.Value
		} else if i < s.NumFields() {
			name = s.Field(i).Name()
		}
		if name == t.field {
			w := &walker{finder: f, vars: map[types.Object]*term{}, effects: map[types.Object]*term{}}
			x := w.eval(e)
			return x.key, x.value, x.kind == literal || strings.HasPrefix(x.key, "literal ")
		}
	}
	return "left out", nil, true
}

// permuted makes relations of functions of which tests expect the same for permuted
// arguments, or the negative.
func (f *finder) permuted() []relation.Relation {
	facts, of := f.factsOf()
	var out []relation.Relation
	for _, key := range sorted(facts) {
		got := of[key]
		for _, order := range permutations(got.parts[0].call.Sig.Params()) {
			for _, negative := range []bool{false, true} {
				at, pairs := token.NoPos, 0
				if negative {
					at, pairs = negated(facts[key], order)
				} else {
					at, pairs = agreeing(facts[key], order)
				}
				if pairs >= minPairs {
					out = append(out, f.permutation(got, order, negative, at)...)
				}
			}
		}
	}
	return out
}

func sorted(m map[string][]fact) []string {
	var out []string
	for k := range m {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}

// permutations are those that exchange two parameters of the same type.
func permutations(params *types.Tuple) [][]int {
	n := params.Len()
	identity := make([]int, n)
	for i := range identity {
		identity[i] = i
	}
	var out [][]int
	for i := range n {
		for k := i + 1; k < n; k++ {
			if types.Identical(params.At(i).Type(), params.At(k).Type()) {
				order := slices.Clone(identity)
				order[i], order[k] = k, i
				out = append(out, order)
			}
		}
	}
	return out
}

// partners are the facts with the arguments of x in another order, none where the order is
// the same.
func partners(list []fact, x fact, order []int) []fact {
	want := make([]string, len(order))
	for i, k := range order {
		want[i] = x.args[k]
	}
	if slices.Equal(want, x.args) {
		return nil
	}
	var out []fact
	for _, y := range list {
		if slices.Equal(y.args, want) {
			out = append(out, y)
		}
	}
	return out
}

// agreeing counts the pairs of which the same is expected, none if something else is
// expected of one.
func agreeing(list []fact, order []int) (at token.Pos, pairs int) {
	seen := map[string]bool{}
	for _, x := range list {
		for _, y := range partners(list, x, order) {
			if x.want != y.want {
				return 0, 0
			}
			if !at.IsValid() {
				at = x.at
			}
			seen[pairKey(x, y)] = true
		}
	}
	return at, len(seen)
}

// negated counts the pairs of which the negative is expected, none if something else is
// expected of one.
func negated(list []fact, order []int) (at token.Pos, pairs int) {
	seen := map[string]bool{}
	for _, x := range list {
		for _, y := range partners(list, x, order) {
			if x.value == nil || y.value == nil || x.value.Kind() != constant.Int && x.value.Kind() != constant.Float ||
				!constant.Compare(x.value, token.EQL, constant.UnaryOp(token.SUB, y.value, 0)) {
				return 0, 0
			}
			if constant.Sign(x.value) != 0 {
				if !at.IsValid() {
					at = x.at
				}
				seen[pairKey(x, y)] = true
			}
		}
	}
	return at, len(seen)
}

func pairKey(x, y fact) string {
	a, b := strings.Join(x.args, "\n"), strings.Join(y.args, "\n")
	return min(a, b) + "\n" + max(a, b)
}

// permutation is the relation that arguments may be given in another order.
func (f *finder) permutation(got *term, order []int, negative bool, at token.Pos) []relation.Relation {
	call := got.parts[0]
	args := make([]*term, len(order))
	follow := make([]*term, len(order))
	for i := range order {
		args[i] = newTerm(unknown, "parameter "+strconv.Itoa(i), call.call.Sig.Params().At(i).Type())
	}
	for i, k := range order {
		follow[i] = args[k]
	}
	a, b := newResult(newCall(call.call, args), got.index), newResult(newCall(call.call, follow), got.index)
	if negative {
		a, b = b, newTerm(operation, "- unary", a.typ, a)
		b.spell = func(_ *speller, p []string) (string, bool) { return "-" + p[0], true }
	}
	r, _, ok := f.generalise(claim{op: token.EQL, left: a, right: b, at: at})
	if !ok {
		return nil
	}
	r.Name = "symmetric"
	if negative {
		r.Name = "antisymmetric"
	}
	return []relation.Relation{r}
}

package law

import (
	"fmt"
	"math"
	"slices"
	"testing"
)

// TestNotation: what readers see, in normal form.
func TestNotation(t *testing.T) {
	t.Parallel()
	vars := []Variable{
		{Math: "xs", Kind: Ints}, {Math: "f(xs)", Kind: Ints}, {Math: "f(reverse(xs))", Kind: Ints},
		{Math: "n", Kind: Int}, {Math: "g(n)", Kind: Int}, {Math: "s", Kind: Text}, {Math: "h(s)", Kind: Text}, {Math: "ok", Kind: Bool},
	}
	xs, f, g := Var(0, Ints), Var(1, Ints), Var(2, Ints)
	n, gn, s, h, ok := Var(3, Int), Var(4, Int), Var(5, Text), Var(6, Text), Var(7, Bool)
	i := func(v int64) *Expr { return Const(v) }
	for _, c := range []struct {
		tree *Expr
		want string
	}{
		{Apply(Equal, f, Apply(Reverse, g)), "f(reverse(xs)) = reverse(f(xs))"},
		{Apply(AtMost, Apply(Len, h), Apply(Len, s)), "len(h(s)) ≤ len(s)"},
		{Apply(Same, Apply(Sort, xs), f), "f(xs) is a permutation of xs"},
		{Apply(Equal, Apply(Sub, gn, i(1)), n), "g(n) = n + 1"},
		{Apply(Equal, gn, Apply(Add, n, n)), "g(n) = 2·n"},
		{Apply(Equal, Apply(Neg, gn), Apply(Neg, Apply(Sub, n, i(3)))), "g(n) = n − 3"},
		{Apply(AtMost, i(0), gn), "g(n) ≥ 0"},
		{Apply(Not, Apply(Less, gn, n)), "n ≤ g(n)"},
		{Apply(Not, Apply(Equal, h, s)), "h(s) ≠ s"},
		{Apply(Mul, Apply(Add, n, gn), i(-2)), "−2·(n + g(n))"},
		{Apply(Sub, n, Apply(Sub, gn, Apply(Abs, n))), "n − (g(n) − abs(n))"},
		{Apply(Implies, Apply(And, ok, Apply(Less, n, gn)), Apply(Or, Apply(Not, ok), Apply(Sorted, f))), "ok ∧ n < g(n) ⇒ ¬ok ∨ f(xs) is sorted"},
		{Apply(Contains, Apply(Reverse, f), Apply(Min, xs)), "f(xs) contains min(xs)"},
		{Apply(HasSuffix, h, Const("x")), `h(s) ends with "x"`},
		{Apply(Equal, Apply(Append, f, n), g), "f(reverse(xs)) = f(xs) ++ [n]"},
		{Apply(Equal, f, f), "true"},
		{Apply(Less, n, n), "false"},
		{Apply(Less, n, Apply(Add, gn, i(2))), "n ≤ g(n) + 1"},
		{Apply(Less, Apply(Add, n, i(-1)), gn), "n ≤ g(n)"},
		{Apply(Sub, n, n), "0"},
		{Apply(AtMost, i(0), Apply(Len, s)), "true"},
		{Apply(Equal, Apply(Add, i(2), i(3)), i(6)), "false"},
		{Apply(And, ok, Apply(Not, ok)), "false"},
	} {
		if got := Notation(Simplify(c.tree), vars); got != c.want {
			t.Errorf("%s is written %q, want %q", Notation(c.tree, vars), got, c.want)
		}
	}
}

// TestUndefined: what has no value makes relations say nothing.
func TestUndefined(t *testing.T) {
	t.Parallel()
	vars := []Variable{{Kind: Int}, {Kind: Ints}, {Kind: Float}, {Kind: Text}}
	table, err := NewTable(vars, [][]any{
		{int64(math.MaxInt64), []int64{math.MaxInt64, math.MaxInt64, math.MinInt64}, math.NaN(), "\xff"},
		{nil, []int64{}, math.Inf(1), ""},
	})
	if err != nil {
		t.Fatal(err)
	}
	n, list, x, s := Var(0, Int), Var(1, Ints), Var(2, Float), Var(3, Text)
	for _, c := range []struct {
		tree *Expr
		want []any
	}{
		{Apply(Add, n, Const(int64(1))), []any{nil, nil}},
		{Apply(Neg, n), []any{int64(-math.MaxInt64), nil}},
		{Apply(Sum, list), []any{int64(math.MaxInt64 - 1), int64(0)}},
		{Apply(First, list), []any{int64(math.MaxInt64), nil}},
		{Apply(Sub, x, x), []any{nil, nil}},
		{Apply(Or, Const(true), Apply(Equal, x, x)), []any{nil, true}},
		{Apply(Reverse, s), []any{nil, ""}},
		{Apply(Less, Const(1.0), Const(1+1e-12)), []any{false, false}},
	} {
		if got := NewEvaluator(table).Values(c.tree); fmt.Sprint(got) != fmt.Sprint(c.want) {
			t.Errorf("%s: %v, want %v", c.tree.Key(), got, c.want)
		}
	}
}

// TestEvaluatorForgets: an evaluator that can keep next to nothing says the same as one
// that keeps all.
func TestEvaluatorForgets(t *testing.T) {
	t.Parallel()
	table := table(20).Example(3)
	all, few := NewEvaluator(table), NewEvaluator(table)
	few.most = 1000
	for seed := range 200 {
		x := trees(Bool, 4).Example(seed)
		if !slices.Equal(all.Verdicts(x), few.Verdicts(x)) {
			t.Fatalf("different verdicts on %s", Notation(x, variables()))
		}
	}
	if len(few.young)+len(few.old) > 60 {
		t.Errorf("%d and %d columns kept", len(few.young), len(few.old))
	}
}

// TestReplace: each node can be replaced by one of its kind, and by no other.
func TestReplace(t *testing.T) {
	t.Parallel()
	for seed := range 100 {
		x := trees(Bool, 4).Example(seed)
		for i, node := range x.Nodes() {
			by := Var(2*int(node.Kind()-Bool), node.Kind())
			y := x.Replace(i, by)
			if y == nil || y.Nodes()[i].Key() != by.Key() || y.Size() != x.Size()-node.Size()+1 {
				t.Fatalf("node %d of %s replaced by %s: %v", i, x.Key(), by.Key(), y)
			}
			if other := Kind(1 + int(node.Kind())%int(Texts)); x.Replace(i, Var(0, other)) != nil {
				t.Fatalf("node %d of %s replaced by one of kind %s", i, x.Key(), other)
			}
		}
	}
}

// TestNewTable: rows of other lengths and kinds are refused.
func TestNewTable(t *testing.T) {
	t.Parallel()
	for _, rows := range [][][]any{{{int64(1)}}, {{int64(1), 1}}, {{"", true}}} {
		if _, err := NewTable([]Variable{{Kind: Int}, {Kind: Bool}}, rows); err == nil {
			t.Errorf("no error for %v", rows)
		}
	}
	if _, err := NewTable([]Variable{{}}, nil); err == nil {
		t.Error("no error for a variable of no kind")
	}
}

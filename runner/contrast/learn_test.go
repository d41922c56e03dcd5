package contrast

import (
	"fmt"
	"go/token"
	"go/types"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/isodelta/isodelta/runner/calls/wire"
)

// made returns rows for numbers and texts, and whether each differs.
func made(n int, from int, differs func(n int64, s string, taken bool) bool) []row {
	names, of := []string{"n", "s"}, []types.Type{types.Typ[types.Int], types.Typ[types.String]}
	var rows []row
	for i := from; i < from+n; i++ {
		number, text := int64(i*7%23-11), strings.Repeat("ab"[i%2:i%2+1], i%5)
		taken := i*13%7 < 3
		r := row{facts: facts([]wire.Lit{{Form: wire.Int, N: number}, {Form: wire.Text, S: text}}, names, of), branches: map[feature]bool{
			{code: "x == y", says: fmt.Sprintf("is %t", taken), file: "m.go", line: 3, weight: changedWeight}: true,
		}}
		r.differs = differs(number, text, taken)
		rows = append(rows, r)
	}
	return rows
}

func words(t told) string {
	var parts []string
	for _, f := range t.all {
		parts = append(parts, f.code+" "+f.says)
	}
	if !t.exact {
		return "only if " + strings.Join(parts, " and ")
	}
	return strings.Join(parts, " and ")
}

func TestLearn(t *testing.T) {
	t.Parallel()
	for want, differs := range map[string]func(n int64, s string, taken bool) bool{
		"n is negative":                         func(n int64, _ string, _ bool) bool { return n < 0 },
		"n is more than 4":                      func(n int64, _ string, _ bool) bool { return n > 4 },
		"s contains \"a\"":                      func(_ int64, s string, _ bool) bool { return strings.Contains(s, "a") },
		"len(s) is 0":                           func(_ int64, s string, _ bool) bool { return s == "" },
		"len(s) is more than 2":                 func(_ int64, s string, _ bool) bool { return len(s) > 2 },
		"x == y is true":                        func(_ int64, _ string, taken bool) bool { return taken },
		"n is negative and x == y is true":      func(n int64, _ string, taken bool) bool { return n < 0 && taken },
		"only if n is more than 0":              func(n int64, s string, taken bool) bool { return n > 0 && n%3 == 1 },
		"":                                      func(n int64, s string, _ bool) bool { return (n+int64(len(s)))%2 == 0 },
		"n is more than 0 and s contains \"b\"": func(n int64, s string, _ bool) bool { return n > 0 && strings.Contains(s, "b") },
	} {
		told, ok := learn(made(300, 0, differs), made(200, 1000, differs))
		got := ""
		if ok {
			got = words(told)
		}
		got = strings.ReplaceAll(got, "begins with", "contains") // as good, for texts of one letter
		if got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// Whatever is told is true of all inputs that it was learnt from, and of all fresh ones.
func TestWhatIsToldIsTrue(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		bound, branch := rapid.Int64Range(-8, 3).Draw(t, "bound"), rapid.Bool().Draw(t, "branch")
		exception := rapid.Int64Range(-30, 30).Draw(t, "exception") // in two of three runs none
		differs := func(n int64, _ string, taken bool) bool {
			return (n > bound && (taken || !branch)) != (n == exception)
		}
		rows, fresh := made(rapid.IntRange(100, 160).Draw(t, "rows"), 0, differs), made(rapid.IntRange(60, 90).Draw(t, "fresh"), 500, differs)
		told, ok := learn(rows, fresh)
		if !ok && max(exception, -exception) > 11 {
			t.Fatalf("nothing was learnt of n > %d, with the branch: %t", bound, branch)
		}
		for _, r := range append(rows, fresh...) {
			all := true
			for _, f := range told.all {
				all = all && f.holds(r)
			}
			if r.differs && !all || told.exact && all && !r.differs {
				t.Fatalf("%s is not true of %+v", words(told), r)
			}
		}
	})
}

func TestFacts(t *testing.T) {
	t.Parallel()
	list := types.NewSlice(types.Typ[types.Int])
	f := types.NewFunc(token.NoPos, nil, "F", types.NewSignatureType(nil, nil, nil, types.NewTuple(
		types.NewParam(token.NoPos, nil, "list", list), types.NewParam(token.NoPos, nil, "_", list), types.NewParam(token.NoPos, nil, "on", types.Typ[types.Bool])), nil, false))
	names, of := parameters(f)
	got := facts([]wire.Lit{{Form: wire.Zero}, {Form: wire.Seq, E: []wire.Lit{{Form: wire.Int, N: 1}}}, {Form: wire.Bool, N: 1}}, names, of)
	for s, want := range map[subject]fact{
		{"len(list)", 0, aLength}:         {number: 0},
		{"len(argument 2)", 1, aLength}:   {number: 1},
		{"list", 0, nilness}:              {truth: true},
		{"argument 2", 1, nilness}:        {truth: false},
		{"list, argument 2", 0, equality}: {truth: false},
		{"on", 2, aTruth}:                 {truth: true},
	} {
		if x, ok := got[s]; !ok || x != want {
			t.Errorf("%+v: %+v (%t), want %+v", s, x, ok, want)
		}
	}
	if len(got) != 6 {
		t.Errorf("%d facts: %+v", len(got), got)
	}
}

func TestNeighbours(t *testing.T) {
	t.Parallel()
	p := wire.Sequence{{Op: 1, Args: []wire.Lit{{Form: wire.Int, N: 5}}}, {Op: 2, Args: []wire.Lit{wire.RefTo(0, 0), {Form: wire.Text, S: "ab"}}}}
	before := string(p.Encode(nil))
	seen := map[string]bool{}
	for _, q := range neighbours(p) {
		if seen[string(q.Encode(nil))] = true; len(q) != 2 || q[1].Op != 2 || q[1].Args[0].Form != wire.Ref {
			t.Fatalf("%+v", q)
		}
	}
	if len(seen) < 20 || seen[before] || string(p.Encode(nil)) != before {
		t.Errorf("%d neighbours, the sequence itself among them: %t", len(seen), seen[before])
	}
}

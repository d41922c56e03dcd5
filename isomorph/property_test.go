package isomorph

import (
	"context"
	"go/token"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/go/ssa"
	"pgregory.net/rapid"

	"github.com/isodelta/isodelta/internal/longtest"
	"github.com/isodelta/isodelta/runner/load"
)

// treeOf type-checks one file without imports, without starting a process.
func treeOf(t failer, dir, source string) *load.Tree {
	tree := typeCheck(dir, "example.com/m", sources{"a.go": source}, nil)
	if tree == nil {
		t.Fatalf("does not type-check:\n%s", source)
	}
	return tree
}

// statement is a piece of a generated body. Texts come from small pools, so
// that equal texts in different places are the rule.
type statement struct {
	text string // of a plain statement; "" for the others
	head string // of a block: "if a == 0"
	body []statement
	more []statement // else
}

var (
	plain = []string{"a++", "b += a", "c = a - b", "g(1)", "g(a)", "h(b)", "c = g(c)", "a = 0", "return a", "return b", "b, c = c, b"}
	heads = []string{
		"if a == 0", "if a == 0 && b < 1", "if b < 1", "if !(a < b)", "if c > 2 || a == 0", "if g(1) > a", "if h(b)",
		"for a < b", "for i := 0; i < c; i++", "for range 3", "if x := g(b); x != 0",
	}
)

func statements(t *rapid.T, depth int) []statement {
	var out []statement
	for range rapid.IntRange(0, 4).Draw(t, "length") {
		if depth == 0 || rapid.Bool().Draw(t, "plain") {
			out = append(out, statement{text: rapid.SampledFrom(plain).Draw(t, "text")})
			continue
		}
		s := statement{head: rapid.SampledFrom(heads).Draw(t, "head"), body: statements(t, depth-1)}
		if strings.HasPrefix(s.head, "if") && rapid.Bool().Draw(t, "else") {
			s.more = statements(t, depth-1)
		}
		out = append(out, s)
	}
	return out
}

// edited copies a body with some statements inserted, deleted or replaced.
func edited(t *rapid.T, list []statement) []statement {
	var out []statement
	for _, s := range list {
		switch rapid.IntRange(0, 14).Draw(t, "edit") {
		case 0:
			continue
		case 1:
			out = append(out, statements(t, 1)...)
		case 2:
			out = append(out, statements(t, 1)...)
			continue
		}
		s.body, s.more = edited(t, s.body), edited(t, s.more)
		out = append(out, s)
	}
	return out
}

func render(list []statement) string {
	var b strings.Builder
	renderTo(&b, list)
	return inFunction(b.String())
}

func inFunction(body string) string {
	return "package m\n\nfunc g(x int) int { return x }\n\nfunc h(x int) bool { return x > 0 }\n\n" +
		"func f(a, b, c int) int {\n" + body + "\treturn c\n}\n"
}

func renderTo(b *strings.Builder, list []statement) {
	for _, s := range list {
		if s.text != "" {
			b.WriteString(s.text + "\n")
			continue
		}
		b.WriteString(s.head + " {\n")
		renderTo(b, s.body)
		b.WriteString("}")
		if s.more != nil {
			b.WriteString(" else {\n")
			renderTo(b, s.more)
			b.WriteString("}")
		}
		b.WriteString("\n")
	}
}

func mustMatch(t failer, base, head string, strict bool) *Result {
	r, err := Match(context.Background(), treeOf(t, "/base", base), treeOf(t, "/head", head), Options{Strict: strict})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// A version matches itself: every mapped condition, strictly, with itself.
func TestMatchesItself(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		source := render(statements(t, 3))
		for _, strict := range []bool{true, false} {
			r := mustMatch(t, source, source, strict)
			if !r.Empty() {
				t.Fatalf("changed: %v, blockers: %v\n%s", r.Changed, r.PruneBlockers, source)
			}
			if len(r.Conditions) != r.UnmappedHead.Mapped {
				t.Fatalf("%d of %d conditions paired\n%s", len(r.Conditions), r.UnmappedHead.Mapped, source)
			}
			for _, p := range r.Conditions {
				if p.Base != p.Head || p.Kind != Strict {
					t.Fatalf("%v\n%s", p, source)
				}
			}
		}
	})
}

// Whatever was edited: no condition has two partners, comparing in the other
// direction gives the same pairs, pairs respect dominance, and strict matching
// gives the strict pairs of resynchronised matching.
func TestMatchesEdited(t *testing.T) {
	longtest.Plain(t)
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		body := statements(t, 3)
		base, head := render(body), render(edited(t, body))
		r := mustMatch(t, base, head, false)
		seenBase, seenHead := map[load.Place]bool{}, map[load.Place]bool{}
		for _, p := range r.Conditions {
			if seenBase[p.Base] || seenHead[p.Head] {
				t.Fatalf("two partners: %v\n%s\n%s", p, base, head)
			}
			seenBase[p.Base], seenHead[p.Head] = true, true
		}
		checkDominance(t, r)
		var mirrored []Pair
		for _, p := range mustMatch(t, head, base, false).Conditions {
			mirrored = append(mirrored, Pair{Base: p.Head, Head: p.Base, Kind: p.Kind})
		}
		slices.SortFunc(mirrored, func(p, q Pair) int { return p.Head.Compare(q.Head) })
		if d := cmp.Diff(r.Conditions, mirrored); d != "" {
			t.Fatalf("not symmetric (-forth +back):\n%s\n%s\n%s", d, base, head)
		}
		var strict []Pair
		for _, p := range r.Conditions {
			if p.Kind == Strict {
				strict = append(strict, p)
			}
		}
		if d := cmp.Diff(strict, mustMatch(t, base, head, true).Conditions); d != "" {
			t.Fatalf("strict pairs differ (-default +strict):\n%s\n%s\n%s", d, base, head)
		}
	})
}

// Found by TestMatchesEdited. Past an edit two loops with equal conditions
// fit, and following their exits led from a condition to one before it.
func TestPairsFollowTheOrderOfDecisions(t *testing.T) {
	t.Parallel()
	base := inFunction(`
	if a == 0 {
		a++
		a++
		a++
		if a == 0 {
			if a == 0 {
				a++
				a++
				a++
				a++
			}
		} else {
			if a == 0 {
				a++
			}
			if a == 0 {
				b, c = c, b
				a++
			} else {
				a++
				a++
				a++
			}
			for a < b {
				a++
			}
			if a == 0 {
				a++
			} else {
				a++
			}
		}
	}
	a++
	if a == 0 {
	} else {
		if b < 1 {
		} else {
			a++
		}
		for a < b {
			a++
			b += a
			if a == 0 {
			} else {
				a++
			}
		}
		if a == 0 {
			a++
		} else {
			if a == 0 {
				a++
				a++
				a++
				a++
			}
			a++
		}
		a++
	}
`)
	head := inFunction(`
	a++
	if a == 0 {
		a++
		if a == 0 {
			a++
		}
		a++
		if a == 0 {
		} else {
			if a == 0 {
				a++
			}
			for a < b {
			}
		}
	}
	a++
	if a == 0 {
	} else {
		for a < b {
			if !(a < b) {
				a++
			} else {
				b += a
				a++
				a++
				a++
			}
			if b < 1 {
				b += a
			} else {
				a++
				a++
			}
			a++
			if a == 0 {
			} else {
				a++
			}
		}
	}
`)
	checkDominance(t, mustMatch(t, base, head, false))
}

func checkDominance(t failer, r *Result) {
	base, head := ifsByPlace(r.Base), ifsByPlace(r.Head)
	for _, p := range r.Conditions {
		for _, q := range r.Conditions {
			b1, b2 := base[p.Base].Block(), base[q.Base].Block()
			h1, h2 := head[p.Head].Block(), head[q.Head].Block()
			if p != q && b1.Parent() == b2.Parent() && b1.Dominates(b2) && h2.Dominates(h1) {
				t.Fatalf("%v and %v cross", p, q)
			}
		}
	}
}

func ifsByPlace(p *Program) map[load.Place]*ssa.If {
	m := map[load.Place]*ssa.If{}
	for i, at := range p.leaves {
		m[at] = i
	}
	return m
}

// Renaming what is local changes nothing, and pairs everything.
func TestRenaming(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		base := render(statements(t, 3))
		names := map[string]string{"a": "alpha", "b": "beta", "c": "gamma", "i": "index", "x": "value"}
		renamed := mapIdentifiers(base, func(name string) string {
			if to, ok := names[name]; ok {
				return to
			}
			return name
		})
		r := mustMatch(t, base, renamed, false)
		if !r.Empty() || len(r.Conditions) != r.UnmappedHead.Mapped {
			t.Fatalf("%v, %d of %d paired\n%s\n%s", r.Changed, len(r.Conditions), r.UnmappedHead.Mapped, base, renamed)
		}
	})
}

func mapIdentifiers(source string, f func(string) string) string {
	var b strings.Builder
	for i := 0; i < len(source); {
		j := i
		for j < len(source) && (token.IsIdentifier(source[i:j+1]) || token.IsKeyword(source[i:j+1])) {
			j++
		}
		if j == i {
			b.WriteByte(source[i])
			i++
			continue
		}
		b.WriteString(f(source[i:j]))
		i = j
	}
	return b.String()
}

// failer is what testing.TB and rapid.T have in common here.
type failer interface {
	Fatal(args ...any)
	Fatalf(format string, args ...any)
}

package declare

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/isodelta/isodelta/internal/mistake"
	"github.com/isodelta/isodelta/runner/load"
	"github.com/isodelta/isodelta/runner/relation"
	"github.com/isodelta/isodelta/runner/relation/goexpr"
	"github.com/isodelta/isodelta/runner/relation/relationtest"
)

// text is an expression that stands in a line, from column 20.
func text(s string, line int) Text {
	return Text{Value: s, Line: line, Column: 20}
}

// declaration makes one of lines function, when, follow-up assignments, holds.
func declaration(function, when, holds string, followUps ...string) Declaration {
	d := Declaration{Function: text(function, 1), Holds: text(holds, 9)}
	if when != "" {
		d.When = text(when, 2)
	}
	for i, f := range followUps {
		var list []Assignment
		for _, a := range strings.Split(f, ";") {
			name, value, _ := strings.Cut(a, "=")
			list = append(list, Assignment{Param: Text{Value: name, Line: 3 + i, Column: 5}, Value: text(value, 3+i)})
		}
		d.FollowUps = append(d.FollowUps, list)
	}
	return d
}

func TestCompile(t *testing.T) {
	t.Parallel()
	_, tree := relationtest.Module(t, relationtest.Read(t, "testdata/declared.txtar"))
	for _, test := range []struct {
		name string
		d    Declaration
		want string
	}{
		{"scale", declaration("decl.Area", "w > 0 && w < 1e6", "followup.result == 2*result", "w=2*w"),
			`w > 0 ∧ w < 1e6 ⇒ Area(2*w, h) = 2*Area(w, h); when w > 0 && w < 1e6; Area(w, h) result; Area(2*w, h) followup; check followup == 2*result; imports []`},
		{"argument of the follow-up", declaration("Half", "", "followup.result <= followup.n/2", "n=7"),
			`Half(7) ≤ int(7)/2; Half(n) result; Half(7) followup; check followup <= int(7)/2; imports []`},
		{"result in the follow-up", declaration("decl.Area", "", "Equal(followup1.result, result)", "w=result/math.Max(1, h)"),
			`Equal(Area(Area(w, h)/math.Max(1, h), h), Area(w, h)); Area(w, h) result; Area(result/math.Max(1, h), h) followup; check Equal(followup, result); imports [math]`},
		{"errors", declaration("Fee", "w >= 0", "err == nil && (followup.err != nil || followup.result1 == result)", "w=w;member=!member"),
			`w ≥ 0 ⇒ Fee(w, member).err = nil ∧ (Fee(w, !member).err ≠ nil ∨ Fee(w, !member) = Fee(w, member)); when w >= 0; Fee(w, member) result,err; Fee(w, !member) followup,followupErr; check err == nil && (followupErr != nil || followup == result); imports []`},
		{"named results", declaration("Split", "", "head+tail == s && strings.HasPrefix(s, result1) && result2 == tail"),
			`Split(s)+Split(s).tail = s ∧ strings.HasPrefix(s, Split(s)) ∧ Split(s).tail = Split(s).tail; Split(s) head,tail; check head+tail == s && strings.HasPrefix(s, head) && tail == tail; imports [strings]`},
		{"generic", declaration("Max[float64]", "", "followup.result == result", "a=b;b=a"),
			`Max(b, a) = Max(a, b); Max[float64](a, b) result; Max[float64](b, a) followup; check followup == result; imports []`},
		{"in place", declaration("Sort", "", "slices.IsSorted(after.list) && Equal(after.list, followupAfter.list)", "list=append(slices.Clone(list[1:]), list[:1]...)"),
			`slices.IsSorted(list after Sort(list)) ∧ Equal(list after Sort(list), append(slices.Clone(list[1:]), list[:1]...) after Sort(append(slices.Clone(list[1:]), list[:1]...))); Sort(list) ; Sort(append(slices.Clone(list[1:]), list[:1]...)) ; check slices.IsSorted(afterList) && Equal(afterList, followupAfterList); imports [slices]`},
		{"method with a parameter called result", declaration("(*Point).Scale", "", "after.p.x == k*p.x && result == result"),
			`p after p.Scale(result, k).x = k*p.x ∧ result = result; (*Point).Scale(p, result, k) ; check afterP.x == k*p.x && result == result; imports []`},
		{"value receiver", declaration("Point.Equal", "", "followup.result == result", "p=q;q=Point{Y: p.Y, x: p.x}"),
			`q.Equal(Point{Y: p.Y, x: p.x}) = p.Equal(q); Point.Equal(p, q) result; Point.Equal(q, Point{Y: p.Y, x: p.x}) followup; check followup == result; imports []`},
		{"variadic", declaration("Sum", "len(list) > 0", "total == followup1.total + followup2.result", "list=list[:1]", "list=list[1:]"),
			`len(list) > 0 ⇒ Sum(list) = Sum(list[:1]) + Sum(list[1:]); when len(list) > 0; Sum(list) total; Sum(list[:1]) followupTotal; Sum(list[1:]) followup2Total; check total == followupTotal + followup2Total; imports []`},
		{"own function Equal", declaration("Double", "", "Equal(result, 2*n) == (result == n+n)"),
			`(Equal)(Double(n), 2*n) = (Double(n) = n+n); Double(n) result; check (Equal)(result, 2*n) == (result == n+n); imports []`},
		{"own function sort, parameter len", declaration("Shadow", "len > 0", "sort(result) == len && helper(len) > len"),
			`len2 > 0 ⇒ sort(Shadow(len2)) = len2 ∧ helper(len2) > len2; when len2 > 0; Shadow(len2) result; check sort(result) == len2 && helper(len2) > len2; imports []`},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			got, err := Compile(context.Background(), "x.yml", []Declaration{test.d}, nil, tree, tree)
			if err != nil {
				t.Fatal(err)
			}
			if len(got.Relations) != 1 || len(got.Limits) != 0 {
				t.Fatalf("%+v", got)
			}
			if text := describeRelation(got.Relations[0]); text != test.want {
				t.Errorf("got\n\t%s\nwant\n\t%s", text, test.want)
			}
		})
	}
}

func describeRelation(r relation.Relation) string {
	parts := []string{r.Notation}
	if r.Form.When != "" {
		parts = append(parts, "when "+r.Form.When)
	}
	for _, c := range r.Form.Calls {
		parts = append(parts, c.Function+"("+strings.Join(c.Args, ", ")+") "+strings.Join(c.Results, ","))
	}
	return strings.Join(append(parts, "check "+r.Form.Check, fmt.Sprint("imports ", r.Form.Imports)), "; ")
}

// TestCompileErrors: each mistake is said at its place, with what was wanted.
func TestCompileErrors(t *testing.T) {
	t.Parallel()
	_, tree := relationtest.Module(t, relationtest.Read(t, "testdata/declared.txtar"))
	for _, test := range []struct {
		name string
		d    Declaration
		want string
	}{
		{"slip in a name", declaration("decl.Area", "", "followup.result == 2*reslt", "w=2*w"), `x.yml:9:41: unknown name reslt; did you mean "result"?`},
		{"slip in a function of the package", declaration("Half", "", "helpr(result) == n"), `x.yml:9:20: unknown name helpr; did you mean "helper"?`},
		{"unknown name", declaration("Half", "zzzzzz > 1", "true"), `x.yml:2:20: unknown name zzzzzz; known are n, names of the package, and the packages bytes`},
		{"result before the call", declaration("Half", "result > 1", "true"), `x.yml:2:20: unknown name result; results are known only after the call`},
		{"follow-up in a follow-up", declaration("Half", "", "true", "n=followup.result"), `x.yml:3:20: unknown name followup; the follow-up call has not been made yet`},
		{"no bool", declaration("Half", "", "result + 1"), `x.yml:9:20: this is int, wanted a bool: a condition such as a == b`},
		{"no bool before", declaration("Half", "n", "true"), `x.yml:2:20: this is int, wanted a bool`},
		{"mismatched types", declaration("Fee", "", "member == w"), `x.yml:9:30: invalid operation: member == w (mismatched types bool and int)`},
		{"wrong type of an argument", declaration("Half", "", "true", "n=2.5"), `x.yml:3:20: this is a number with a fraction, wanted int`},
		{"wrong type of an argument, text", declaration("Half", "", "true", `n="2"`), `x.yml:3:20: this is a text, wanted int`},
		{"no such parameter", declaration("decl.Area", "", "true", "width=2"), `x.yml:3:5: Area has no parameter width; it has w, h`},
		{"no follow-up", declaration("Half", "", "followup.result == 1"), `x.yml:9:20: unknown name followup; the relation has no follow-up call`},
		{"one of two follow-ups", declaration("Half", "", "followup.result == 1", "n=1", "n=2"), `x.yml:9:20: unknown name followup; there are 2 follow-up calls: use followup1 to followup2`},
		{"third of two follow-ups", declaration("Half", "", "followup3.result == 1", "n=1", "n=2"), `x.yml:9:20: unknown name followup3; there is no such call: follow-up lists 2`},
		{"field of a follow-up", declaration("Half", "", "followup.reslt == 1", "n=1"), `x.yml:9:29: followup has no reslt; did you mean "result"?`},
		{"name of a standard package", declaration("Split", "", "strings.HasPrefx(s, head)"), `package strings has no HasPrefx; did you mean "HasPrefix"?`},
		{"other package", declaration("Half", "", "os.Getpid() == n"), `x.yml:9:20: unknown name os`},
		{"syntax", declaration("Half", "", "result == "), `x.yml:9:30: this is no Go expression: expected operand`},
		{"statement", declaration("Half", "", "n = 1"), `this is no Go expression`},
		{"two expressions", declaration("Half", "", "true; false"), `x.yml:9:24: this is no Go expression`},
		{"type", declaration("Half", "", "int"), `x.yml:9:20: this is no value`},
		{"nothing", declaration("Sort", "", "Sort(list)"), `x.yml:9:20: `},
		{"unexported field of another package", declaration("geo.Area", "", "Point{}.x == 1"), `unknown name Point`},
		{"function unknown", declaration("Haff", "", "true"), `x.yml:1:20: neither version has a function "Haff"; did you mean "Half"?`},
		{"function unknown, nothing near", declaration("Whatever.Else", "", "true"), `x.yml:1:20: neither version has a function "Whatever.Else"; write names as go doc does`},
		{"generic without types", declaration("Max", "", "true"), `x.yml:1:20: Max is generic: say with which type it is called, such as Max[int]`},
		{"generic with a wrong type", declaration("Max[string]", "", "true"), `x.yml:1:20: Max cannot be used with [string]`},
		{"generic with no type", declaration("Max[strin]", "", "true"), `strin is no type that Max can be used with`},
		{"not generic", declaration("Half[int]", "", "true"), `x.yml:1:20: Half is not generic; leave [int] out`},
		{"constant overflow", declaration("Half", "", "n == 1<<70"), `x.yml:9:`},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			_, err := Compile(context.Background(), "x.yml", []Declaration{test.d}, nil, tree, tree)
			var one *mistake.Mistake
			if !errors.As(err, &one) || !strings.Contains(err.Error(), test.want) {
				t.Errorf("error\n\t%v\nwant\n\t%s", err, test.want)
			}
		})
	}
}

// TestCompileAll: one run shows every mistake, in the order of the lines; in a
// block of several lines, each has its own.
func TestCompileAll(t *testing.T) {
	t.Parallel()
	_, tree := relationtest.Module(t, relationtest.Read(t, "testdata/declared.txtar"))
	d := declaration("Half", "a", "Text", "n=b;m=1")
	d.Holds = Text{Value: "result == 1 &&\n  result > x", Line: 12, Block: true}
	_, err := Compile(context.Background(), "x.yml", []Declaration{declaration("Nothing", "", "true"), d},
		[]Categorisation{{Function: text("Fee", 20), Input: []Category{{Name: text("c", 21), Choices: []Choice{{text("a", 21), text("w", 21)}}}}}}, tree, tree)
	var all mistake.List
	if !errors.As(err, &all) {
		t.Fatal(err)
	}
	var at []string
	for _, e := range all {
		at = append(at, fmt.Sprintf("%d:%d", e.Line, e.Column))
	}
	if diff := cmp.Diff([]string{"1:20", "2:20", "3:5", "3:20", "13:0", "21:20"}, at); diff != "" {
		t.Errorf("%v\n%s", err, diff)
	}
}

// TestCompileVersions: what cannot be compared is a limit, no error.
func TestCompileVersions(t *testing.T) {
	t.Parallel()
	archive := relationtest.Read(t, "testdata/declared.txtar")
	_, head := relationtest.Module(t, archive)
	_, base := relationtest.Module(t, strings.NewReplacer("func OnlyHead(", "func onlyHead(", "Changed(x int)", "Changed(x int8)", "return x }", "return int(x) }",
		"func helper(x int) int            { return 2 * x }", "").Replace(archive))
	got, err := Compile(context.Background(), "x.yml", []Declaration{declaration("OnlyHead", "", "true"), declaration("Changed", "", "true"),
		declaration("Half", "", "helper(n) == 2*n"), declaration("Half", "", "result <= max(0, n)")}, nil, base, head)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{`x.yml:1: not compared: only head has "OnlyHead"`, `x.yml:1: not compared: "Changed" has another signature on base`,
		`x.yml:1: not compared: it does not compile on base: unknown name helper`}
	if diff := cmp.Diff(want, got.Limits, cmp.Comparer(func(a, b string) bool { return strings.HasPrefix(a, b) || strings.HasPrefix(b, a) })); diff != "" || len(got.Relations) != 1 {
		t.Errorf("%+v\n%s", got, diff)
	}
}

// TestDeclaredRun: closures of declared relations and categories compile, run,
// and say what is true.
func TestDeclaredRun(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("builds a module")
	}
	dir, tree := relationtest.Module(t, relationtest.Read(t, "testdata/declared.txtar"))
	relationtest.Write(t, filepath.Join(dir, "harness", "relate.go"), []byte(relationtest.Read(t, "testdata/harness/relate.txt")))
	got, err := Compile(context.Background(), "x.yml", []Declaration{
		declaration("decl.Area", "w > 0", "followup.result == 2*result", "w=2*w"),
		declaration("decl.Area", "", "followup.result == 3*result", "w=2*w"),
		declaration("Sort", "", "slices.IsSorted(after.list) && Equal(after.list, followupAfter.list) && list[0] == 3", "list=append(slices.Clone(list[1:]), list[:1]...)"),
		declaration("Sum", "len(list) > 0", "total == followup1.total + followup2.result", "list=list[:1]", "list=list[1:]"),
		declaration("Fee", "", "followup.result >= result", "member=false"),
	}, []Categorisation{{Function: text("Fee", 1),
		Input: []Category{{Name: text("weight", 2), Choices: []Choice{{text("light", 2), text("w < 10", 2)}, {text("heavy", 2), text("w >= 10", 2)}}},
			{Name: text("member", 3), Choices: []Choice{{text("yes", 3), text("member", 3)}}}},
		Output: []Category{{Name: text("price", 4), Choices: []Choice{{text("free", 4), text("result == 0", 4)}, {text("paid", 4), text("result > 0 && err == nil", 4)}}}},
	}}, tree, tree)
	if err != nil {
		t.Fatal(err)
	}
	a := relationtest.Aliases{}
	var lines []string
	for _, r := range got.Relations {
		src, _, err := relation.Registration(r, a.Qualify)
		if err != nil {
			t.Fatal(err)
		}
		lines = append(lines, src)
	}
	for _, c := range got.Categories {
		src, _, err := relation.Choices(c, a.Qualify)
		if err != nil {
			t.Fatal(err)
		}
		lines = append(lines, src)
	}
	relationtest.Write(t, filepath.Join(dir, "isodelta_calls_test.go"), []byte(relationtest.Registering("decl", "example.com/decl/harness", lines, a)))
	relationtest.Write(t, filepath.Join(dir, "run_test.go"), []byte(`package decl

import (
	"fmt"
	"testing"

	"example.com/decl/harness"
)

func TestRun(t *testing.T) {
	g := func() *harness.Group { return &harness.Group{} }
	show := func(g *harness.Group) { fmt.Println("RUN", g.Held, g.Skipped != "", g.In, g.Out, g.Chosen, g.After) }
	for i, in := range []float64{3, -1} {
		for _, k := range []int{0, 1} {
			x := g()
			harness.All[k].Closure.(func(*harness.Group, float64, float64))(x, in, 2)
			_ = i
			show(x)
		}
	}
	x := g()
	harness.All[2].Closure.(func(*harness.Group, []int))(x, []int{3, 1, 2})
	show(x)
	x = g()
	harness.All[3].Closure.(func(*harness.Group, []int))(x, []int{3, 1, 2})
	show(x)
	x = g()
	harness.All[4].Closure.(func(*harness.Group, int, bool))(x, 4, true)
	show(x)
	x = g()
	harness.All[5].Closure.(func(*harness.Group, int, bool))(x, 14, true)
	show(x)
}
`))
	out, err := relationtest.Go(t, dir, "test", "-run", "TestRun", "-v", ".")
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	var shown []string
	for _, l := range strings.Split(out, "\n") {
		if s, ok := strings.CutPrefix(l, "RUN "); ok {
			shown = append(shown, s)
		}
	}
	want := []string{
		"true false [[3 2] [6 2]] [[6] [12]] [] []",
		"false false [[3 2] [6 2]] [[6] [12]] [] []",
		"false true [] [] [] []",
		"false false [[-1 2] [-2 2]] [[-2] [-4]] [] []",
		"true false [[[3 1 2]] [[1 2 3]]] [[[1 2 3]] [[1 2 3]]] [] []",
		"true false [[[3 1 2]] [[3]] [[1 2]]] [[6] [3] [3]] [] []",
		"true false [[4 true] [4 false]] [[4 <nil>] [8 <nil>]] [] []",
		"false false [[14 true]] [[14 <nil>]] [[0 1] [1 0]] [[0 1]]",
	}
	if diff := cmp.Diff(want, shown); diff != "" {
		t.Error(diff)
	}
}

// FuzzCompile: whatever stands in the file, there is a form that parses or an
// error with a place.
func FuzzCompile(f *testing.F) {
	for _, s := range []string{"w > 0", "followup.result == 2*result", "func(w int) bool { for i := range w { _ = i }; return w > 0 }(1)",
		"map[float64]int{w: 1}[h] == 0", "followup.w\n+ 1 > 0 // x", "Point{x: 1}.x == w", "(", "`a\nb` == \"\"", "after.w", "[]int{1: 2}[len(\"a\")] == 2", "math.Sin(w) == 0"} {
		f.Add(s, "2*w")
	}
	dir := f.TempDir()
	for name, text := range map[string]string{"go.mod": "module example.com/f\n\ngo 1.21\n", "f.go": "package f\n\nimport (\n\t\"math\"\n\t\"strings\"\n)\n\nvar _ = strings.ToUpper\n\ntype Point struct{ x float64 }\n\nfunc Area(w, h float64) float64 { return math.Abs(w * h) }\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			f.Fatal(err)
		}
	}
	tree, err := load.Load(context.Background(), load.Options{Root: dir, Dir: dir})
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, holds, w string) {
		for _, p := range relation.Mentioned([]string{holds, w}) {
			if p != "math" && p != "strings" {
				return // would start a process
			}
		}
		got, err := Compile(context.Background(), "x.yml", []Declaration{declaration("Area", "", holds, "w="+w)}, nil, tree, tree)
		if err != nil {
			var all mistake.List
			if !errors.As(err, &all) || len(all) == 0 || all[0].Line < 1 {
				t.Fatalf("%q: error without a place: %v", holds, err)
			}
			return
		}
		for _, r := range got.Relations {
			src, _, err := relation.Registration(r, nil)
			if err != nil {
				t.Fatalf("%q, %q: %v", holds, w, err)
			}
			if _, err := goexpr.Rename(strings.TrimPrefix(src, "isodeltaH."), func(s string) string { return s }); err != nil {
				t.Fatalf("%q, %q: %v", holds, w, err)
			}
		}
	})
}

package blame

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/isodelta/isodelta/runner/revision"
)

const base = `package p

import (
	"fmt"
	"strings"
)

// Old is only on base.
func Old(s string) string { return strings.ToUpper(s) }

func Twice(n int) int {
	if n < 0 {
		return 0
	}
	n *= 2
	return n
}

var table = []string{
	"a",
	"b",
}

func Print(s string) {
	fmt.Println(Old(s))
}
`

const head = `package p

import (
	"fmt"
	"os"
)

// Twice doubles.
func Twice(n int) int {
	if n <= 0 {
		return 0
	}
	n *= 2
	n++
	return n
}

var table = []string{
	"a",
	"c",
}

func Print(s string) {
	fmt.Fprintln(os.Stdout, s)
}
`

// changeOf returns how a file's text changes, as two trees tell it.
func changeOf(t interface{ Fatal(...any) }, dir, base, head string) revision.Change {
	for name, text := range map[string]string{"base": base, "head": head} {
		if err := os.MkdirAll(filepath.Join(dir, name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name, "p.go"), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	changes, err := revision.Changes(filepath.Join(dir, "base"), filepath.Join(dir, "head"))
	if err != nil {
		t.Fatal(err)
	}
	if len(changes) == 0 {
		return revision.Change{Path: "p.go"}
	}
	return changes[0]
}

func TestUnitsOf(t *testing.T) {
	t.Parallel()
	edits, err := unitsOf(changeOf(t, t.TempDir(), base, head), base, head)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	lines := strings.Split(head, "\n")
	for _, u := range edits.units {
		got = append(got, fmt.Sprintf("%s: lines %d-%d, %d parts", lines[u.declared.to-1-min(1, u.declared.to-u.declared.from)], u.from, u.to, len(u.parts())))
	}
	want := []string{
		"\treturn n: lines 10-14, 2 parts",
		"\t\"c\",: lines 20-20, 0 parts",
		"\tfmt.Fprintln(os.Stdout, s): lines 24-24, 0 parts",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// A unit is as on base, the rest as on head, and the imports are those that both use.
func TestWithout(t *testing.T) {
	t.Parallel()
	edits, err := unitsOf(changeOf(t, t.TempDir(), base, head), base, head)
	if err != nil {
		t.Fatal(err)
	}
	nameOf := func(path string) string { return path[strings.LastIndexByte(path, '/')+1:] }
	for i, want := range []struct{ has, lacks []string }{
		{[]string{"if n < 0 {", `"c",`, "os.Stdout", "\t\"os\""}, []string{"n++", "strings"}},
		{[]string{"if n <= 0 {", `"b",`}, []string{`"c"`}},
		{[]string{"fmt.Println(Old(s))", `_ "os"`}, []string{"os.Stdout"}},
	} {
		text, err := fitImports(edits.without(edits.units[i].hunks), edits.text(), nameOf)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range want.has {
			if !strings.Contains(text, s) {
				t.Errorf("without unit %d there is no %s:\n%s", i, s, text)
			}
		}
		for _, s := range want.lacks {
			if strings.Contains(text, s) {
				t.Errorf("without unit %d there is %s:\n%s", i, s, text)
			}
		}
	}
	restored, err := fitImports(edits.without(append(slices.Clone(edits.units[2].hunks), edits.gone...)), edits.text(), nameOf)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range []string{"func Old(", `import strings "strings"`} {
		if !strings.Contains(restored, s) {
			t.Errorf("what only base has is not there: no %s in\n%s", s, restored)
		}
	}
}

// Without all hunks, head is base; a hunk belongs to one unit.
func TestWithoutAllIsBase(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	n := 0
	rapid.Check(t, func(t *rapid.T) {
		n++
		text := func(name string) string {
			functions := rapid.SliceOfNDistinct(rapid.IntRange(0, 6), 1, 6, rapid.ID).Draw(t, name)
			var b strings.Builder
			b.WriteString("package p\n")
			for _, f := range functions {
				fmt.Fprintf(&b, "\nfunc f%d() {\n", f)
				for _, line := range rapid.SliceOfN(rapid.IntRange(0, 3), 0, 4).Draw(t, name+" body") {
					fmt.Fprintf(&b, "\t_ = %d\n", line)
				}
				b.WriteString("}\n")
			}
			return b.String()
		}
		base, head := text("base"), text("head")
		c := changeOf(t, filepath.Join(dir, fmt.Sprint(n)), base, head)
		edits, err := unitsOf(c, base, head)
		if err != nil {
			t.Fatal(err)
		}
		if got := edits.without(c.Hunks); got != base {
			t.Fatalf("without all hunks:\n%s\nwant base:\n%s", got, base)
		}
		seen := map[revision.Hunk]bool{}
		for _, u := range edits.units {
			for _, h := range u.hunks {
				if seen[h] {
					t.Fatalf("%v belongs to two units", h)
				}
				seen[h] = true
			}
		}
	})
}

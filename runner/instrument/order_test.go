package instrument

import (
	"testing"
)

// What is put into a package that is numbered last leaves the code of all others as it
// is, so that the go command finds compiled what it has compiled before.
func TestNumbersOfTheOthersStay(t *testing.T) {
	t.Parallel()
	plain := "package %s\n\nfunc F(n int) bool {\n\tfor range n {\n\t}\n\treturn n > 0 && n < 9\n}\n"
	more := "\nfunc G(n int) bool {\n\tfor range n {\n\t}\n\treturn n > 1 && n < 7\n}\n"
	rewrite := func(a string, last map[string]bool) *Program {
		files := map[string]string{"go.mod": "module example.com/m\n\ngo 1.22\n"}
		for _, pkg := range []string{"a", "b", "c"} {
			files[pkg+"/x.go"] = "package " + pkg + plain[len("package %s"):]
		}
		files["a/x.go"] += a
		p, err := Code(loadTree(t, writeFiles(t, files)), Config{Last: last})
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	last := map[string]bool{"example.com/m/a": true}
	before, after := rewrite("", last), rewrite(more, last)
	for _, file := range []string{"b/x.go", "c/x.go"} {
		if string(before.Files[file]) != string(after.Files[file]) {
			t.Errorf("%s is rewritten otherwise:\n%s\n%s", file, before.Files[file], after.Files[file])
		}
	}
	if string(rewrite("", nil).Files["b/x.go"]) == string(rewrite(more, nil).Files["b/x.go"]) {
		t.Error("it would stay without Last as well: the test guards nothing")
	}
	for _, p := range []*Program{before, after} {
		for i, c := range p.Conditions {
			if c.Index != i {
				t.Errorf("condition %d has the number %d", i, c.Index)
			}
		}
		for i, a := range p.Arms {
			if a.Index != i {
				t.Errorf("arm %d has the number %d", i, a.Index)
			}
		}
	}
}

package instrument

import (
	"go/types"
	"strings"
	"unicode"
	"unicode/utf8"
)

// testName reports whether the go command takes a function of that name for a
// test.
func testName(name, prefix string) bool {
	rest, ok := strings.CutPrefix(name, prefix)
	if !ok {
		return false
	}
	r, _ := utf8.DecodeRuneInString(rest)
	return rest == "" || !unicode.IsLower(r)
}

// testingType is T for *testing.T, likewise B, F, M and PB, TB for the
// interface, and "" for any other type.
func testingType(t types.Type) string {
	t = types.Unalias(t)
	if p, ok := t.(*types.Pointer); ok {
		t = types.Unalias(p.Elem())
	}
	n, ok := t.(*types.Named)
	if !ok || n.Obj().Pkg() == nil || n.Obj().Pkg().Path() != "testing" {
		return ""
	}
	switch name := n.Obj().Name(); name {
	case "T", "B", "F", "M", "PB", "TB":
		return name
	}
	return ""
}

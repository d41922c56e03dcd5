package event

import (
	"go/ast"
	"go/parser"
	"go/token"
	"reflect"
	"slices"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestSetsAreWhole: the constants of a closed set are what its list holds, so that
// none is refused by readers or sorted last. Kinds of limits are closed for writers
// only.
func TestSetsAreWhole(t *testing.T) {
	t.Parallel()
	listed := map[string][]string{}
	for _, of := range []reflect.Type{reflect.TypeFor[Rung](), reflect.TypeFor[Outcome](), reflect.TypeFor[Kind](), reflect.TypeFor[Verdict](),
		reflect.TypeFor[Role](), reflect.TypeFor[TargetState](), reflect.TypeFor[GoalState](), reflect.TypeFor[Origin](), reflect.TypeFor[Misuse](), reflect.TypeFor[RelationSource](), reflect.TypeFor[RelationState](), reflect.TypeFor[GroupVerdict]()} {
		listed[of.Name()] = closedSet(of)
	}
	for _, k := range LimitKinds() {
		listed["LimitKind"] = append(listed["LimitKind"], string(k))
	}
	for name, declared := range constants(t, "sets.go") {
		want := slices.Sorted(slices.Values(listed[name]))
		slices.Sort(declared)
		if diff := cmp.Diff(want, declared); diff != "" {
			t.Errorf("the list and the constants of type %s differ (-list +constants):\n%s", name, diff)
		}
	}
	if closedSet(reflect.TypeFor[LimitKind]()) != nil {
		t.Error("a reader refuses kinds of limits that it does not know")
	}
}

// constants returns the values of the typed constants of a file, by type.
func constants(t *testing.T, file string) map[string][]string {
	t.Helper()
	parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	found := map[string][]string{}
	for _, decl := range parsed.Decls {
		gen, ok := decl.(*ast.GenDecl)
		if !ok {
			continue
		}
		for _, spec := range gen.Specs {
			if of, ok := spec.(*ast.TypeSpec); ok {
				found[of.Name.Name] = append([]string{}, found[of.Name.Name]...)
			}
			c, ok := spec.(*ast.ValueSpec)
			if !ok {
				continue
			}
			of, ok := c.Type.(*ast.Ident)
			if !ok {
				continue
			}
			text, err := strconv.Unquote(c.Values[0].(*ast.BasicLit).Value)
			if err != nil {
				t.Fatal(err)
			}
			found[of.Name] = append(found[of.Name], text)
		}
	}
	return found
}

// TestTagsAreTheConstants: where a closed set is a field's tag, the constants for
// its members are the same.
func TestTagsAreTheConstants(t *testing.T) {
	t.Parallel()
	field := func(of reflect.Type, name string) reflect.StructField {
		f, ok := of.FieldByName(name)
		if !ok {
			t.Fatalf("%v has no field %s", of, name)
		}
		return f
	}
	for _, test := range []struct {
		field reflect.StructField
		want  []string
	}{
		{field(reflect.TypeFor[Adequacy](), "Criterion"), members(criteria)},
		{field(reflect.TypeFor[Adequacy](), "Scope"), members(scopes)},
		{field(reflect.TypeFor[Node](), "Ran"), []string{Executed, Explored, Never}},
		{field(reflect.TypeFor[Edge](), "Ran"), []string{Executed, Explored, Never}},
		{field(reflect.TypeFor[SettingChange](), "Counts"), []string{CountsBase, CountsHead, CountsBoth, CountsInput}},
	} {
		if diff := cmp.Diff(test.want, tagged(test.field, "enum=")); diff != "" {
			t.Errorf("field %s (-constants +tag):\n%s", test.field.Name, diff)
		}
	}
}

// TestUnknownLimits: a limit of a kind that only a newer version writes is read.
func TestUnknownLimits(t *testing.T) {
	t.Parallel()
	if err := Validate(Limit{Kind: "from-the-future", Reason: "r"}); err != nil {
		t.Error(err)
	}
}

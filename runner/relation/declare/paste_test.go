package declare

import (
	"errors"
	"testing"

	"github.com/isodelta/isodelta/runner/relation"
	"github.com/isodelta/isodelta/runner/relation/relationtest"
)

// TestPasteDeclared: a declared relation as a test: exact operators stay exact.
func TestPasteDeclared(t *testing.T) {
	t.Parallel()
	_, tree := relationtest.Module(t, relationtest.Read(t, "testdata/declared.txtar"))
	got, err := Compile(t.Context(), "x.yml", []Declaration{
		declaration("decl.Area", "w > 0", "followup.result == 2*result", "w=2*w"),
		declaration("(*Point).Scale", "", "after.p.x == k*p.x && followupAfter.p.Y == after.p.Y", "k=k"),
	}, nil, tree, tree)
	if err != nil {
		t.Fatal(err)
	}
	for i, test := range []struct {
		in   relation.TestInput
		want string
	}{
		{relation.TestInput{Args: []string{"2.5", "4"}, PackageName: "decl", External: true, Name: "TestArea", Comment: "the area\nscales"}, `package decl_test

import (
	"testing"

	"example.com/decl"
)

// TestArea: the area scales.
func TestArea(t *testing.T) {
	w := 2.5
	var h float64 = 4
	if !(w > 0) {
		t.Skip("the relation says nothing about this input")
	}
	result := decl.Area(w, h)
	followup := decl.Area(2*w, h)
	if followup != 2*result {
		t.Errorf("w > 0 ⇒ Area(2*w, h) = 2*Area(w, h) does not hold for w = %v, h = %v\n\tdecl.Area(w, h) = %v\n\tdecl.Area(2*w, h) = %v", w, h, result, followup)
	}
}
`},
		{relation.TestInput{Args: []string{"&Point{1, 2}", "1", "3"}, PackageName: "decl"}, `package decl

import (
	"testing"
)

// TestRelation: p after p.Scale(result, k).x = k*p.x ∧ p after p.Scale(result, k).Y = p after p.Scale(result, k).Y.
func TestRelation(t *testing.T) {
	p := func() *Point {
		return &Point{1, 2}
	}
	var result float64 = 1
	var k float64 = 3
	afterP := p()
	afterP.Scale(result, k)
	followupAfterP := p()
	followupAfterP.Scale(result, k)
	if !(afterP.x == k*p().x && followupAfterP.Y == afterP.Y) {
		t.Errorf("p after p.Scale(result, k).x = k*p.x ∧ p after p.Scale(result, k).Y = p after p.Scale(result, k).Y does not hold for p = %+v, result = %v, k = %v\n\tafterP.Scale(result, k) = %+v\n\tfollowupAfterP.Scale(result, k) = %+v", p(), result, k, afterP, followupAfterP)
	}
}
`},
	} {
		file, err := relation.Test(got.Relations[i], test.in)
		if err != nil || string(file) != test.want {
			t.Errorf("%v\n%s", err, file)
		}
	}
	if _, err := relation.Test(got.Relations[1], relation.TestInput{Args: []string{"&decl.Point{}", "1", "3"}, PackageName: "decl", External: true}); !errors.Is(err, relation.ErrInternal) {
		t.Errorf("outside the package: %v", err)
	}
}

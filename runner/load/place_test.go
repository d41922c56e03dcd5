package load_test

import (
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/isodelta/isodelta/runner/load"
)

// A place is where the bytes are, and so is its line: what is rewritten and what is
// shown is the file itself, not what its //line directives make it out to be.
func TestPlaceDisregardsDirectives(t *testing.T) {
	const source = "package p\n\n//line other.y:100\nfunc F() {}\n"
	root := t.TempDir()
	tree := &load.Tree{Root: root, Fset: token.NewFileSet()}
	file, err := parser.ParseFile(tree.Fset, filepath.Join(root, "in", "f.go"), source, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	pos := file.Decls[0].Pos()
	if said := tree.Fset.Position(pos); said.Line != 100 {
		t.Fatalf("the directive has no effect: %v", said)
	}
	if got, want := tree.Place(pos), (load.Place{File: "in/f.go", Offset: strings.Index(source, "func")}); got != want {
		t.Errorf("the place is %v, want %v", got, want)
	}
	if got := tree.Line(pos); got != 4 {
		t.Errorf("the line is %d, want 4", got)
	}
}

func TestPlacesInOrder(t *testing.T) {
	want := []load.Place{{}, {File: "a.go", Offset: 2}, {File: "a.go", Offset: 10}, {File: "b.go", Offset: 1}}
	got := slices.Clone(want)
	slices.Reverse(got)
	slices.SortFunc(got, load.Place.Compare)
	if !slices.Equal(got, want) {
		t.Errorf("the order is %v, want %v", got, want)
	}
}

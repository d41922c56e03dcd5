package instrument

import (
	"cmp"
	"go/ast"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/isodelta/isodelta/runner/load"
)

// Config says how to rewrite.
type Config struct {
	Generated bool                  // negate in generated files too; they are covered in any case
	Entries   map[load.Place]int    // FuncDecl.Pos() of functions to mark at their entry → number given to probe.F
	Hooks     map[load.Place]int    // likewise, of functions to hook at their entry → number given to probe.Enter
	Exclude   func(rel string) bool // files to leave alone; nil leaves none
	Last      map[string]bool       // packages whose conditions and arms are numbered last
	// Operands has conditions tell what they compare, for a search that is led by that.
	// Conditions and arms have the same numbers as without.
	Operands bool
	// OperandsIn are the packages in which they do; nil is all.
	OperandsIn map[string]bool
	// Bare names declarations of test files that get a prologue but no
	// observations, by file. A wrapped call whose result is dropped does not
	// build where the other version has no result, though the plain one does.
	Bare map[string][]string
	// Vary has the literals and some statements of tests ask the probe what is in their place.
	Vary bool
}

func (c Config) excluded(rel string) bool { return c.Exclude != nil && c.Exclude(rel) }

// inOrder returns packages in the order in which they are numbered.
func (c Config) inOrder(list []*load.Package) []*load.Package {
	list = slices.Clone(list)
	slices.SortStableFunc(list, func(a, b *load.Package) int {
		switch last := c.Last[a.Path]; {
		case last == c.Last[b.Path]:
			return 0
		case last:
			return 1
		}
		return -1
	})
	return list
}

// Condition is one leaf boolean expression that decides a branch.
type Condition struct {
	load.Place     // where it starts
	Line       int // of that

	Index     int    // as given to probe.B
	ID        string // package.Function#Text#Ordinal: no line numbers
	Package   string // import path
	Function  string // such as Push, (*T).Push, T.Push; init for package-level initialisers
	Text      string // source with white space folded; "tag == value" for a case of a tag switch
	Ordinal   int    // from 0, among equal texts in the function
	Kind      string // if, for, switch (case without tag), case (of a tag), and, or (left operand used as a value)
	Negatable bool
	Reason    string // why the condition is covered but not negated
}

// Arm is a branch without a condition of its own.
type Arm struct {
	load.Place     // where the loop or clause starts
	Line       int // of that

	Index    int // as given to probe.A
	Package  string
	Function string
	Kind     string // range, for, select, typeswitch
}

// Skip is something that was left as it is, and why.
type Skip struct {
	File   string
	Line   int
	Reason string
}

// Program is the rewritten non-test code of one tree.
type Program struct {
	Files      map[string][]byte // rewritten files only, by name relative to the root
	Conditions []Condition       // Conditions[i].Index == i
	Arms       []Arm             // Arms[i].Index == i
	Skipped    []Skip
	Marked     []int      // numbers of Config.Entries whose functions tell when they are entered
	Unhooked   []Unhooked // functions of Config.Hooks that got no hook, by file and offset
	// NeedsLang is true where generic helpers are called from a module whose
	// language is older than Go 1.18, so that it must be compiled with a
	// newer -lang.
	NeedsLang bool
}

// file is one source file on its way through the rewriting.
type file struct {
	rel    string
	syntax *ast.File
	tok    *token.File
	src    []byte
	edits  edits
}

func (f *file) offset(p token.Pos) int { return f.tok.Offset(p) }

// line is the physical line, whatever line directives say.
func (f *file) line(p token.Pos) int { return f.tok.PositionFor(p, false).Line }

func (f *file) place(p token.Pos) load.Place { return load.Place{File: f.rel, Offset: f.offset(p)} }

func (f *file) text(n ast.Node) string {
	return fold(string(f.src[f.offset(n.Pos()):f.offset(n.End())]))
}

func fold(s string) string { return strings.Join(strings.Fields(s), " ") }

// read gives the bytes that were parsed. Tests put sources here that are on
// no disk.
type read func(name string) ([]byte, error)

// sources collects the files of a loaded package that lie in the tree, sorted
// by name. Files that cgo made lie in the build cache and are left out.
func sources(t *load.Tree, p *packages.Package, get read, want func(rel string) bool) ([]*file, error) {
	var out []*file
	for _, s := range p.Syntax {
		tok := t.Fset.File(s.Package)
		if tok == nil || !inside(t.Root, tok.Name()) {
			continue
		}
		rel := t.Rel(tok.Name())
		if !want(rel) {
			continue
		}
		src, err := get(tok.Name())
		if err != nil {
			return nil, err
		}
		out = append(out, &file{rel: rel, syntax: s, tok: tok, src: src})
	}
	slices.SortFunc(out, func(a, b *file) int { return cmp.Compare(a.rel, b.rel) })
	return out, nil
}

func inside(root, name string) bool {
	rel, err := filepath.Rel(root, name)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}

func isTestFile(rel string) bool { return strings.HasSuffix(rel, "_test.go") }

func fromDisk(name string) ([]byte, error) { return os.ReadFile(name) }

func sortSkips(s []Skip) {
	slices.SortFunc(s, func(a, b Skip) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Reason, b.Reason))
	})
}

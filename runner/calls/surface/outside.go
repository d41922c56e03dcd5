package surface

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/isodelta/isodelta/internal/regular"
	"github.com/isodelta/isodelta/runner/version"
)

// Outside is a package of a dependency whose code differs, as both versions are built with
// it.
type Outside struct {
	Packages version.Both[*packages.Package] // type-checked, nil where a version has none
	// Modules are the folders of the modules, with their tests. A vendored module that was not fetched has "".
	Modules version.Both[string]
}

// maxTestFile bounds a test file of a dependency that is looked at, in bytes.
const maxTestFile = 1 << 20

// collect takes in what the change of the package says. The tests of the dependency's
// authors show what they changed: what only one version's tests contain is tried, and
// the rest of them is like tests of one's own.
func (o Outside) collect(near, tried, tests *collection) {
	var code, tested version.Both[*collection]
	for side, p := range o.Packages {
		code[side], tested[side] = newCollection(), newCollection()
		if p == nil {
			continue
		}
		code[side].pkg(p, nil)
		folder := o.folder(version.Side(side))
		if folder == "" {
			continue
		}
		files, _ := filepath.Glob(filepath.Join(folder, "*_test.go"))
		for _, file := range files {
			tested[side].testFile(file)
		}
	}
	near.only(code[version.Base], code[version.Head])
	near.only(code[version.Head], code[version.Base])
	tried.only(tested[version.Head], tested[version.Base])
	tried.only(tested[version.Base], tested[version.Head])
	for _, s := range tested[version.Head].texts {
		tests.addText(s)
	}
}

// folder returns the folder with the files and the tests of the package. It returns "" if the module has no folder.
func (o Outside) folder(side version.Side) string {
	p := o.Packages[side]
	if p == nil || p.Module == nil || o.Modules[side] == "" {
		return ""
	}
	return filepath.Join(o.Modules[side], filepath.FromSlash(strings.TrimPrefix(p.PkgPath, p.Module.Path)))
}

// testFile takes in the texts and numbers that a file writes, without types. What cannot be
// read says nothing.
func (c *collection) testFile(name string) {
	text, err := regular.ReadFile(name, maxTestFile)
	if err != nil {
		return
	}
	file, _ := parser.ParseFile(token.NewFileSet(), name, text, parser.SkipObjectResolution)
	if file == nil {
		return
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ImportSpec:
			return false
		case *ast.BasicLit:
			c.literal(n)
		}
		return true
	})
}

func (c *collection) literal(lit *ast.BasicLit) {
	switch lit.Kind {
	case token.STRING:
		if s, err := strconv.Unquote(lit.Value); err == nil {
			c.addText(s)
		}
	case token.INT:
		if n, err := strconv.ParseInt(strings.ReplaceAll(lit.Value, "_", ""), 0, 64); err == nil {
			c.addNumber(n)
		}
	case token.FLOAT:
		if f, err := strconv.ParseFloat(strings.ReplaceAll(lit.Value, "_", ""), 64); err == nil {
			c.addFloat(strconv.FormatFloat(f, 'g', -1, 64))
		}
	}
}

package instrument

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/isodelta/isodelta/runner/load"
)

// A unit is the smallest part of a file that can be left out by itself: a
// function, or one spec of a declaration.
type unit struct {
	name   string // unique in the file
	node   ast.Node
	group  *ast.GenDecl // of a spec
	from   token.Pos    // with its documentation, whose directives would be out of place
	to     token.Pos
	parens bool // one of several in parentheses
}

// units lists the units of a file in the order of the source. Where names
// repeat (init, the blank identifier) a number makes them unique.
func units(f *ast.File) []unit {
	var out []unit
	seen := map[string]int{}
	add := func(u unit) {
		n := seen[u.name]
		seen[u.name]++
		if n > 0 {
			u.name += "#" + strconv.Itoa(n)
		}
		out = append(out, u)
	}
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			add(unit{name: functionName(d), node: d, from: start(d.Pos(), d.Doc), to: d.End()})
		case *ast.GenDecl:
			for _, s := range d.Specs {
				u := unit{node: s, group: d, from: d.Pos(), to: d.End()}
				doc := d.Doc
				if d.Lparen.IsValid() {
					u.parens, u.from, u.to = true, s.Pos(), s.End()
					doc = nil
				}
				switch s := s.(type) {
				case *ast.ImportSpec:
					u.name = "import " + s.Path.Value
					if u.parens {
						doc = s.Doc
					}
				case *ast.ValueSpec:
					u.name = s.Names[0].Name
					if u.parens {
						doc = s.Doc
					}
				case *ast.TypeSpec:
					u.name = s.Name.Name
					if u.parens {
						doc = s.Doc
					}
				}
				u.from = start(u.from, doc)
				add(u)
			}
		}
	}
	return out
}

func start(at token.Pos, doc *ast.CommentGroup) token.Pos {
	if doc != nil && doc.Pos() < at {
		return doc.Pos()
	}
	return at
}

// declares lists the names that a function declaration or a spec declares.
func declares(n ast.Node) []string {
	switch n := n.(type) {
	case *ast.FuncDecl:
		return []string{functionName(n)}
	case *ast.TypeSpec:
		return []string{n.Name.Name}
	case *ast.ValueSpec:
		var out []string
		for _, id := range n.Names {
			out = append(out, id.Name)
		}
		return out
	}
	return nil
}

// DeclAt tells which top-level declaration of a test file holds a line, so
// that an error of the compiler can be mended by dropping it. It is a function
// (Helper, (*T).Method), a variable, constant or type, or an import, named as
// `import "path"`, which takes all declarations with it that use it.
func DeclAt(t *load.Tree, rel string, line int) (name string, ok bool) {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, filepath.Join(t.Root, filepath.FromSlash(rel)), nil, parser.ParseComments|parser.SkipObjectResolution)
	if f == nil || err != nil && len(f.Decls) == 0 {
		return "", false
	}
	at := func(p token.Pos) int { return fset.PositionFor(p, false).Line }
	for _, u := range units(f) {
		if at(u.from) <= line && line <= at(u.to) {
			return u.name, true
		}
	}
	return "", false
}

// drop blanks the named units and parts, and what uses a dropped import, and gives back
// the other units. Imports that are no longer used become imports for their side
// effects.
func (f *file) drop(info *types.Info, names []string) []ast.Node {
	all := units(f.syntax)
	gone := map[ast.Node]bool{}
	for _, u := range all {
		if slices.Contains(names, u.name) || slices.ContainsFunc(declares(u.node), func(n string) bool { return slices.Contains(names, n) }) {
			gone[u.node] = true
		}
	}
	f.dropParts(all, names, gone)
	for _, u := range all {
		if spec, ok := u.node.(*ast.ImportSpec); ok && gone[spec] {
			for _, v := range all {
				if refersTo(info, v.node, imported(info, spec), gone) {
					gone[v.node] = true
				}
			}
		}
	}
	var kept []ast.Node
	for _, u := range all {
		if gone[u.node] {
			f.leaveOut(u)
		} else if _, ok := u.node.(*ast.ImportSpec); !ok {
			kept = append(kept, u.node)
		}
	}
	if len(gone) > 0 {
		f.silenceImports(info, all, gone, kept)
	}
	return kept
}

// dropParts blanks the named parts of units that stay, and notes them as gone.
func (f *file) dropParts(all []unit, names []string, gone map[ast.Node]bool) {
	if len(names) == 0 {
		return
	}
	stays := map[string]bool{}
	for _, u := range all {
		stays[u.name] = !gone[u.node]
	}
	for _, p := range parts(f.syntax, f.line) {
		if stays[p.unit] && slices.Contains(names, p.name) {
			gone[p.node] = true
			f.leaveOutPart(p)
		}
	}
}

func (f *file) leaveOut(u unit) {
	if v, ok := u.node.(*ast.ValueSpec); ok && u.parens && u.group.Tok == token.CONST {
		// The others count on its place.
		for _, id := range v.Names {
			f.edits.replace(f.offset(id.Pos()), f.offset(id.End()), "_")
		}
		return
	}
	end := f.offset(u.to)
	for end < len(f.src) && (f.src[end] == ' ' || f.src[end] == '\t') {
		end++
	}
	if end == len(f.src) || f.src[end] != ';' {
		end = f.offset(u.to)
	} else {
		end++
	}
	f.edits.blank(f.src, f.offset(u.from), end)
}

func (f *file) silenceImports(info *types.Info, all []unit, gone map[ast.Node]bool, kept []ast.Node) {
	for _, u := range all {
		spec, ok := u.node.(*ast.ImportSpec)
		if !ok || gone[spec] || spec.Name != nil && spec.Name.Name == "_" {
			continue
		}
		pkg := imported(info, spec)
		if slices.ContainsFunc(kept, func(n ast.Node) bool { return refersTo(info, n, pkg, gone) }) {
			continue
		}
		if spec.Name == nil {
			f.edits.open(f.offset(spec.Path.Pos()), "_ ")
		} else {
			f.edits.replace(f.offset(spec.Name.Pos()), f.offset(spec.Name.End()), "_")
		}
	}
}

// imported is the name that an import declares, nil where it has none.
func imported(info *types.Info, spec *ast.ImportSpec) *types.PkgName {
	if spec.Name != nil {
		pkg, _ := info.Defs[spec.Name].(*types.PkgName)
		return pkg
	}
	pkg, _ := info.Implicits[spec].(*types.PkgName)
	return pkg
}

// refersTo reports whether what is not gone of n uses an import: by its name or, of a dot import, by
// a bare name.
func refersTo(info *types.Info, n ast.Node, pkg *types.PkgName, gone map[ast.Node]bool) bool {
	if pkg == nil {
		return false
	}
	selected := map[*ast.Ident]bool{}
	found := false
	ast.Inspect(n, func(n ast.Node) bool {
		if gone[n] {
			return false
		}
		switch n := n.(type) {
		case *ast.SelectorExpr:
			selected[n.Sel] = true
		case *ast.Ident:
			obj := info.Uses[n]
			if obj == nil {
				return true
			}
			if obj == types.Object(pkg) {
				found = true
			}
			if pkg.Name() == "." && !selected[n] && obj.Pkg() == pkg.Imported() && obj.Parent() == obj.Pkg().Scope() {
				found = true
			}
		}
		return !found
	})
	return found
}

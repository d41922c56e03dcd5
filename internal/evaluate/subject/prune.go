package subject

import (
	"cmp"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"
)

// A pruner cuts test declarations that cannot work outside the distribution
// out of a package's test files, and with them what needs them.
//
// Names are resolved by go/types with every import failing: that is enough to
// tell a package's own names from local ones, and needs nothing built.
type pruner struct {
	own         string            // import path of the package in the distribution
	code, tests map[string][]byte // by file name
	named       map[string]string // declarations to drop in any case, with the reason

	fset    *token.FileSet
	parsed  map[string]*ast.File
	info    types.Info
	cut     map[ast.Node]string // declarations and specs that go, with the reason
	objects map[types.Object]bool
	exports map[string]bool // names cut from the package, as an external test sees them
	dropped []Drop
}

// A part is the smallest thing that can be cut.
type part struct {
	node  ast.Node
	names []*ast.Ident
}

// prune returns the test files that are left, by name.
func (p *pruner) prune() (map[string][]byte, error) {
	if err := p.resolve(); err != nil {
		return nil, err
	}
	parts := map[string][]part{}
	for file := range p.tests {
		parts[file] = partsOf(p.parsed[file])
	}
	uses := map[string]map[string]int{} // of imports, by file and path, before anything is cut
	for file := range p.tests {
		uses[file] = p.importUses(parts[file])
	}
	for changed := true; changed; {
		changed = false
		for _, file := range slices.Sorted(maps.Keys(p.tests)) {
			for _, part := range parts[file] {
				if p.cut[part.node] != "" {
					continue
				}
				if reason := p.reason(part); reason != "" {
					p.drop(file, part, reason)
					changed = true
				}
			}
		}
	}
	slices.SortStableFunc(p.dropped, func(a, b Drop) int { return cmp.Compare(a.File, b.File) })

	out := map[string][]byte{}
	for file, src := range p.tests {
		if len(parts[file]) > 0 && !slices.ContainsFunc(parts[file], func(q part) bool { return p.cut[q.node] == "" }) {
			p.dropped = append(p.dropped, Drop{File: file, Reason: "nothing is left of it"})
			continue
		}
		out[file] = p.rewrite(file, src, uses[file], p.importUses(parts[file]))
	}
	return out, nil
}

func (p *pruner) resolve() error {
	p.fset, p.parsed = token.NewFileSet(), map[string]*ast.File{}
	p.cut, p.objects, p.exports = map[ast.Node]string{}, map[types.Object]bool{}, map[string]bool{}
	p.info = types.Info{Uses: map[*ast.Ident]types.Object{}, Defs: map[*ast.Ident]types.Object{}}
	groups := map[string][]*ast.File{} // by package name
	for _, set := range []map[string][]byte{p.code, p.tests} {
		for _, file := range slices.Sorted(maps.Keys(set)) {
			f, err := parser.ParseFile(p.fset, file, set[file], parser.ParseComments|parser.SkipObjectResolution)
			if err != nil {
				return err
			}
			p.parsed[file] = f
			groups[f.Name.Name] = append(groups[f.Name.Name], f)
		}
	}
	for name, files := range groups {
		// Errors are expected, since nothing can be imported.
		conf := types.Config{Importer: nothing{}, Error: func(error) {}}
		_, _ = conf.Check(name, p.fset, files, &p.info)
	}
	return nil
}

type nothing struct{}

func (nothing) Import(string) (*types.Package, error) { return nil, errors.New("not imported") }

func partsOf(f *ast.File) []part {
	var out []part
	for _, decl := range f.Decls {
		switch decl := decl.(type) {
		case *ast.FuncDecl:
			out = append(out, part{decl, []*ast.Ident{decl.Name}})
		case *ast.GenDecl:
			if decl.Tok == token.IMPORT {
				continue
			}
			// A group goes as a whole: its members may count on iota.
			var names []*ast.Ident
			for _, spec := range decl.Specs {
				switch spec := spec.(type) {
				case *ast.ValueSpec:
					names = append(names, spec.Names...)
				case *ast.TypeSpec:
					names = append(names, spec.Name)
				}
			}
			out = append(out, part{decl, names})
		}
	}
	return out
}

// reason says why a part must go, or "".
func (p *pruner) reason(q part) string {
	for _, name := range q.names {
		if why := p.named[name.Name]; why != "" {
			return why
		}
	}
	reason := ""
	ast.Inspect(q.node, func(n ast.Node) bool {
		if reason != "" {
			return false
		}
		switch n := n.(type) {
		case *ast.SelectorExpr:
			if id, ok := n.X.(*ast.Ident); ok {
				if pkg, ok := p.info.Uses[id].(*types.PkgName); ok && pkg.Imported().Path() == p.own && p.exports[n.Sel.Name] {
					reason = "needs " + n.Sel.Name
				}
			}
		case *ast.Ident:
			switch obj := p.info.Uses[n].(type) {
			case *types.PkgName:
				if internal(pkgPath(obj)) {
					reason = "uses " + pkgPath(obj)
				}
			case nil:
				// Unresolved: it may come from a dot import of the package.
				if p.info.Defs[n] == nil && p.exports[n.Name] {
					reason = "needs " + n.Name
				}
			default:
				if p.objects[obj] {
					reason = "needs " + n.Name
				}
			}
		}
		return true
	})
	return reason
}

func pkgPath(name *types.PkgName) string { return name.Imported().Path() }

func (p *pruner) drop(file string, q part, reason string) {
	p.cut[q.node] = reason
	var names []string
	for _, name := range q.names {
		names = append(names, name.Name)
		if obj := p.info.Defs[name]; obj != nil {
			p.objects[obj] = true
		}
		fn, isFunc := q.node.(*ast.FuncDecl)
		if name.IsExported() && !(isFunc && fn.Recv != nil) {
			p.exports[name.Name] = true
		}
	}
	p.dropped = append(p.dropped, Drop{File: file, Name: strings.Join(names, ", "), Reason: reason})
}

// importUses counts, by path, the uses of a file's imports in what is left.
func (p *pruner) importUses(parts []part) map[string]int {
	out := map[string]int{}
	for _, q := range parts {
		if p.cut[q.node] != "" {
			continue
		}
		ast.Inspect(q.node, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok {
				if pkg, ok := p.info.Uses[id].(*types.PkgName); ok {
					out[pkgPath(pkg)]++
				}
			}
			return true
		})
	}
	return out
}

func (p *pruner) rewrite(file string, src []byte, before, after map[string]int) []byte {
	f := p.parsed[file]
	var edits []edit
	remove := func(from, to token.Pos) {
		edits = append(edits, edit{p.fset.Position(from).Offset, p.fset.Position(to).Offset, ""})
	}
	for _, spec := range f.Imports {
		path := importPath(spec)
		// An import without a known use before (its package has another name
		// than its path, or it is blank) is left, unless it is internal.
		if internal(path) || before[path] > 0 && after[path] == 0 {
			remove(spec.Pos(), spec.End())
		}
	}
	for _, decl := range f.Decls {
		if p.cut[decl] == "" {
			continue
		}
		from := decl.Pos()
		switch decl := decl.(type) {
		case *ast.FuncDecl:
			if decl.Doc != nil {
				from = decl.Doc.Pos()
			}
		case *ast.GenDecl:
			if decl.Doc != nil {
				from = decl.Doc.Pos()
			}
		}
		remove(from, decl.End())
	}
	return dropEmptyImports(file, apply(src, edits))
}

// dropEmptyImports removes an import keyword that has lost its only path.
func dropEmptyImports(file string, src []byte) []byte {
	lines := strings.SplitAfter(string(src), "\n")
	for i, line := range lines {
		if strings.TrimSpace(line) == "import" {
			lines[i] = "\n"
		}
	}
	return []byte(strings.Join(lines, ""))
}

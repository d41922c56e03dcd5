package automr

import (
	"bytes"
	"errors"
	"fmt"
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// copied is pure Go code of the distribution's package math, cut down to what
// some of its functions reach.
type copied struct {
	files map[string][]byte   // by name, as package main; lines are the distribution's
	decls map[string][]extent // of what is left in a file
	// reach are the declarations that a function reaches, itself included.
	reach map[string][]string
	own   map[string]bool // "function declaration" pairs, of which both are in one file
}

// extent is where a declaration stands in its file.
type extent struct {
	name       string // of the function, or the first one that it declares
	start, end int
}

// copyMath takes package math of a distribution apart. Which of its files are
// pure Go is asked for an architecture that has no assembly there; the
// branches to assembly are cut out, and so is all that the functions do not
// reach.
func copyMath(goroot string, functions []string) (*copied, error) {
	dir := filepath.Join(goroot, "src", "math")
	names, err := pureGo(dir)
	if err != nil {
		return nil, err
	}
	c := &cutter{fset: token.NewFileSet(), source: map[string][]byte{}, files: map[string]*ast.File{}}
	for _, name := range names {
		src, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			return nil, err
		}
		if err := c.add(name, src); err != nil {
			return nil, err
		}
	}
	return c.cut(functions)
}

// pureGo names the files of package math that an architecture without assembly
// builds.
func pureGo(dir string) ([]string, error) {
	for _, arch := range []string{"mips64le", "mips", "386", "wasm"} {
		b := build.Default
		b.GOOS, b.GOARCH, b.CgoEnabled, b.Compiler = "linux", arch, false, "gc"
		pkg, err := b.ImportDir(dir, 0)
		if err != nil {
			return nil, fmt.Errorf("package math in %s: %w", dir, err)
		}
		if len(pkg.SFiles) == 0 {
			return pkg.GoFiles, nil
		}
	}
	return nil, fmt.Errorf("package math in %s has assembly for every architecture that is known here; name one without in pureGo", dir)
}

// cutter cuts a package.
type cutter struct {
	fset   *token.FileSet
	source map[string][]byte
	files  map[string]*ast.File
	names  []string
}

// add takes a file in, without its branches to assembly and directives. A file whose build
// constraint holds only elsewhere declares what those branches ask, and nothing
// else; so constraints can go as well, and what else the distribution tells its
// compiler means nothing in a copy.
func (c *cutter) add(name string, src []byte) error {
	f, err := parser.ParseFile(token.NewFileSet(), name, src, parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	src = bytes.Clone(src)
	ast.Inspect(f, func(n ast.Node) bool {
		if s, ok := n.(*ast.IfStmt); ok && s.Else == nil && s.Init == nil {
			if id, ok := s.Cond.(*ast.Ident); ok && strings.HasPrefix(id.Name, "haveArch") {
				blank(src, int(s.Pos()-f.FileStart), int(s.End()-f.FileStart))
				return false
			}
		}
		return true
	})
	for i := 0; i < len(src); {
		end := len(src)
		if n := bytes.IndexByte(src[i:], '\n'); n >= 0 {
			end = i + n
		}
		if bytes.HasPrefix(src[i:end], []byte("//go:")) {
			blank(src, i, end)
		}
		i = end + 1
	}
	if c.files[name], err = parser.ParseFile(c.fset, name, src, parser.SkipObjectResolution|parser.ParseComments); err != nil {
		return fmt.Errorf("without its branches to assembly: %w", err)
	}
	c.source[name] = src
	c.names = append(c.names, name)
	return nil
}

// blank overwrites text, and keeps lines and offsets.
func blank(src []byte, start, end int) {
	for i := start; i < end; i++ {
		if src[i] != '\n' {
			src[i] = ' '
		}
	}
}

// declaration is one at top level.
type declaration struct {
	extent
	file string
	decl ast.Decl
	uses []*declaration
	pkgs map[string]bool // imported paths
}

// cut keeps what the functions reach.
func (c *cutter) cut(functions []string) (*copied, error) {
	all, err := c.declarations()
	if err != nil {
		return nil, err
	}
	out := &copied{files: map[string][]byte{}, decls: map[string][]extent{}, reach: map[string][]string{}, own: map[string]bool{}}
	keep := map[*declaration]bool{}
	for _, name := range functions {
		i := slices.IndexFunc(all, func(d *declaration) bool { return d.name == name })
		if i < 0 {
			return nil, fmt.Errorf("package math has no function %s", name)
		}
		for _, d := range reached(all[i]) {
			keep[d] = true
			out.reach[name] = append(out.reach[name], d.name)
			if d.file == all[i].file {
				out.own[name+" "+d.name] = true
			}
		}
	}
	for _, name := range c.names {
		c.write(out, name, all, keep)
	}
	return out, nil
}

// declarations lists what is at top level, with what each uses.
func (c *cutter) declarations() ([]*declaration, error) {
	info := &types.Info{Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{}}
	var files []*ast.File
	for _, name := range c.names {
		files = append(files, c.files[name])
	}
	// Imported packages are left empty, since only uses of the package's own
	// names are asked for; the errors that this makes are of no interest, and
	// real ones are found when the copy is built.
	conf := types.Config{Importer: emptyPackages{}, Error: func(error) {}}
	pkg, _ := conf.Check("math", c.fset, files, info)
	if pkg == nil {
		return nil, errors.New("package math does not type-check")
	}
	var all []*declaration
	of := map[types.Object]*declaration{}
	for _, name := range c.names {
		for _, decl := range c.files[name].Decls {
			d := &declaration{file: name, decl: decl, pkgs: map[string]bool{}}
			if g, ok := decl.(*ast.GenDecl); ok && g.Tok == token.IMPORT {
				continue
			}
			ids := declared(decl)
			if len(ids) == 0 {
				continue
			}
			d.name = ids[0].Name
			d.start, d.end = c.offset(decl.Pos()), c.offset(decl.End())
			for _, id := range ids {
				of[info.Defs[id]] = d
			}
			all = append(all, d)
		}
	}
	for _, d := range all {
		ast.Inspect(d.decl, func(n ast.Node) bool {
			id, ok := n.(*ast.Ident)
			if !ok {
				return true
			}
			switch o := info.Uses[id].(type) {
			case nil:
			case *types.PkgName:
				d.pkgs[o.Imported().Path()] = true
			default:
				if used := of[o]; used != nil {
					d.uses = append(d.uses, used)
				}
			}
			return true
		})
	}
	return all, nil
}

func (c *cutter) offset(p token.Pos) int { return c.fset.File(p).Offset(p) }

// declared returns the names that a declaration declares.
func declared(decl ast.Decl) []*ast.Ident {
	switch d := decl.(type) {
	case *ast.FuncDecl:
		return []*ast.Ident{d.Name}
	case *ast.GenDecl:
		var ids []*ast.Ident
		for _, s := range d.Specs {
			switch s := s.(type) {
			case *ast.ValueSpec:
				ids = append(ids, s.Names...)
			case *ast.TypeSpec:
				ids = append(ids, s.Name)
			}
		}
		return ids
	}
	return nil
}

// reached lists a declaration and all that it uses, near ones first.
func reached(d *declaration) []*declaration {
	out := []*declaration{d}
	for i := 0; i < len(out); i++ {
		for _, used := range out[i].uses {
			if !slices.Contains(out, used) {
				out = append(out, used)
			}
		}
	}
	return out
}

// write puts what is kept of a file into the copy.
func (c *cutter) write(out *copied, name string, all []*declaration, keep map[*declaration]bool) {
	src := bytes.Clone(c.source[name])
	f := c.files[name]
	imports := map[string]bool{}
	for _, d := range all {
		switch {
		case d.file != name:
		case keep[d]:
			out.decls[name] = append(out.decls[name], d.extent)
			for path := range d.pkgs {
				imports[path] = true
			}
		default:
			blank(src, d.start, d.end)
		}
	}
	if len(out.decls[name]) == 0 {
		return
	}
	for _, decl := range f.Decls {
		if g, ok := decl.(*ast.GenDecl); ok && g.Tok == token.IMPORT {
			used := slices.ContainsFunc(g.Specs, func(s ast.Spec) bool {
				return imports[strings.Trim(s.(*ast.ImportSpec).Path.Value, `"`)]
			})
			if !used {
				blank(src, c.offset(g.Pos()), c.offset(g.End()))
			}
		}
	}
	copy(src[c.offset(f.Name.Pos()):], "main")
	out.files[name] = src
}

// at returns the declaration that holds a place, "" if none does.
func (c *copied) at(file string, offset int) string {
	for _, d := range c.decls[file] {
		if d.start <= offset && offset < d.end {
			return d.name
		}
	}
	return ""
}

// emptyPackages imports packages that have nothing in them.
type emptyPackages struct{}

func (emptyPackages) Import(path string) (*types.Package, error) {
	if path == "unsafe" {
		return types.Unsafe, nil
	}
	p := types.NewPackage(path, path[strings.LastIndexByte(path, '/')+1:])
	p.MarkComplete()
	return p, nil
}

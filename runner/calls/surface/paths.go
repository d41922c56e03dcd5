package surface

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/types/typeutil"

	"github.com/isodelta/isodelta/internal/identifier"
	"github.com/isodelta/isodelta/runner/calls/harness"
	"github.com/isodelta/isodelta/runner/load"
)

// readers are functions of the standard library that open, make, list, look at or remove what a text names, with the first argument
// that does so; what comes behind it in a list does so, too.
var readers = map[string]int{
	"os.Open": 0, "os.OpenFile": 0, "os.ReadFile": 0, "os.ReadDir": 0, "os.Stat": 0, "os.Lstat": 0, "os.DirFS": 0, "os.Chdir": 0,
	"io/ioutil.ReadFile": 0, "io/ioutil.ReadDir": 0,
	"path/filepath.Walk": 0, "path/filepath.WalkDir": 0, "path/filepath.EvalSymlinks": 0, "path/filepath.Glob": 0,
	"os.Create": 0, "os.WriteFile": 0, "os.Mkdir": 0, "os.MkdirAll": 0, "os.MkdirTemp": 0, "os.CreateTemp": 0, "os.Remove": 0, "os.RemoveAll": 0,
	"os.Rename": 0, "io/ioutil.WriteFile": 0,
	"net/http.ServeFile": 2, "go/parser.ParseFile": 1, "go/parser.ParseDir": 1,
	"text/template.ParseFiles": 0, "html/template.ParseFiles": 0,
	"(*text/template.Template).ParseFiles": 0, "(*html/template.Template).ParseFiles": 0,
}

// writers are functions of the standard library that change what is in a folder.
var writers = map[string]bool{
	"os.Create": true, "os.OpenFile": true, "os.WriteFile": true, "os.Mkdir": true, "os.MkdirAll": true, "os.MkdirTemp": true, "os.CreateTemp": true,
	"os.Remove": true, "os.RemoveAll": true, "os.Rename": true, "io/ioutil.WriteFile": true,
}

// writesFiles reports whether a module's packages use one of them.
func writesFiles(t *load.Tree) bool {
	for _, p := range t.Packages {
		if p.Code == nil || p.Code.TypesInfo == nil {
			continue
		}
		for _, o := range p.Code.TypesInfo.Uses {
			if f, ok := o.(*types.Func); ok && writers[f.FullName()] {
				return true
			}
		}
	}
	return false
}

// keepers are packages of the standard library whose functions give a path where their arguments are one.
var keepers = map[string]bool{"path/filepath": true, "path": true, "strings": true}

// paths finds the parameters, variables and fields of a module's packages whose texts name files or folders: those that
// get to functions of the standard library that do something with these. Each is named by where it is declared. What is assigned,
// what is given to functions, and what those with one result return is followed. Of what a path is put together of, only
// the beginning is one.
func paths(t *load.Tree) map[token.Pos]bool {
	f := &flow{into: map[token.Pos][]token.Pos{}, found: map[token.Pos]bool{}, module: t.Module}
	for _, p := range t.Packages {
		if p.Code == nil || p.Code.TypesInfo == nil {
			continue
		}
		f.info = p.Code.TypesInfo
		for _, file := range p.Code.Syntax {
			ast.Inspect(file, f.node)
		}
	}
	for len(f.ends) > 0 {
		at := f.ends[len(f.ends)-1]
		f.ends = f.ends[:len(f.ends)-1]
		if !f.found[at] {
			f.found[at] = true
			f.ends = append(f.ends, f.into[at]...)
		}
	}
	return f.found
}

// abroad reports whether a package is of another module, and not of the standard library, whose readers are known.
func (f *flow) abroad(p *types.Package) bool {
	domain, _, _ := strings.Cut(p.Path(), "/")
	return strings.Contains(domain, ".") && p.Path() != f.module && !strings.HasPrefix(p.Path(), f.module+"/")
}

// flow is what gets where, by the places of declarations.
type flow struct {
	info   *types.Info
	into   map[token.Pos][]token.Pos // where what is somewhere comes from
	ends   []token.Pos               // what readers are given
	found  map[token.Pos]bool
	module string
}

func (f *flow) node(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.AssignStmt:
		f.assign(n.Lhs, n.Rhs)
	case *ast.ValueSpec:
		names := make([]ast.Expr, len(n.Names))
		for i, name := range n.Names {
			names[i] = name
		}
		f.assign(names, n.Values)
	case *ast.RangeStmt:
		if n.Value != nil {
			f.assign([]ast.Expr{n.Value}, []ast.Expr{n.X})
		}
	case *ast.KeyValueExpr:
		if key, ok := n.Key.(*ast.Ident); ok {
			if field, ok := f.info.Uses[key].(*types.Var); ok && field.IsField() {
				f.gets(field.Pos(), n.Value)
			}
		}
	case *ast.CallExpr:
		f.call(n)
	case *ast.FuncDecl:
		f.results(n)
	}
	return true
}

// results books what gets to the result of a function, which goes by the place of the function.
func (f *flow) results(decl *ast.FuncDecl) {
	fn, ok := f.info.Defs[decl.Name].(*types.Func)
	if !ok || decl.Body == nil || fn.Signature().Results().Len() != 1 || !holdsText(fn.Signature().Results().At(0).Type()) {
		return
	}
	ast.Inspect(decl.Body, func(n ast.Node) bool {
		if r, ok := n.(*ast.ReturnStmt); ok && len(r.Results) == 1 {
			f.gets(fn.Pos(), r.Results[0])
		}
		_, literal := n.(*ast.FuncLit)
		return !literal
	})
}

func (f *flow) assign(to, from []ast.Expr) {
	for i, e := range to {
		switch {
		case len(from) == len(to):
			f.gets(f.place(e), from[i])
		case len(from) == 1 && i == 0:
			f.gets(f.place(e), from[0]) // abs, err := filepath.Abs(name)
		}
	}
}

// gets books that what an expression names gets to a place.
func (f *flow) gets(to token.Pos, from ast.Expr) {
	if to.IsValid() {
		f.into[to] = append(f.into[to], f.named(from)...)
	}
}

// call books what a call gives to whom.
func (f *flow) call(call *ast.CallExpr) {
	if t, ok := f.info.Types[call.Fun]; ok && t.IsType() && len(call.Args) == 1 {
		if types.TypeString(t.Type, nil) == "net/http.Dir" {
			f.ends = append(f.ends, f.named(call.Args[0])...)
		}
		return
	}
	callee := typeutil.StaticCallee(f.info, call)
	if callee == nil {
		return
	}
	if at, ok := readers[callee.FullName()]; ok {
		for _, arg := range call.Args[min(at, len(call.Args)):] {
			if holdsText(f.info.TypeOf(arg)) {
				f.ends = append(f.ends, f.named(arg)...)
			}
		}
		return
	}
	sig := callee.Origin().Signature()
	for i, arg := range call.Args {
		k := min(i, sig.Params().Len()-1)
		if k < 0 || !holdsText(sig.Params().At(k).Type()) {
			continue
		}
		if callee.Pkg() != nil && f.abroad(callee.Pkg()) && saysFile(callee.Name(), sig.Params().At(k).Name()) {
			f.ends = append(f.ends, f.named(arg)...)
		}
		f.gets(sig.Params().At(k).Pos(), arg)
	}
}

// saysFile reports whether a parameter of another module's function, whose code is not looked at, is said to be the path of a file or
// a folder: by its own name, or, where it is a path of some kind, by that of the function.
func saysFile(function, parameter string) bool {
	last := func(name string) string {
		words := identifier.Words(name)
		if len(words) == 0 {
			return ""
		}
		return strings.ToLower(words[len(words)-1])
	}
	switch last(parameter) {
	case "file", "files", "filename", "filenames", "filepath", "dir", "dirname", "directory", "folder":
		return true
	case "path", "paths", "name", "in":
		return slices.ContainsFunc(identifier.Words(function), func(w string) bool {
			return slices.Contains([]string{"file", "files", "dir", "directory", "folder"}, strings.ToLower(w))
		})
	}
	return false
}

// holdsText reports whether a type is one of texts, or a list of them.
func holdsText(t types.Type) bool {
	if t == nil {
		return false
	}
	if s, ok := t.Underlying().(*types.Slice); ok {
		t = s.Elem()
	}
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsString != 0
}

// place is where that is declared which an expression stands for; NoPos if that is no variable.
func (f *flow) place(e ast.Expr) token.Pos {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		if v, ok := f.info.ObjectOf(e).(*types.Var); ok {
			return v.Pos()
		}
	case *ast.SelectorExpr:
		if v, ok := f.info.Uses[e.Sel].(*types.Var); ok {
			return v.Origin().Pos()
		}
	case *ast.IndexExpr:
		return f.place(e.X)
	case *ast.StarExpr:
		return f.place(e.X)
	}
	return token.NoPos
}

// named are the variables that a path is made of.
func (f *flow) named(e ast.Expr) []token.Pos {
	switch e := ast.Unparen(e).(type) {
	case *ast.BinaryExpr:
		return f.named(e.X) // what follows is a name within
	case *ast.SliceExpr:
		return f.named(e.X)
	case *ast.CallExpr:
		if len(e.Args) > 0 && f.keeps(e) {
			return f.named(e.Args[0]) // likewise
		}
		if callee := typeutil.StaticCallee(f.info, e); callee != nil && holdsText(f.info.TypeOf(e)) {
			return []token.Pos{callee.Origin().Pos()}
		}
		return nil
	}
	if at := f.place(e); at.IsValid() {
		return []token.Pos{at}
	}
	return nil
}

// keeps reports whether the result of a call is a path where its arguments are.
func (f *flow) keeps(call *ast.CallExpr) bool {
	if t := f.info.Types[call.Fun]; t.IsType() || t.IsBuiltin() {
		return holdsText(f.info.TypeOf(call))
	}
	callee := typeutil.StaticCallee(f.info, call)
	return callee != nil && callee.Pkg() != nil && keepers[callee.Pkg().Path()] && len(call.Args) > 0 && holdsText(f.info.TypeOf(call.Args[0]))
}

// namingFiles has a bit for each parameter of an operation that names files; a method's receiver is the first one.
func (w *writer) namingFiles(f *types.Func, sig *types.Signature) (bits uint64) {
	params := f.Origin().Signature().Params()
	before := sig.Params().Len() - params.Len()
	if before < 0 || before > 1 {
		return 0 // called in another way
	}
	for i := range min(params.Len(), 64-before) {
		if w.hooks.paths[params.At(i).Pos()] {
			bits |= 1 << (i + before)
		}
	}
	return bits
}

// writtenFiles registers what tells of the files that code was given the paths of, where some code of the module
// makes, changes or removes files.
func (w *writer) writtenFiles() {
	if len(w.hooks.paths) == 0 && !w.works() || !w.hooks.writes {
		return
	}
	w.line(len(w.api.ops), "isodeltaH.WritesFiles(isodeltaH.Operation{Name: %q, Expr: %q, Package: %q, Exported: true, Hook: -1})", harness.Written, harness.Written, w.api.Package)
	w.api.ops = append(w.api.ops, Operation{Name: harness.Written, Package: w.api.Package, Exported: true, hook: -1})
}

// fieldsNamingFiles registers the fields of a struct that name files.
func (w *writer) fieldsNamingFiles(t types.Type, expr string) {
	s, ok := t.Underlying().(*types.Struct)
	if !ok {
		return
	}
	names := ""
	for f := range s.Fields() {
		if f.Exported() && w.hooks.paths[f.Origin().Pos()] {
			names += fmt.Sprintf(", %q", f.Name())
		}
	}
	if names != "" {
		w.line(-1, "isodeltaH.PathFields((*%s)(nil)%s)", expr, names)
	}
}

package surface

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/types"
	"maps"
	"path"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/isodelta/isodelta/runner/calls/harness"
)

// maxEnvironment bounds the variables of the environment that sequences set.
const maxEnvironment = 40

// sleepName is the operation that lets time pass.
const sleepName = "time.Sleep"

// Waits reports whether an operation lets time pass, as long as its only argument says.
func (o Operation) Waits() bool { return o.Package == "time" && o.Name == sleepName }

// surroundings registers what changes what calls meet although nobody gives it to them:
// letting time pass, where the module asks for the time, another time zone, where it tells local times, and variables of the
// environment, where it asks for some: those that it has a name of, and what calls turn out to ask for.
func (w *writer) surroundings() {
	if !slices.ContainsFunc(w.api.ops, func(o Operation) bool { return !o.Variable }) {
		return // there is nothing to call
	}
	asks := w.questions()
	if asks.links {
		w.line(-1, "isodeltaH.ReadsLinks()")
	}
	if asks.time {
		w.surrounding(sleepName, "time", "Sleep", "Sleep")
	}
	if w.works() {
		w.surrounding(harness.StartedIn, "os", harness.StartedIn, "StartIn")
	}
	if asks.zone {
		w.assign("time.Local =", "time", "Local", "&"+w.api.Import("time")+".Local")
	}
	if !asks.environment {
		return
	}
	w.surrounding("os.Setenv", "os", "Setenv", "Setenv")
	var list []string
	for _, n := range slices.Sorted(maps.Keys(asks.names))[:min(len(asks.names), maxEnvironment)] {
		list = append(list, fmt.Sprintf("%q", n))
	}
	w.line(-1, "isodeltaH.Environment(%s)", strings.Join(list, ", "))
}

// questions are what the package under test and those of the module that it imports ask.
func (w *writer) questions() *questions {
	if w.asks == nil {
		w.asks = &questions{names: map[string]bool{}}
		for _, p := range w.head.tree.Packages {
			if p.Code != nil && (p.Path == w.api.Package || w.head.pkg.Code.Imports[p.Path] != nil) {
				w.asks.in(p.Code)
			}
		}
	}
	return w.asks
}

// works reports whether it matters in which folder the code works.
func (w *writer) works() bool {
	return w.questions().folder || isCommand(w.head.pkg.Code.Types) && len(w.hooks.paths) > 0
}

// surrounding registers a function of the harness that stands for one of the standard library, or that a test declares.
func (w *writer) surrounding(name, pkg, expr, fn string) {
	w.line(len(w.api.ops), "isodeltaH.Func(isodeltaH.Operation{Name: %q, Expr: %q, Package: %q, Exported: true, Hook: -1}, isodeltaH.%s)", name, expr, pkg, fn)
	// As functions of tests it makes something for others and is no target itself.
	w.api.ops = append(w.api.ops, Operation{Name: name, Package: pkg, Exported: true, OfTest: true, hook: -1})
}

// questions are what code asks of what surrounds it.
type questions struct {
	time        bool
	zone        bool
	links       bool // symbolic links
	folder      bool // the working directory, or files in it
	environment bool
	names       map[string]bool // of variables of the environment
}

func (q *questions) in(p *packages.Package) {
	for _, f := range p.Syntax {
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.SelectorExpr:
				q.zone = q.zone || ofZone(p.TypesInfo.Uses[n.Sel])
				q.links = q.links || ofLinks(p.TypesInfo.Uses[n.Sel])
				f, ok := p.TypesInfo.Uses[n.Sel].(*types.Func)
				if !ok || f.Pkg() == nil || f.Signature().Recv() != nil {
					return true
				}
				q.time = q.time || f.Pkg().Path() == "time" && slices.Contains([]string{"Now", "Since", "Until"}, f.Name())
				q.environment = q.environment || ofEnvironment(f)
				q.folder = q.folder || slices.Contains([]string{"os.Getwd", "path/filepath.Abs"}, f.FullName())
			case *ast.CallExpr:
				q.variable(p, n)
				q.folder = q.folder || readsHere(p, n)
			}
			return true
		})
	}
}

// readsHere reports whether a call does something with a file in the working directory that it names.
func readsHere(p *packages.Package, call *ast.CallExpr) bool {
	callee := typeutil.StaticCallee(p.TypesInfo, call)
	if callee == nil {
		return false
	}
	at, reads := readers[callee.FullName()]
	if !reads || at >= len(call.Args) {
		return false
	}
	name := p.TypesInfo.Types[call.Args[at]].Value
	return name != nil && name.Kind() == constant.String && !path.IsAbs(constant.StringVal(name))
}

// ofZone reports whether code that names an object may tell a time as clocks of the machine do.
func ofZone(o types.Object) bool {
	return o != nil && o.Pkg() != nil && o.Pkg().Path() == "time" && slices.Contains([]string{"Now", "Unix", "UnixMilli", "UnixMicro", "Local"}, o.Name())
}

// ofLinks reports whether code that names an object tells symbolic links from what they lead to.
func ofLinks(o types.Object) bool {
	if o == nil || o.Pkg() == nil || o.Parent() != o.Pkg().Scope() {
		return false
	}
	return slices.Contains([]string{"os.Lstat", "os.Readlink", "os.ModeSymlink", "io/fs.ModeSymlink", "path/filepath.EvalSymlinks"}, o.Pkg().Path()+"."+o.Name())
}

// variable notes a variable of the environment that a call asks for by a constant name.
func (q *questions) variable(p *packages.Package, call *ast.CallExpr) {
	s, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok || len(call.Args) != 1 {
		return
	}
	f, ok := p.TypesInfo.Uses[s.Sel].(*types.Func)
	if !ok || f.Pkg() == nil || !ofEnvironment(f) {
		return
	}
	if v := p.TypesInfo.Types[call.Args[0]].Value; v != nil && v.Kind() == constant.String {
		q.names[constant.StringVal(v)] = true
	}
}

// ofEnvironment reports whether a function of a package gives variables of the environment.
func ofEnvironment(f *types.Func) bool {
	switch f.Pkg().Path() {
	case "os":
		return slices.Contains([]string{"Getenv", "LookupEnv", "ExpandEnv"}, f.Name())
	case "syscall":
		return f.Name() == "Getenv"
	}
	return false
}

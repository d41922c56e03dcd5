package surface

import (
	"go/ast"
	"go/types"

	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/go/types/typeutil"
)

const prometheusPath = "github.com/prometheus/client_golang/prometheus"

// registers registers the registers of the whole process that the code uses: of metrics, and of handlers.
func (w *writer) registers() {
	if hasRegister(w.base.pkg.Code) && hasRegister(w.head.pkg.Code) {
		prometheus := w.api.Import(prometheusPath)
		w.line(-1, "isodeltaH.Registers[%s.Collector](&%s.DefaultRegisterer)", prometheus, prometheus)
	}
	for _, p := range w.head.tree.Packages {
		if p.Code != nil && handles(p.Code) && (p == w.head.pkg || imported(w.head.pkg.Code, p.Path) != nil) {
			http := w.api.Import(httpPath)
			w.line(-1, "isodeltaH.Anew(func() { %s.DefaultServeMux = %s.NewServeMux() })", http, http)
			return
		}
	}
}

// hasRegister reports whether a package is built with prometheus and its usual register.
func hasRegister(p *packages.Package) bool {
	dep := imported(p, prometheusPath)
	return dep != nil && dep.Types != nil && dep.Types.Scope().Lookup("DefaultRegisterer") != nil && dep.Types.Scope().Lookup("Collector") != nil
}

// handles reports whether functions of a package enter handlers into the usual multiplexer of net/http, and no init
// function does, whose handlers have to stay.
func handles(p *packages.Package) bool {
	if p.TypesInfo == nil {
		return false
	}
	found, begins := false, false
	for _, file := range p.Syntax {
		for _, d := range file.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok {
				continue
			}
			ast.Inspect(fn, func(n ast.Node) bool {
				call, ok := n.(*ast.CallExpr)
				if !ok {
					return true
				}
				f, _ := typeutil.Callee(p.TypesInfo, call).(*types.Func)
				if f != nil && (f.FullName() == "net/http.Handle" || f.FullName() == "net/http.HandleFunc") {
					found = true
					begins = begins || fn.Name.Name == "init"
				}
				return true
			})
		}
	}
	return found && !begins
}

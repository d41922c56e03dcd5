package surface

import (
	"fmt"
	"go/types"
	"maps"
	"slices"

	"golang.org/x/tools/go/packages"

	"github.com/isodelta/isodelta/runner/calls/harness"
	"github.com/isodelta/isodelta/runner/probe"
)

// served are the types of net/http that calls can be given: requests are made, answers are
// recorded. What connects or listens is left alone.
var served = map[string]bool{"Request": true, "ResponseWriter": true, "Handler": true, "HandlerFunc": true, "Header": true, "Cookie": true, "ServeMux": true,
	"Client": true, "RoundTripper": true, "Response": true, "FileSystem": true}

const (
	httpPath     = "net/http"
	httptestPath = "net/http/httptest"
	servingPath  = probe.Path + "/harness/serving"
)

// isServed reports whether a type is one of those.
func isServed(o *types.TypeName) bool { return o.Pkg().Path() == httpPath && served[o.Name()] }

// serving registers what handlers are given, and what calls them, where a function takes
// types of net/http or gives a handler.
func (w *writer) serving() {
	w.clients()
	giving := w.handlers()
	if !w.http && len(giving) == 0 {
		return
	}
	request := w.api.Import(httpPath) + ".Request"
	test := w.api.Import(httptestPath)
	w.line(-1, `isodeltaH.Requests(func(method, target, body string) *%s {
	if body == "" {
		return %s.NewRequest(method, target, nil)
	}
	return %s.NewRequest(method, target, %s.NewReader(body))
})`, request, test, test, w.api.Import("strings"))
	w.line(-1, "isodeltaH.HTTPFiles(%s.FS)", w.api.Import(httpPath))
	w.fields()
	w.line(-1, "isodeltaH.Type((*%s.HandlerFunc)(nil))", w.api.Import(httpPath))
	w.served(Operation{Name: httptestPath + ".NewRecorder", Package: httptestPath},
		fmt.Sprintf(`Expr: "NewRecorder", Package: %q`, httptestPath), test+".NewRecorder")
	if len(giving) == 0 {
		return
	}
	w.served(Operation{Name: harness.Served, Package: w.api.Package, Dynamic: giving}, `Expr: "served"`, w.api.Import(servingPath)+".Serve")
	const serve = httpPath + ".Handler.ServeHTTP"
	if !slices.ContainsFunc(w.api.ops, func(o Operation) bool { return o.Name == serve }) {
		w.served(Operation{Name: serve, Package: httpPath, Dynamic: giving}, `Expr: "ServeHTTP", Method: true`, w.api.Import(httpPath)+".Handler.ServeHTTP")
	}
}

// served registers an operation; fields are those that it has besides.
func (w *writer) served(o Operation, fields, fn string) {
	o.Exported, o.hook = true, -1
	w.line(len(w.api.ops), "isodeltaH.Func(isodeltaH.Operation{Name: %q, %s, Exported: true, Hook: -1}, %s)", o.Name, fields, fn)
	w.api.ops = append(w.api.ops, o)
}

// handlers names what a call of some handler may be a call of: methods of the package's
// types that implement http.Handler, and functions that give a value which does.
func (w *writer) handlers() []string {
	p := imported(w.head.pkg.Code, httpPath)
	if p == nil || p.Types == nil {
		return nil
	}
	o := p.Types.Scope().Lookup("Handler")
	if o == nil {
		return nil // net/http of another tree
	}
	face := o.Type().Underlying().(*types.Interface)
	out := w.implementing(face, nil, "ServeHTTP")
	for _, f := range w.api.ops {
		if f.Function != nil && slices.ContainsFunc(f.results, func(t types.Type) bool { return types.Implements(t, face) }) {
			out = append(out, f.Name)
		}
	}
	return out
}

// imported finds a package that another one imports, itself or through others.
func imported(p *packages.Package, path string) *packages.Package {
	seen := map[*packages.Package]bool{}
	var find func(p *packages.Package) *packages.Package
	find = func(p *packages.Package) *packages.Package {
		if p == nil || seen[p] {
			return nil
		}
		seen[p] = true
		if q := p.Imports[path]; q != nil {
			return q
		}
		for _, name := range slices.Sorted(maps.Keys(p.Imports)) {
			if q := find(p.Imports[name]); q != nil {
				return q
			}
		}
		return nil
	}
	return find(p)
}

// takesServed reports whether a function takes a type of net/http that calls can be given.
func takesServed(sig *types.Signature) bool {
	for v := range sig.Params().Variables() {
		takes := false
		mentionsServed(v.Type(), &takes, 0)
		if takes {
			return true
		}
	}
	return false
}

// mentionsServed looks for such a type in what a parameter is made of.
func mentionsServed(t types.Type, found *bool, depth int) {
	const deepest = 4
	if *found || depth > deepest {
		return
	}
	switch t := types.Unalias(t).(type) {
	case *types.Named:
		if t.Obj().Pkg() != nil && isServed(t.Obj()) {
			*found = true
		}
	case *types.Signature:
		for _, list := range []*types.Tuple{t.Params(), t.Results()} {
			for v := range list.Variables() {
				mentionsServed(v.Type(), found, depth+1)
			}
		}
	case interface{ Elem() types.Type }:
		mentionsServed(t.Elem(), found, depth+1)
	}
}

package surface

import "go/types"

// served are the types of net/http that calls can be given: requests are made, answers are
// recorded. What connects or listens is left alone.
var served = map[string]bool{"Request": true, "ResponseWriter": true, "Handler": true, "HandlerFunc": true, "Header": true, "Cookie": true, "ServeMux": true}

const (
	httpPath     = "net/http"
	httptestPath = "net/http/httptest"
)

// isServed reports whether a type is one of those.
func isServed(o *types.TypeName) bool { return o.Pkg().Path() == httpPath && served[o.Name()] }

// serving registers what handlers are given, where a function takes types of net/http.
func (w *writer) serving() {
	if !w.http {
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
	w.line(-1, "isodeltaH.Type((*%s.HandlerFunc)(nil))", w.api.Import(httpPath))
	const name = "NewRecorder"
	w.line(len(w.api.ops), "isodeltaH.Func(isodeltaH.Operation{Name: %q, Expr: %q, Package: %q, Exported: true, Hook: -1}, %s.%s)",
		httptestPath+"."+name, name, httptestPath, test, name)
	w.api.ops = append(w.api.ops, Operation{Name: httptestPath + "." + name, Package: httptestPath, Exported: true, hook: -1})
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

package surface

import (
	"fmt"
	"go/types"
)

// clientTypes are those types of net/http that clients have or are given.
var clientTypes = map[string]bool{"Client": true, "RoundTripper": true, "Response": true}

// clients registers what answers clients in place of servers, where a function takes a client or
// what sends its requests, or a struct holds one.
func (w *writer) clients() {
	if !w.takesClients() {
		return
	}
	p := imported(w.head.pkg.Code, httpPath)
	if p == nil || p.Types == nil {
		return
	}
	tripper, ok := p.Types.Scope().Lookup("RoundTripper").(*types.TypeName)
	if !ok {
		return
	}
	w.http = true
	serving, http := w.api.Import(servingPath), w.api.Import(httpPath)
	w.line(-1, "%s", fmt.Sprintf("isodeltaH.Replies(%s.Replying, %s.Replied, (*%s.Client)(nil))", serving, serving, http))
	w.stub(tripper.Type().(*types.Named))
}

// takesClients reports whether an operation has to do with clients.
func (w *writer) takesClients() bool {
	for _, o := range w.api.ops {
		for _, list := range [][]types.Type{o.params, o.results} {
			for _, t := range list {
				if holdsClient(t, 0) {
					return true
				}
			}
		}
	}
	return false
}

// holdsClient reports whether a value of a type can have a client that its users give it.
func holdsClient(t types.Type, depth int) bool {
	const deepest = 4
	if depth > deepest {
		return false
	}
	if n, ok := types.Unalias(t).(*types.Named); ok && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == httpPath {
		return clientTypes[n.Obj().Name()]
	}
	switch t := t.Underlying().(type) {
	case *types.Struct:
		for f := range t.Fields() {
			if f.Exported() && holdsClient(f.Type(), depth+1) {
				return true
			}
		}
	case *types.Signature:
		for _, list := range []*types.Tuple{t.Params(), t.Results()} {
			for v := range list.Variables() {
				if holdsClient(v.Type(), depth+1) {
					return true
				}
			}
		}
	case interface{ Elem() types.Type }:
		return holdsClient(t.Elem(), depth+1)
	}
	return false
}

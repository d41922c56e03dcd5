package surface

import (
	"fmt"
	"go/types"
	"slices"
	"strings"

	"github.com/isodelta/isodelta/runner/calls/harness"
)

// clientTypes are those types of net/http that clients have or are given.
var clientTypes = map[string]bool{"Client": true, "RoundTripper": true, "Response": true}

// clients registers what answers clients in place of servers, where a function takes a client or
// what sends its requests, or a struct holds one, and where the module asks servers by clients of its own.
func (w *writer) clients() {
	takes, asks := w.takesClients(), w.asksServers()
	if !takes && !asks {
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
	if takes {
		w.stub(tripper.Type().(*types.Named))
	}
	if asks {
		w.line(len(w.api.ops), "isodeltaH.Answers(isodeltaH.Operation{Name: %[1]q, Expr: %[1]q, Package: %[2]q, Exported: true, Hook: -1}, %[3]s.Answer, %[3]s.Unanswered)", harness.Answered, httpPath, serving)
		w.api.ops = append(w.api.ops, Operation{Name: harness.Answered, Package: httpPath, Exported: true, OfTest: true, hook: -1})
	}
}

// questionNames are the functions, and the methods of Client, by which servers are asked.
var questionNames = []string{"Do", "Get", "Head", "NewRequest", "NewRequestWithContext", "Post", "PostForm"}

// asksServers reports whether the package or one of the module that it imports calls one of them.
func (w *writer) asksServers() bool {
	for _, p := range w.head.tree.Packages {
		if p.Code == nil || p.Path != w.api.Package && w.head.pkg.Code.Imports[p.Path] == nil {
			continue
		}
		for _, o := range p.Code.TypesInfo.Uses {
			f, ok := o.(*types.Func)
			if !ok || f.Pkg() == nil || f.Pkg().Path() != httpPath || !slices.Contains(questionNames, f.Name()) {
				continue
			}
			if recv := f.Signature().Recv(); recv == nil || strings.HasSuffix(recv.Type().String(), ".Client") {
				return true
			}
		}
	}
	return false
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

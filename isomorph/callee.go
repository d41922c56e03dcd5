package isomorph

import (
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// called is what a call may execute.
type called struct {
	set      *calleeSet // nil for nothing
	direct   bool       // the set is the one function called by name
	again    bool
	async    *calleeSet // of them, those that may run on another goroutine, or later
	cleanup  *calleeSet // those that run when the test ends
	parallel bool
}

// callees resolves a call. Calls through interfaces and function values reach
// whatever fits and has been converted or taken as a value anywhere in the
// module. Functions outside the module call back what can be reached from
// their arguments by type, and, unless their package is known to keep nothing,
// what was given to any such package before.
func (g *graph) callees(call ssa.CallInstruction) called {
	c := call.Common()
	out := called{}
	if c.IsInvoke() {
		all := g.callbacks(c)
		if c.Method.Name() == "Cleanup" { // of testing.TB, or of what stands for it
			out.cleanup = g.setOf(all)
		}
		all.add(g.values.invoked(g, c.Value.Type(), c.Method))
		out.again = true
		out.set = g.setOf(all)
		return out
	}
	switch v := c.Value.(type) {
	case *ssa.Builtin:
		return out
	case *ssa.MakeClosure, *ssa.Function:
		fn, ok := v.(*ssa.Function)
		if !ok {
			fn = v.(*ssa.MakeClosure).Fn.(*ssa.Function)
		}
		t := g.target(fn)
		switch {
		case t.body != nil:
			out.set, out.direct = g.intern([]int{t.body.id}), true
			return out
		case t.method != nil: // of an interface, by method value or expression
			out.again = true
			all := g.callbacks(c)
			all.add(g.values.invoked(g, t.method.Signature().Recv().Type(), t.method))
			out.set = g.setOf(all)
			return out
		}
		return g.external(fn, c)
	}
	// A function value may also be one from outside the module.
	all := g.callbacks(c)
	all.add(g.values.withSignature(g, c.Signature()))
	all.add(g.values.wrapped)
	out.again = true
	out.set = g.setOf(all)
	return out
}

// target of a function: the body in the module, or the method of an interface
// that a wrapper calls, or neither where it lies outside.
type target struct {
	body   *body
	method *types.Func
}

func (g *graph) target(fn *ssa.Function) target {
	if b := g.byFn[fn]; b != nil {
		return target{body: b}
	}
	if fn.Origin() != nil {
		fn = fn.Origin()
		if b := g.byFn[fn]; b != nil {
			return target{body: b}
		}
	}
	if obj, ok := fn.Object().(*types.Func); ok {
		if r := obj.Signature().Recv(); r != nil && types.IsInterface(r.Type()) {
			return target{method: obj}
		}
		return target{body: g.byKey[funcKey(obj)]}
	}
	if fn.Parent() != nil {
		return target{body: g.at[g.start(fn)]}
	}
	return target{}
}

// quiet packages call back only what they are given, at once or through the
// values that they return; they have no registry and start no goroutine.
var quiet = []string{
	"bufio", "bytes", "cmp", "compress", "container", "context", "embed", "encoding", "errors", "fmt",
	"go/ast", "go/constant", "go/format", "go/parser", "go/printer", "go/scanner", "go/token", "go/types", "hash", "html",
	"index", "io", "iter", "maps", "math", "os", "path", "reflect", "regexp", "slices", "sort", "strconv",
	"strings", "sync", "testing", "text", "time", "unicode", "unique",
	"github.com/stretchr/testify/assert", "github.com/stretchr/testify/require", "github.com/google/go-cmp",
	"github.com/pkg/errors",
}

// loud packages lie below quiet ones.
var loud = []string{"encoding/gob", "os/signal", "os/exec", "hash/crc32"}

func isQuiet(path string) bool {
	below := func(list []string) bool {
		return slices.ContainsFunc(list, func(p string) bool { return path == p || strings.HasPrefix(path, p+"/") })
	}
	return below(quiet) && !below(loud)
}

// external resolves a call of a function outside the module.
func (g *graph) external(fn *ssa.Function, c *ssa.CallCommon) called {
	out := called{again: true}
	all := g.callbacks(c)
	path, name := "", fn.Name()
	if obj, ok := fn.Object().(*types.Func); ok && obj.Pkg() != nil {
		path = obj.Pkg().Path()
	}
	keeps := !isQuiet(path)
	if keeps {
		all.add(g.values.retained)
	}
	out.set = g.setOf(all)
	switch {
	case path == "testing" && name == "Parallel":
		out.parallel = true
	case path == "testing" && name == "Cleanup":
		out.cleanup = out.set
	case name == "AfterFunc" || path == "sync" && name == "Go" || keeps:
		out.async = out.set
	}
	return out
}

// callbacks are the functions that code outside the module can get at through
// the arguments of a call.
func (g *graph) callbacks(c *ssa.CallCommon) *union {
	all := &union{}
	for _, a := range c.Args {
		g.values.trace(g, a, all, 0)
	}
	return all
}

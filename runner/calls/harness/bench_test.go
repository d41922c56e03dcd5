package harness

import (
	"container/list"
	"path"
	"strconv"
	"testing"

	"github.com/isodelta/isodelta/runner/calls/wire"
)

// benchmarkRegistry offers operations of one kind.
func benchmarkRegistry(kind string) *Registry {
	old := registry
	defer func() { registry = old }()
	registry = newRegistry()
	switch kind {
	case "plain":
		Func(Operation{Name: "path.Clean", Expr: "Clean", Package: "path", Exported: true, Role: wire.Changed}, path.Clean)
		Func(Operation{Name: "path.Join", Expr: "Join", Package: "path", Exported: true, Role: wire.Changed}, path.Join)
		Func(Operation{Name: "strconv.Atoi", Expr: "Atoi", Package: "strconv", Exported: true, Role: wire.Changed}, strconv.Atoi)
	case "sequence":
		Func(Operation{Name: "list.New", Expr: "New", Package: "container/list", Exported: true}, list.New)
		Func(Operation{Name: "(*list.List).PushBack", Expr: "PushBack", Method: true, Exported: true, Role: wire.Changed}, (*list.List).PushBack)
		Func(Operation{Name: "(*list.List).InsertBefore", Expr: "InsertBefore", Method: true, Exported: true, Role: wire.Changed}, (*list.List).InsertBefore)
		Func(Operation{Name: "(*list.List).Remove", Expr: "Remove", Method: true, Exported: true, Role: wire.Changed}, (*list.List).Remove)
		Func(Operation{Name: "(*list.List).Len", Expr: "Len", Method: true, Exported: true, Role: wire.Consumer}, (*list.List).Len)
	}
	registry.seal()
	return registry
}

// BenchmarkLead makes, runs and books sequences, as one version's process does
// for the half of them that it makes.
func BenchmarkLead(b *testing.B) {
	for _, kind := range []string{"plain", "sequence"} {
		b.Run(kind, func(b *testing.B) {
			m := NewMachine(benchmarkRegistry(kind))
			plain := NewPlain()
			for _, s := range []string{"/a/b/../c", "x.y", "12", "-7", "a b c"} {
				plain.AddText(wire.NearTests, s)
			}
			s := &server{m: m, g: newGenerator(m, plain, 1)}
			calls := 0
			b.ResetTimer()
			for range b.N {
				s.buf = s.buf[:0]
				p := s.g.next()
				if p != nil {
					s.execute(p)
					calls += len(p)
				}
			}
			b.ReportMetric(float64(calls)/b.Elapsed().Seconds(), "calls/s")
		})
	}
}

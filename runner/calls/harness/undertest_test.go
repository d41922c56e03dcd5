package harness

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/isodelta/isodelta/runner/calls/wire"
)

// A sequence with a function that takes the test is one by itself: its folders are there while it runs, have one name each time,
// and are gone afterwards.
func TestSequencesThatTakeTests(t *testing.T) { // not parallel: a process has one registry
	old := registry
	defer func() { registry = old }()
	registry = newRegistry()
	Under(t)
	at := registry.end()
	cleaned, there := 0, false
	Func(Operation{Name: "folder"}, TakingTest(func(t *testing.T) string {
		t.Cleanup(func() { cleaned++ })
		return t.TempDir()
	}))
	Func(Operation{Name: "look"}, func(dir string) { _, err := os.Stat(dir); there = err == nil })
	Func(Operation{Name: "skip"}, TakingTest(func(tb testing.TB) int { tb.Skip("not here"); return 1 }))
	Func(Operation{Name: "join"}, TakingTest(func(_ testing.TB, sep string, s ...string) string { return strings.Join(s, sep) }))
	if in := registry.Ops[at+3].In; len(in) != 2 || in[0] != reflect.TypeFor[string]() || !registry.Ops[at+3].Variadic {
		t.Errorf("join takes %v", in)
	}
	m := NewMachine(registry)
	p := wire.Sequence{{Op: at}, {Op: at + 1, Args: []wire.Lit{wire.RefTo(0, 0)}}}
	var dirs []string
	for range 2 {
		there = false
		if trace := m.Run(p); trace.Invalid || !there {
			t.Fatalf("%+v, there %v", trace, there)
		}
		// What is drawn for the name is the same each time where the run time is seeded.
		dirs = append(dirs, strings.TrimRight(filepath.Dir(m.Vars[0][0].String()), "0123456789"))
	}
	if dirs[0] != dirs[1] || cleaned != 2 {
		t.Errorf("folders %q, %d cleanups", dirs, cleaned)
	}
	if _, err := os.Stat(m.Vars[0][0].String()); !os.IsNotExist(err) {
		t.Errorf("the folder is still there: %v", err)
	}
	registry.InTest(p, func() {
		m.Run(p)
		if _, err := os.Stat(m.Vars[0][0].String()); err != nil {
			t.Errorf("the folder is gone before the test is over: %v", err)
		}
	})
	if trace := m.Run(wire.Sequence{{Op: at + 2}}); !trace.Invalid {
		t.Errorf("a skipped test: %+v", trace)
	}
	if m.Run(wire.Sequence{{Op: at + 3, Args: []wire.Lit{text("+"), {Form: wire.Seq, E: []wire.Lit{text("a"), text("b")}}}}}); m.Vars[0][0].String() != "a+b" {
		t.Errorf("join gives %v", m.Vars)
	}
	registry.parent = nil
	if trace := m.Run(p); !trace.Invalid {
		t.Errorf("without a test: %+v", trace)
	}
}

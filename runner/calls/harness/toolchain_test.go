package harness_test

import (
	"context"
	"fmt"
	"go/ast"
	"go/build"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/isodelta/isodelta/runner/calls/harness"
	"github.com/isodelta/isodelta/runner/calls/wire"
	"github.com/isodelta/isodelta/runner/execute"
	"github.com/isodelta/isodelta/runner/execute/deterministic"
	"github.com/isodelta/isodelta/runner/execute/sandbox"
	"github.com/isodelta/isodelta/runner/instrument"
	"github.com/isodelta/isodelta/runner/load"
	"github.com/isodelta/isodelta/runner/outcome"
	probe "github.com/isodelta/isodelta/runner/probe"
)

// bench is a module with probe and harness in it, every function hooked, ready
// to run.
type bench struct {
	tree   *load.Tree
	lab    *execute.Lab
	binary string
	hooks  map[string]int // by name of the function
	names  map[int]string
	size   probe.Size
}

// setUp builds the tests of the root package of a module. Its file
// register_test.go is not part of what is loaded: it imports the harness, which
// is there only in the build.
func setUp(t testing.TB, archive string) *bench {
	t.Helper()
	return setUpSeeded(t, archive, nil)
}

// setUpSeeded builds with the seeded run time, where one is given.
func setUpSeeded(t testing.TB, archive string, patch *deterministic.Patch) *bench {
	t.Helper()
	if testing.Short() {
		t.Skip("builds a program")
	}
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	scratch := t.TempDir()
	register := filepath.Join(scratch, "register_test.go")
	replace := map[string]string{filepath.Join(root, "register_test.go"): register}
	for _, f := range txtar.Parse([]byte(archive)).Files {
		name := filepath.Join(root, filepath.FromSlash(f.Name))
		if f.Name == "register_test.go" {
			name = register
		}
		write(t, name, f.Data)
	}
	tree, err := load.Load(context.Background(), load.Options{Root: root, Dir: root})
	if err != nil {
		t.Fatal(err)
	}
	b := &bench{tree: tree, hooks: map[string]int{}, names: map[int]string{}}
	cfg := instrument.Config{Hooks: map[load.Place]int{}}
	for _, p := range tree.Packages {
		for _, f := range p.Code.Syntax {
			for _, d := range f.Decls {
				fn, ok := d.(*ast.FuncDecl)
				if !ok {
					continue
				}
				name := fn.Name.Name
				if fn.Recv != nil {
					e := fn.Recv.List[0].Type
					if s, ok := e.(*ast.StarExpr); ok {
						e = s.X
					}
					name = fmt.Sprint(e) + "." + name
				}
				b.hooks[name] = len(b.hooks)
				b.names[b.hooks[name]] = name
				cfg.Hooks[tree.Place(fn.Pos())] = b.hooks[name]
			}
		}
	}
	program, err := instrument.Code(tree, cfg)
	if err != nil {
		t.Fatal(err)
	}
	suite, err := instrument.Tests(tree, cfg, nil)
	if err != nil {
		t.Fatal(err)
	}
	b.size = probe.Size{Conditions: len(program.Conditions), Arms: len(program.Arms), Sites: len(suite.Sites) + 1, Module: tree.Module}
	probes, err := probe.Overlay(build.Default.GOROOT, filepath.Join(scratch, "probe"), patch != nil && patch.Seedable)
	if err != nil {
		t.Fatal(err)
	}
	harnesses, err := harness.Overlay(build.Default.GOROOT, filepath.Join(scratch, "probe"))
	if err != nil {
		t.Fatal(err)
	}
	maps.Copy(replace, probes)
	maps.Copy(replace, harnesses)
	for _, files := range []map[string][]byte{program.Files, suite.Files} {
		for rel, content := range files {
			name := filepath.Join(scratch, "src", filepath.FromSlash(rel))
			write(t, name, content)
			replace[filepath.Join(root, filepath.FromSlash(rel))] = name
		}
	}
	env := os.Environ()
	if patch != nil {
		maps.Copy(replace, patch.Replace)
		env = append(env, patch.Env...)
	}
	overlay := filepath.Join(scratch, "overlay.json")
	if err := execute.WriteOverlay(overlay, replace); err != nil {
		t.Fatal(err)
	}
	b.binary = filepath.Join(scratch, "m.test")
	err = execute.Test(context.Background(), execute.Build{
		Dir: root, Package: tree.Module, Out: b.binary, Overlay: overlay, Env: env, Module: tree.Module,
	})
	if err != nil {
		t.Fatal(err)
	}
	b.lab = &execute.Lab{Level: sandbox.None, Env: os.Environ(), Tmp: t.TempDir()}
	return b
}

func write(t testing.TB, name string, content []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, content, 0o644); err != nil {
		t.Fatal(err)
	}
}

func (b *bench) session(t testing.TB, test string) *execute.Session {
	s := b.lab.Session(execute.Target{Binary: b.binary, Dir: b.tree.Dir, Test: test, Size: b.size})
	t.Cleanup(s.Close)
	return s
}

const plentiful = 1 << 40 // of fuel

func do(t testing.TB, s *execute.Session, c execute.Command) outcome.Result {
	t.Helper()
	c.Fuel = plentiful
	r, err := s.Do(context.Background(), c)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

const recordModule = `
-- go.mod --
module example.com/m

go 1.21
-- a.go --
package m

import (
	"io"
	"time"
)

type Options struct {
	Name  string
	Sizes []int
	Next  *Options
	Any   any
	zero  int
}

type Secret struct{ n int }

func (s *Secret) Add(k int8) { s.n += int(k) }

func Outer(s string) int { return inner(s) + 1 }

func inner(s string) int { return len(s) }

func Configure(o Options, m map[string]bool, raw []byte) {}

func Read(r io.Reader, f func() int) (int64, error) { return io.Copy(io.Discard, r) }

func At(t time.Time, d time.Duration, x float64) {}

func Each[T any](list []T, f func(T)) {
	for _, x := range list {
		f(x)
	}
}

func Sum(numbers ...int) int { return len(numbers) }
-- a_test.go --
package m

import (
	"bytes"
	"reflect"
	"strings"
	"testing"
	"time"
)

func TestRecord(t *testing.T) {
	Outer("hello")
	Outer("hello")
	Each([]string{"a", "b"}, func(s string) { Outer(s) })
	Configure(Options{Name: "n", Sizes: []int{1, 2}, Next: &Options{Any: uint8(3)}}, map[string]bool{"b": true, "a": false}, []byte("raw"))
	Configure(Options{zero: 1}, nil, nil)
	Configure(Options{Any: Secret{}}, nil, []byte{})
	Read(strings.NewReader("text"), nil)
	buffer := bytes.NewBufferString("xxbuffer")
	buffer.Next(2)
	Read(buffer, func() int { return 1 })
	Read(bytes.NewReader([]byte("bytes")), nil)
	s := &Secret{}
	s.Add(-3)
	s.Add(4)
	At(time.Unix(7, 5), time.Second, 1.5)
	reflect.ValueOf(Sum).Call([]reflect.Value{reflect.ValueOf(1), reflect.ValueOf(-2)})
	Outer(strings.Repeat("x", 5000))
	t.Run("sub", func(t *testing.T) { Outer("sub") })
}

func TestManyRecords(t *testing.T) {
	for i := 0; i < 500; i++ {
		Sum(i)
		Sum(i, i)
		Outer(strings.Repeat("y", i))
	}
}
-- register_test.go --
package m

import "isodeltaprobe/harness"

func init() { harness.Type((*Options)(nil)) }
`

func TestRecording(t *testing.T) {
	t.Parallel()
	b := setUp(t, recordModule)
	t.Run("what tests call", b.recordsWhatTestsCall)
	t.Run("limits", b.recordsWithinLimits)
}

// A suite under record mode tells what its tests, not the code they call, gave
// to hooked functions, each only once, with what cannot be written down left
// open.
func (b *bench) recordsWhatTestsCall(t *testing.T) {
	s := b.session(t, "TestRecord")
	r := do(t, s, execute.Command{Watch: "record"})
	records, err := wire.DecodeRecords(r.Extra)
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]bool{}
	for _, rec := range records {
		line := b.names[rec.Hook]
		for _, a := range rec.Args {
			line += " " + show(a)
		}
		got[line] = true
	}
	want := []string{
		`Outer "hello"`, `Outer "a"`, `Outer "b"`, `Outer "sub"`, `Outer ?`,
		`Each ["a" "b"] ?`,
		`Configure {"n" [1 2] &{"" 0 0 dynamic(3) 0} 0 0} map["a" false "b" true] "raw"`,
		`Configure ? 0 0`,
		`Configure ? 0 ""`,
		`Read reader("text") 0`, `Read buffer("buffer") ?`, `Read reader("bytes") 0`,
		`Secret.Add &{0} -3`, `Secret.Add ? 4`,
		`At time(7) 1000000000 1.5`, `Sum [1 -2]`,
	}
	for _, w := range want {
		if !got[w] {
			t.Errorf("missing: %s", w)
		}
		delete(got, w)
	}
	for _, line := range slices.Sorted(maps.Keys(got)) {
		t.Errorf("recorded: %s", line)
	}
	if again := do(t, s, execute.Command{Watch: "record"}); string(again.Extra) != string(r.Extra) {
		t.Error("a second iteration recorded something else")
	}
	if off := do(t, s, execute.Command{}); len(off.Extra) > 0 {
		t.Error("recorded without an order")
	}
}

// A function called with many different arguments does not crowd out others,
// and the order's own limit holds.
func (b *bench) recordsWithinLimits(t *testing.T) {
	s := b.session(t, "TestManyRecords")
	for most, want := range map[int]int{0: 160, 50: 50} {
		records, err := wire.DecodeRecords(do(t, s, execute.Command{Watch: "record", Most: most}).Extra)
		if err != nil {
			t.Fatal(err)
		}
		count := map[int]int{}
		for _, r := range records {
			count[r.Hook]++
		}
		if len(records) != want || count[b.hooks["Sum"]] > 80 {
			t.Errorf("at most %d: %d records, %v by function", most, len(records), count)
		}
	}
}

func show(l wire.Lit) string {
	var parts []string
	for _, e := range l.E {
		parts = append(parts, show(e))
	}
	all := strings.Join(parts, " ")
	switch l.Form {
	case wire.Zero:
		return "0"
	case wire.Bool:
		return fmt.Sprint(l.N != 0)
	case wire.Int, wire.Uint:
		return fmt.Sprint(l.N)
	case wire.Float:
		return fmt.Sprint(math.Float64frombits(uint64(l.N)))
	case wire.Text:
		return fmt.Sprintf("%q", l.S)
	case wire.Seq:
		return "[" + all + "]"
	case wire.Map:
		return "map[" + all + "]"
	case wire.Struct:
		return "{" + all + "}"
	case wire.Pointer:
		return "&" + all
	case wire.Dynamic:
		return "dynamic(" + all + ")"
	case wire.Special:
		return l.S + "(" + all + ")"
	case wire.Hole:
		return "?"
	}
	return "unknown"
}

package reach

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"testing"

	"github.com/isodelta/isodelta/report/event"
	"github.com/isodelta/isodelta/runner/calls/surface"
	"github.com/isodelta/isodelta/runner/calls/wire"
)

// A literal is found by its type wherever it stands in an argument.
func TestWithin(t *testing.T) {
	t.Parallel()
	pkg := types.NewPackage("example.com/p", "p")
	kind := types.NewNamed(types.NewTypeName(0, pkg, "Kind", nil), types.Typ[types.Int], nil)
	node := types.NewStruct([]*types.Var{types.NewField(0, pkg, "Of", kind, false), types.NewField(0, pkg, "N", types.Typ[types.Int], false)}, nil)
	one := wire.Lit{Form: wire.Int, N: 1}
	full := wire.Lit{Form: wire.Struct, E: []wire.Lit{one, {}}}
	for _, test := range []struct {
		name string
		t    types.Type
		l    wire.Lit
		want bool
	}{
		{"itself", kind, one, true},
		{"a field", node, full, true},
		{"another field", node, wire.Lit{Form: wire.Struct, E: []wire.Lit{{}, one}}, false},
		{"behind a pointer", types.NewPointer(node), wire.Lit{Form: wire.Pointer, E: []wire.Lit{full}}, true},
		{"an element", types.NewSlice(node), wire.Lit{Form: wire.Seq, E: []wire.Lit{full}}, true},
		{"a key", types.NewMap(kind, types.Typ[types.Int]), wire.Lit{Form: wire.Map, E: []wire.Lit{one, one}}, true},
		{"a value for another key", types.NewMap(types.Typ[types.Int], types.Typ[types.Int]), wire.Lit{Form: wire.Map, E: []wire.Lit{one, one}}, false},
		{"what a call gave", node, wire.RefTo(0, 0), false},
		{"no type", nil, one, false},
	} {
		got := within(test.t, test.l, func(t types.Type, l wire.Lit) bool { return surface.ReflectName(t) == "p.Kind" && l.Form == wire.Int })
		if got != test.want {
			t.Errorf("%s: %t, want %t", test.name, got, test.want)
		}
	}
}

// Only the texts of errors differ if all callbacks tell the result of functions that return an error alone.
func TestTellsErrors(t *testing.T) {
	t.Parallel()
	api := apiOf(t)
	back := func(name string) wire.Lit {
		return wire.Lit{Form: wire.Special, S: wire.SpecialBack, E: []wire.Lit{{Form: wire.Text, S: name}, {}, {Form: wire.Seq}, wire.RefTo(0, 0)}}
	}
	telling := wire.Lit{Form: wire.Special, S: wire.SpecialTelling}
	finding := func(path, base, head string) event.Finding {
		return event.Finding{Kind: event.KindValue, Differs: []event.PartDiffers{{Path: path, Base: base, Head: head}}}
	}
	texts := finding("value[0]", `"a"`, `"b"`)
	for _, test := range []struct {
		name string
		args []wire.Lit
		f    event.Finding
		want bool
	}{
		{"two texts", []wire.Lit{back("Failing")}, texts, true},
		{"no error on one version", []wire.Lit{back("Failing")}, finding("value[0]", `"<nil>"`, `"b"`), false},
		{"something else", []wire.Lit{back("Failing")}, finding("result", `"a"`, `"b"`), false},
		{"a number is given", []wire.Lit{back("Apart")}, texts, false},
		{"one that tells its arguments beside", []wire.Lit{back("Failing"), telling}, texts, false},
		{"nothing is called back", nil, texts, false},
	} {
		if got := tellsErrors(wire.Sequence{{Args: test.args}}, api, test.f); got != test.want {
			t.Errorf("%s: %t, want %t", test.name, got, test.want)
		}
	}
}

// A receiver that is passed to itself counts if the parameter is an interface. It does not if the parameter has the receiver's type.
func TestGivesItself(t *testing.T) {
	t.Parallel()
	api := apiOf(t)
	step := func(name string, args ...wire.Lit) wire.Step {
		for n, op := range api.All() {
			if op.Name == name {
				return wire.Step{Op: n, Args: args}
			}
		}
		t.Fatalf("no %s", name)
		return wire.Step{}
	}
	for _, test := range []struct {
		name string
		p    wire.Sequence
		want bool
	}{
		{"itself as an interface", wire.Sequence{step("Make", wire.Lit{}), step("(Box).Put", wire.RefTo(0, 0), wire.RefTo(0, 0))}, true},
		{"another one", wire.Sequence{step("Make", wire.Lit{}), step("Make", wire.Lit{}), step("(Box).Put", wire.RefTo(0, 0), wire.RefTo(1, 0))}, false},
		{"itself as one of its type", wire.Sequence{step("Make", wire.Lit{}), step("(Box).Add", wire.RefTo(0, 0), wire.RefTo(0, 0))}, false},
	} {
		if got := givesItself(test.p, api); got != test.want {
			t.Errorf("%s: %t, want %t", test.name, got, test.want)
		}
	}
}

// A struct without a number that all literals set lacks something. A number that another literal leaves out does not count, nor does
// a nil field.
func TestLeavesOut(t *testing.T) {
	t.Parallel()
	api := apiOf(t)
	tree := treeOf(t)
	u := user{Package: &Package{API: api}, usage: surface.NewUsage(tree, tree)}
	var op wire.Op
	for n, o := range api.All() {
		if o.Name == "Cut" {
			op = n
		}
	}
	one, zero := wire.Lit{Form: wire.Int, N: 1}, wire.Lit{}
	for _, test := range []struct {
		name   string
		fields []wire.Lit
		want   bool
	}{
		{"all of it", []wire.Lit{one, one, {Form: wire.Pointer, E: []wire.Lit{one}}}, false},
		{"no size", []wire.Lit{zero, one, zero}, true},
		{"what others leave out, too", []wire.Lit{one, zero, {Form: wire.Pointer, E: []wire.Lit{one}}}, false},
		{"nil", []wire.Lit{one, one, zero}, false},
	} {
		p := wire.Sequence{{Op: op, Args: []wire.Lit{{Form: wire.Struct, E: test.fields}}}}
		if got := u.leavesOut(p); got != test.want {
			t.Errorf("%s: %t, want %t", test.name, got, test.want)
		}
	}
}

// Invalid JSON and blanks around a document never reach UnmarshalJSON.
func TestIsDocument(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{`"a"`: true, `{"a": 1}`: true, `1`: true, ``: false, `a`: false, `"a" `: false, "\n1": false} {
		if got := isDocument(text); got != want {
			t.Errorf("%q: %t, want %t", text, got, want)
		}
	}
}

// Of other modules, what a function gives is not made otherwise: itself, a pointer to it, or an interface that it implements.
func TestIsMadeAbroad(t *testing.T) {
	t.Parallel()
	const code = `package p

type Opener interface{ Open() }

type Bound struct{ root string }
type Made struct{ n int }
type Value struct{ n int }
type Alone struct{ n int }
type Open struct{ Root string }
type Empty struct{}
type Failure struct{ n int }

func (*Bound) Open()         {}
func (*Alone) Close()        {}
func (*Failure) Error() string { return "" }

func New(root string) (Opener, error) { return &Bound{root}, nil }
func Make() *Made                      { return &Made{1} }
func ValueOf(n int) Value              { return Value{n} }
func NewOpen() *Open                   { return &Open{} }
func NewEmpty() *Empty                 { return &Empty{} }
func newAlone() *Alone                 { return &Alone{} }
`
	of := func(path string) *types.Scope {
		fset := token.NewFileSet()
		file, err := parser.ParseFile(fset, "p.go", code, 0)
		if err != nil {
			t.Fatal(err)
		}
		pkg, err := (&types.Config{}).Check(path, fset, []*ast.File{file}, nil)
		if err != nil {
			t.Fatal(err)
		}
		return pkg.Scope()
	}
	abroad, std := of("example.com/p"), of("p")
	for name, want := range map[string]bool{"Bound": true, "Made": true, "Value": true, "Alone": false, "Open": false, "Empty": false, "Failure": false} {
		if got := isMadeAbroad(abroad.Lookup(name).Type().(*types.Named)); got != want {
			t.Errorf("%s: %t, want %t", name, got, want)
		}
		if isMadeAbroad(std.Lookup(name).Type().(*types.Named)) {
			t.Errorf("%s of the standard library counts", name)
		}
	}
}

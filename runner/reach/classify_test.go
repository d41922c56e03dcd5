package reach

import (
	"go/types"
	"slices"
	"testing"

	"github.com/isodelta/isodelta/runner/calls/surface"
	"github.com/isodelta/isodelta/runner/calls/wire"
)

func TestIsEmpty(t *testing.T) {
	t.Parallel()
	node := types.NewNamed(types.NewTypeName(0, nil, "Node", nil), nil, nil)
	node.SetUnderlying(types.NewStruct([]*types.Var{
		types.NewField(0, nil, "Data", types.NewPointer(types.Typ[types.Int]), false),
		types.NewField(0, nil, "Next", types.NewPointer(node), false),
	}, nil))
	zero, one := wire.Lit{}, wire.Lit{Form: wire.Int, N: 1}
	for name, test := range map[string]struct {
		l    wire.Lit
		want bool
	}{
		"nothing":               {zero, true},
		"no field is set":       {wire.Lit{Form: wire.Struct, E: []wire.Lit{zero, zero}}, true},
		"fields of empty ones":  {wire.Lit{Form: wire.Struct, E: []wire.Lit{zero, {Form: wire.Pointer, E: []wire.Lit{{Form: wire.Struct}}}}}, true},
		"fields are zeros":      {wire.Lit{Form: wire.Struct, E: []wire.Lit{{Form: wire.Int}, {Form: wire.Text}}}, true},
		"the address of a zero": {wire.Lit{Form: wire.Struct, E: []wire.Lit{{Form: wire.Pointer, E: []wire.Lit{{Form: wire.Int}}}}}, false},
		"a field is set":        {wire.Lit{Form: wire.Struct, E: []wire.Lit{zero, one}}, false},
		"the address of one":    {wire.Lit{Form: wire.Pointer, E: []wire.Lit{{Form: wire.Struct}}}, true},
		"the address of a full": {wire.Lit{Form: wire.Pointer, E: []wire.Lit{{Form: wire.Struct, E: []wire.Lit{one}}}}, false},
		"what a call gave":      {wire.RefTo(0, 0), false},
		"a number":              {one, false},
		"a neighbour":           {wire.Lit{Form: wire.Struct, E: []wire.Lit{zero, wire.RefTo(0, 0)}}, true},
		"something else":        {wire.Lit{Form: wire.Struct, E: []wire.Lit{wire.RefTo(0, 0), zero}}, false},
	} {
		if got := isEmpty(test.l, node); got != test.want {
			t.Errorf("%s: %t, want %t", name, got, test.want)
		}
	}
}

// A false in an interface is no struct with nothing in it, and neither is a list.
func TestMayBeStruct(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		l    wire.Lit
		name string
		want bool
	}{
		{wire.Lit{Form: wire.Bool}, "bool", false},
		{wire.Lit{Form: wire.Text}, "string", false},
		{wire.Lit{Form: wire.Int}, "time.Duration", false},
		{wire.Lit{}, "[]p.T", false},
		{wire.Lit{}, "map[string]p.T", false},
		{wire.Lit{}, "int", false},
		{wire.Lit{}, "p.T", true},
		{wire.Lit{}, "struct { A int }", true},
		{wire.Lit{Form: wire.Struct}, "p.T", true},
		{wire.Lit{Form: wire.Pointer, E: []wire.Lit{{Form: wire.Struct}}}, "p.T", true},
	} {
		if got := mayBeStruct(test.l, test.name); got != test.want {
			t.Errorf("form %v of %s: %t, want %t", test.l.Form, test.name, got, test.want)
		}
	}
}

func TestFillsUp(t *testing.T) {
	t.Parallel()
	writer := func(name string) wire.Sequence {
		return wire.Sequence{{Args: []wire.Lit{{Form: wire.Text}, {Form: wire.Dynamic, E: []wire.Lit{{Form: wire.Special, S: name, E: []wire.Lit{{Form: wire.Int, N: 2}}}}}}}}
	}
	if !fillsUp(writer(wire.SpecialLateFull)) {
		t.Error("a writer that takes two bytes does not fill up")
	}
	// One that takes nothing is refused at once, whatever is written.
	if fillsUp(writer(wire.SpecialFull)) {
		t.Error("a writer that takes nothing fills up")
	}
}

func TestMissesNil(t *testing.T) {
	t.Parallel()
	number := types.Typ[types.Int]
	empty := types.NewInterfaceType(nil, nil)
	failing := types.Universe.Lookup("error").Type()
	closing := types.NewInterfaceType([]*types.Func{types.NewFunc(0, nil, "Close", types.NewSignatureType(nil, nil, nil, nil, nil, false))}, nil)
	for _, test := range []struct {
		t    types.Type
		want bool
	}{
		{nil, false},
		{number, false},
		{types.NewPointer(number), true},
		{types.NewSlice(number), false},
		{types.NewMap(number, number), false},
		{types.NewChan(types.SendRecv, number), true},
		{types.NewSignatureType(nil, nil, nil, nil, nil, false), true},
		{empty, false},
		{failing, false},
		{closing, true},
	} {
		if got := surface.MissesNil(test.t); got != test.want {
			t.Errorf("nil of %v is missing: %t, want %t", test.t, got, test.want)
		}
	}
}

// Structs with nothing in them are found in the lists that an argument holds, and nowhere else in it.
func TestEmptyElements(t *testing.T) {
	t.Parallel()
	pkg := types.NewPackage("example.com/p", "p")
	named := func(name string, fields ...*types.Var) *types.Named {
		n := types.NewNamed(types.NewTypeName(0, pkg, name, nil), nil, nil)
		n.SetUnderlying(types.NewStruct(fields, nil))
		return n
	}
	node := named("Node", types.NewField(0, pkg, "Data", types.Typ[types.String], false))
	tree := named("Tree", types.NewField(0, pkg, "Nodes", types.NewSlice(types.NewPointer(node)), false),
		types.NewField(0, pkg, "Root", node, false))
	address := func(l wire.Lit) wire.Lit { return wire.Lit{Form: wire.Pointer, E: []wire.Lit{l}} }
	none, full := wire.Lit{Form: wire.Struct}, wire.Lit{Form: wire.Struct, E: []wire.Lit{{Form: wire.Text, S: "a"}}}
	treeOf := func(nodes ...wire.Lit) wire.Lit {
		return address(wire.Lit{Form: wire.Struct, E: []wire.Lit{{Form: wire.Seq, E: nodes}, none}})
	}
	for name, test := range map[string]struct {
		l    wire.Lit
		want int
	}{
		"one of two":        {treeOf(address(full), address(none)), 1},
		"none":              {treeOf(address(full)), 0},
		"nil":               {treeOf(wire.Lit{}), 0},
		"no list":           {treeOf(), 0},
		"what a call gave":  {treeOf(wire.RefTo(0, 0)), 0},
		"nothing in itself": {wire.Lit{}, 0},
	} {
		got := emptyElements(types.NewPointer(tree), test.l)
		if len(got) != test.want || test.want > 0 && got[0] != "p.Node" {
			t.Errorf("%s: %q, want %d", name, got, test.want)
		}
	}
}

// Calls of other modules alone say nothing of this one. Values that are only written down are no calls.
func TestCallsOthers(t *testing.T) {
	t.Parallel()
	api := apiOf(t)
	var call wire.Sequence
	for i, op := range api.All() {
		if op.Name == "Apart" {
			call = wire.Sequence{{Op: i, Args: []wire.Lit{{Form: wire.Int}}}}
		}
	}
	let := wire.Sequence{{Op: wire.OpLet, Args: []wire.Lit{{Form: wire.Int}}}}
	given := append(call.Clone(), call.Clone()...)
	given[1].Args = []wire.Lit{{Form: wire.Dynamic, T: 7, E: []wire.Lit{{}}}}
	for _, test := range []struct {
		name   string
		p      wire.Sequence
		module string
		want   bool
	}{
		{"one that is given a type of the module", given[1:], "example.com/other", false},
		{"a type of the module that is given elsewhere", wire.Sequence{given[1], given[0]}, "example.com/other", true},
		{"a call of the module", call, "example.com/m", false},
		{"a call of a package of it", call, "example.com", false},
		{"a call of another module", call, "example.com/other", true},
		{"with a name that begins alike", call, "example.com/m2", true},
		{"a value", let, "example.com/other", false},
	} {
		if got := callsOthers(test.p, api, test.module, func(n int) bool { return n == 7 }); got != test.want {
			t.Errorf("%s: %t, want %t", test.name, got, test.want)
		}
	}
}

// Steps are connected by the values that they share.
func TestConnected(t *testing.T) {
	t.Parallel()
	ref := func(n int64) wire.Lit { return wire.Lit{Form: wire.Ref, N: n} }
	within := wire.Lit{Form: wire.Seq, E: []wire.Lit{ref(1)}}
	p := wire.Sequence{{}, {}, {Args: []wire.Lit{ref(1)}}, {Args: []wire.Lit{ref(0)}}, {Args: []wire.Lit{within}}}
	if got, want := connected(p), []bool{false, true, true, false, true}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// Whatever a struct has by a nil pointer that it embeds is called on nil; a field of the same type with a name is a value like others.
func TestEmbedsNil(t *testing.T) {
	t.Parallel()
	zero, text := wire.Lit{}, wire.Lit{Form: wire.Text, S: "a"}
	full := wire.Lit{Form: wire.Pointer, E: []wire.Lit{{Form: wire.Struct, E: []wire.Lit{text}}}}
	for _, test := range []struct {
		name string
		l    wire.Lit
		want bool
	}{
		{"*struct { Own string; *p.T }", wire.Lit{Form: wire.Pointer, E: []wire.Lit{{Form: wire.Struct, E: []wire.Lit{text, zero}}}}, true},
		{"struct { Own string; *p.T }", wire.Lit{Form: wire.Struct, E: []wire.Lit{text, zero}}, true},
		{"struct { Own string; *p.T }", zero, true},
		{"struct { Own string; *p.T }", wire.Lit{Form: wire.Struct, E: []wire.Lit{text, full}}, false},
		{"struct { Own string; Of *p.T }", wire.Lit{Form: wire.Struct, E: []wire.Lit{text, zero}}, false},
		{"struct { *p.T; Own string }", wire.Lit{Form: wire.Struct, E: []wire.Lit{full, zero}}, false},
		{"struct { p.T; Own string }", wire.Lit{Form: wire.Struct, E: []wire.Lit{zero, zero}}, false},
		{"p.Own", wire.Lit{Form: wire.Struct, E: []wire.Lit{zero}}, false},
	} {
		p := wire.Sequence{{Args: []wire.Lit{{Form: wire.Seq, E: []wire.Lit{{Form: wire.Dynamic, T: 7, E: []wire.Lit{test.l}}}}}}}
		if got := embedsNil(p, func(int) string { return test.name }); got != test.want {
			t.Errorf("%v of %s: %t, want %t", test.l, test.name, got, test.want)
		}
	}
}

func TestKeepsNil(t *testing.T) {
	t.Parallel()
	for input, want := range map[string]bool{
		"tree := New()\nvar type2 mmdbtype.DataType = (*mmdbtype.Uint64)(nil)\ntree.Insert(type2)": true,
		"var v any = (*User)(nil)\nLog(v)":      false,
		"var err error = (*Error)(nil)\nF(err)": false,
		"var u *User = (*User)(nil)\nGreet(u)":  false,
		"Log(\"var a B = (*C)(nil)\")":          false,
	} {
		if got := keepsNil(input); got != want {
			t.Errorf("%s: %t", input, got)
		}
	}
}

func TestAnswersNil(t *testing.T) {
	t.Parallel()
	for input, want := range map[string]bool{
		`NewLazyWith(coreStub{OnSync: func() error { return nil }, OnWith: func([]Field) Core { return nil }})`: true,
		`Use(func(func(int) int) http.Handler { return nil })`:                                                  true,
		`Use(func(int) error { return nil })`:                                                                   false,
		`Use(func(string) *Template { return nil })`:                                                            false,
		`Use(func(string) any { return nil }, func() []int { return nil })`:                                     false,
		`Use(func() Core { return coreStub{} })`:                                                                false,
	} {
		if got := answersNil(input); got != want {
			t.Errorf("%s: %t", input, got)
		}
	}
}

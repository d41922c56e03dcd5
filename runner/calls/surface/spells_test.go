package surface

import (
	"go/token"
	"go/types"
	"testing"
)

// A type of a package that nobody else may import is not written down, also where it stands within one without a name, as
// the marker of fields that need names does in what a message of protocol buffers gives.
func TestSpells(t *testing.T) {
	t.Parallel()
	w := &writer{api: &API{Package: "example.com/m/codec"}}
	named := func(path, name string) types.Type {
		p := types.NewPackage(path, "p")
		return types.NewNamed(types.NewTypeName(token.NoPos, p, name, nil), types.NewStruct(nil, nil), nil)
	}
	holding := func(t types.Type) types.Type {
		return types.NewStruct([]*types.Var{types.NewField(token.NoPos, nil, "F", t, true)}, nil)
	}
	taking := func(t types.Type) *types.Signature {
		return types.NewSignatureType(nil, nil, nil, types.NewTuple(types.NewVar(token.NoPos, nil, "a", t)), nil, false)
	}
	closed, open := named("example.com/dep/internal/pragma", "Marker"), named("example.com/dep", "Message")
	for name, c := range map[string]struct {
		t    types.Type
		want bool
	}{
		"an exported type":             {types.NewPointer(open), true},
		"one that is not":              {named("example.com/dep", "message"), false},
		"one of this package":          {named("example.com/m/codec", "message"), true},
		"one that is closed":           {types.NewSlice(closed), false},
		"one that is closed to others": {named("example.com/m/internal/p", "Marker"), true},
		"a struct with a closed one":   {types.NewPointer(holding(closed)), false},
		"a struct with an open one":    {holding(open), true},
		"a function of a closed one":   {taking(holding(closed)), false},
		"a map to a closed one":        {types.NewMap(types.Typ[types.String], closed), false},
		"a name for a closed one":      {types.NewAlias(types.NewTypeName(token.NoPos, types.NewPackage("example.com/dep/internal/pragma", "p"), "A", nil), open), false},
	} {
		if got := w.spells(taking(c.t)); got != c.want {
			t.Errorf("%s: %t", name, got)
		}
		if got := w.spells(types.NewSignatureType(nil, nil, nil, nil, taking(c.t).Params(), false)); got != c.want {
			t.Errorf("%s, as a result: %t", name, got)
		}
	}
}

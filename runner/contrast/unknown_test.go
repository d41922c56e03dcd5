package contrast

import (
	"go/types"
	"testing"

	"github.com/isodelta/isodelta/runner/calls/wire"
)

// A number that a call made may be any; a slice that one made is not looked into anyway, and
// its branches may tell.
func TestGivesUnknown(t *testing.T) {
	t.Parallel()
	number, list := types.Typ[types.Int], types.NewSlice(types.Typ[types.Int])
	made, written := wire.RefTo(0, 0), wire.Lit{Form: wire.Int, N: 1}
	for _, c := range []struct {
		name string
		args []wire.Lit
		of   []types.Type
		want bool
	}{
		{"written", []wire.Lit{written}, []types.Type{number}, false},
		{"made", []wire.Lit{written, made}, []types.Type{number, number}, true},
		{"a list that is made", []wire.Lit{made, written}, []types.Type{list, number}, false},
	} {
		if got := givesUnknown(c.args, c.of); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

package surface

import (
	"go/types"
	"slices"
	"testing"
)

// A word that stands in many tags where others have a name is a rule, and one behind names is an
// option.
func TestUsualTags(t *testing.T) {
	t.Parallel()
	named := tagWords{}
	rules := tagWords{}
	for i, field := range []string{"UserID", "Name", "At", "Zip"} {
		one := func(tag string) *types.Struct {
			return types.NewStruct([]*types.Var{types.NewField(0, nil, field, types.Typ[types.Int], false)}, []string{tag})
		}
		named.add(one(`json:"` + []string{"user_id", "name", "at", "zip"}[i] + `,omitempty" xml:"-"`))
		rules.add(one(`validate:"` + []string{"required", "required,email", "required", "gt=0,required"}[i] + `"`))
	}
	key, options, alone := named.usual()
	if key != "json" || !slices.Equal(options, []string{"omitempty"}) || len(alone) > 0 {
		t.Errorf("names: %s, options %q, rules %q", key, options, alone)
	}
	key, options, alone = rules.usual()
	if key != "validate" || !slices.Equal(options, []string{"email", "required"}) || !slices.Equal(alone, []string{"required"}) {
		t.Errorf("rules: %s, options %q, rules %q", key, options, alone)
	}
	if key, options, alone := (tagWords{}).usual(); key != "" || options != nil || alone != nil {
		t.Errorf("nothing: %s, options %q, rules %q", key, options, alone)
	}
}

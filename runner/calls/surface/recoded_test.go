package surface

import (
	"regexp"
	"slices"
	"strings"
	"testing"
)

// Exported structs with JSON tags are recoded where the change defines them otherwise, or a type that a field is made of. What is the same,
// has no tags or is of one version is not.
func TestRecoded(t *testing.T) {
	t.Parallel()
	const module = `
-- go.mod --
module example.com/m

go 1.21
-- m.go --
package m

type Tagged struct {
	Args []string ` + "`json:\"args\"`" + `
}

type Same struct {
	Args []string ` + "`json:\"args\"`" + `
}

type Untagged struct{ N int }

type IDs []int

type Holder struct {
	List *IDs ` + "`json:\"list\"`" + `
}

type hidden struct {
	N int ` + "`json:\"n\"`" + `
}
`
	base := loaded(t, lay(t, module))
	head := strings.NewReplacer(`json:"args"`+"`\n}\n\ntype Same", `json:"args,omitempty"`+"`\n}\n\ntype Same", "N int", "N string", "IDs []int", "IDs []string").Replace(module) + `
type Added struct {
	N int ` + "`json:\"n\"`" + `
}
`
	a, err := NewAPI(base, loaded(t, lay(t, head)), base, "example.com/m", NewHooks(base, base, func(string) bool { return true }))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, o := range a.All() {
		if o.Recoded {
			got = append(got, o.Name)
		}
	}
	if want := []string{"recodedHolder", "recodedTagged"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	source := string(a.File())
	if !regexp.MustCompile(`isodeltaH\.Recode\(.*"recodedTagged".*\(\*Tagged\)\(nil\), \w+\.Unmarshal, \w+\.Marshal\)`).MatchString(source) {
		t.Error(source)
	}
}

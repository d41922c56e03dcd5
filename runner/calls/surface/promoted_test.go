package surface

import (
	"strings"
	"testing"
)

// Structs embed the types whose exported methods the change alters, and no others.
func TestPromoted(t *testing.T) {
	t.Parallel()
	const files = "-- go.mod --\nmodule example.com/m\n\ngo 1.21\n-- m.go --\npackage m\n\ntype Set struct{ Keys []string }\n\ntype Key struct{ ID string }\n\n" +
		"func (k Key) String() string { return k.ID }\n\ntype List[T any] []T\n\n"
	base := loaded(t, lay(t, files))
	head := loaded(t, lay(t, files+"func (s *Set) UnmarshalJSON([]byte) error { return nil }\n\nfunc (k Key) hidden() {}\n\nfunc (l List[T]) Len() int { return 0 }\n"))
	file := string(apiOf(t, base, head, base, "example.com/m", "none").File())
	for _, want := range []string{"struct{Own string; Set}", "struct{Own string; *Set}"} {
		if !strings.Contains(file, want) {
			t.Errorf("not registered is %s in\n%s", want, file)
		}
	}
	for _, other := range []string{"Key}", "List"} {
		if strings.Contains(file, "struct{Own string; "+other) {
			t.Errorf("%s is embedded in\n%s", other, file)
		}
	}
}

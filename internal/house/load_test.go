package house

import (
	"sync"
	"testing"

	"golang.org/x/tools/go/packages"
)

const modulePath = "github.com/isodelta/isodelta"

// root is the folder of the module, from here.
const root = "../.."

// loaded type-checks the module, without its tests, once for all checks.
var loaded = sync.OnceValues(func() ([]*packages.Package, error) {
	return packages.Load(&packages.Config{Mode: packages.LoadSyntax, Dir: root}, "./...")
})

func load(t *testing.T) []*packages.Package {
	t.Helper()
	if testing.Short() {
		t.Skip("type-checks the whole module")
	}
	all, err := loaded()
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range all {
		if len(p.Errors) > 0 {
			t.Fatalf("%s: %v", p.PkgPath, p.Errors[0])
		}
	}
	if len(all) < 40 {
		t.Fatalf("only %d packages: is this the module?", len(all))
	}
	return all
}

package matching

import (
	"context"
	"errors"
	"slices"
	"testing"

	"golang.org/x/tools/go/packages"

	"github.com/isodelta/isodelta/isomorph"
	"github.com/isodelta/isodelta/runner/calls/surface"
	"github.com/isodelta/isodelta/runner/version"
)

// Each version of a vendored module is fetched once. An error does not keep the others from being fetched. Modules with a folder are
// not fetched.
func TestFetchVendored(t *testing.T) {
	t.Parallel()
	of := func(path, v, dir string) *packages.Package {
		return &packages.Package{PkgPath: path + "/p", Module: &packages.Module{Path: path, Version: v, Dir: dir}}
	}
	m := &Matching{Result: &isomorph.Result{}, moved: []surface.Outside{
		{Packages: version.Both[*packages.Package]{of("example.com/a", "v1.0.0", ""), of("example.com/a", "v1.1.0", "")}},
		{Packages: version.Both[*packages.Package]{of("example.com/a", "v1.0.0", ""), of("example.com/a", "v1.1.0", "")}},
		{Packages: version.Both[*packages.Package]{of("example.com/gone", "v1.0.0", ""), nil}},
		{Packages: version.Both[*packages.Package]{of("example.com/here", "v1.0.0", "/cache/here"), of("example.com/here", "v1.1.0", "/cache/now")}},
	}}
	asked := make(chan string, 10)
	err := m.FetchVendored(t.Context(), func(_ context.Context, path, v string) (string, error) {
		asked <- path + " " + v
		if path == "example.com/gone" {
			return "", errors.New("gone")
		}
		return "/cache/" + v, nil
	})
	if err == nil || err.Error() != "gone" {
		t.Errorf("the error is %v", err)
	}
	close(asked)
	var got []string
	for s := range asked {
		got = append(got, s)
	}
	slices.Sort(got)
	if want := []string{"example.com/a v1.0.0", "example.com/a v1.1.0", "example.com/gone v1.0.0"}; !slices.Equal(got, want) {
		t.Errorf("fetched %q, want %q", got, want)
	}
	list := m.OutsideOf("")
	for i, want := range []version.Both[string]{{"/cache/v1.0.0", "/cache/v1.1.0"}, {"/cache/v1.0.0", "/cache/v1.1.0"}, {}, {"/cache/here", "/cache/now"}} {
		if list[i].Modules != want {
			t.Errorf("the folders of %d are %q, want %q", i, list[i].Modules, want)
		}
	}
}

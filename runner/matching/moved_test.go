package matching

import (
	"slices"
	"testing"

	"golang.org/x/tools/go/packages"

	"github.com/isodelta/isodelta/runner/load"
	"github.com/isodelta/isodelta/runner/version"
)

// What has another path on head is the same module if it has the name, and no other has.
func TestMovedPackages(t *testing.T) {
	t.Parallel()
	of := func(path string, list ...string) *load.Module {
		m := &load.Module{Path: path, Linked: map[string]*packages.Package{}}
		for _, pkg := range list {
			m.Linked[pkg] = &packages.Package{PkgPath: pkg}
		}
		return m
	}
	gone := func(path string, list ...string) load.Bump {
		return load.Bump{Path: path, Base: of(path, list...), Packages: list}
	}
	come := func(path string, list ...string) load.Bump {
		return load.Bump{Path: path, Head: of(path, list...), Packages: list}
	}
	for name, test := range map[string]struct {
		bumps []load.Bump
		want  []string
	}{
		"a major version": {[]load.Bump{gone("example.com/yaml/v2", "example.com/yaml/v2", "example.com/yaml/v2/ast"), come("example.com/yaml/v3", "example.com/yaml/v3", "example.com/yaml/v3/ast", "example.com/yaml/v3/lex")},
			[]string{"example.com/yaml/v2 example.com/yaml/v3", "example.com/yaml/v2/ast example.com/yaml/v3/ast", "- example.com/yaml/v3/lex"}},
		"another host":            {[]load.Bump{gone("gopkg.in/check.v9", "gopkg.in/check.v9"), come("github.com/owner/check", "github.com/owner/check")}, []string{"gopkg.in/check.v9 github.com/owner/check"}},
		"another name":            {[]load.Bump{gone("example.com/a", "example.com/a"), come("example.com/b", "example.com/b")}, nil},
		"two that may have been":  {[]load.Bump{gone("example.com/a", "example.com/a"), gone("example.org/a", "example.org/a"), come("example.net/a", "example.net/a")}, nil},
		"two that may have come":  {[]load.Bump{gone("example.com/a", "example.com/a"), come("example.org/a", "example.org/a"), come("example.net/a", "example.net/a")}, nil},
		"another version, merely": {[]load.Bump{{Path: "example.com/a", Base: of("example.com/a", "example.com/a"), Head: of("example.com/a", "example.com/a"), Packages: []string{"example.com/a"}}}, nil},
	} {
		var got []string
		for _, o := range movedPackages(test.bumps) {
			base := "-"
			if p := o.Packages[version.Base]; p != nil {
				base = p.PkgPath
			}
			got = append(got, base+" "+o.Packages[version.Head].PkgPath)
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%s: %q, want %q", name, got, test.want)
		}
	}
}

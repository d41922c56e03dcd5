package matching

import (
	"path"
	"slices"
	"strings"

	"golang.org/x/mod/module"

	"github.com/isodelta/isodelta/runner/calls/surface"
	"github.com/isodelta/isodelta/runner/load"
	"github.com/isodelta/isodelta/runner/version"
)

// movedPackages pairs the packages of modules that head is built with under another path than base, as where the major version
// is part of it: yaml.v2 and yaml.v3, or the repository has another owner. Their functions are not compared, for the types
// of one are none of the other, but what the authors tried the newer one with is worth a try. Two modules are taken for one if
// they have one name, and no other that only one version is built with has it.
func movedPackages(bumps []load.Bump) []surface.Outside {
	var gone, come []load.Bump
	for _, b := range bumps {
		switch {
		case b.Head == nil:
			gone = append(gone, b)
		case b.Base == nil:
			come = append(come, b)
		}
	}
	var out []surface.Outside
	for _, h := range come {
		same := func(b load.Bump) bool { return nameOf(b.Path) == nameOf(h.Path) }
		i := slices.IndexFunc(gone, same)
		if i < 0 || slices.ContainsFunc(gone[i+1:], same) || slices.ContainsFunc(come, func(o load.Bump) bool { return o.Path != h.Path && same(o) }) {
			continue
		}
		for _, pkg := range h.Packages {
			var o surface.Outside
			o.Packages[version.Base] = gone[i].Base.Linked[gone[i].Path+strings.TrimPrefix(pkg, h.Path)]
			o.Packages[version.Head] = h.Head.Linked[pkg]
			out = append(out, o)
		}
	}
	return out
}

// nameOf is the last element of a module's path, without its major version.
func nameOf(modulePath string) string {
	prefix, _, _ := module.SplitPathVersion(modulePath)
	return path.Base(prefix)
}

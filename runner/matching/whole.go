package matching

import (
	"context"
	"slices"

	"golang.org/x/sync/errgroup"
	"golang.org/x/tools/go/packages"
)

// vendored is a version of a vendored module. A vendor folder has its code without the tests.
type vendored struct{ path, version string }

// FetchVendored fetches the vendored modules that differ, because their tests contain the inputs that the authors tried. It returns the
// first error of fetch. The other modules are fetched all the same.
func (m *Matching) FetchVendored(ctx context.Context, fetch func(ctx context.Context, path, version string) (folder string, err error)) error {
	var wanted []vendored
	for _, o := range m.OutsideOf("") {
		for _, p := range o.Packages {
			if v, ok := vendoredOf(p); ok && !slices.Contains(wanted, v) {
				wanted = append(wanted, v)
			}
		}
	}
	folders := make([]string, len(wanted))
	var g errgroup.Group // an error does not cancel the others
	for i, v := range wanted {
		g.Go(func() (err error) {
			folders[i], err = fetch(ctx, v.path, v.version)
			return err
		})
	}
	err := g.Wait()
	m.whole = map[vendored]string{}
	for i, v := range wanted {
		m.whole[v] = folders[i]
	}
	return err
}

// vendoredOf returns the module of a vendored package. It reports false for other packages.
func vendoredOf(p *packages.Package) (vendored, bool) {
	if p == nil || p.Module == nil {
		return vendored{}, false
	}
	mod := p.Module
	if mod.Replace != nil {
		mod = mod.Replace
	}
	return vendored{mod.Path, mod.Version}, mod.Dir == "" && mod.Version != ""
}

// folderOf returns the folder of a package's module, with its tests. It returns "" if there is no folder.
func (m *Matching) folderOf(p *packages.Package) string {
	if v, ok := vendoredOf(p); ok {
		return m.whole[v]
	}
	switch {
	case p == nil || p.Module == nil:
		return ""
	case p.Module.Replace != nil:
		return p.Module.Replace.Dir
	}
	return p.Module.Dir
}

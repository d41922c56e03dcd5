package matching

import (
	"context"
	"slices"

	"golang.org/x/sync/errgroup"
	"golang.org/x/tools/go/packages"
)

// vendored is a version of a module of which a vendor folder has the code, and not the tests.
type vendored struct{ path, version string }

// FetchVendored has fetch bring the modules whole that a vendor folder keeps and that differ: what their authors tried the change with
// stands in their tests. It returns why one could not be fetched; nothing else depends on that.
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
	var g errgroup.Group // one that is private ends none of the others
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

// vendoredOf is the version of a module that a package in a vendor folder belongs to, false for other packages.
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

// folderOf is the folder of the module that a package belongs to, with its tests; "" where there is none.
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

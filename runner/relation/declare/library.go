package declare

import (
	"context"
	"fmt"
	"go/types"
	"path"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/isodelta/isodelta/runner/load"
	"github.com/isodelta/isodelta/runner/relation"
)

// library gives the packages of the standard library that expressions name.
type library struct {
	tree   *load.Tree
	loaded map[string]*types.Package
}

// load reads the packages that the version has not loaded itself. Types are the
// same only if they are from one load, so the version's come first.
func (l *library) load(ctx context.Context, paths []string) error {
	l.loaded = map[string]*types.Package{}
	for _, p := range l.tree.Packages {
		if p.Code == nil {
			continue
		}
		for _, q := range p.Code.Types.Imports() {
			if q.Complete() {
				l.loaded[q.Path()] = q
			}
		}
	}
	var missing []string
	for _, p := range paths {
		if l.loaded[p] == nil {
			missing = append(missing, p)
		}
	}
	if len(missing) == 0 {
		return nil
	}
	list, err := packages.Load(&packages.Config{Context: ctx, Dir: l.tree.Dir, Env: l.tree.Env,
		Mode: packages.NeedName | packages.NeedImports | packages.NeedTypes | packages.NeedTypesSizes | packages.NeedExportFile}, missing...)
	if err != nil {
		return fmt.Errorf("load %s for the expressions of declared relations: %w", strings.Join(missing, ", "), err)
	}
	for _, p := range list {
		if p.Types == nil || len(p.Errors) > 0 {
			return fmt.Errorf("load %s for the expressions of declared relations: %v", p.PkgPath, p.Errors)
		}
		l.loaded[p.PkgPath] = p.Types
	}
	return nil
}

// named returns the package that expressions know by a name, nil for none.
func (l *library) named(name string) *types.Package {
	for _, p := range relation.Standard() {
		if path.Base(p) == name {
			return l.loaded[p]
		}
	}
	return nil
}

package build

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"golang.org/x/sync/errgroup"

	"github.com/isodelta/isodelta/runner/execute"
	"github.com/isodelta/isodelta/runner/version"
)

// Plain builds the tests of a package of both versions as their users do, without the
// seeded run time, with files added to it, given by name. It returns the binaries;
// the error is an execute.BuildError where one does not build.
func (b *Builder) Plain(ctx context.Context, pkg string, files map[string][]byte) (bin version.Both[string], err error) {
	for _, v := range b.Versions {
		if v.PackageDir(pkg) == "" {
			return bin, &execute.BuildError{Package: pkg, Output: "there is no such package on " + v.Side.String()}
		}
	}
	g, ctx := errgroup.WithContext(ctx)
	for side, v := range b.Versions {
		g.Go(func() (err error) {
			beside := map[string][]byte{}
			for name, text := range files {
				beside[filepath.Join(v.PackageDir(pkg), name)] = text
			}
			bin[side], err = b.plain(ctx, v, pkg, v.Side.String(), beside)
			return err
		})
	}
	return bin, g.Wait()
}

// Whole reports whether the go command builds the tests of a package on both versions: none of their files was left out.
func (b *Builder) Whole(pkg string) bool {
	for _, v := range b.Versions {
		if p := v.find(pkg); p == nil || len(p.Unfit) > 0 {
			return false
		}
	}
	return true
}

// Altered builds the tests of a package as Plain does, with one version's code in which files stand in for
// others, by their absolute paths, or beside them. Several may be built at the same time.
func (b *Builder) Altered(ctx context.Context, side version.Side, pkg string, files map[string][]byte) (binary string, err error) {
	v := b.Versions[side]
	if v.PackageDir(pkg) == "" {
		return "", &execute.BuildError{Package: pkg, Output: "there is no such package on " + side.String()}
	}
	return b.plain(ctx, v, pkg, fmt.Sprintf("altered%d", b.altered.Add(1)), files)
}

// plain builds in a folder of its own, of this name.
func (b *Builder) plain(ctx context.Context, v *Version, pkg, folder string, files map[string][]byte) (string, error) {
	replace := map[string]string{}
	v.Tree.HideUnfit(replace)
	dir := filepath.Join(b.Chain.Tmp, "paste", folder)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", err
	}
	for i, name := range slices.Sorted(maps.Keys(files)) {
		file := filepath.Join(dir, fmt.Sprintf("%d_%s", i, filepath.Base(name)))
		if err := os.WriteFile(file, files[name], 0o644); err != nil {
			return "", err
		}
		replace[name] = file
	}
	overlay := filepath.Join(dir, "overlay.json")
	if err := execute.WriteOverlay(overlay, replace); err != nil {
		return "", err
	}
	binary := filepath.Join(dir, "paste.test")
	return binary, execute.Test(ctx, execute.Build{Go: b.Chain.Command(), Dir: v.Module, Package: pkg, Out: binary, Overlay: overlay,
		Tags: b.Tags, Env: b.Chain.buildEnv(), Module: v.Tree.Module})
}

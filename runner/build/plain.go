package build

import (
	"context"
	"os"
	"path/filepath"

	"github.com/isodelta/isodelta/runner/execute"
	"github.com/isodelta/isodelta/runner/version"
)

// Plain builds the tests of a package of both versions as their users do, without the
// seeded run time, with files added to it, given by name. It returns the binaries;
// the error is an execute.BuildError where one does not build.
func (b *Builder) Plain(ctx context.Context, pkg string, files map[string][]byte) (bin version.Both[string], err error) {
	for side, v := range b.Versions {
		in := v.PackageDir(pkg)
		if in == "" {
			return bin, &execute.BuildError{Package: pkg, Output: "there is no such package on " + v.Side.String()}
		}
		replace := map[string]string{}
		dir := filepath.Join(b.Chain.Tmp, "paste", v.Side.String())
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return bin, err
		}
		for name, text := range files {
			file := filepath.Join(dir, name)
			if err := os.WriteFile(file, text, 0o644); err != nil {
				return bin, err
			}
			replace[filepath.Join(in, name)] = file
		}
		overlay := filepath.Join(dir, "overlay.json")
		if err := execute.WriteOverlay(overlay, replace); err != nil {
			return bin, err
		}
		bin[side] = filepath.Join(dir, "paste.test")
		err := execute.Test(ctx, execute.Build{Go: b.Chain.Command(), Dir: v.Module, Package: pkg, Out: bin[side], Overlay: overlay,
			Tags: b.Tags, Env: b.Chain.buildEnv(), Module: v.Tree.Module})
		if err != nil {
			return bin, err
		}
	}
	return bin, nil
}

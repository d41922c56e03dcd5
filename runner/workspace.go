package runner

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"

	"github.com/isodelta/isodelta/report/event"
	"github.com/isodelta/isodelta/runner/build"
	"github.com/isodelta/isodelta/runner/version"
)

// leaveWorkspace compares the module without the go.work file that it is in, where go.mod
// asks for other versions of dependencies and the workspace builds both versions with the
// same ones: another module there asks for newer ones. Who uses the module has no go.work. It does so, too, where the
// change is in other modules alone, which go.mod takes from their folders: in a workspace they are no dependencies.
func (r *run) leaveWorkspace(ctx context.Context) error {
	if os.Getenv("GOWORK") == "off" || !r.inWorkspace(version.Base) || !r.inWorkspace(version.Head) {
		return nil
	}
	hidden, err := r.hiddenRequires(ctx)
	if err != nil {
		return err
	}
	if hidden = append(hidden, r.taking...); len(hidden) == 0 {
		return nil
	}
	what := strings.Join(hidden, ", ")
	r.env.Progress("load", "building without go.work, which hides "+what, 0, 0)
	r.chain.NoWorkspace = true
	if err := r.onBoth(ctx, r.buildsAlone); err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		r.chain.NoWorkspace = false
		r.env.Limit(event.Limit{Kind: event.LimitDependencies, What: what,
			Reason: "not compared: in the workspace of go.work they are no dependencies that differ, and without it " + firstLine(err)})
		return nil
	}
	r.env.Limit(event.Limit{Kind: event.LimitDependencies, What: what,
		Reason: "compared without go.work (GOWORK=off), as users of the module build it: in the workspace they are no dependencies that differ"})
	return nil
}

// inWorkspace reports whether a version's module is below a go.work file of its tree.
func (r *run) inWorkspace(side version.Side) bool {
	v := r.versions[side]
	for dir := v.Module; ; dir = filepath.Dir(dir) {
		if info, err := os.Stat(filepath.Join(dir, "go.work")); err == nil && info.Mode().IsRegular() {
			return true
		}
		if dir == v.Root || dir == filepath.Dir(dir) {
			return false
		}
	}
}

// hiddenRequires returns the dependencies that go.mod requires in another version on head,
// and that both versions are built with alike, as "path v1 → v2".
func (r *run) hiddenRequires(ctx context.Context) ([]string, error) {
	var requires version.Both[map[string]string]
	for side, v := range r.versions {
		var err error
		if requires[side], err = requiredIn(filepath.Join(v.Module, "go.mod")); err != nil {
			return nil, nil // loading says what is wrong with it
		}
	}
	base, head := requires[version.Base], requires[version.Head]
	var bumped []string
	for _, path := range slices.Sorted(maps.Keys(head)) {
		if base[path] != "" && base[path] != head[path] {
			bumped = append(bumped, path)
		}
	}
	if len(bumped) == 0 {
		return nil, nil
	}
	var selected version.Both[map[string]string]
	if err := r.onBoth(ctx, func(ctx context.Context, v *build.Version) (err error) {
		selected[v.Side], err = r.selectedVersions(ctx, v, bumped)
		return err
	}); err != nil {
		return nil, ctx.Err() // loading meets the same, and says so
	}
	var hidden []string
	for _, path := range bumped {
		if s := selected[version.Head][path]; s != "" && s == selected[version.Base][path] {
			hidden = append(hidden, fmt.Sprintf("%s %s → %s", path, base[path], head[path]))
		}
	}
	return hidden, nil
}

// requiredIn returns the versions that a go.mod file requires. What it replaces itself is
// left out: the workspace takes the replacement too.
func requiredIn(file string) (map[string]string, error) {
	content, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	parsed, err := modfile.ParseLax(file, content, nil)
	if err != nil {
		return nil, err
	}
	out := map[string]string{}
	for _, q := range parsed.Require {
		out[q.Mod.Path] = q.Mod.Version
	}
	for _, q := range parsed.Replace {
		if q.Old.Version == "" || q.Old == (module.Version{Path: q.Old.Path, Version: out[q.Old.Path]}) {
			delete(out, q.Old.Path)
		}
	}
	return out, nil
}

// selectedVersions returns with which versions of modules a version is built.
func (r *run) selectedVersions(ctx context.Context, v *build.Version, paths []string) (map[string]string, error) {
	const format = "{{.Path}} {{.Version}}{{with .Replace}} {{.Path}} {{.Version}}{{end}}"
	text, err := r.inModule(ctx, v, append([]string{"list", "-m", "-f", format}, paths...)...)
	if err != nil {
		return nil, err
	}
	out := map[string]string{}
	for line := range strings.Lines(text) {
		if path, selected, ok := strings.Cut(strings.TrimSpace(line), " "); ok {
			out[path] = selected
		}
	}
	return out, nil
}

// buildsAlone reports why a version's packages do not build.
func (r *run) buildsAlone(ctx context.Context, v *build.Version) error {
	args := []string{"build"}
	if len(r.opt.Tags) > 0 {
		args = append(args, "-tags", strings.Join(r.opt.Tags, ","))
	}
	// With several packages, or none, nothing is written. One that is a command would be.
	_, err := r.inModule(ctx, v, append(args, "-o", os.DevNull, "./...")...)
	return err
}

// inModule runs the go command in a version's module and returns what it prints.
func (r *run) inModule(ctx context.Context, v *build.Version, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, r.chain.Command(), args...)
	cmd.Dir, cmd.Env = v.Module, r.chain.Env()
	var out, complaint bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &complaint
	if err := cmd.Run(); err != nil {
		return "", fmt.Errorf("go %s: %w: %s", args[0], err, strings.TrimSpace(complaint.String()))
	}
	return out.String(), nil
}

// firstLine says in one line why a version does not build.
func firstLine(err error) string {
	var version *VersionError
	side := "a version"
	if errors.As(err, &version) {
		side, err = version.Side.String(), version.Err
	}
	for line := range strings.Lines(err.Error()) {
		if line = strings.TrimSpace(line); !strings.Contains(line, "exit status") || !strings.HasSuffix(line, ":") {
			return side + " does not build: " + strings.ReplaceAll(line, "\t", " ")
		}
	}
	return side + " does not build"
}

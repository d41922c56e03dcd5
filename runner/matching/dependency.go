package matching

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"golang.org/x/sync/errgroup"

	"github.com/isodelta/isodelta/isomorph"
	"github.com/isodelta/isodelta/report/event"
	"github.com/isodelta/isodelta/runner/calls/surface"
	"github.com/isodelta/isodelta/runner/load"
	"github.com/isodelta/isodelta/runner/version"
)

// depend compares the dependencies of both versions, if their code differs. Why it could
// not is kept, and what go.mod says of them then stays a reason to doubt.
func (m *Matching) depend(ctx context.Context) error {
	base, head := m.Versions[version.Base].Tree, m.Versions[version.Head].Tree
	bumps, err := load.Bumps(base, head)
	if err != nil {
		return err
	}
	m.Built(bumps)
	m.moved = movedPackages(bumps)
	modules := map[string]bool{}
	for _, b := range bumps {
		if b.Base != nil && b.Head != nil && len(b.Packages) > 0 {
			modules[b.Path] = true
		}
	}
	if len(modules) > 0 {
		var sources version.Both[*load.Sources]
		g, gctx := errgroup.WithContext(ctx)
		for side, v := range m.Versions {
			g.Go(func() (err error) {
				sources[side], err = v.Tree.Sources(gctx, modules)
				return err
			})
		}
		err := g.Wait()
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err == nil {
			m.sources, err = sources, m.Result.Depend(ctx, sources[version.Base], sources[version.Head], bumps)
		}
		if err == nil {
			return nil
		}
		m.undepended = err
		m.sources = version.Both[*load.Sources]{}
	}
	for _, b := range bumps {
		m.Dependencies = append(m.Dependencies, isomorph.Dependency{Bump: b})
	}
	return nil
}

// Undirected returns why nothing directs the exploration to what changed: the module's own
// code is the same, and no call of it is known to lead to what differs in dependencies. It
// is "" where something does.
func (m *Matching) Undirected() string {
	switch {
	case !m.OnlyDependencies || len(m.Changed) > 0:
		return ""
	case m.undepended != nil:
		return "the functions of the changed dependencies were not compared: " + m.undepended.Error()
	}
	return "the module's own code is the same, and no call in it is known to lead to a function that differs"
}

// OutsideOf returns the packages of dependencies that differ and that functions of a package
// reach: of those of the package, or, where it has none in Δ, of all. Those that have another path on head are among them.
func (m *Matching) OutsideOf(pkg string) []surface.Outside {
	wanted, all := map[string]bool{}, map[string]bool{}
	for _, f := range m.Changed {
		for _, o := range f.Through {
			all[o.Package] = true
			if f.Package == pkg {
				wanted[o.Package] = true
			}
		}
	}
	if len(wanted) == 0 {
		wanted = all
	}
	var out []surface.Outside
	for _, path := range slices.Sorted(maps.Keys(wanted)) {
		var o surface.Outside
		for side, s := range m.sources {
			if s != nil {
				o.Packages[side] = s.Package(path)
			}
		}
		out = append(out, o)
	}
	out = append(out, m.moved...)
	for i := range out {
		for side, p := range out[i].Packages {
			out[i].Modules[side] = m.folderOf(p)
		}
	}
	return out
}

// Depended returns why the code of changed dependencies was not compared, nil where it was.
func (m *Matching) Depended() error { return m.undepended }

// dependencyEvents returns the changed dependencies as the stream tells them.
func (m *Matching) dependencyEvents() []event.Dependency {
	var out []event.Dependency
	for _, d := range m.Dependencies {
		e := event.Dependency{Module: d.Path, Base: d.Base.Named(), Head: d.Head.Named(), Functions: d.Functions, Reached: len(d.Reached),
			Callers: d.Callers, OnlyTests: len(d.Packages) == 0, NotCompared: m.undepended != nil && len(d.Packages) > 0}
		for _, f := range d.Reached[:min(len(d.Reached), event.MaxThrough)] {
			e.Names = append(e.Names, f.Name)
		}
		out = append(out, e)
	}
	return out
}

// throughEvents returns what a function of Δ calls of changed dependencies.
func (m *Matching) throughEvents(list []isomorph.Outside) []event.Through {
	var out []event.Through
	at := map[string]int{}
	for _, f := range list {
		i, ok := at[f.Module]
		if !ok {
			i = len(out)
			at[f.Module] = i
			out = append(out, m.throughModule(f.Module))
		}
		t := &out[i]
		t.Count++
		if len(t.Functions) < event.MaxThrough {
			name := f.Name
			if f.Data != "" {
				name = fmt.Sprintf("%s (%s)", f.Name, f.Data)
			}
			t.Functions = append(t.Functions, name)
		}
	}
	return out
}

func (m *Matching) throughModule(path string) event.Through {
	for _, d := range m.Dependencies {
		if d.Path == path {
			return event.Through{Module: path, Base: d.Base.Named(), Head: d.Head.Named()}
		}
	}
	return event.Through{Module: path}
}

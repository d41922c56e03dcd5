package build

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"github.com/isodelta/isodelta/internal/pattern"
	"github.com/isodelta/isodelta/report/event"
	"github.com/isodelta/isodelta/runner/load"
	"github.com/isodelta/isodelta/runner/version"
)

// Affected returns the packages whose test binaries link something of Δ, each with
// the number of imports between: 0 for the changed packages themselves. Where
// everything is built, those that link nothing of Δ are the farthest.
func (b *Builder) Affected() map[string]int {
	out := map[string]int{}
	for _, v := range b.Versions {
		away := v.distances(b.Changed)
		for _, p := range v.Tree.Packages {
			d, ok := away[p.Path]
			for path := range p.TestImports() {
				if n, linked := away[path]; linked && (!ok || n+1 < d) {
					d, ok = n+1, true
				}
			}
			if !ok && b.Everything {
				d, ok = math.MaxInt, true
			}
			if before, had := out[p.Path]; ok && (!had || d < before) {
				out[p.Path] = d
			}
		}
	}
	return out
}

// Patterns returns the patterns of packages whose tests run.
func (b *Builder) Patterns() []string {
	if len(b.Asked) == 0 {
		return []string{"./..."}
	}
	return b.Asked
}

// Within returns which packages the suites are about: those that are asked for, and those that
// the tests or the code of a chosen one import. Where nobody asks for any, all are.
func (b *Builder) Within(suites *Suites) func(pkg string) bool {
	if len(b.Asked) == 0 {
		return func(string) bool { return true }
	}
	used := map[string]bool{}
	for _, s := range suites.List {
		for _, pkg := range s.Packages {
			for _, v := range b.Versions {
				maps.Copy(used, v.imported(pkg))
			}
		}
	}
	module := b.Versions[version.Head].Tree.Module
	return func(pkg string) bool { return used[pkg] || pattern.Any(b.Asked, module, pkg) }
}

// ListUnmatched lists the patterns that somebody wrote and that name no package of
// either version: what they were to choose, or to leave out, is as if they were not
// there.
func (b *Builder) ListUnmatched() {
	for _, x := range []struct {
		key  string
		list []string
	}{{"packages", b.Asked}, {"exclude", b.Exclude}} {
		for _, text := range x.list {
			if !b.names(text) {
				b.Env.Limit(event.Limit{Kind: event.LimitPattern, What: x.key + ": " + text,
					Reason: "no package of base or head, so it does nothing; go list shows what a pattern names"})
			}
		}
	}
}

// names reports whether a pattern names a package of either version.
func (b *Builder) names(text string) bool {
	return slices.ContainsFunc(b.Versions[:], func(v *Version) bool {
		p := pattern.Parse(text, v.Tree.Module)
		for path := range v.Tree.Left {
			if p.Match(path) {
				return true
			}
		}
		return slices.ContainsFunc(v.Tree.Packages, func(x *load.Package) bool { return p.Match(x.Path) })
	})
}

// choose lists the packages that are asked for, affected, and have tests or can be
// called; the nearest to the change come first. Calls are made in packages without tests
// where these have changed themselves, and where somebody asked for them: a pattern that
// names no other package is taken at its word.
func (b *Builder) choose(v *Version, affected map[string]int) []string {
	named := func(patterns []string) (tested, bare []string) {
		for _, p := range v.Tree.Packages {
			d, ok := affected[p.Path]
			if !ok || !pattern.Any(patterns, v.Tree.Module, p.Path) || pattern.Any(b.Exclude, v.Tree.Module, p.Path) {
				continue
			}
			callable := b.Calls != nil && b.Calls.Callable(p)
			switch {
			case p.Test != nil || p.XTest != nil || callable && (d == 0 || b.NoTests):
				tested = append(tested, p.Path)
			case callable:
				bare = append(bare, p.Path)
			}
		}
		return tested, bare
	}
	out, _ := named(b.Patterns())
	for _, asked := range b.Asked {
		if tested, bare := named([]string{asked}); len(tested) == 0 {
			out = append(out, bare...)
		}
	}
	slices.SortFunc(out, func(a, b string) int {
		return cmp.Or(cmp.Compare(affected[a], affected[b]), cmp.Compare(a, b))
	})
	return slices.Compact(out)
}

// asksFor reports whether one of these packages is asked for.
func (b *Builder) asksFor(affected map[string]int) bool {
	for path := range affected {
		if pattern.Any(b.Patterns(), b.Versions[version.Head].Tree.Module, path) {
			return true
		}
	}
	return false
}

// askedForBroken returns the packages that are asked for and build in neither version.
func (b *Builder) askedForBroken() []load.Broken {
	tree := b.Versions[version.Head].Tree
	return slices.DeleteFunc(slices.Clone(tree.Broken), func(p load.Broken) bool { return !pattern.Any(b.Patterns(), tree.Module, p.Path) })
}

package build

import (
	"cmp"
	"math"
	"path/filepath"
	"slices"
	"strings"
)

// Affected holds the packages whose test binaries link something of Δ, each
// with the number of imports between: 0 for the changed packages themselves.
// With blockers that is all of them, those that link nothing of Δ last.
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

// Patterns are those of the packages whose tests run.
func (b *Builder) Patterns() []string {
	if len(b.Asked) == 0 {
		return []string{"./..."}
	}
	return b.Asked
}

// choose lists the packages with tests that are asked for and affected, the
// nearest to the change first.
func (b *Builder) choose(v *Version, affected map[string]int) []string {
	var out []string
	for _, p := range v.Tree.Packages {
		if d, ok := affected[p.Path]; !ok || p.Test == nil && p.XTest == nil && (d > 0 || b.Calls == nil || !b.Calls.Callable(p)) {
			continue
		}
		if matchesAny(b.Patterns(), v.Tree.Module, p.Path) && !matchesAny(b.Exclude, v.Tree.Module, p.Path) {
			out = append(out, p.Path)
		}
	}
	slices.SortFunc(out, func(a, b string) int {
		return cmp.Or(cmp.Compare(affected[a], affected[b]), cmp.Compare(a, b))
	})
	return out
}

// matchesAny matches go list's patterns: relative or full paths, with "...".
func matchesAny(patterns []string, module, path string) bool {
	for _, pat := range patterns {
		pat = filepath.ToSlash(pat)
		switch {
		case pat == "." || pat == "./":
			pat = module
		case strings.HasPrefix(pat, "./"):
			pat = module + "/" + strings.TrimSuffix(strings.TrimPrefix(pat, "./"), "/")
		}
		if pat == "..." || pat == module+"/..." {
			return true
		}
		if prefix, ok := strings.CutSuffix(pat, "/..."); ok {
			if path == prefix || strings.HasPrefix(path, prefix+"/") {
				return true
			}
			continue
		}
		if path == pat {
			return true
		}
	}
	return false
}

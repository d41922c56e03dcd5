package surface

import (
	"go/constant"
	"go/types"
	"slices"

	"github.com/isodelta/isodelta/runner/load"
)

// Renumbered returns the numbers whose constants have other names on head than on base, by type. Types are named as in package
// reflect. A type is included if at least one of its constants has another value on head. Such a number means something else
// on each version.
func Renumbered(base, head *load.Tree) map[string]map[int64]bool {
	b, h := namedNumbers(base), namedNumbers(head)
	out := map[string]map[int64]bool{}
	for name, old := range b {
		now := h[name]
		if !moved(old, now) {
			continue
		}
		other := map[int64]bool{}
		for _, numbers := range []map[int64][]string{old, now} {
			for n := range numbers {
				if !slices.Equal(old[n], now[n]) {
					other[n] = true
				}
			}
		}
		out[name] = other
	}
	return out
}

// moved reports whether a name stands for another number.
func moved(old, now map[int64][]string) bool {
	at := map[string]int64{}
	for n, names := range old {
		for _, name := range names {
			at[name] = n
		}
	}
	for n, names := range now {
		for _, name := range names {
			if m, known := at[name]; known && m != n {
				return true
			}
		}
	}
	return false
}

// namedNumbers returns the names of the package-level integer constants, by type and number, in alphabetical order. Only named types
// are included.
func namedNumbers(t *load.Tree) map[string]map[int64][]string {
	out := map[string]map[int64][]string{}
	for _, p := range t.Packages {
		if p.Code == nil || p.Code.Types == nil {
			continue
		}
		scope := p.Code.Types.Scope()
		for _, name := range scope.Names() {
			c, ok := scope.Lookup(name).(*types.Const)
			if !ok || name == "_" {
				continue
			}
			if _, named := types.Unalias(c.Type()).(*types.Named); !named || c.Val().Kind() != constant.Int {
				continue
			}
			n, exact := constant.Int64Val(c.Val())
			if !exact {
				continue
			}
			of := ReflectName(c.Type())
			if out[of] == nil {
				out[of] = map[int64][]string{}
			}
			out[of][n] = append(out[of][n], p.Path+"."+name)
		}
	}
	return out
}

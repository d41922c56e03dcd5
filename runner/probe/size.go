//go:build go1.21

package probe

import (
	"reflect"
	"strconv"
	"strings"
)

// What the tables hold.
const (
	maxConditions = 1 << 20
	maxArms       = 1 << 20
	maxEntries    = 1 << 16
)

// Size is how much of the tables an instrumented program uses. The parent tells it
// in the first line that it writes.
type Size struct {
	Conditions, Arms, Entries, Sites int
	Module                           string // path of the module under test
	// Lacking are exported fields that the other version's structs do not have, each as
	// path.Type.Field.
	Lacking []string
}

// size is the program's.
var size Size

// fit takes the size from the parent's first line, and reports whether it is one.
func fit(line string) bool {
	f := strings.Fields(line)
	if len(f) < 5 {
		return false
	}
	var n [4]int
	for i := range n {
		var err error
		if n[i], err = strconv.Atoi(f[i]); err != nil {
			return false
		}
	}
	module, err := strconv.Unquote(f[4])
	if err != nil || n[0] > maxConditions || n[1] > maxArms || n[2] > maxEntries {
		return false
	}
	for _, field := range f[5:] {
		if !strings.Contains(field, ".") {
			return false
		}
	}
	size, inModule = Size{n[0], n[1], n[2], n[3], module, f[5:]}, module+"/"
	lacking = make(map[string]bool, len(size.Lacking))
	for _, field := range size.Lacking {
		lacking[field] = true
	}
	seen = make([]account, size.Sites+1)
	return true
}

// inModule is how the import paths of the module's packages begin, but for its own.
var inModule string

// lacking holds size.Lacking.
var lacking map[string]bool

// Lacks reports whether the other version's struct type of the same name has no such field.
func Lacks(t reflect.Type, field string) bool {
	if len(lacking) == 0 {
		return false
	}
	name, _, _ := strings.Cut(t.Name(), "[")
	return lacking[t.PkgPath()+"."+name+"."+field]
}

// OfModule reports whether a package is one of the module under test.
func OfModule(pkg string) bool {
	return size.Module != "" && (pkg == size.Module || strings.HasPrefix(pkg, inModule))
}

// taken returns the part of each table that the program uses: two branches of each
// condition, arms, and changed functions.
func taken() (branches, arms, entries []uint8) {
	return covered[:2*size.Conditions], armed[:size.Arms], entered[:size.Entries]
}

// wipe forgets what was covered and entered.
func wipe() {
	branches, arms, entries := taken()
	clear(branches)
	clear(arms)
	clear(entries)
}

// keep copies what was covered. The function that it returns puts it back.
func keep() (restore func()) {
	branches, arms, _ := taken()
	n := len(branches)
	kept := append(append(make([]uint8, 0, n+len(arms)), branches...), arms...)
	f, r := fuel, run.ranOut
	return func() {
		copy(branches, kept[:n])
		copy(arms, kept[n:])
		fuel, run.ranOut = f, r
	}
}

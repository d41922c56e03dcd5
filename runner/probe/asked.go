//go:build go1.21

package probe

import (
	"slices"
	"strings"
	"sync"
	"syscall"
)

// maxAsked bounds the variables of the environment that are noted at once.
const maxAsked = 64

// asking is what of the environment was asked for since NoteAsked.
var asking struct {
	sync.Mutex
	on    bool
	names []string
}

// NoteAsked begins to note which variables of the environment the code asks package os for, which the
// seeded run time tells.
func NoteAsked() {
	asking.Lock()
	defer asking.Unlock()
	asking.on, asking.names = true, asking.names[:0]
	onLookup(askedFor)
}

// Asked ends that, and returns the names of those that are not set and may be, sorted.
func Asked() []string {
	asking.Lock()
	defer asking.Unlock()
	asking.on = false
	slices.Sort(asking.names)
	return slices.Clone(asking.names)
}

// askedFor is told each variable that package os looks up.
func askedFor(name string) {
	asking.Lock()
	defer asking.Unlock()
	if !asking.on || len(asking.names) == maxAsked || slices.Contains(asking.names, name) || !Settable(name) {
		return
	}
	if _, set := syscall.Getenv(name); !set {
		asking.names = append(asking.names, name)
	}
}

// Settable reports whether a variable of the environment may be set without changing how the process
// itself goes on.
func Settable(name string) bool {
	if name == "" || len(name) > 100 || strings.ContainsAny(name, "=\x00") {
		return false
	}
	upper := strings.ToUpper(name)
	return !strings.HasPrefix(upper, "GO") && !strings.HasPrefix(upper, "LD_") && !strings.HasSuffix(upper, "_PROXY") &&
		!slices.Contains([]string{"PATH", "HOME", "TMPDIR", "TZ", "ZONEINFO"}, upper)
}

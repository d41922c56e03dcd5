package withheld

import (
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/isodelta/isodelta/internal/lazyregexp"
	"github.com/isodelta/isodelta/runner/execute/sandbox"
)

// Variables are what was taken out of this process's environment. The zero
// value holds none.
type Variables struct {
	values map[string]string
}

// Get returns a variable's value, withheld or not.
func (v Variables) Get(name string) string {
	if value, ok := v.values[name]; ok {
		return value
	}
	return os.Getenv(name)
}

// Names lists what is withheld, sorted.
func (v Variables) Names() []string { return slices.Sorted(maps.Keys(v.values)) }

// Take withholds everything from the environment but what the go command needs.
// It may start the program anew in the same process, so nothing must have been
// done before that cannot be done twice.
func Take() Variables {
	entries, again := received()
	if !again {
		var kept []string
		kept, entries = split(os.Environ())
		if len(entries) > 0 {
			restart(kept, entries) // returns only where that cannot be done
		}
	}
	conceal()
	v := Variables{values: map[string]string{}}
	for _, entry := range entries {
		name, value, _ := strings.Cut(entry, "=")
		v.values[name] = value
		os.Unsetenv(name)
		if proxyName().MatchString(name) {
			os.Setenv(name, value) // of this copy only; package net/http reads nothing else
		}
	}
	return v
}

// marker is the variable that tells the second program where the rest of its
// environment is.
const marker = "ISODELTA_WITHHELD"

// ourNames are variables that isodelta or its run time reads, beside those of
// the go command.
var ourNames = lazyregexp.New(`^(NO_COLOR|GOCOVERDIR)$`)

// proxyName matches what may be withheld for the password in it, and is needed
// to reach GitHub.
var proxyName = lazyregexp.New(`(?i)^(HTTP|HTTPS|ALL)_PROXY$`)

func split(env []string) (kept, taken []string) {
	kept, _ = sandbox.BuildEnv(env)
	for _, entry := range env {
		name, _, _ := strings.Cut(entry, "=")
		switch {
		case slices.Contains(kept, entry), name == marker:
		case ourNames().MatchString(name):
			kept = append(kept, entry)
		default:
			taken = append(taken, entry)
		}
	}
	return kept, taken
}

package load

import (
	"path/filepath"
	"slices"
	"testing"
)

// What the tests of a folder link from outside the module is told before anything is
// loaded: of other folders nothing, and of the module nothing.
func TestOutside(t *testing.T) {
	t.Parallel()
	dir := write(t, `
-- go.mod --
module example.com/m

go 1.21
-- a/a.go --
package a

import "strings"

var Join = strings.Join
-- a/a_test.go --
package a

import (
	"testing"
	"text/tabwriter"
)

var Writer tabwriter.Writer

func TestJoin(t *testing.T) {}
-- b/b.go --
package b

import (
	"net/mail"

	"example.com/m/a"
)

var Parse, Join = mail.ParseAddress, a.Join
-- c/c.go --
package c

import "example.com/m/b"

var Parse = b.Parse
`)
	var told Outside
	if _, err := Load(t.Context(), Options{Root: dir, Dir: dir, Listed: func(o Outside) { told = o }}); err != nil {
		t.Fatal(err)
	}
	of := func(names ...string) []string {
		dirs := map[string]bool{}
		for _, n := range names {
			dirs[filepath.Join(dir, n)] = true
		}
		return told(dirs)
	}
	for _, c := range []struct {
		folder        string
		links, spares []string
	}{
		{"a", []string{"strings", "text/tabwriter", "testing", "testing/internal/testdeps"}, []string{"net/mail"}},
		{"b", []string{"strings", "net/mail"}, []string{"text/tabwriter", "testing"}},
		{"c", []string{"strings", "net/mail"}, []string{"text/tabwriter", "testing"}},
	} {
		got := of(c.folder)
		for _, path := range c.links {
			if !slices.Contains(got, path) {
				t.Errorf("%s: %s is missing", c.folder, path)
			}
		}
		for _, path := range append(c.spares, "example.com/m/a", "example.com/m/b", "unsafe") {
			if slices.Contains(got, path) {
				t.Errorf("%s: %s is told, too", c.folder, path)
			}
		}
	}
	if got := of("none"); len(got) > 0 {
		t.Errorf("a folder without packages links %v", got)
	}
}

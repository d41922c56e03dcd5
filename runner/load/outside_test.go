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

require example.com/d v1.0.0

replace example.com/d => ./d
-- d/go.mod --
module example.com/d
-- d/d.go --
package d

import "container/ring"

var New = ring.New
-- e/e.go --
package e

import (
	"text/scanner"

	"example.com/d"
)

var New, EOF = d.New, scanner.EOF
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
		return told(Concern{Dirs: dirs})
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
	upgraded := Concern{Modules: map[string]bool{"example.com/d": true}}
	if got := told(upgraded); !slices.Contains(got, "text/scanner") || !slices.Contains(got, "container/ring") || slices.Contains(got, "net/mail") {
		t.Errorf("what imports another version of a module links %v", got)
	}
	upgraded.Asked = func(_, path string) bool { return path != "example.com/m/e" }
	if got := told(upgraded); len(got) > 0 {
		t.Errorf("nobody asked for what links %v", got)
	}
	if got := of("none"); len(got) > 0 {
		t.Errorf("a folder without packages links %v", got)
	}
}

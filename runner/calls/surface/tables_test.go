package surface

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/isodelta/isodelta/runner/load"
)

const handing = `package handing

import "strings"

var Trim = strings.TrimSpace

var trim = strings.TrimSpace

var Public = map[string]func(string) string{"trim": strings.TrimSpace, "upper": strings.ToUpper, "own": own}

var private = map[string]any{
	"trim": strings.TrimSpace,
	"lit":  func(s string, n ...int) string { return strings.TrimSpace(s) },
	"call": strings.Repeat("a", 3),
}

var nobodys = map[string]any{"trim": strings.TrimSpace}

var count = len(nobodys)

func init() { private["late"] = strings.TrimSpace }

func own(s string) string { return strings.TrimSpace(s) }

func Second() map[string]any { return private }

func First() map[string]any {
	out := map[string]any{}
	for k, v := range private {
		out[k] = v
	}
	out["first"] = strings.TrimSpace
	return out
}

func Takes(n int) map[string]any { return private }

func Numbered() map[int]any { return map[int]any{1: strings.TrimSpace} }

func hidden() map[string]any { return map[string]any{"hidden": strings.TrimSpace} }
`

func TestEntries(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module example.com/handing\n\ngo 1.21\n", "handing.go": handing} {
		if err := os.WriteFile(filepath.Join(root, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	var tree *load.Tree = loaded(t, root)
	all := entriesOf(find(tree, "example.com/handing").Code, map[string]bool{"strings.TrimSpace": true})
	got := map[string]string{} // how they are called, for those that lead
	for _, at := range slices.SortedFunc(maps.Keys(all), comparePlaces) {
		e := all[at]
		if !e.leads {
			continue
		}
		got[at.root+at.behind()] = e.sig.String()
		if e.any {
			got[at.root+at.behind()] += ", asserted"
		}
	}
	want := map[string]string{
		`Trim`:             `func(s string) string`,
		`Public["trim"]`:   `func(s string) string`,
		`First()["trim"]`:  `func(s string) string, asserted`,
		`First()["lit"]`:   `func(s string, n ...int) string, asserted`,
		`First()["late"]`:  `func(s string) string, asserted`,
		`First()["first"]`: `func(s string) string, asserted`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

package surface

import (
	"go/types"
	"testing"
)

const boundSource = `
-- go.mod --
module example.com/m

go 1.21
-- m.go --
package m

type unit map[byte]int

type Limit struct {
	Size, Count int
	Name        string
}

type Kind int

const (
	First Kind = iota
	Last
)

var (
	decimal = unit{'k': 1000}
	binary  = unit{'k': 1024}
	other   = unit{}
)

func Decimal(s string) int { return size(s, decimal) }

func Binary(s string) int { return size(s, binary) + mixed(s, binary) + named(s, binary) + altered(s, other) }

func Mixed(s string, u unit) int { return mixed(s, u) }

func size(s string, u unit) int { return u[s[0]] }

func mixed(s string, u unit) int { return u[s[0]] }

func named(s string, u unit) int { return u[s[0]] }

func altered(s string, u unit) int { return u[s[0]] }

var all = []func(string, unit) int{named}

func init() { other['k'] = 1 }

var limits = []*Limit{{Size: 1, Count: 2}, {1, 2, "a"}}

var limit = Limit{Size: 1}
`

// A table is bound if every call passes a package-level one that nothing changes.
func TestBound(t *testing.T) {
	t.Parallel()
	tree := loaded(t, lay(t, boundSource))
	usage := NewUsage(tree)
	scope := find(tree, "example.com/m").Code.Types.Scope()
	for name, want := range map[string]bool{
		"size":    true,
		"mixed":   false, // a caller passes its own argument on
		"named":   false, // it is also called through a variable
		"altered": false, // the table changes
		"Decimal": false,
	} {
		f := scope.Lookup(name).(*types.Func)
		callers, got := usage.Bound(f, 1)
		if got != want || want && (len(callers) != 2 || !callers["example.com/m.Decimal"]) {
			t.Errorf("the table of %s is bound: %t for %v, want %t", name, got, callers, want)
		}
		if _, got := usage.Bound(f, 0); got {
			t.Errorf("the text of %s is bound", name)
		}
	}
}

// A field is always set if each literal sets it, with or without its name.
func TestAlwaysSets(t *testing.T) {
	t.Parallel()
	usage := NewUsage(loaded(t, lay(t, boundSource)))
	for i, want := range []bool{true, false, false} {
		if got := usage.AlwaysSets("m.Limit", i); got != want {
			t.Errorf("field %d is always set: %t, want %t", i, got, want)
		}
	}
	if usage.AlwaysSets("m.Other", 0) {
		t.Error("a field of a type that nobody makes is always set")
	}
}

// A constant inserted in front renumbers those behind it. A constant appended at the end does not.
func TestRenumbered(t *testing.T) {
	t.Parallel()
	of := func(constants string) string {
		return "\n-- go.mod --\nmodule example.com/m\n\ngo 1.21\n-- m.go --\npackage m\n\ntype Kind int\n\nconst (\n" + constants + ")\n"
	}
	base := loaded(t, lay(t, of("\tFirst Kind = iota\n\tSecond\n\tLast\n")))
	for _, test := range []struct {
		constants string
		want      []int64
	}{
		{"\tFirst Kind = iota\n\tMiddle\n\tSecond\n\tLast\n", []int64{1, 2, 3}},
		{"\tFirst Kind = iota\n\tSecond\n\tLast\n\tMore\n", nil},
		{"\tFirst Kind = iota\n\tLast\n\tSecond\n", []int64{1, 2}},
	} {
		got := Renumbered(base, loaded(t, lay(t, of(test.constants))))["m.Kind"]
		if len(got) != len(test.want) {
			t.Errorf("%q renumbers %v, want %v", test.constants, got, test.want)
		}
		for _, n := range test.want {
			if !got[n] {
				t.Errorf("%q leaves %d as it is", test.constants, n)
			}
		}
	}
}

package surface

import (
	"slices"
	"testing"
)

// A constructor of another package is registered if nothing in reach implements its interface. It is not if that package imports the
// package under test.
func TestElsewhere(t *testing.T) {
	t.Parallel()
	tree := loaded(t, lay(t, `
-- go.mod --
module example.com/m

go 1.21
-- value/value.go --
package value

type Context interface {
	A() int
	B() int
}

type Store interface{ Get() int }

type Clock interface{ Now() int }
-- exec/exec.go --
package exec

import "example.com/m/value"

type Context struct{}

func (*Context) A() int { return 1 }
func (*Context) B() int { return 2 }

func NewContext(n int) value.Context { return &Context{} }

func Default() *Context { return &Context{} }

func Many(a, b, c, d, e int) value.Context { return &Context{} }

func Other() int { return 1 }
-- around/around.go --
package around

import (
	"example.com/m/run"
	"example.com/m/value"
)

type clock struct{}

func (clock) Now() int { return run.Tick(nil) }

func NewClock() value.Clock { return clock{} }
-- memory/memory.go --
package memory

import "example.com/m/value"

type Store struct{}

func (Store) Get() int { return 1 }

func NewStore() value.Store { return Store{} }
-- run/run.go --
package run

import "example.com/m/value"

type own struct{}

func (own) Get() int { return 2 }

func Run(c value.Context) int { return c.A() }

func Read(s value.Store) int { return s.Get() }

func Tick(c value.Clock) int { return 1 }
`))
	names, _ := registered(apiOf(t, tree, tree, tree, "example.com/m/run").File())
	for name, want := range map[string]bool{"exec.NewContext": true, "exec.Default": true, "exec.Many": false, "exec.Other": false, "around.NewClock": false, "memory.NewStore": false} {
		if got := slices.Contains(names, name); got != want {
			t.Errorf("%s is registered: %t, want %t; there are %q", name, got, want, names)
		}
	}
}

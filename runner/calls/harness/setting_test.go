package harness

import (
	"reflect"
	"strings"
	"testing"

	"github.com/isodelta/isodelta/runner/calls/wire"
)

type settings struct {
	Name   string
	Extra  map[string]any
	hidden string
	Inner  *settings
}

// A function that sets a field sets it, gives what it was given, and fails as Go code does where there is no map;
// a literal that fits no field makes none.
func TestSetting(t *testing.T) {
	m := NewMachine(newRegistry())
	set := func(name string, value wire.Lit, results ...wire.Lit) wire.Lit {
		return wire.Lit{Form: wire.Special, S: wire.SpecialSetting, E: append([]wire.Lit{{Form: wire.Text, S: name}, value}, results...)}
	}
	build := func(l wire.Lit, f any) error {
		v, err := m.Build(l, reflect.TypeOf(f).Elem())
		if err == nil {
			reflect.ValueOf(f).Elem().Set(v)
		}
		return err
	}
	panics := func(f func()) (message string) {
		defer func() {
			if r := recover(); r != nil {
				message = r.(error).Error()
			}
		}()
		f()
		return ""
	}
	text := func(s string) wire.Lit { return wire.Lit{Form: wire.Text, S: s} }
	var option func(*settings)
	s := &settings{}
	if err := build(set("Name", text("a")), &option); err != nil {
		t.Fatal(err)
	}
	if option(s); s.Name != "a" || s.hidden != "" {
		t.Errorf("the name is %q", s.Name)
	}
	if got := panics(func() { option(nil) }); !strings.Contains(got, "nil pointer dereference") {
		t.Errorf("given nil, it says %q", got)
	}
	var hook func(int, *settings) (*settings, int)
	entry := wire.Lit{Form: wire.Seq, E: []wire.Lit{text("k"), {}}}
	if err := build(set("Extra", entry, wire.Lit{}, wire.Lit{Form: wire.Int, N: 7}), &hook); err != nil {
		t.Fatal(err)
	}
	if got := panics(func() { hook(1, s) }); got != "assignment to entry in nil map" {
		t.Errorf("without a map, it says %q", got)
	}
	s.Extra = map[string]any{}
	if got, n := hook(1, s); got != s || n != 7 || len(s.Extra) != 1 {
		t.Errorf("it gives %v, %d and leaves %v", got, n, s.Extra)
	}
	var other func(string)
	for _, l := range []wire.Lit{set("hidden", wire.Lit{Form: wire.Int}), set("Inner", wire.Lit{}), set("Extra", text("a")), set("None", text("a"))} {
		if err := build(l, &option); err == nil {
			t.Errorf("%v makes a function", l)
		}
	}
	if err := build(set("Name", text("a")), &other); err == nil {
		t.Error("a function that is given no struct sets a field")
	}
}

// What a hook is given has no map on some way, which shows where a hook writes to it.
func TestHooksWrite(t *testing.T) {
	r := newRegistry()
	crashed, written := 0, 0
	r.register(Operation{Name: "Capture", Role: wire.Changed}, func(text string, before func(*settings) *settings) {
		s := &settings{Name: text}
		if len(text)%2 == 0 {
			s.Extra = map[string]any{}
		}
		crashed++
		before(s)
		crashed--
		if len(s.Extra) > 0 {
			written++
		}
	})
	m := NewMachine(r)
	g := newGenerator(m, dictionaryOfTests(), 1)
	for range 2000 {
		if p := g.next(); p != nil {
			trace := m.Run(p)
			g.learn(p, &trace)
		}
	}
	if crashed < 10 || written < 10 {
		t.Errorf("%d hooks found no map, %d wrote to one", crashed, written)
	}
}

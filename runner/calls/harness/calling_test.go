package harness

import (
	"errors"
	"reflect"
	"testing"

	"github.com/isodelta/isodelta/runner/calls/wire"
)

type answers struct{ said []string }

func (a *answers) Say(s string, _ ...int) error {
	a.said = append(a.said, s)
	if s == "" {
		return errors.New("nothing")
	}
	return nil
}

// A function that calls a method of what it is given gives what the method gives, or else
// results of its own; a literal that fits no method makes none.
func TestCalling(t *testing.T) {
	t.Parallel()
	r := newRegistry()
	fn := reflect.ValueOf((*answers).Say)
	r.Ops = append(r.Ops, Operation{Name: "(*answers).Say", Expr: "Say", Method: true, Inner: true, Fn: fn, Variadic: true,
		In: []reflect.Type{fn.Type().In(0), fn.Type().In(1), fn.Type().In(2)}, Out: []reflect.Type{errorType}})
	m := NewMachine(r)
	say := func(name, s string, results ...wire.Lit) wire.Lit {
		return wire.Lit{Form: wire.Special, S: wire.SpecialCalling, E: append([]wire.Lit{{Form: wire.Text, S: name},
			{Form: wire.Seq, E: []wire.Lit{{Form: wire.Text, S: s}, {Form: wire.Seq}}}}, results...)}
	}
	build := func(l wire.Lit, f any) error {
		v, err := m.Build(l, reflect.TypeOf(f).Elem())
		if err == nil {
			reflect.ValueOf(f).Elem().Set(v)
		}
		return err
	}
	var a answers
	var handler func(int, *answers) error
	if err := build(say("(*answers).Say", "a"), &handler); err != nil || handler(1, &a) != nil {
		t.Error("the function is not made", err)
	}
	if err := build(say("(*answers).Say", ""), &handler); err != nil || handler(1, &a) == nil {
		t.Error("the method's error is lost", err)
	}
	var count func(*answers) int
	if err := build(say("(*answers).Say", "b", wire.Lit{Form: wire.Int, N: 7}), &count); err != nil || count(&a) != 7 {
		t.Error("the function does not give its own result", err)
	}
	if want := []string{"a", "", "b"}; !reflect.DeepEqual(a.said, want) {
		t.Errorf("%q was said, want %q", a.said, want)
	}
	var other func(string)
	for _, l := range []wire.Lit{say("(*answers).Listen", "a"), {Form: wire.Special, S: wire.SpecialCalling}} {
		if err := build(l, &handler); err == nil {
			t.Errorf("%v makes a function", l)
		}
	}
	if err := build(say("(*answers).Say", "a"), &other); err == nil {
		t.Error("a function that is given no receiver calls a method")
	}
}

// An option of a constructor calls no method of what is not finished; another function does.
func TestOptionsCallNothing(t *testing.T) {
	t.Parallel()
	type option func(*answers)
	r := newRegistry()
	r.register(Operation{Name: "(*answers).Say", Expr: "Say", Method: true}, (*answers).Say)
	r.register(Operation{Name: "each"}, func(func(*answers)) {})
	r.register(Operation{Name: "newAnswers"}, func(...option) *answers { return nil })
	r.seal()
	g := newGenerator(NewMachine(r), NewPlain(), 1)
	if n := len(g.callable(reflect.TypeFor[option]())); n != 0 {
		t.Errorf("%d methods for an option", n)
	}
	if n := len(g.callable(reflect.TypeFor[func(*answers)]())); n != 1 {
		t.Errorf("%d methods for a function", n)
	}
}

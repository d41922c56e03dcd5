package harness

import (
	"reflect"
	"testing"

	"github.com/isodelta/isodelta/runner/calls/wire"
)

// A function that calls back does so when it is called first, on the value that the sequence has
// made, and gives its results each time; a literal that fits nothing that can be called makes none.
func TestBack(t *testing.T) {
	t.Parallel()
	r := newRegistry()
	fn := reflect.ValueOf((*answers).Say)
	in := []reflect.Type{fn.Type().In(0), fn.Type().In(1), fn.Type().In(2)}
	r.Ops = append(r.Ops,
		Operation{Name: "(*answers).Say", Expr: "Say", Method: true, Fn: fn, Variadic: true, In: in, Out: []reflect.Type{errorType}},
		Operation{Name: "gone", Expr: "gone", excluded: true, Fn: reflect.ValueOf(func() {})})
	k := r.addType(reflect.TypeOf(answers{}))
	m := NewMachine(r)
	m.Run(wire.Sequence{{Op: wire.OpLet, Args: []wire.Lit{{Form: wire.Dynamic, T: k, E: []wire.Lit{{}}}}}})
	back := func(name string, receiver wire.Lit, results ...wire.Lit) wire.Lit {
		return wire.Lit{Form: wire.Special, S: wire.SpecialBack, E: append([]wire.Lit{{Form: wire.Text, S: name}, receiver,
			{Form: wire.Seq, E: []wire.Lit{{Form: wire.Text, S: "a"}, {Form: wire.Seq}}}}, results...)}
	}
	text := reflect.TypeOf((func() string)(nil))
	v, err := m.Build(back("(*answers).Say", wire.RefTo(0, 0), wire.Lit{Form: wire.Text, S: "x"}), text)
	if err != nil {
		t.Fatal(err)
	}
	f := v.Interface().(func() string)
	if first, second := f(), f(); first != "x" || second != "x" {
		t.Error("it does not give its result in each call")
	}
	if said := m.Vars[0][0].Interface().(answers).said; !reflect.DeepEqual(said, []string{"a"}) {
		t.Errorf("it has called back %d times: %q", len(said), said)
	}
	for _, l := range []wire.Lit{back("(*answers).Listen", wire.RefTo(0, 0)), back("(*answers).Say", wire.RefTo(1, 0)), back("gone", wire.Lit{}), {Form: wire.Special, S: wire.SpecialBack}} {
		if _, err := m.Build(l, text); err == nil {
			t.Errorf("%v makes a function", l)
		}
	}
}

// A function made for a call on a value that the sequence holds mostly calls a method of it.
func TestFreshBack(t *testing.T) {
	t.Parallel()
	r := newRegistry()
	fn := reflect.ValueOf((*answers).Say)
	r.Ops = append(r.Ops,
		Operation{Name: "(*answers).Say", Expr: "Say", Method: true, Fn: fn, Variadic: true, In: []reflect.Type{fn.Type().In(0), fn.Type().In(1), fn.Type().In(2)}, Out: []reflect.Type{errorType}})
	k := r.addType(reflect.TypeOf(answers{}))
	g := newGenerator(NewMachine(r), NewPlain(), 1)
	text := reflect.TypeOf((func() string)(nil))
	if _, ok := g.builder(nil).freshBack(text, 1); ok {
		t.Error("there is nothing whose methods could be called")
	}
	b := g.builder(wire.Sequence{{Op: wire.OpLet, Args: []wire.Lit{{Form: wire.Dynamic, T: k, E: []wire.Lit{{}}}}}})
	b.receiver = wire.RefTo(0, 0)
	l, ok := b.freshBack(text, 1)
	for try := 0; !ok && try < 20; try++ {
		l, ok = b.freshBack(text, 1)
	}
	c, read := r.Back(l)
	if !ok || !read || c.Op.Name != "(*answers).Say" || c.Receiver.Form != wire.Ref || len(c.Results) != 1 {
		t.Errorf("%v, %t", l, ok)
	}
}

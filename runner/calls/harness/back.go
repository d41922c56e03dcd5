//go:build go1.21

package harness

import (
	"fmt"
	"reflect"
	"sync/atomic"

	"github.com/isodelta/isodelta/runner/calls/wire"
)

// Functions that call back: when the code under test calls one for the first time, it calls a
// method of a value that the sequence has made, mostly of the one whose method is being called,
// or another function of the package. So a value that is logged logs, a visitor changes the
// collection that is gone through, and a handler takes itself away. What is done under a lock, and
// what is looked at again after a callback, shows only then. What they are given back they tell in a list
// of the sequence, as functions do that tell of their calls, where it is no more than it looks.

const (
	maxBackArgs  = 4 // of what is called, without its receiver
	backOperands = 3 // of the literal, in front of the results
	// backward is how often, of 100, a function calls back. speaking is the same for functions that
	// give a text and are given nothing: few of them are made.
	backward = 8
	speaking = 25
	// talkative is how often, of 100, one that calls back tells what it is given.
	talkative = 60
)

// Back is what such a function calls.
type Back struct {
	Op       *Operation
	Receiver wire.Lit // Zero for a function
	Args     []wire.Lit
	Results  []wire.Lit // of the function, in each call, and the reference to the list, if it tells
}

// List refers to the list in which a function of type t tells what it is given back. It reports false
// where it does not.
func (c Back) List(t reflect.Type) (wire.Lit, bool) {
	n := t.NumOut()
	if len(c.Results) != n+1 || c.Results[n].Form != wire.Ref {
		return wire.Lit{}, false
	}
	return c.Results[n], true
}

// tellable reports whether an operation gives back what can be told.
func tellable(op *Operation) bool {
	for _, t := range op.Out {
		if !basic(t) && t != errorType && (t.Kind() != reflect.Slice || !basic(t.Elem())) {
			return false
		}
	}
	return len(op.Out) > 0
}

// Back reads the literal of such a function: the name of what is called, the receiver, a Seq
// of arguments, and results.
func (r *Registry) Back(l wire.Lit) (c Back, ok bool) {
	if l.S != wire.SpecialBack || len(l.E) < backOperands || l.E[0].Form != wire.Text || l.E[2].Form != wire.Seq {
		return c, false
	}
	for i := wire.Builtins; i < r.end(); i++ {
		op := &r.Ops[i]
		if op.Name != l.E[0].S || !callsBack(op) {
			continue
		}
		c = Back{op, l.E[1], l.E[2].E, l.E[backOperands:]}
		n := len(op.In)
		if op.Method {
			n--
		}
		return c, len(c.Args) == n && (op.Method || c.Receiver.Form == wire.Zero)
	}
	return c, false
}

// callsBack reports whether functions can call an operation back.
func callsBack(op *Operation) bool {
	if op.excluded || op.Variable || op.Test || op.Expr == "" || op.Behind != "" || op.Asserted || op.Declared() || Surrounds(op) || ends(op) {
		return false
	}
	if op.Method {
		return len(op.In) > 0 && len(op.In) <= maxBackArgs+1
	}
	return len(op.In) <= maxBackArgs
}

// backFunc makes the function that a literal says.
func (m *Machine) backFunc(l wire.Lit, t reflect.Type) (reflect.Value, error) {
	c, ok := m.Back(l)
	if !ok {
		return reflect.Value{}, ErrInvalid
	}
	results, err := m.results(c.Results, t)
	if err != nil {
		return reflect.Value{}, err
	}
	var list reflect.Value
	if ref, tells := c.List(t); tells {
		if list, ok = m.listOf(ref); !ok {
			return reflect.Value{}, ErrInvalid
		}
	}
	var args []reflect.Value
	if c.Op.Method {
		receiver, err := m.Build(c.Receiver, c.Op.In[0])
		if err != nil {
			return reflect.Value{}, err
		}
		args = append(args, receiver)
	}
	var given []func(args, from []reflect.Value)
	for _, a := range c.Args {
		k := len(args)
		if at, ofRequest, ok := m.Given(a, t, c.Op.In[k]); ok {
			args = append(args, reflect.Value{})
			given = append(given, func(args, from []reflect.Value) {
				if args[k] = from[at]; ofRequest {
					args[k] = contextOf(from[at])
				}
			})
			continue
		}
		v, err := m.Build(a, c.Op.In[k])
		if err != nil {
			return reflect.Value{}, err
		}
		args = append(args, v)
	}
	var inside int32
	return reflect.MakeFunc(t, func(from []reflect.Value) []reflect.Value {
		if atomic.CompareAndSwapInt32(&inside, 0, 1) {
			args := append([]reflect.Value(nil), args...)
			for _, give := range given {
				give(args, from)
			}
			call := c.Op.Fn.Call
			if c.Op.Variadic {
				call = c.Op.Fn.CallSlice
			}
			if out := call(args); list.IsValid() {
				m.tell(list, fmt.Sprint(interfaces(out)...))
			}
		}
		return append([]reflect.Value(nil), results...)
	}), nil
}

// interfaces are values as package fmt takes them.
func interfaces(values []reflect.Value) []any {
	out := make([]any, len(values))
	for i, v := range values {
		out[i] = v.Interface()
	}
	return out
}

// freshBack is a new function of type t that calls back, false where the sequence has made
// nothing yet whose methods it could call.
func (b *builder) freshBack(t reflect.Type, depth int) (wire.Lit, bool) {
	if depth > deepest {
		return wire.Lit{}, false
	}
	op, receiver, ok := b.calledBack()
	for try := 0; ok && try < 2 && !b.g.m.takesGiven(op, t); try++ {
		op, receiver, ok = b.calledBack()
	}
	if !ok {
		return wire.Lit{}, false
	}
	in := op.In
	if op.Method {
		in = in[1:]
	}
	args := wire.Lit{Form: wire.Seq}
	for i, p := range in {
		e := wire.Lit{}
		if op.Variadic && i == len(in)-1 {
			e.Form = wire.Seq
		} else if l, ok := b.freshGiven(t, p); ok {
			e = l
		} else if l, ok := b.alone(p, depth); ok {
			e = l
		} else {
			return wire.Lit{}, false
		}
		args.E = append(args.E, e)
	}
	l := wire.Lit{Form: wire.Special, S: wire.SpecialBack, E: []wire.Lit{{Form: wire.Text, S: op.Name}, receiver, args}}
	for i := 0; i < t.NumOut(); i++ {
		e := wire.Lit{}
		if t.Out(i) != errorType || b.g.r.Chance(20) {
			e, _ = b.alone(t.Out(i), depth)
		}
		l.E = append(l.E, e)
	}
	if tellable(op) && b.g.r.Chance(talkative) {
		if list, ok := b.list(); ok {
			l.E = append(l.E, list)
		}
	}
	return l, true
}

// calledBack chooses what is called: a method of the receiver of the call that is being put
// together, or of another value of the sequence, what is closer to the change more often. A
// package that works on a value of its own has functions for it.
func (b *builder) calledBack() (op *Operation, receiver wire.Lit, ok bool) {
	r := b.g.r
	better := func(list []wire.Op) *Operation {
		best := &b.g.m.Ops[list[r.Intn(len(list))]]
		if o := &b.g.m.Ops[list[r.Intn(len(list))]]; o.Role > best.Role {
			best = o
		}
		return best
	}
	var of reflect.Type
	about := b.receiver
	if b.about.Form == wire.Ref {
		about = b.about
	}
	if v, made := b.typeOfOwn(about); made && r.Chance(b.returning(75, 90)) {
		receiver, of = about, v
	} else if n := len(b.vars); n > 0 && r.Chance(85) {
		v := b.vars[r.Intn(n)]
		receiver, of = wire.RefTo(v.step, v.result), v.t
	}
	if of == nil {
		if list := b.g.functions(); len(list) > 0 {
			return better(list), wire.Lit{}, true
		}
		return nil, receiver, false
	}
	list := b.g.methodsOf(of)
	if len(list) == 0 {
		return nil, receiver, false
	}
	return better(list), receiver, true
}

// typeOfOwn returns the type of what a reference to the sequence's values refers to.
func (b *builder) typeOfOwn(l wire.Lit) (reflect.Type, bool) {
	if l.Form != wire.Ref {
		return nil, false
	}
	for _, v := range b.vars {
		if int64(v.step) == l.N && v.result == l.U {
			return v.t, true
		}
	}
	return nil, false
}

// methodsOf are the methods of a value of type t that can be called back.
func (g *generator) methodsOf(t reflect.Type) []wire.Op {
	var list []wire.Op
	for _, u := range g.users(t) {
		if op := &g.m.Ops[u.op]; u.result == 0 && op.Method && callsBack(op) {
			list = append(list, u.op)
		}
	}
	return list
}

// looksInto reports whether an operation takes a context or a request.
func (m *Machine) looksInto(op *Operation) bool {
	for _, t := range op.In {
		if t == contextType || t == m.requestType && t != nil {
			return true
		}
	}
	return false
}

// functions are those of the package under test that can be called back and lead to the change, and those that tell
// something of a context or a request: what the change has put there.
func (g *generator) functions() []wire.Op {
	if g.plainly == nil {
		g.plainly = []wire.Op{}
		for i := wire.Builtins; i < g.m.end(); i++ {
			if op := &g.m.Ops[i]; !op.Method && callsBack(op) && op.Package == g.m.Package && (op.Role >= wire.Caller || tellable(op) && g.m.looksInto(op)) {
				g.plainly = append(g.plainly, i)
			}
		}
	}
	return g.plainly
}

//go:build go1.21

package harness

import (
	"reflect"
	"sync/atomic"

	"github.com/isodelta/isodelta/runner/calls/wire"
)

// Functions that call a method of what they are given, as handlers of a framework do with its
// context. What the code under test makes of such a call, before it and after it, shows only
// then.

const (
	maxCallingArgs  = 4 // of the method, without its receiver
	deepestCalling  = 8 // functions that call themselves by what they call
	callingOperands = 2 // of the literal, in front of the results
)

// Call is what such a function does.
type Call struct {
	Op   *Operation
	At   int        // parameter that is the method's receiver
	Args []wire.Lit // further ones
	// Results are what the function gives, where that is not what the method gives.
	Results []wire.Lit
	Returns bool
}

// Calling reads the literal of such a function: the name of the method, a Seq of arguments,
// and results. They name nothing that the sequence makes, since the function may be called
// when that is over.
func (r *Registry) Calling(l wire.Lit, t reflect.Type) (c Call, ok bool) {
	if l.S != wire.SpecialCalling || len(l.E) < callingOperands || l.E[0].Form != wire.Text || l.E[1].Form != wire.Seq {
		return c, false
	}
	for i := wire.Builtins; i < r.end(); i++ {
		op := &r.Ops[i]
		if op.Name != l.E[0].S || op.excluded {
			continue
		}
		if c.At = receiverIn(op, t); c.At >= 0 {
			c.Op, c.Args, c.Results = op, l.E[1].E, l.E[callingOperands:]
			c.Returns = givesFor(op, t)
			return c, len(c.Args) == len(op.In)-1
		}
	}
	return c, false
}

// receiverIn is the parameter of a function of type t on which a method can be called, -1
// without one.
func receiverIn(op *Operation, t reflect.Type) int {
	if !op.Method || op.Expr == "" || op.Variable || len(op.In) == 0 {
		return -1
	}
	for i := 0; i < t.NumIn(); i++ {
		if in := t.In(i); in == op.In[0] && (in.Kind() == reflect.Pointer || in.Kind() == reflect.Interface) && !(t.IsVariadic() && i == t.NumIn()-1) {
			return i
		}
	}
	return -1
}

// givesFor reports whether an operation gives what a function of type t has to give.
func givesFor(op *Operation, t reflect.Type) bool {
	if len(op.Out) != t.NumOut() || len(op.Out) == 0 {
		return false
	}
	for i, out := range op.Out {
		if out != t.Out(i) {
			return false
		}
	}
	return true
}

// callingFunc makes the function that a literal says.
func (m *Machine) callingFunc(l wire.Lit, t reflect.Type) (reflect.Value, error) {
	c, ok := m.Calling(l, t)
	if !ok {
		return reflect.Value{}, ErrInvalid
	}
	results, err := m.results(c.Results, t)
	if err != nil {
		return reflect.Value{}, err
	}
	args := make([]reflect.Value, len(c.Op.In))
	for i, a := range c.Args {
		if args[i+1], err = m.Build(a, c.Op.In[i+1]); err != nil {
			return reflect.Value{}, err
		}
	}
	return reflect.MakeFunc(t, func(given []reflect.Value) []reflect.Value {
		defer atomic.AddInt32(&m.calling, -1)
		if atomic.AddInt32(&m.calling, 1) > deepestCalling {
			panic("a function calls itself")
		}
		all := append([]reflect.Value(nil), args...)
		all[0] = given[c.At]
		call := c.Op.Fn.Call
		if c.Op.Variadic {
			call = c.Op.Fn.CallSlice
		}
		out := call(all)
		if c.Returns {
			return out
		}
		return append([]reflect.Value(nil), results...)
	}), nil
}

// freshCalling is a new function of type t that calls a method, false where what it is given
// has none that sequences can name.
func (b *builder) freshCalling(t reflect.Type, depth int) (wire.Lit, bool) {
	list := b.g.callable(t)
	if len(list) == 0 || depth > deepest {
		return wire.Lit{}, false
	}
	r := b.g.r
	op := &b.g.m.Ops[list[r.Intn(len(list))]]
	if other := &b.g.m.Ops[list[r.Intn(len(list))]]; other.Role > op.Role || other.Role == op.Role && givesFor(other, t) && !givesFor(op, t) {
		op = other
	}
	args := wire.Lit{Form: wire.Seq}
	for i, in := range op.In[1:] {
		e := wire.Lit{}
		if op.Variadic && i == len(op.In)-2 {
			e.Form = wire.Seq
		} else if l, ok := b.alone(in, depth); ok {
			e = l
		}
		args.E = append(args.E, e)
	}
	l := wire.Lit{Form: wire.Special, S: wire.SpecialCalling, E: []wire.Lit{{Form: wire.Text, S: op.Name}, args}}
	for i := 0; i < t.NumOut(); i++ {
		e := wire.Lit{}
		if t.Out(i) != errorType || r.Chance(20) {
			e, _ = b.alone(t.Out(i), depth)
		}
		l.E = append(l.E, e)
	}
	return l, true
}

// alone is a new value that nothing has to be made for.
func (b *builder) alone(t reflect.Type, depth int) (wire.Lit, bool) {
	size, vars := len(b.p), len(b.vars)
	l, ok := b.fresh(t, spot{-1, -1}, max(depth+1, deepest))
	b.p, b.vars = b.p[:size], b.vars[:vars]
	return l, ok && self(l)
}

// settingStatus is the method of a handler's argument that panics for any number that is no status. freshAnswer calls it with those.
const settingStatus = "WriteHeader"

// callable are the methods that a function of type t can call.
func (g *generator) callable(t reflect.Type) []wire.Op {
	list, ok := g.methods[t]
	if ok {
		return list
	}
	for i := wire.Builtins; i < g.m.end() && !g.m.configures(t); i++ {
		if op := &g.m.Ops[i]; receiverIn(op, t) >= 0 && len(op.In) <= maxCallingArgs+1 && !op.excluded && op.Expr != settingStatus {
			list = append(list, i)
		}
	}
	g.methods[t] = list
	return list
}

// configures reports whether functions of type t are options of a constructor: it takes any number of them, and gives
// what they are given, which is not finished when they are called.
func (r *Registry) configures(t reflect.Type) bool {
	for i := wire.Builtins; i < r.end(); i++ {
		op := &r.Ops[i]
		if !op.Variadic || op.In[len(op.In)-1].Elem() != t {
			continue
		}
		for k := 0; k < t.NumIn(); k++ {
			for _, out := range op.Out {
				if out == t.In(k) {
					return true
				}
			}
		}
	}
	return false
}

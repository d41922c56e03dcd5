//go:build go1.21

package harness

import (
	"os"
	"reflect"

	"github.com/isodelta/isodelta/runner/calls/wire"
)

// Users of a package set its exported variables, give a command something on the standard input, and start it in a folder of theirs. Steps
// do so, in front of all others, until the next sequence.

// Assign registers a variable of a plain type, or what a flag of the command line is kept in, by its address.
func Assign(o Operation, pointer any) {
	v := reflect.ValueOf(pointer).Elem()
	o.Assigns = true
	Func(o, reflect.MakeFunc(reflect.FuncOf([]reflect.Type{v.Type()}, nil, false), func(in []reflect.Value) []reflect.Value {
		before := reflect.New(v.Type()).Elem()
		before.Set(v)
		putBack = append(putBack, func() { v.Set(before) })
		v.Set(in[0])
		return nil
	}).Interface())
}

// inFront reports whether an operation is one of these.
func (o *Operation) inFront() bool { return o.Assigns || o.Name == GivenInput || o.Name == StartedIn }

// GivenInput is the name of the operation that Input is, and of the function that a test declares in its place.
const GivenInput = "givenInput"

// longestInput bounds what is given, in bytes: a pipe holds it, so that nobody waits.
const longestInput = 32 << 10

// Input has the standard input give a text, and end.
func Input(text string) {
	r, w, err := os.Pipe()
	if err != nil {
		return
	}
	w.WriteString(text[:min(len(text), longestInput)])
	w.Close()
	before := os.Stdin
	putBack = append(putBack, func() {
		os.Stdin = before
		r.Close()
	})
	os.Stdin = r
}

// StartedIn is the name of the operation that StartIn is, and of the function that a test declares in its place.
const StartedIn = "startedIn"

// StartIn makes a folder the working directory.
func StartIn(folder string) {
	before, err := os.Getwd()
	if err != nil || os.Chdir(folder) != nil {
		return
	}
	putBack = append(putBack, func() { os.Chdir(before) })
}

// putBack undoes what steps have changed.
var putBack []func()

func putAllBack() {
	for i := len(putBack) - 1; i >= 0; i-- {
		putBack[i]()
	}
	putBack = putBack[:0]
}

// assign puts a step in front of all others that gives a variable another value, or the standard input a text, or that has the others work in
// a folder.
func (b *builder) assign(op wire.Op) {
	var l wire.Lit
	switch o := &b.g.m.Ops[op]; {
	case o.Assigns:
		var ok bool
		if l, ok = b.alone(o.In[0], deepest); !ok {
			return
		}
	case o.Name == StartedIn:
		l = b.freshPath()
		l.E[0].N = 0 // the folder itself
	default:
		l = wire.Lit{Form: wire.Text, S: b.text(spot{op, 0})}
	}
	*b = *b.g.builder(wire.Sequence{{Op: op, Args: []wire.Lit{l}}}.Append(b.p))
}

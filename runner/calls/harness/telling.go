//go:build go1.21

package harness

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/isodelta/isodelta/runner/calls/wire"
)

// Functions that tell of their calls: each appends its name and what it was called with to
// a list of the sequence. What the code under test does with a function that it is given,
// how often it calls it, in which order and with what, shows in that list like in any other
// value that a step leaves behind.

// maxTold bounds the calls that one list tells of; a sequence with more says nothing.
const maxTold = 64

// ListType is the type of such a list.
var ListType = reflect.TypeOf([]string(nil))

// Telling splits the literal of such a function into its results, the reference to the list,
// and its name.
func Telling(l wire.Lit, t reflect.Type) (results []wire.Lit, list wire.Lit, name string, ok bool) {
	n := t.NumOut()
	if l.S != wire.SpecialTelling || len(l.E) != n+2 || l.E[n].Form != wire.Ref || l.E[n+1].Form != wire.Text {
		return nil, list, "", false
	}
	return l.E[:n], l.E[n], l.E[n+1].S, true
}

// TellingFormat is how a function of type t tells of one call, in the words of package fmt,
// and the arguments that it tells: those which are no more than they look. A function that
// has neither a name nor such an argument says that it was called.
func TellingFormat(name string, t reflect.Type) (format string, args []int) {
	format = strings.ReplaceAll(name, "%", "%%")
	for i := 0; i < t.NumIn(); i++ {
		switch in := t.In(i); {
		case in.Kind() == reflect.Slice && in.Elem().Kind() == reflect.Uint8:
			format += " %s"
		case basic(in), in == errorType, in.Kind() == reflect.Slice && basic(in.Elem()):
			format += " %v"
		default:
			continue
		}
		args = append(args, i)
	}
	if format == "" {
		format = "called"
	}
	return strings.TrimPrefix(format, " "), args
}

// tellingFunc makes the function that a literal says.
func (m *Machine) tellingFunc(l wire.Lit, t reflect.Type) (reflect.Value, error) {
	literals, ref, name, ok := Telling(l, t)
	if !ok {
		return reflect.Value{}, ErrInvalid
	}
	list, ok := m.listOf(ref)
	if !ok {
		return reflect.Value{}, ErrInvalid
	}
	results, err := m.results(literals, t)
	if err != nil {
		return reflect.Value{}, err
	}
	format, told := TellingFormat(name, t)
	teller, of := m.TellerOf(name, t)
	return reflect.MakeFunc(t, func(args []reflect.Value) []reflect.Value {
		if teller != nil {
			m.tell(list, name+" "+fmt.Sprint(teller.Fn.Call(args[of : of+1])[0].Interface()))
			return append([]reflect.Value(nil), results...)
		}
		values := make([]any, len(told))
		for i, k := range told {
			values[i] = args[k].Interface()
		}
		m.tell(list, fmt.Sprintf(format, values...))
		return append([]reflect.Value(nil), results...)
	}), nil
}

// says reports whether an operation is an exported function that is given one thing, an interface or a pointer, and gives
// something plain, perhaps with an error or with whether there is such a thing.
func says(op *Operation) bool {
	if op.Method || op.Variable || op.Selector || op.Inner || op.Declared() || !op.Exported || op.Expr == "" || op.Package == "" || op.excluded ||
		len(op.In) != 1 || op.Variadic || len(op.Out) == 0 || len(op.Out) > 2 {
		return false
	}
	if in := op.In[0]; in.Kind() != reflect.Pointer && (in.Kind() != reflect.Interface || in.NumMethod() == 0) {
		return false
	}
	return basic(op.Out[0]) || op.Out[0].Kind() == reflect.Slice && basic(op.Out[0].Elem())
}

// TellerOf returns the function of a name that says something of what a function of type t is given, and which parameter
// that is. It returns nil for none. A function that tells of its calls by that name tells what the other one says.
func (r *Registry) TellerOf(name string, t reflect.Type) (op *Operation, at int) {
	for i := wire.Builtins; i < r.end(); i++ {
		if r.Ops[i].Name != name || !says(&r.Ops[i]) {
			continue
		}
		if at = saidOf(&r.Ops[i], t); at >= 0 {
			return &r.Ops[i], at
		}
	}
	return nil, -1
}

// saidOf is the parameter of a function of type t that an operation says something of, -1 without one.
func saidOf(op *Operation, t reflect.Type) int {
	for i := 0; i < t.NumIn(); i++ {
		if t.In(i).AssignableTo(op.In[0]) && !(t.IsVariadic() && i == t.NumIn()-1) {
			return i
		}
	}
	return -1
}

// sayers names the operations that say something of what a function of type t is given: what a wrapper hands to what it
// wraps is often known to its own package alone.
func (g *generator) sayers(t reflect.Type) []string {
	list, ok := g.saying[t]
	if ok {
		return list
	}
	for i := wire.Builtins; i < g.m.end(); i++ {
		if op := &g.m.Ops[i]; says(op) && saidOf(op, t) >= 0 {
			list = append(list, op.Name)
		}
	}
	g.saying[t] = list
	return list
}

// bySayer is how often, of 100, a function that tells of its calls tells what another one says, where one can.
const bySayer = 50

// listOf is the list that a reference means.
func (m *Machine) listOf(ref wire.Lit) (reflect.Value, bool) {
	list, ok := m.Ref(ref)
	return list, ok && list.Type() == ListType && list.CanSet()
}

// tell appends a text to a list, if it has room.
func (m *Machine) tell(list reflect.Value, text string) {
	m.lists.Lock()
	defer m.lists.Unlock()
	if list.Len() >= maxTold {
		m.toldAll = false
	} else {
		list.Set(reflect.Append(list, reflect.ValueOf(text)))
	}
}

// freshTelling is a new function of type t with these results that tells of its calls, false where the
// sequence has no room for a list.
func (b *builder) freshTelling(t reflect.Type, results []wire.Lit) (wire.Lit, bool) {
	list, ok := b.list()
	if !ok {
		return wire.Lit{}, false
	}
	count := b.told
	b.p.Walk(func(_ int, l *wire.Lit) {
		if l.Form == wire.Special && l.S == wire.SpecialTelling {
			count++
		}
	})
	b.told++
	name := string(rune('a' + count%26))
	if list := b.g.sayers(t); len(list) > 0 && b.g.r.Chance(bySayer) {
		name = list[b.g.r.Intn(len(list))]
	}
	return wire.Lit{Form: wire.Special, S: wire.SpecialTelling, E: append(results[:len(results):len(results)], list, wire.Lit{Form: wire.Text, S: name})}, true
}

// list refers to the list that functions of the sequence tell their calls in, which is made
// where there is none.
func (b *builder) list() (wire.Lit, bool) {
	k, ok := wire.BasicType(ListType)
	if !ok {
		return wire.Lit{}, false
	}
	end := len(b.p)
	if b.changing > 0 {
		end = b.changing - 1
	}
	for i := end - 1; i >= 0; i-- {
		if b.g.m.isList(b.p[i]) {
			return wire.RefTo(i, 0), true
		}
	}
	if len(b.p) >= longest {
		return wire.Lit{}, false
	}
	b.add(wire.Step{Op: wire.OpLet, Args: []wire.Lit{{Form: wire.Dynamic, T: k, E: []wire.Lit{{}}}}})
	return wire.RefTo(len(b.p)-1, 0), true
}

// isList reports whether a step makes such a list. Nothing else makes an empty one.
func (m *Machine) isList(s wire.Step) bool {
	if s.Op != wire.OpLet || len(s.Args) != 1 || s.Args[0].Form != wire.Dynamic || len(s.Args[0].E) != 1 {
		return false
	}
	k := s.Args[0].T
	return s.Args[0].E[0].Form == wire.Zero && k < len(m.Types) && m.Types[k] == ListType
}

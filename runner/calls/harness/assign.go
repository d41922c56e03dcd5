//go:build go1.21

package harness

import (
	"reflect"

	"github.com/isodelta/isodelta/runner/calls/wire"
	probe "github.com/isodelta/isodelta/runner/probe"
)

// setField runs a step that sets a field.
func (m *Machine) setField(s wire.Step) error {
	f, ok := m.FieldSet(s)
	if !ok {
		return ErrInvalid
	}
	v, err := m.Build(s.Args[2], f.Type())
	if err != nil {
		return err
	}
	f.Set(v)
	m.Vars = append(m.Vars, nil)
	m.Args = append(m.Args, nil)
	m.Printed = append(m.Printed, [probe.Streams]string{})
	return nil
}

// FieldSet is the field that a step sets; false for another step, a nil pointer, and what cannot be set.
func (m *Machine) FieldSet(s wire.Step) (reflect.Value, bool) {
	if s.Op != wire.OpSet || len(s.Args) != 3 || s.Args[1].Form != wire.Int {
		return reflect.Value{}, false
	}
	v, ok := m.Ref(s.Args[0])
	if !ok {
		return v, false
	}
	if v.Kind() == reflect.Pointer {
		v = v.Elem()
	}
	if v.Kind() != reflect.Struct || s.Args[1].N < 0 || s.Args[1].N >= int64(m.Fields(v.Type())) {
		return v, false
	}
	f := v.Field(m.Field(v.Type(), int(s.Args[1].N)))
	return f, f.CanSet()
}

// setting is the chance, in percent, that a field is set of a struct that functions make.
const setting = 35

// set now and then sets exported fields of a value that a function has just given, as users do with what a
// constructor leaves open: where hidden fields keep it from being written down, nothing else does.
func (b *builder) set(l wire.Lit, t reflect.Type) {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if l.Form != wire.Ref || !opaque(t) {
		return
	}
	var fields []int
	for i := 0; i < b.g.m.Fields(t); i++ {
		if t.Field(b.g.m.Field(t, i)).IsExported() {
			fields = append(fields, i)
		}
	}
	for len(fields) > 0 && len(b.p) < longest && !b.tired() && b.g.r.Chance(setting) {
		i := fields[b.g.r.Intn(len(fields))]
		size, vars := len(b.p), len(b.vars)
		v, ok := b.fresh(t.Field(b.g.m.Field(t, i)).Type, spot{-1, -1}, deepest)
		if !ok {
			b.p, b.vars = b.p[:size], b.vars[:vars]
			continue
		}
		b.add(wire.Step{Op: wire.OpSet, Args: []wire.Lit{l, {Form: wire.Int, N: int64(i)}, v}})
	}
}

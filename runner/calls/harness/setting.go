//go:build go1.21

package harness

import (
	"reflect"

	"github.com/isodelta/isodelta/runner/calls/wire"
)

// Functions that set a field of what they are given, or put an entry into a map in it, as options and hooks do:
// what is given is made for that, and a map that is nil shows only then.

const (
	settingOperands = 2 // of the literal, in front of the results
	settingChance   = 25
)

// Setting is what such a function does.
type Setting struct {
	At    int // parameter that points to the struct
	Field reflect.StructField
	Key   wire.Lit // of a map
	Value wire.Lit // of the field, or of the map's entry
	// Results are what the function gives; where it gives a value of the parameter's type, that is
	// what it was given.
	Results []wire.Lit
}

// Setting reads the literal of such a function: the name of the field, what is set (for a map a Seq of key and
// value), and results. None of it names anything that the sequence makes.
func (r *Registry) Setting(l wire.Lit, t reflect.Type) (s Setting, ok bool) {
	if l.S != wire.SpecialSetting || len(l.E) < settingOperands || l.E[0].Form != wire.Text {
		return s, false
	}
	if s.At = settableIn(t); s.At < 0 {
		return s, false
	}
	for _, f := range r.settable(t.In(s.At).Elem()) {
		if f.Name != l.E[0].S {
			continue
		}
		s.Field, s.Value, s.Results = f, l.E[1], l.E[settingOperands:]
		if f.Type.Kind() == reflect.Map {
			if s.Value.Form != wire.Seq || len(s.Value.E) != 2 {
				return s, false
			}
			s.Key, s.Value = s.Value.E[0], s.Value.E[1]
		}
		return s, true
	}
	return s, false
}

// settableIn is the parameter of a function of type t whose fields it can set, -1 without one.
func settableIn(t reflect.Type) int {
	for i := 0; i < t.NumIn(); i++ {
		if in := t.In(i); in.Kind() == reflect.Pointer && in.Elem().Kind() == reflect.Struct && !(t.IsVariadic() && i == t.NumIn()-1) {
			return i
		}
	}
	return -1
}

// settable are the exported fields of a struct that are plain, and the maps of what is plain.
func (r *Registry) settable(t reflect.Type) []reflect.StructField {
	var out []reflect.StructField
	for i := 0; i < r.Fields(t); i++ {
		f := t.Field(r.Field(t, i))
		entries := f.Type.Kind() == reflect.Map && basic(f.Type.Key()) && (basic(f.Type.Elem()) || f.Type.Elem().Kind() == reflect.Interface && f.Type.Elem().NumMethod() == 0)
		if f.IsExported() && !f.Anonymous && (basic(f.Type) || entries) {
			out = append(out, f)
		}
	}
	return out
}

// settingFunc makes the function that a literal says.
func (m *Machine) settingFunc(l wire.Lit, t reflect.Type) (reflect.Value, error) {
	s, ok := m.Setting(l, t)
	if !ok {
		return reflect.Value{}, ErrInvalid
	}
	results, err := m.results(s.Results, t)
	if err != nil {
		return reflect.Value{}, err
	}
	entries := s.Field.Type.Kind() == reflect.Map
	of := s.Field.Type
	var key reflect.Value
	if entries {
		of = s.Field.Type.Elem()
		if key, err = m.Build(s.Key, s.Field.Type.Key()); err != nil {
			return reflect.Value{}, err
		}
	}
	value, err := m.Build(s.Value, of)
	if err != nil {
		return reflect.Value{}, err
	}
	return reflect.MakeFunc(t, func(given []reflect.Value) []reflect.Value {
		if given[s.At].IsNil() {
			dereferenceNil()
		}
		field := given[s.At].Elem().FieldByIndex(s.Field.Index)
		if entries {
			field.SetMapIndex(key, value)
		} else {
			field.Set(value)
		}
		out := append([]reflect.Value(nil), results...)
		for i := range out {
			if t.Out(i) == t.In(s.At) {
				out[i] = given[s.At]
			}
		}
		return out
	}), nil
}

// freshSetting is a new function of type t that sets something, false where it is given nothing that
// has such fields.
func (b *builder) freshSetting(t reflect.Type, depth int) (wire.Lit, bool) {
	at := settableIn(t)
	if at < 0 || depth > deepest {
		return wire.Lit{}, false
	}
	fields := b.g.m.settable(t.In(at).Elem())
	if len(fields) == 0 {
		return wire.Lit{}, false
	}
	f := fields[b.g.r.Intn(len(fields))]
	value := wire.Lit{}
	if f.Type.Kind() == reflect.Map {
		key, ok := b.alone(f.Type.Key(), depth)
		e, ok2 := b.alone(f.Type.Elem(), depth)
		if !ok || !ok2 {
			return wire.Lit{}, false
		}
		value = wire.Lit{Form: wire.Seq, E: []wire.Lit{key, e}}
	} else if l, ok := b.alone(f.Type, depth); ok {
		value = l
	}
	l := wire.Lit{Form: wire.Special, S: wire.SpecialSetting, E: []wire.Lit{{Form: wire.Text, S: f.Name}, value}}
	for i := 0; i < t.NumOut(); i++ {
		e := wire.Lit{}
		if out := t.Out(i); out != t.In(at) && (out != errorType || b.g.r.Chance(20)) {
			e, _ = b.alone(out, depth)
		}
		l.E = append(l.E, e)
	}
	return l, true
}

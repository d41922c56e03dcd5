//go:build go1.21

package harness

import (
	"reflect"

	"github.com/isodelta/isodelta/runner/calls/wire"
)

// A literal becomes a value of the type that it is given for, with references to what earlier steps gave.

// Ref returns the value that a literal refers to.
func (m *Machine) Ref(l wire.Lit) (reflect.Value, bool) {
	if l.Form != wire.Ref || l.N < 0 || int(l.N) >= len(m.Vars) || l.U >= len(m.Vars[l.N]) {
		return reflect.Value{}, false
	}
	v := m.Vars[l.N][l.U]
	return v, v.IsValid()
}

// Build makes the value of type t that l writes down.
func (m *Machine) Build(l wire.Lit, t reflect.Type) (reflect.Value, error) {
	v := reflect.New(t).Elem()
	if err := m.fill(v, l); err != nil {
		return v, err
	}
	return v, nil
}

func (m *Machine) fill(v reflect.Value, l wire.Lit) error {
	t := v.Type()
	switch l.Form {
	case wire.Zero:
		return nil
	case wire.Ref:
		x, ok := m.Ref(l)
		if !ok {
			return ErrInvalid
		}
		return assign(v, x)
	case wire.Special:
		x, err := m.Special(l, t)
		if err != nil {
			return err
		}
		return assign(v, x)
	case wire.Dynamic:
		if t.Kind() != reflect.Interface || l.T >= len(m.Types) || len(l.E) != 1 {
			return ErrInvalid
		}
		x, err := m.Build(l.E[0], m.Types[l.T])
		if err != nil {
			return err
		}
		return assign(v, x)
	}
	if l.Form == wire.Text && plainNumber(v.Kind()) {
		return ErrInvalid // the other version's type is another one
	}
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(l.N != 0)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		v.SetInt(l.N)
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		v.SetUint(uint64(l.N))
	case reflect.Uintptr:
		v.SetUint(uint64(l.N) % firstAddress)
	case reflect.Float32, reflect.Float64:
		v.SetFloat(l.Float64())
	case reflect.Complex64, reflect.Complex128:
		if len(l.E) != 2 {
			return ErrInvalid
		}
		v.SetComplex(complex(l.E[0].Float64(), l.E[1].Float64()))
	case reflect.String:
		if l.Form != wire.Text {
			return ErrInvalid
		}
		v.SetString(l.S)
	case reflect.Slice:
		return m.fillSlice(v, l)
	case reflect.Array:
		if l.Form != wire.Seq {
			return ErrInvalid
		}
		for i := 0; i < len(l.E) && i < v.Len(); i++ {
			if err := m.fill(v.Index(i), l.E[i]); err != nil {
				return err
			}
		}
	case reflect.Map:
		if l.Form != wire.Map {
			return ErrInvalid
		}
		v.Set(reflect.MakeMap(t))
		for i := 0; i+1 < len(l.E); i += 2 {
			k, err := m.Build(l.E[i], t.Key())
			if err != nil {
				return err
			}
			if !Hashable(k) {
				return ErrInvalid
			}
			e, err := m.Build(l.E[i+1], t.Elem())
			if err != nil {
				return err
			}
			v.SetMapIndex(k, e)
		}
	case reflect.Struct:
		if l.Form != wire.Struct {
			return ErrInvalid
		}
		for i := 0; i < len(l.E) && i < m.Fields(t); i++ {
			k := m.Field(t, i)
			e, f := l.E[i], v.Field(k)
			switch {
			case e.Form == wire.Hidden && len(e.E) == 1 && !t.Field(k).IsExported() && m.opens(t):
				e, f = e.E[0], settable(f)
			case e.Form == wire.Zero || !t.Field(k).IsExported():
				continue
			}
			if err := m.fill(f, e); err != nil {
				return err
			}
		}
	case reflect.Pointer:
		if l.Form != wire.Pointer || len(l.E) != 1 {
			return ErrInvalid
		}
		v.Set(reflect.New(t.Elem()))
		return m.fill(v.Elem(), l.E[0])
	default:
		return ErrInvalid
	}
	return nil
}

// plainNumber reports whether values of a kind are truths or numbers.
func plainNumber(k reflect.Kind) bool { return k >= reflect.Bool && k <= reflect.Float64 }

func (m *Machine) fillSlice(v reflect.Value, l wire.Lit) error {
	switch {
	case l.Form == wire.Text && v.Type().Elem().Kind() == reflect.Uint8:
		b := make([]byte, len(l.S)) // no more room than a constant has that is converted: a test may append to it
		copy(b, l.S)
		v.SetBytes(b)
		return nil
	case l.Form != wire.Seq || len(l.E) > maxElement:
		return ErrInvalid
	}
	v.Set(reflect.MakeSlice(v.Type(), len(l.E), len(l.E)))
	for i := range l.E {
		if err := m.fill(v.Index(i), l.E[i]); err != nil {
			return err
		}
	}
	return nil
}

// Hashable reports whether a value can be the key of a map.
func Hashable(v reflect.Value) bool {
	for v.Kind() == reflect.Interface {
		if v.IsNil() {
			return true
		}
		v = v.Elem()
	}
	return v.Comparable()
}

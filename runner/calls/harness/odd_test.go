package harness

import (
	"fmt"
	"reflect"
	"testing"
)

// Of the form that package surface declares.
type isodeltaErrorStub struct{ OnError func() string }

func (s isodeltaErrorStub) Error() string {
	if s.OnError != nil {
		return s.OnError()
	}
	return ""
}

// Anything is now and then a nil pointer that is an error, an error that panics, and what no
// encoder takes, and mostly neither. None of it prints an address.
func TestOddValues(t *testing.T) {
	t.Parallel()
	r := newRegistry()
	stub := reflect.TypeOf(isodeltaErrorStub{})
	r.addType(stub)
	r.addType(reflect.PointerTo(stub))
	r.asked = []int{r.byType[stub]}
	m := NewMachine(r)
	g := newGenerator(m, NewPlain(), 7)
	const values = 6000
	var nils, panics, channels, odd, invalid int
	for range values {
		b := g.builder(nil)
		l, ok := b.freshAny(spot{-1, -1}, 1)
		if !ok || l.RefersBack() {
			continue
		}
		v, err := m.Build(l, reflect.TypeFor[any]())
		if err != nil {
			invalid++ // such as a map whose key cannot be hashed
			continue
		}
		switch x := v.Interface().(type) {
		case *isodeltaErrorStub:
			nils++
			if x != nil {
				t.Error("a pointer to a stub is not nil")
			}
			if s := fmt.Sprint(x); s != "<nil>" {
				t.Errorf("nil prints as %s", s)
			}
		case isodeltaErrorStub:
			odd++
			if !returns(func() { _ = x.Error() }) {
				panics++
			}
		case chan int:
			channels++
			if x != nil {
				t.Error("a channel would print its address")
			}
		}
	}
	if nils == 0 || panics == 0 || panics == odd || channels == 0 {
		t.Errorf("%d nil pointers, %d errors, %d that panic, %d channels", nils, odd, panics, channels)
	}
	if nils+odd+channels > values/8 {
		t.Errorf("%d of %d values are odd", nils+odd+channels, values)
	}
	if invalid > values/100 {
		t.Errorf("%d of %d values are invalid", invalid, values)
	}
}

func returns(f func()) (ok bool) {
	defer func() { ok = recover() == nil }()
	f()
	return true
}

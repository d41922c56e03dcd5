package probe

import (
	"errors"
	"reflect"
	"testing"
)

// message has the methods of a generated message, which says the same with one blank or two.
type message struct{ text string }

func (m *message) String() string { return m.text }
func (*message) ProtoMessage()    {}

func TestDrawsOfProtocolBuffersAreLeftOut(t *testing.T) {
	t.Parallel()
	for _, pair := range [][2]any{
		{&message{"a:1  b:2"}, &message{"a:1 b:2"}},
		{errors.New("proto:\u00a0no field"), errors.New("proto: no field")},
	} {
		if a, b := digestOf(pair[0]), digestOf(pair[1]); a != b {
			t.Errorf("%v and %v differ", pair[0], pair[1])
		}
	}
	if a, b := digestOf(&message{"a:1"}), digestOf(&message{"a:2"}); a == b {
		t.Error("messages with other numbers are the same")
	}
}

func digestOf(x any) uint64 {
	visible, _ := Digest(reflect.ValueOf(x))
	return visible
}

// A struct is the same where its fields stand in another order.
func TestOrderOfFieldsDoesNotCount(t *testing.T) {
	t.Parallel()
	type first struct {
		A *int
		B []string
		c bool
	}
	type second struct {
		c bool
		B []string
		A *int
	}
	n := 1
	a, hidden := Digest(reflect.ValueOf(first{&n, []string{}, true}))
	b, also := Digest(reflect.ValueOf(second{true, []string{}, &n}))
	if a != b || hidden != also {
		t.Errorf("%x, %x and %x, %x", a, hidden, b, also)
	}
	if b, _ := Digest(reflect.ValueOf(second{true, nil, &n})); a == b {
		t.Error("another list is the same")
	}
}

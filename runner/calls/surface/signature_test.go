package surface

import "testing"

// A type that Go has two names for makes no other signature.
func TestSameNames(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		base, head string
		same       bool
	}{
		"any":            {"(interface{},)(error,)", "(any,)(error,)", true},
		"a method":       {"(interface{String() string},)()", "(any,)()", false},
		"bytes":          {"([]byte,)()", "([]uint8,)()", true},
		"runes":          {"(rune,)(map[string][]byte,)", "(int32,)(map[string][]uint8,)", true},
		"a type's name":  {"(m.byteOrder,)()", "(m.uint8Order,)()", false},
		"another number": {"(int64,)()", "(int32,)()", false},
	} {
		if got := sameNames(test.base) == sameNames(test.head); got != test.same {
			t.Errorf("%s: %t: %s, %s", name, got, sameNames(test.base), sameNames(test.head))
		}
	}
}

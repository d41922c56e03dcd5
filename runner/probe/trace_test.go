package probe

import (
	"fmt"
	"strings"
	"testing"
)

// Each decision is told with what was compared since the one before, the last
// comparisons first to stay; nothing is told once nobody listens.
func TestTrace(t *testing.T) {
	var got []string
	Trace(func(condition int, outcome bool, operands []Operands) {
		line := fmt.Sprint(condition, outcome)
		for _, o := range operands {
			switch o.Kind {
			case Texts:
				line += fmt.Sprintf(" %d:%s|%s", o.How, o.S, o.T)
			case Floats:
				line += fmt.Sprintf(" %d:%v|%v", o.How, o.X, o.Y)
			default:
				line += fmt.Sprintf(" %d:%d|%d", o.How, o.A, o.B)
			}
		}
		got = append(got, line)
	})
	type name string
	D(1, OI(Less, int8(3), 4))
	D(2, OU(Equal, uint64(1<<63), 1) || OF(GreaterEqual, 1.5, 1.5))
	D(3, true)
	D(4, OS(NotEqual, name("a"), "b") && PS(Prefix, strings.HasPrefix)("ab", "b"))
	m := map[name]int{"k": 1}
	_, ok := m[KS(m, "x")]
	D(5, ok)
	for i := range 10 {
		OI(Greater, i, 0)
	}
	DN(6, name("") == "")
	Trace(nil)
	D(7, OI(Equal, 1, 1))
	want := []string{"1 true 2:3|4", "2 true 0:-9223372036854775808|1 5:1.5|1.5", "3 true", "4 false 1:a|b 6:ab|b", "5 false 12:x|k",
		"6 true 4:4|0 4:5|0 4:6|0 4:7|0 4:8|0 4:9|0"}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	for how, want := range []string{"f t f", "t f t", "t f f", "t t f", "f f t", "f t t"} {
		said := ""
		for _, pair := range [][2]int{{1, 2}, {2, 2}, {3, 2}} {
			said += map[bool]string{true: " t", false: " f"}[OI(how, pair[0], pair[1])]
		}
		if said[1:] != want {
			t.Errorf("comparison %d: %s, want %s", how, said[1:], want)
		}
	}
}

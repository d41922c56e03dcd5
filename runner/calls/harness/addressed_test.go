package harness

import (
	"fmt"
	"strings"
	"testing"

	"github.com/isodelta/isodelta/runner/calls/wire"
)

// A text that is made of one with an address is not compared: it has another address in it on the other
// version, and in a form that nothing knows. What has nothing to do with it is.
func TestTextsOfAddresses(t *testing.T) {
	m := searcher(func() string { return fmt.Sprintf("%p", func() {}) }, strings.ToUpper, func() func() { return func() {} }, fmt.Sprintf).m
	print, upper := wire.OpAt(0), wire.OpAt(1)
	text := wire.Lit{Form: wire.Text, S: "a"}
	tr := m.Run(wire.Sequence{
		{Op: print},
		{Op: upper, Args: []wire.Lit{wire.RefTo(0, 0)}},
		{Op: upper, Args: []wire.Lit{wire.RefTo(1, 0)}},
		{Op: upper, Args: []wire.Lit{text}},
	})
	if tr.Invalid || len(tr.Steps) != 4 {
		t.Fatalf("%+v", tr)
	}
	for i, want := range []bool{true, false, false, true} {
		if got := len(tr.Steps[i].Components) > 0; got != want {
			t.Errorf("step %d: compared %t, want %t", i, got, want)
		}
	}
	number := m.Run(wire.Sequence{{Op: wire.OpAt(2)}, {Op: wire.OpAt(3), Args: []wire.Lit{{Form: wire.Text, S: "%d"}, {Form: wire.Seq, E: []wire.Lit{wire.RefTo(0, 0)}}}}})
	plain := m.Run(wire.Sequence{{Op: wire.OpAt(3), Args: []wire.Lit{{Form: wire.Text, S: "ADDRESS"}, {Form: wire.Seq}}}})
	if number.Invalid || plain.Invalid || number.Steps[1].Components[0].Visible != plain.Steps[0].Components[0].Visible {
		t.Error("the address of a function, in decimal, is compared")
	}
	tr = m.Run(wire.Sequence{{Op: upper, Args: []wire.Lit{text}}, {Op: upper, Args: []wire.Lit{wire.RefTo(0, 0)}}})
	if len(tr.Steps[1].Components) == 0 {
		t.Error("a text without an address is not compared")
	}
}

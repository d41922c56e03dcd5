package calls

import (
	"slices"
	"strings"
	"testing"

	"github.com/isodelta/isodelta/report/event"
	"github.com/isodelta/isodelta/runner/calls/wire"
)

// A value whose parts are the same is only printed in another way: if all parts are known, whole.
func TestPrintedOtherwise(t *testing.T) {
	t.Parallel()
	leaf := func(path, text string) wire.Leaf { return wire.Leaf{Path: path, Text: text} }
	long := func(sum uint64) wire.Leaf { return wire.Leaf{Text: `"aaa…`, Sum: sum} }
	state := leaf(".FSM.mutex.state", "0")
	for name, test := range map[string]struct {
		base, head []wire.Leaf
		want       bool
	}{
		"the same parts":                      {[]wire.Leaf{leaf(".N", "1")}, []wire.Leaf{leaf(".N", "1")}, true},
		"another part":                        {[]wire.Leaf{leaf(".n", "1")}, []wire.Leaf{leaf(".n", "2")}, false},
		"nothing known":                       {nil, nil, false},
		"a long text":                         {[]wire.Leaf{long(1)}, []wire.Leaf{long(1)}, true},
		"a long text with another end":        {[]wire.Leaf{long(1)}, []wire.Leaf{long(2)}, false},
		"more than is told":                   {[]wire.Leaf{leaf(".N", "1"), {Path: wire.LeftOut}}, []wire.Leaf{leaf(".N", "1"), {Path: wire.LeftOut}}, false},
		"a hidden field less":                 {[]wire.Leaf{leaf(".N", "1"), state}, []wire.Leaf{leaf(".N", "1")}, true},
		"a hidden field less that holds some": {[]wire.Leaf{leaf(".N", "1"), leaf(".last", "3")}, []wire.Leaf{leaf(".N", "1")}, false},
		"an element less":                     {[]wire.Leaf{leaf("[0]", "0")}, nil, false},
	} {
		if got := PrintedOtherwise(test.base, test.head); got != test.want {
			t.Errorf("%s: %t", name, got)
		}
	}
}

// The zero value of a field that one version lacks is told only if nothing else differs.
func TestPartsOfLackingFields(t *testing.T) {
	t.Parallel()
	leaf := func(path, text string) wire.Leaf { return wire.Leaf{Path: path, Text: text} }
	base := []wire.Leaf{leaf(".N", "1")}
	for name, test := range map[string]struct {
		head []wire.Leaf
		want []event.PartDiffers
	}{
		"beside another":   {[]wire.Leaf{leaf(".space", `""`), leaf(".N", "2")}, []event.PartDiffers{{Path: "result.N", Base: "1", Head: "2"}}},
		"alone":            {[]wire.Leaf{leaf(".space", `""`), leaf(".N", "1")}, []event.PartDiffers{{Path: "result.space", Head: `""`}}},
		"with a value":     {[]wire.Leaf{leaf(".space", `" "`), leaf(".N", "1")}, []event.PartDiffers{{Path: "result.space", Head: `" "`}}},
		"an element of it": {[]wire.Leaf{leaf(".L[0]", "0"), leaf(".N", "2")}, []event.PartDiffers{{Path: "result.N", Base: "1", Head: "2"}, {Path: "result.L[0]", Head: "0"}}},
	} {
		if got := PartsThatDiffer("result", base, test.head); !slices.Equal(got, test.want) {
			t.Errorf("%s: %q, want %q", name, got, test.want)
		}
	}
}

// What differs late in a long text is shown there.
func TestPartsOfLongTexts(t *testing.T) {
	t.Parallel()
	long := func(end string, sum uint64) []wire.Leaf {
		return []wire.Leaf{{Path: ".S", Text: `"abc…`, Rest: strings.Repeat("é", 100) + end, Sum: sum}, {Path: wire.LeftOut}}
	}
	want := []event.PartDiffers{{Path: "result.S", Base: "…" + strings.Repeat("é", 20) + `1"`, Head: "…" + strings.Repeat("é", 20) + `2"`}}
	if got := PartsThatDiffer("result", long(`1"`, 1), long(`2"`, 2)); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := PartsThatDiffer("result", long(`1"`, 1), long(`1"`, 1)); got != nil {
		t.Errorf("of the same text differs %q", got)
	}
}

// What a pointer in an interface leads to has a type of its own at the same path, which is compared with that of the
// same place on the other version.
func TestPartsOfOnePath(t *testing.T) {
	t.Parallel()
	leaves := func(last string) []wire.Leaf {
		return []wire.Leaf{{Path: ".(type)", Text: "*interface {}"}, {Path: ".(type)", Text: "map[string]interface {}"}, {Path: `["a"]`, Text: last}}
	}
	want := []event.PartDiffers{{Path: `result["a"]`, Base: "1", Head: "2"}}
	if got := PartsThatDiffer("result", leaves("1"), leaves("2")); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

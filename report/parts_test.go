package report

import (
	"slices"
	"strings"
	"testing"

	"github.com/isodelta/isodelta/report/event"
)

// The length of a map says less than the key that is new, and that of a list less than what
// is in it, unless both versions have one.
func TestPartsToShow(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x ", valueLength)
	for _, test := range []struct {
		differs []event.PartDiffers
		want    []string
	}{
		{[]event.PartDiffers{{Path: "len(h)", Base: "2", Head: "3"}, {Path: `len(h["A"])`, Head: "1"}, {Path: `h["A"][0]`, Head: `""`}}, []string{`h["A"][0]`}},
		{[]event.PartDiffers{{Path: "len(h)", Base: "2", Head: "3"}, {Path: "h[2]", Head: "1"}}, []string{"len(h)", "h[2]"}},
		{[]event.PartDiffers{{Path: "len(h)", Base: "2", Head: "3"}}, []string{"len(h)"}},
		{[]event.PartDiffers{{Path: `len(h["A"])`, Base: "3", Head: "1"}, {Path: `h["A"][1]`, Base: "a"}}, []string{`len(h["A"])`, `h["A"][1]`}},
	} {
		var got []string
		for _, p := range partsToShow(long+"1", long+"2", test.differs) {
			got = append(got, p.path)
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%v: %v, want %v", test.differs, got, test.want)
		}
	}
}

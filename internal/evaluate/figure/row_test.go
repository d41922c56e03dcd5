package figure

import (
	"bytes"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestRow(t *testing.T) {
	t.Parallel()
	got := Row("list", 3, Percent(0.25), Decimal(1.26, 1), Decimal(nan, 1))
	if diff := cmp.Diff([]string{"list", "3", "25.0%", "1.3", "-"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestTable(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	if err := Table(&out, "Title", [][]string{Row("Subject", "n"), Row("list", 12345)}); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff("\nTitle\n  Subject      n\n  list     12345\n", out.String()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// A subject that has nothing to take a part of is in no median, mean or least share.
func TestShare(t *testing.T) {
	t.Parallel()
	var s Share
	s.Add(1, 2)
	s.Add(0, 0)
	s.Add(3, 3)
	s.Add(0, 5)
	var f Set
	f.Share("x", s)
	f.Number("mean", s.Mean())
	f.Number("least", s.Least())
	if diff := cmp.Diff(Set{"x.median=0.500", "x.overall=0.400", "mean=0.500", "least=0.000"}, f); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestSum(t *testing.T) {
	t.Parallel()
	a, b, c, d := 1, 2, 30, 40
	Sum([]*int{&a, &b}, []*int{&c, &d})
	CountIf(&c, true)
	CountIf(&d, false)
	if got := [4]int{a, b, c, d}; got != [4]int{31, 42, 31, 40} {
		t.Errorf("got %v", got)
	}
}

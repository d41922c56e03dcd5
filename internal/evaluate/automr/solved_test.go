package automr

import (
	"bytes"
	"strings"
	"testing"

	"github.com/isodelta/isodelta/internal/evaluate/figure"
)

func TestReportSolved(t *testing.T) {
	t.Parallel()
	rows := []solved{{program: program{name: "same"}, without: 3, with: 3},
		{program: program{name: "fewer"}, without: 5, with: 4, removed: []string{"VII: f(x) ≤ 1", "VII: f(x) ≤ 2"}, more: []string{"VII: f(x) ≤ 3"}}}
	var out bytes.Buffer
	var f figure.Set
	if err := (&evaluation{opt: settings{solver: "/usr/bin/z3"}}).reportSolved(&out, &f, rows); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"with z3", "| fewer | 5 | 4 | 2 | 1 |", "| all | 8 | 7 | 2 | 1 |", "- removed: VII: f(x) ≤ 2", "- only with it: VII: f(x) ≤ 3"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q is missing in\n%s", want, &out)
		}
	}
	if strings.Contains(out.String(), "same") {
		t.Errorf("a program that nothing changed of is listed in\n%s", &out)
	}
	out.Reset()
	if err := (&evaluation{}).reportSolved(&out, &f, rows); err != nil || !strings.Contains(out.String(), "No SMT solver") {
		t.Errorf("without a solver: %v\n%s", err, &out)
	}
}

package report

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

// What differs of one call is one result for code scanning and one case for JUnit, in
// whatever order the stream has it; the two items of the golden stream stay two.
func TestOneCallExports(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile("testdata/one-call.txtar")
	if err != nil {
		t.Fatal(err)
	}
	s := readStream(t, txtar.Parse(data).Files[0].Data)
	for range 2 {
		var code, cases bytes.Buffer
		if err := SARIF(&code, s); err != nil {
			t.Fatal(err)
		}
		if err := JUnit(&cases, s); err != nil {
			t.Fatal(err)
		}
		// Two calls that err, and one where only the value differs.
		if n := strings.Count(code.String(), `"ruleId":"reached/`); n != 3 {
			t.Errorf("%d results, want 3", n)
		}
		if n := strings.Count(code.String(), "; with it, its result is "); n != 2 {
			t.Errorf("%d results tell the value beside an error, want 2", n)
		}
		if n := strings.Count(cases.String(), "with it: its result is 2 on base, 0 on head"); n != 1 {
			t.Errorf("%d cases tell the value beside an error, want 1:\n%s", n, cases.String())
		}
		if n := strings.Count(cases.String(), "also 11aa22bb"); n != 1 || strings.Contains(cases.String(), "also 22bb33cc") {
			t.Errorf("%d cases name the other call, want 1, and none its value:\n%s", n, cases.String())
		}
		for i, j := 0, len(s.Findings)-1; i < j; i, j = i+1, j-1 {
			s.Findings[i], s.Findings[j] = s.Findings[j], s.Findings[i]
		}
	}
}

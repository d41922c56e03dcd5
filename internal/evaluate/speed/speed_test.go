package speed

import (
	"bytes"
	"encoding/xml"
	"errors"
	"go/format"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/isodelta/isodelta/internal/evaluate/figure"
	"github.com/isodelta/isodelta/internal/evaluate/options"
	"github.com/isodelta/isodelta/report/event"
)

func TestParse(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		args     string
		subjects string
		wrong    string // in a UsageError
	}{
		{args: "", subjects: "text/tabwriter encoding/csv net/mail"},
		{args: "-subjects path", subjects: "path"},
		{args: "-repositories /a/b@main~1..main", subjects: ""},
		{args: "-repositories /a/b@main~1..main -subjects path", subjects: "path"},
		{args: "-repositories /a/b", wrong: "DIR@BASE..HEAD"},
		{args: "-repositories /a/b@main", wrong: "DIR@BASE..HEAD"},
		{args: "-binaries old", wrong: "NAME=FILE"},
		{args: "-budget 0s", wrong: "-budget"},
		{args: "-subjects none/such", wrong: "none/such"},
	} {
		o, err := parse(strings.Fields(c.args), io.Discard)
		var wrong *options.UsageError
		if c.wrong != "" {
			if !errors.As(err, &wrong) || !strings.Contains(err.Error(), c.wrong) {
				t.Errorf("%q: %v, want %q", c.args, err, c.wrong)
			}
			continue
		}
		if got := strings.Join(o.subjects, " "); err != nil || got != c.subjects {
			t.Errorf("%q: subjects %q, error %v, want %q", c.args, got, err, c.subjects)
		}
	}
}

// The copy holds both revisions and a second push that compiles, and the repository it
// was made of is as before.
func TestCopyAndPush(t *testing.T) {
	t.Parallel()
	from, to := t.TempDir(), t.TempDir()
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(from, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	run := func(dir string, args ...string) string {
		t.Helper()
		out, err := git(t.Context(), dir, args...)
		if err != nil {
			t.Fatal(err)
		}
		return strings.TrimSpace(out)
	}
	run(from, "init", "--quiet")
	write("a.go", "package a\n\nfunc F() int { return 1 }\n")
	write("a_test.go", "package a\n")
	run(from, "add", "--all")
	run(from, "commit", "--quiet", "--message=one")
	write("a.go", "package a\n\nfunc F() int { return 2 }\n")
	write("a_test.go", "package a\n\nfunc T() {}\n")
	run(from, "commit", "--quiet", "--all", "--message=two")
	before := run(from, "for-each-ref") + run(from, "status", "--porcelain")
	if err := copyOf(t.Context(), repository{"", from, "HEAD~1", "HEAD"}, to); err != nil {
		t.Fatal(err)
	}
	if err := push(t.Context(), to); err != nil {
		t.Fatal(err)
	}
	if got := run(to, "diff", "--name-only", baseRevision, headRevision); got != "a.go\na_test.go" {
		t.Errorf("the change is in %q", got)
	}
	if got := run(to, "diff", "--name-only", headRevision, pushRevision); got != "a.go" {
		t.Errorf("the second push is in %q", got)
	}
	if _, err := format.Source([]byte(run(to, "show", pushRevision+":a.go"))); err != nil {
		t.Error(err)
	}
	if after := run(from, "for-each-ref") + run(from, "status", "--porcelain"); after != before {
		t.Errorf("the repository was touched:\n%s\n%s", before, after)
	}
	if err := copyOf(t.Context(), repository{"", from, "none", "HEAD"}, t.TempDir()); err == nil || !strings.Contains(err.Error(), "none") {
		t.Errorf("a revision that does not exist: %v", err)
	}
}

func TestReport(t *testing.T) {
	t.Parallel()
	of := func(subject, state string, seconds, first float64) row {
		m := measured{seconds: seconds}
		m.read(&event.Stream{Summary: &event.Summary{FirstSeconds: first, Variants: 3},
			Phases: []event.Phase{{Name: event.PhaseBuild, Seconds: 1.5}, {Name: event.PhaseCalls, Seconds: 2}, {Name: event.PhaseCalls, Seconds: 3}}})
		return row{subject, "current", state, m}
	}
	var out bytes.Buffer
	var f figure.Set
	if err := report(&out, &f, [][]row{{of("a", "cold", 20, 12), of("a", "warm", 10, 0)}, {of("b", "cold", 30, 0)}}); err != nil {
		t.Fatal(err)
	}
	figures := strings.Join(f, "\n")
	for _, want := range []string{"speed.current.cold.seconds.median=25.000", "speed.current.cold.first_seconds.median=12.000", // b shows nothing
		"speed.current.warm.first_seconds.median=NaN", "speed.current.warm.build_seconds.median=1.500", "speed.current.cold.call_seconds.median=5.000"} {
		if !strings.Contains(figures, want) {
			t.Errorf("no %s in\n%s", want, figures)
		}
	}
	if !strings.Contains(out.String(), "median") {
		t.Error(out.String())
	}
}

// The drawing is an image that has every comparison, what each stage took, and where the
// first difference was.
func TestDraw(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	if err := draw(&b, [][]row{{
		{"m@<x>", "before", "cold", measured{seconds: 61, phases: map[string]float64{event.PhaseBuild: 40, event.PhaseCalls: 20}}},
		{"m@<x>", "after", "cold", measured{seconds: 30, first: 12, phases: map[string]float64{event.PhaseBuild: 10}}},
	}}); err != nil {
		t.Fatal(err)
	}
	var texts []string
	widths, marks := map[string][]string{}, 0
	d := xml.NewDecoder(&b)
	for {
		token, err := d.Token()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		switch e := token.(type) {
		case xml.CharData:
			texts = append(texts, string(e))
		case xml.StartElement:
			a := map[string]string{}
			for _, x := range e.Attr {
				a[x.Name.Local] = x.Value
			}
			if a["height"] == strconv.Itoa(barHeight) {
				widths[a["fill"]] = append(widths[a["fill"]], a["width"])
			}
			if strings.HasSuffix(a["d"], "z") {
				marks++
			}
		}
	}
	want := map[string][]string{"#d4a72c": {"354.3", "88.6"}, "#2da44e": {"177.1"}} // of 620 for 70 s
	if !reflect.DeepEqual(widths, want) {
		t.Errorf("bars %v, want %v", widths, want)
	}
	if marks != 2 { // that of the legend, too
		t.Errorf("%d marks", marks)
	}
	if all := strings.Join(texts, "|"); !strings.Contains(all, "m@<x>, cold, after") {
		t.Errorf("no line for a comparison among %s", all)
	}
}

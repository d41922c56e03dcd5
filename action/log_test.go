package action

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"unicode"

	"pgregory.net/rapid"
)

// commandsIn reads a log as the runner does: a line is what ends with a line
// feed or a carriage return; a command begins with two colons after spaces, or
// in the older form stands anywhere.
func commandsIn(log string) []string {
	var found []string
	older := regexp.MustCompile(`##\[[^\]]*\]`)
	for _, line := range regexp.MustCompile(`\r\n|\r|\n`).Split(log, -1) {
		line = strings.TrimLeftFunc(line, unicode.IsSpace)
		if strings.HasPrefix(line, "::") && strings.Contains(line[2:], "::") {
			found = append(found, line)
		} else if older.MatchString(line) {
			found = append(found, line)
		}
	}
	return found
}

var hostile = []string{
	"::error::x", "  ::set-output name=verdict::green", "\u2028::error::x", "a\r::stop-commands::t", "##[group]x", "###[error]x", "# ##[debug]x",
	"\u00a0::warning::x", "::", ":::error::x", "a\n::add-mask::b", "\x1b[31m::error::x", "\u202e::error::x", "%0A::error::x", "\xff::error::x",
	"\u200b::error::x", "\v::error::x", "\u0085::error::x", "::error file=a,line=1::x",
}

// TestLogIsNoCommand: nothing that is logged becomes a command.
func TestLogIsNoCommand(t *testing.T) {
	t.Parallel()
	for _, text := range hostile {
		checkLog(t, text, text)
	}
	rapid.Check(t, func(t *rapid.T) {
		a := rapid.SliceOf(rapid.SampledFrom(hostile)).Draw(t, "a")
		checkLog(t, strings.Join(a, rapid.SampledFrom([]string{"", "\n", "\r", " "}).Draw(t, "between")), rapid.String().Draw(t, "b"))
	})
}

func FuzzLog(f *testing.F) {
	for _, text := range hostile {
		f.Add(text, text)
	}
	f.Fuzz(func(t *testing.T, a, b string) { checkLog(t, a, b) })
}

type tb interface {
	Fatalf(string, ...any)
	Helper()
}

func checkLog(t tb, a, b string) {
	t.Helper()
	var out strings.Builder
	log := NewLog(&out)
	log.Line(a)
	fmt.Fprintf(log.Writer(), "%s\n%s\n", b, a)
	if found := commandsIn(out.String()); len(found) > 0 {
		t.Fatalf("%q and %q give the commands %q", a, b, found)
	}
	out.Reset()
	log.Group(a)
	log.Annotate(Annotation{Level: LevelWarning, Path: a, Start: 3, End: 4, Title: b, Message: a + b}, 0)
	log.EndGroup()
	found := commandsIn(out.String())
	if len(found) != 3 || !strings.HasPrefix(found[0], "::group::") || !strings.HasPrefix(found[1], "::warning ") || found[2] != "::endgroup::" {
		t.Fatalf("%q and %q give the commands %q", a, b, found)
	}
	properties, _, _ := strings.Cut(strings.TrimPrefix(found[1], "::warning "), "::")
	for _, p := range strings.Split(properties, ",") {
		key, _, ok := strings.Cut(p, "=")
		if !ok || key != "file" && key != "line" && key != "endLine" && key != "title" {
			t.Fatalf("%q and %q give the property %q in %q", a, b, p, found[1])
		}
	}
}

// TestAnnotationsAreCounted: GitHub drops the eleventh of a level without a
// word; here it becomes a line.
func TestAnnotationsAreCounted(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	log := NewLog(&out)
	for i := range 12 {
		log.Annotate(Annotation{Level: LevelWarning, Message: fmt.Sprint("change ", i)}, 1)
	}
	log.Message(LevelWarning, "for the end")
	log.Message(LevelWarning, "too much")
	log.Message(LevelError, "another level")
	if n := strings.Count(out.String(), "::warning "); n != perLevel {
		t.Errorf("%d warnings", n)
	}
	for _, want := range []string{"\nwarning: change 9\n", "::for the end\n", "\nwarning: too much\n", "::another level\n"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q is not in\n%s", want, out.String())
		}
	}
}

func TestMask(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	log := NewLog(&out)
	log.Mask("")
	log.Mask("ghs_1%2\n3")
	if out.String() != "::add-mask::ghs_1%252%0A3\n" {
		t.Errorf("%q", out.String())
	}
}

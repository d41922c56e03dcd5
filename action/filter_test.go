package action

import (
	"bytes"
	"io"
	"regexp"
	"strings"
	"testing"
	"testing/iotest"
	"unicode"
)

// commands lists the lines that the runner takes for commands.
func commands(log string) []string {
	var list []string
	for _, line := range regexp.MustCompile(`\r\n|\r|\n`).Split(log, -1) {
		if strings.HasPrefix(strings.TrimLeftFunc(line, unicode.IsSpace), "::") || strings.Contains(line, "##[") {
			list = append(list, line)
		}
	}
	return list
}

func TestFilter(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"a\n::error::x\n":                "a\n: :error::x\n",
		"   ::stop-commands::x1 b\n":     "   : :stop-commands::x1 b\n",
		"a\r\t::x":                       "a\r\t: :x",
		"\u00a0\u3000::x":                "\u00a0\u3000: :x",
		"a ##[error]x ###[y":             "a ## [error]x ### [y",
		"a::b\n:c\n: :d\n\x1b[1mx\x1b[m": "a::b\n:c\n: :d\n\x1b[1mx\x1b[m",
		"::::x":                          ": :::x",
		"{\"a\":\"::b\"}\n":              "{\"a\":\"::b\"}\n",
	} {
		for name, write := range map[string]func(io.Writer, string){
			"whole": func(w io.Writer, s string) { _, _ = io.WriteString(w, s) },
			"bytewise": func(w io.Writer, s string) {
				_, _ = io.CopyBuffer(struct{ io.Writer }{w}, struct{ io.Reader }{iotest.OneByteReader(strings.NewReader(s))}, make([]byte, 1))
			},
		} {
			var b bytes.Buffer
			write(Filter(&b), in)
			if b.String() != want {
				t.Errorf("%s: %q gives %q, want %q", name, in, b.String(), want)
			}
		}
	}
}

func FuzzFilter(f *testing.F) {
	for _, s := range []string{"::a", " \r::", "##[x", "::\n::", "\u0085::x", "\u2028::x", "\xa0::"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		var b bytes.Buffer
		if n, err := io.WriteString(Filter(&b), s); n != len(s) || err != nil {
			t.Fatal(n, err)
		}
		if list := commands(b.String()); len(list) > 0 {
			t.Fatalf("%q gives the commands %q", s, list)
		}
		if strip := strings.NewReplacer(" ", ""); strip.Replace(b.String()) != strip.Replace(s) {
			t.Fatalf("%q becomes %q", s, b.String())
		}
	})
}

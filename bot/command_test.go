package bot

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/isodelta/isodelta/diff/acceptance"
)

func TestParseCommand(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]*Command{
		"/isodelta accept 0badc0de0badc0de0badc0de0badc0de it is meant":           {Accept, "0badc0de0badc0de0badc0de0badc0de", "it is meant"},
		"/isodelta  accept\t`0badc0de0badc0de0badc0de0badc0de`  it   is meant \r": {Accept, "0badc0de0badc0de0badc0de0badc0de", "it is meant"},
		"/isodelta accept 0badc0de0badc0de0badc0de0badc0de why\r\n\r\nmore":       {Accept, "0badc0de0badc0de0badc0de0badc0de", "why"},
		"/isodelta accept 0badc0de0badc0de0badc0de0badc0de @all `x` <b>":          {Accept, "0badc0de0badc0de0badc0de0badc0de", "@all `x` <b>"},
		"/isodelta rerun":                {Verb: Rerun},
		"/isodelta rerun please\nthanks": {Verb: Rerun},
		"":                               nil,
		" /isodelta rerun":               nil,
		"> /isodelta rerun":              nil,
		"please\n/isodelta rerun":        nil,
		"/isodeltas rerun":               nil,
		"/isodelta-rerun":                nil,
	} {
		cmd, ok, err := ParseCommand(body)
		if err != nil || ok != (want != nil) || want != nil && cmd != *want {
			t.Errorf("%q gives %+v, %v, %v", body, cmd, ok, err)
		}
	}
	for _, body := range []string{
		"/isodelta", "/isodelta ", "/isodelta Rerun", "/isodelta reject 0badc0de0badc0de0badc0de0badc0de", "/isodelta accept",
		"/isodelta accept 0badc0de0badc0de0badc0de0badc0de", "/isodelta accept 0badc0de0badc0de0badc0de0badc0de \n reason", "/isodelta accept 0badc0de eight digits", "/isodelta accept 0badc0de0badc0de0badc0de0badc0d one too few",
		"/isodelta accept ../../.. reason", "/isodelta accept 0badc0de0badc0de0badc0de0badc0de tu\u202erned",
		"/isodelta accept 0badc0de0badc0de0badc0de0badc0de " + strings.Repeat("long ", 200),
	} {
		if cmd, ok, err := ParseCommand(body); !ok || err == nil {
			t.Errorf("%q gives %+v, %v, %v", body, cmd, ok, err)
		}
	}
}

func FuzzParseCommand(f *testing.F) {
	f.Add("/isodelta accept 0badc0de0badc0de0badc0de0badc0de it is meant")
	f.Add("/isodelta rerun\r\n")
	f.Fuzz(func(t *testing.T, body string) {
		cmd, ok, err := ParseCommand(body)
		if ok != (strings.HasPrefix(body, "/isodelta") && (len(body) == 9 || strings.ContainsAny(body[9:10], " \t\r\n"))) {
			t.Fatalf("%q: a command is %v", body, ok)
		}
		if !ok || err != nil {
			return
		}
		switch cmd.Verb {
		case Rerun:
			if diff := cmp.Diff(Command{Verb: Rerun}, cmd); diff != "" {
				t.Fatal(diff)
			}
		case Accept:
			if acceptance.CheckCounts(cmd.ID) != nil || acceptance.CheckText(cmd.Reason) != nil || !strings.Contains(body, cmd.ID) {
				t.Fatalf("%q gives %+v", body, cmd)
			}
		default:
			t.Fatalf("%q gives %+v", body, cmd)
		}
	})
}

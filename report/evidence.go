package report

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/isodelta/isodelta/report/event"
)

// badge says in two words how strong and of what kind a finding is.
func badge(f event.Finding) string {
	kind := map[string]string{
		"panic":          "panic",
		"value-to-error": "value becomes error",
		"error-to-value": "error becomes value",
		"value":          "value",
		"nil-empty":      "nil against empty",
		"error-text":     "error text",
	}[f.Kind]
	if kind == "" {
		kind = "other"
	}
	return shorten(string(f.Rung), 20) + " · " + kind
}

// nameLength bounds names and conditions that stand alone, in characters.
const nameLength = 120

// testOf names the test, whose it is, and where it looks.
func testOf(f event.Finding) phrase {
	p := named(shorten(f.Test, nameLength))
	if f.Package != "" {
		p = say(p, " in ", named(shorten(f.Package, nameLength)))
	}
	if f.Suite == "base" || f.Suite == "head" {
		p = say(p, ", "+f.Suite+"'s suite")
	}
	r := f.Head
	if r.File == "" {
		r = f.Base
	}
	if r.File != "" {
		p = say(p, ", looks at ", named(position(r.File, r.Line)))
	}
	return p
}

// forced says which branch was forced, and where it stands.
func forced(n event.Negation) phrase {
	outcome := "false"
	if n.Taken {
		outcome = "true"
	}
	p := say(quoted(shorten(n.Text, nameLength)), " to be "+outcome+" in ", named(shorten(n.Function, nameLength)), ", ", named(position(n.File, n.Line)))
	if n.BaseLine > 0 && (n.BaseFile != "" && n.BaseFile != n.File || n.BaseLine != n.Line) {
		file := n.BaseFile
		if file == "" {
			file = n.File
		}
		p = say(p, " (", named(position(file, n.BaseLine)), " on base)")
	}
	return p
}

func position(file string, line int) string {
	if file = shorten(file, nameLength); line <= 0 {
		return file
	}
	return file + ":" + strconv.Itoa(line)
}

// also says for how many findings the cluster's voice speaks.
func also(c cluster) phrase {
	p := words(count(c.size-1, "more finding") + " of the same kind")
	switch {
	case c.voice.Rung == event.Reached && len(c.calls) > 0:
		p = say(p, ", in calls of ", names(c.calls, 5))
	case c.voice.Rung != event.Reached && len(c.tests) > 0:
		p = say(p, ", in ", names(c.tests, 5))
	}
	return p
}

// replayCommand is a line to paste. An ID that a shell would read otherwise is
// quoted; the engine makes none, a forged stream may.
func replayCommand(id string) string {
	id = visible(id)
	if !regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._:/-]*$`).MatchString(id) {
		id = "'" + strings.ReplaceAll(id, "'", `'\''`) + "'"
	}
	return "isodelta replay " + id
}

// dots joins the parts of a line.
func dots(parts []phrase) phrase {
	var p phrase
	for i, part := range parts {
		if i > 0 {
			p = append(p, span{" · ", plain})
		}
		p = append(p, part...)
	}
	return p
}

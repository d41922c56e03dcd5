package expectation

import (
	"strings"

	"github.com/isodelta/isodelta/internal/lazyregexp"
	"github.com/isodelta/isodelta/report/event"
)

// bumped is a line that gives the code's own version: what it prints changes with that.
type bumped struct {
	file       string
	line       int // on head
	base, head string
}

// itsVersion matches a declaration of a text whose name says that it is a version.
var itsVersion = lazyregexp.New(`^\s*(?:const\s+|var\s+)?(\w*[vV]ersion\w*)\s*(?:string\s*)?=\s*"([^"\\]+)"`)

// bumps are the declarations of a version that the removed and the added lines of a hunk have in
// common, with another text. line is that of the first added one.
func bumps(file string, line int, removed, added []string) []bumped {
	was := map[string]string{}
	for _, text := range removed {
		if m := itsVersion().FindStringSubmatch(text); m != nil {
			was[m[1]] = m[2]
		}
	}
	var out []bumped
	for i, text := range added {
		if m := itsVersion().FindStringSubmatch(text); m != nil && was[m[1]] != "" && was[m[1]] != m[2] {
			out = append(out, bumped{file, line + i, was[m[1]], m[2]})
		}
	}
	return out
}

// ofVersion returns where the change gives another version, if that is all that a finding shows.
func (e Edits) ofVersion(f event.Finding) *event.Expectation {
	for _, v := range e.versions {
		if f.Base.Value != f.Head.Value && strings.ReplaceAll(f.Base.Value, v.base, v.head) == f.Head.Value {
			return &event.Expectation{File: v.file, Line: v.line}
		}
	}
	return nil
}

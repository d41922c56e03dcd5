package expectation

import (
	"slices"
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

// returnsVersion matches a statement that returns a text which looks like a version.
var returnsVersion = lazyregexp.New(`^\s*(return)\s+"(v?[0-9]+(?:\.[0-9]+){1,3}(?:[-+][\w.+-]*)?)"\s*$`)

// versionNumbers matches a declaration of numbers whose name says that they are a version.
var versionNumbers = lazyregexp.New(`^\s*(?:const\s+|var\s+)?(\w*[vV]ersion\w*)\s*=\s*&?[\w.]+\{\s*([0-9]+(?:,\s*[0-9]+){1,3})\s*\}`)

// bumps are the declarations of a version that the removed and the added lines of a hunk have in
// common, with another text. line is that of the first added one.
func bumps(file string, line int, removed, added []string) []bumped {
	was := map[string]string{}
	for _, text := range removed {
		if m := versionIn(text); m != nil {
			was[m[1]] = m[2]
		}
	}
	var out []bumped
	for i, text := range added {
		if m := versionIn(text); m != nil && was[m[1]] != "" && was[m[1]] != m[2] {
			out = append(out, bumped{file, line + i, was[m[1]], m[2]})
		}
	}
	return out
}

// versionIn returns the parts of a line that gives a version: all of it, what gives it, and the version. It returns nil for another line.
func versionIn(line string) []string {
	if m := itsVersion().FindStringSubmatch(line); m != nil {
		return m
	}
	if m := versionNumbers().FindStringSubmatch(line); m != nil {
		m[2] = strings.Join(strings.Fields(strings.ReplaceAll(m[2], ",", " ")), ".")
		return m
	}
	return returnsVersion().FindStringSubmatch(line)
}

// ofVersion returns where the change gives another version, if that is all that a finding shows.
func (e Edits) ofVersion(f event.Finding) *event.Expectation {
	for _, v := range e.versions {
		wholly := f.Base.Value != f.Head.Value && !strings.HasSuffix(f.Base.Value, cutOff) && v.explains(f.Base.Value, f.Head.Value)
		if wholly || len(f.Differs) > 0 && !slices.ContainsFunc(f.Differs, func(p event.PartDiffers) bool { return !v.explains(p.Base, p.Head) }) {
			return &event.Expectation{File: v.file, Line: v.line}
		}
	}
	return nil
}

// explains reports whether two texts differ by the version alone.
func (v bumped) explains(base, head string) bool {
	return strings.ReplaceAll(base, v.base, v.head) == head
}

package expectation

import (
	"encoding/json"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/isodelta/isodelta/internal/lazyregexp"
	"github.com/isodelta/isodelta/report/event"
)

// addedField is an exported field that the change adds to a type. What values, encoders and configurations
// tell of it beside the rest is what it was added for.
type addedField struct {
	file  string
	line  int      // on head
	names []string // its own and those of its tags, as plain gives them
	keys  []string // those of its tags, as they are
}

var (
	// itsField matches the declaration of an exported field: name, type, tags, a comment.
	itsField = lazyregexp.New("^\\s+([A-Z]\\w*)\\s+[\\w.*\\[\\]]+\\s*(`[^`]*`)?\\s*(?://.*)?$")
	// itsTag matches a name within tags.
	itsTag = lazyregexp.New(`\w:"([\w.-]+)`)
)

// minField is the number of characters from which a field's name is not met by chance.
const minField = 5

// plain is a name without what encoders write otherwise: case, and marks between words.
func plain(name string) string {
	return strings.ToLower(strings.NewReplacer("_", "", "-", "").Replace(name))
}

// fieldNames are the names that a line declares, nil where it is no field.
func fieldNames(line string) []string {
	m := itsField().FindStringSubmatch(line)
	if m == nil {
		return nil
	}
	names := []string{plain(m[1])}
	for _, name := range tagNames(line) {
		names = append(names, plain(name))
	}
	return names
}

// tagNames are the names within the tags of a line that declares a field.
func tagNames(line string) []string {
	var out []string
	if m := itsField().FindStringSubmatch(line); m != nil {
		for _, tag := range itsTag().FindAllStringSubmatch(m[2], -1) {
			out = append(out, tag[1])
		}
	}
	return out
}

// fieldsOf are the fields that added lines have and removed ones, under any of their names, do not. line is that of the first
// added one.
func fieldsOf(file string, line int, removed, added []string) []addedField {
	was := map[string]bool{}
	for _, text := range removed {
		for _, name := range fieldNames(text) {
			was[name] = true
		}
	}
	var out []addedField
	for i, text := range added {
		f := addedField{file: file, line: line + i, keys: tagNames(text)}
		for _, name := range fieldNames(text) {
			if was[name] {
				f.names, f.keys = nil, nil
				break
			}
			if len(name) >= minField {
				f.names = append(f.names, name)
			}
		}
		if len(f.names)+len(f.keys) > 0 {
			out = append(out, f)
		}
	}
	return out
}

// in reports whether a text has one of the field's names.
func (f addedField) in(text string) bool {
	text = plain(text)
	for _, name := range f.names {
		if strings.Contains(text, name) {
			return true
		}
	}
	return false
}

// mostDiffers is how many parts a finding tells of at most: there may be others.
const mostDiffers = 8

// ofField returns where the change adds the field that is all that a finding shows: nothing else that
// changed ran, and what head alone gives names it; or no other part differs; or head's JSON is base's without it.
func (e Edits) ofField(f event.Finding) *event.Expectation {
	for _, a := range e.fields {
		if e.besides(a, f.Base.Value, f.Head.Value) {
			return &event.Expectation{File: a.file, Line: a.line}
		}
	}
	for _, a := range e.fields {
		if a.in(f.Base.Value) {
			continue
		}
		if len(f.Changed) == 0 && a.in(f.Head.Value) || a.allOf(f.Differs) {
			return &event.Expectation{File: a.file, Line: a.line}
		}
	}
	return nil
}

// allOf reports whether the parts that differ are the field, and how many parts there are.
func (f addedField) allOf(parts []event.PartDiffers) bool {
	named := false
	for _, p := range parts {
		switch {
		case f.in(p.Path) && (p.Base == "" || strings.HasPrefix(p.Path, "len(")):
			named = true
		case !strings.HasPrefix(p.Path, "len("):
			return false
		}
	}
	return named && len(parts) < mostDiffers
}

// besides reports whether two texts are JSON, and head's has a field beside what base's has, and nothing but such fields.
func (e Edits) besides(a addedField, base, head string) bool {
	b, ok := jsonOf(base)
	h, ok2 := jsonOf(head)
	if !ok || !ok2 {
		return false
	}
	var more []string
	extended := extends(b, h, func(key string) bool {
		more = append(more, key)
		return slices.ContainsFunc(e.fields, func(f addedField) bool { return slices.Contains(f.keys, key) })
	})
	return extended && slices.ContainsFunc(more, func(key string) bool { return slices.Contains(a.keys, key) })
}

// jsonOf reads a text in Go's syntax that is an object in JSON.
func jsonOf(value string) (object any, ok bool) {
	text, err := strconv.Unquote(value)
	if err != nil || !strings.HasPrefix(text, "{") {
		return nil, false
	}
	return object, json.Unmarshal([]byte(text), &object) == nil
}

// extends reports whether one value of JSON is another one whose objects have further keys, each of which added allows.
func extends(base, head any, added func(key string) bool) bool {
	switch b := base.(type) {
	case map[string]any:
		h, ok := head.(map[string]any)
		if !ok {
			return false
		}
		for k, e := range b {
			if other, ok := h[k]; !ok || !extends(e, other, added) {
				return false
			}
		}
		for k := range h {
			if _, ok := b[k]; !ok && !added(k) {
				return false
			}
		}
		return true
	case []any:
		h, ok := head.([]any)
		if !ok || len(h) != len(b) {
			return false
		}
		for i := range b {
			if !extends(b[i], h[i], added) {
				return false
			}
		}
		return true
	}
	return reflect.DeepEqual(base, head)
}

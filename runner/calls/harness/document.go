//go:build go1.21

package harness

import (
	"reflect"
	"strings"

	"github.com/isodelta/isodelta/runner/calls/wire"
)

// What servers answer, what handlers are sent and what configuration files say is mostly decoded into
// structs of the code. So some texts are documents that fit such a struct: its fields by the names in
// their tags, each there or not, with values of their types.

// A document is a struct type that some decoder fills, and the keys of its tags.
type document struct {
	t    reflect.Type
	keys []string // json, yaml, ..., or xml
}

// Document registers a type, by a nil pointer to it, that has to do with the change and that decoders fill.
func Document(pointer any) {
	t := reflect.TypeOf(pointer).Elem()
	if keys := keysOf(t); t.Kind() == reflect.Struct && len(keys) > 0 {
		registry.documents = append(registry.documents, document{t, keys})
	}
}

// keysOf returns the keys that tags of a struct, or of structs in its fields, have.
func keysOf(t reflect.Type) []string {
	var out []string
	for _, key := range wire.DocumentKeys() {
		if hasKey(t, key, 0) {
			out = append(out, key)
		}
	}
	return out
}

// deepestKey bounds how deep tags may stand.
const deepestKey = 2

func hasKey(t reflect.Type, key string, depth int) bool {
	for n := 0; n < deepestKey && (t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice); n++ {
		t = t.Elem() // a type may be a list of itself
	}
	if t.Kind() != reflect.Struct || depth > deepestKey {
		return false
	}
	for i := 0; i < t.NumField(); i++ {
		if _, ok := t.Field(i).Tag.Lookup(key); ok || hasKey(t.Field(i).Type, key, depth+1) {
			return true
		}
	}
	return false
}

// documents are the struct types with such tags: those that have to do with the change, and all others.
func (g *generator) documents() (near, all []document) {
	if g.documented == nil {
		g.documented = []document{}
		seen := map[reflect.Type]bool{}
		add := func(t reflect.Type) {
			if keys := keysOf(t); t.Kind() == reflect.Struct && len(keys) > 0 && !seen[t] {
				seen[t] = true
				g.documented = append(g.documented, document{t, keys})
			}
		}
		for _, t := range g.m.Types[g.m.basic:] {
			add(t)
		}
		for _, k := range g.m.given {
			for i := 0; i < g.m.Types[k].NumIn(); i++ {
				if in := g.m.Types[k].In(i); in.Kind() == reflect.Pointer {
					add(in.Elem())
				} else {
					add(in)
				}
			}
		}
	}
	return g.m.documents, g.documented
}

// decodes reports whether there are any.
func (g *generator) decodes() bool {
	near, all := g.documents()
	return len(near)+len(all) > 0
}

const (
	// rarelyDocument is how often a text is a document where nothing is known of the place, likelyDocument where texts
	// there look like one, in percent.
	rarelyDocument, likelyDocument = 4, 25
	deepestDocument                = 3
	maxDocumentFields              = 24
)

// document makes such a text, "" where there is no type for it. like is a text of the same place.
func (b *builder) document(like string) string {
	r := b.g.r
	near, all := b.g.documents()
	list := all
	if len(near) > 0 && r.Chance(60) {
		list = near
	}
	if len(list) == 0 {
		return ""
	}
	markup := strings.HasPrefix(strings.TrimSpace(like), "<")
	d, key := list[0], ""
	for try := 0; try < 4 && (try == 0 || like != "" && markup != (key == "xml")); try++ {
		d = list[r.Intn(len(list))]
		key = d.keys[r.Intn(len(d.keys))]
	}
	return b.documentOf(d.t, key)
}

// documentOf is a document that fits a type, by the names that tags with a key give.
func (b *builder) documentOf(t reflect.Type, key string) string {
	w := &documentWriter{r: b.g.r, plain: b.g.plain, key: key}
	if key == "xml" {
		w.element(rootName(t), t, 0)
	} else {
		w.value(t, 0)
	}
	if w.b.Len() > maxText {
		return ""
	}
	return w.b.String()
}

// looksLikeDocument reports whether a text begins as one does.
func looksLikeDocument(s string) bool {
	s = strings.TrimSpace(s)
	return s != "" && strings.ContainsRune("{[<", rune(s[0]))
}

// documentOr is such a document where one may stand, and otherwise "". seen is a text of the same place.
func (b *builder) documentOr(seen string) string {
	chance := rarelyDocument
	if looksLikeDocument(seen) {
		chance = likelyDocument
	} else if seen != "" {
		return ""
	}
	if !b.g.decodes() || !b.g.r.Chance(chance) {
		return ""
	}
	return b.document(seen)
}

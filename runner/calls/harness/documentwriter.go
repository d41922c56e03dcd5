//go:build go1.21

package harness

import (
	"encoding/json"
	"reflect"
	"strconv"
	"strings"
	"time"
)

// documentWriter writes one document.
type documentWriter struct {
	b     strings.Builder
	r     *Rand
	plain *Plain
	key   string
}

// value writes a value of type t as JSON.
func (w *documentWriter) value(t reflect.Type, depth int) {
	switch {
	case w.r.Chance(1) || depth > deepestDocument:
		w.b.WriteString([]string{"null", "{}", "[]", `""`, "0", "true"}[w.r.Intn(6)])
		return
	case t == timeType || t == durationType || readsText(t):
		w.quoted(w.word(t))
		return
	}
	switch t.Kind() {
	case reflect.Pointer:
		w.value(t.Elem(), depth+1)
	case reflect.Slice, reflect.Array:
		if t.Elem().Kind() == reflect.Uint8 {
			w.quoted("YWJj")
			return
		}
		w.list("[", "]", w.r.few(3), func(int) { w.value(t.Elem(), depth+1) })
	case reflect.Map:
		w.list("{", "}", w.r.few(3), func(int) {
			w.quoted(w.word(t.Key()))
			w.b.WriteString(":")
			w.value(t.Elem(), depth+1)
		})
	case reflect.Struct:
		fields := w.fields(t, 0)
		w.list("{", "}", len(fields), func(i int) {
			w.quoted(fields[i].name)
			w.b.WriteString(":")
			w.value(fields[i].t, depth+1)
		})
	case reflect.String:
		w.quoted(w.word(t))
	case reflect.Interface:
		w.value(anyTypes[w.r.Intn(len(anyTypes))], depth+1)
	default:
		w.b.WriteString(w.word(t))
	}
}

// anyTypes stand for what an interface may hold.
var anyTypes = []reflect.Type{reflect.TypeOf(""), reflect.TypeOf(0), reflect.TypeOf(false), reflect.TypeOf([]string(nil)), reflect.TypeOf(map[string]any(nil))}

func (w *documentWriter) list(open, end string, n int, item func(i int)) {
	w.b.WriteString(open)
	for i := 0; i < n && w.b.Len() < maxText; i++ {
		if i > 0 {
			w.b.WriteString(",")
		}
		item(i)
	}
	w.b.WriteString(end)
}

func (w *documentWriter) quoted(s string) {
	text, err := json.Marshal(s)
	if err != nil {
		text = []byte(`""`)
	}
	w.b.Write(text)
}

// word is a value without parts, not quoted.
func (w *documentWriter) word(t reflect.Type) string {
	r := w.r
	switch t {
	case timeType:
		return time.Unix(someSecond(r, w.plain), 0).UTC().Format(time.RFC3339)
	case durationType:
		return strconv.Itoa(r.Intn(100)) + []string{"s", "ms", "h", ""}[r.Intn(4)]
	}
	switch t.Kind() {
	case reflect.Bool:
		return strconv.FormatBool(r.Chance(60))
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return strconv.FormatInt(w.plain.Int(r, int64(r.Intn(10)), t.Bits()), 10)
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		return strconv.FormatUint(uint64(w.plain.Int(r, int64(r.Intn(10)), t.Bits())), 10)
	case reflect.Float32, reflect.Float64:
		return []string{"0", "1.5", "-2", "1e3"}[r.Intn(4)]
	}
	if s := w.plain.known(r); len(s) <= longestWord && r.Chance(70) {
		return s
	}
	return []string{"a", "b", "", "1", "true"}[r.Intn(5)]
}

// A documentField is a field of a struct as a document names it.
type documentField struct {
	name string
	t    reflect.Type
	form string // of XML: what stands behind the name in the tag
}

// fields are those of a struct that this document has. Each may be left out.
func (w *documentWriter) fields(t reflect.Type, depth int) []documentField {
	var out []documentField
	for i := 0; i < t.NumField() && len(out) < maxDocumentFields; i++ {
		f := t.Field(i)
		name, form, _ := strings.Cut(f.Tag.Get(w.key), ",")
		inner := f.Type
		if inner.Kind() == reflect.Pointer {
			inner = inner.Elem()
		}
		switch {
		case f.Anonymous && name == "" && inner.Kind() == reflect.Struct && depth < deepestDocument || strings.Contains(form, "inline") && inner.Kind() == reflect.Struct && depth < deepestDocument:
			out = append(out, w.fields(inner, depth+1)...)
			continue
		case f.PkgPath != "" || name == "-" || f.Name == "XMLName" || w.r.Chance(35):
			continue
		case name == "" && w.key == "yaml":
			name = strings.ToLower(f.Name)
		case name == "" && form != "chardata":
			name = f.Name
		}
		switch f.Type.Kind() {
		case reflect.Func, reflect.Chan, reflect.UnsafePointer:
			continue
		}
		out = append(out, documentField{name, f.Type, form})
	}
	return out
}

// element writes a value of type t as an XML element, or as several where it is a list.
func (w *documentWriter) element(path string, t reflect.Type, depth int) {
	if t.Kind() == reflect.Pointer && depth < deepestDocument {
		w.element(path, t.Elem(), depth+1)
		return
	}
	if t.Kind() == reflect.Slice && t.Elem().Kind() != reflect.Uint8 {
		for n := w.r.few(3); n > 0 && depth < deepestDocument; n-- {
			w.element(path, t.Elem(), depth+1)
		}
		return
	}
	if i := strings.LastIndex(path, " "); i >= 0 {
		path = path[i+1:] // behind the namespace
	}
	outer, rest, nested := strings.Cut(path, ">")
	if nested {
		w.b.WriteString("<" + outer + ">")
		w.element(rest, t, depth)
		w.b.WriteString("</" + outer + ">")
		return
	}
	var inner []documentField
	w.b.WriteString("<" + outer)
	if t.Kind() == reflect.Struct && t != timeType && !readsText(t) && depth < deepestDocument {
		for _, f := range w.fields(t, 0) {
			if f.form == "attr" {
				w.b.WriteString(" " + f.name + "=" + strconv.Quote(markupText.Replace(w.word(f.t))))
				continue
			}
			inner = append(inner, f)
		}
		w.b.WriteString(">")
		for _, f := range inner {
			if f.form == "chardata" || f.form == "cdata" || f.form == "innerxml" {
				w.b.WriteString(markupText.Replace(w.word(f.t)))
				continue
			}
			w.element(f.name, f.t, depth+1)
		}
	} else {
		w.b.WriteString(">" + markupText.Replace(w.word(t)))
	}
	w.b.WriteString("</" + outer + ">")
}

var markupText = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&#34;", "\x00", "", "\xff", "")

// rootName is the name of the element of a type.
func rootName(t reflect.Type) string {
	if f, ok := t.FieldByName("XMLName"); ok {
		if name, _, _ := strings.Cut(f.Tag.Get("xml"), ","); name != "" {
			return name
		}
	}
	if t.Name() != "" {
		return t.Name()
	}
	return "a"
}

// readsText reports whether a type decodes texts by itself.
func readsText(t reflect.Type) bool {
	return t.Kind() != reflect.Interface && reflect.PointerTo(t).Implements(textReaderType)
}

var textReaderType = reflect.TypeOf((*interface{ UnmarshalText([]byte) error })(nil)).Elem()

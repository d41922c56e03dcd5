//go:build go1.21

package harness

import (
	"hash/fnv"
	"io"
	"reflect"
	"sort"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/isodelta/isodelta/runner/calls/wire"
	probe "github.com/isodelta/isodelta/runner/probe"
)

const (
	// deepestLeaf is how deep leaves lie that are told.
	deepestLeaf = 12
	// maxLeafText bounds the text of one, in bytes.
	maxLeafText = 120
	// maxLeafRest bounds what of a longer one is told besides.
	maxLeafRest = 4 << 10
	// maxLeafPath bounds its path.
	maxLeafPath = 200
)

// leavesOf lists what a value is made of, unexported fields included: each number, text
// and truth in it, and what is nil or empty, with the Go expression behind the value that
// leads there. No method is called: a method's text may be the same for two values that
// are not.
func leavesOf(v reflect.Value) []wire.Leaf {
	w := &leafWriter{on: map[uintptr]bool{}}
	w.value("", v, 0)
	if w.leftOut && len(w.list) < wire.MaxLeaves {
		w.list = append(w.list, wire.Leaf{Path: wire.LeftOut})
	}
	return w.list
}

// ownLeavesOf is leavesOf without what other modules hide, and without a word on what is left out.
func ownLeavesOf(v reflect.Value) []wire.Leaf {
	w := &leafWriter{on: map[uintptr]bool{}, own: true}
	w.value("", v, 0)
	return w.list
}

type leafWriter struct {
	list []wire.Leaf
	on   map[uintptr]bool // pointers on the way from the value
	own  bool             // see ownLeavesOf
	// leftOut says that something lies too deep, or under a key that has no short text.
	leftOut bool
}

func (w *leafWriter) add(path, text string) {
	switch {
	case len(path) > maxLeafPath:
		w.leftOut = true
	case len(w.list) < wire.MaxLeaves:
		w.list = append(w.list, leaf(path, text))
	}
}

// leaf is one with a text that may be long.
func leaf(path, text string) wire.Leaf {
	if len(text) <= maxLeafText {
		return wire.Leaf{Path: path, Text: text}
	}
	at := maxLeafText
	for at > 0 && !utf8.RuneStart(text[at]) {
		at--
	}
	rest := text[at:]
	sum := fnv.New64a()
	io.WriteString(sum, text)
	return wire.Leaf{Path: path, Text: text[:at] + "…", Rest: strings.ToValidUTF8(rest[:min(len(rest), maxLeafRest)], ""), Sum: sum.Sum64()}
}

var timeOf = reflect.TypeOf(time.Time{})

func (w *leafWriter) value(path string, v reflect.Value, depth int) {
	if len(w.list) == wire.MaxLeaves || depth > deepestLeaf {
		w.leftOut = true
		return
	}
	switch k := v.Kind(); {
	case k == reflect.Invalid:
		w.add(path, "nil")
	case k == reflect.String:
		w.add(path, strconv.Quote(probe.Normal(v.String())))
	case k == reflect.Bool:
		w.add(path, strconv.FormatBool(v.Bool()))
	case v.CanInt():
		w.add(path, strconv.FormatInt(v.Int(), 10))
	case k == reflect.Uintptr:
	case v.CanUint():
		w.add(path, strconv.FormatUint(v.Uint(), 10))
	case v.CanFloat():
		w.add(path, strconv.FormatFloat(v.Float(), 'g', -1, 64))
	case v.CanComplex():
		w.add(path, strconv.FormatComplex(v.Complex(), 'g', -1, 128))
	case k == reflect.Pointer, k == reflect.Interface:
		w.behind(path, v, depth)
	case k == reflect.Struct:
		w.fields(path, v, depth)
	case k == reflect.Slice, k == reflect.Array:
		w.elements(path, v, depth)
	case k == reflect.Map:
		w.entries(path, v, depth)
	case k == reflect.Func, k == reflect.Chan:
		if v.IsNil() {
			w.add(path, "nil")
		} else {
			w.add(path, "not nil")
		}
	}
}

func (w *leafWriter) behind(path string, v reflect.Value, depth int) {
	if v.IsNil() {
		w.add(path, "nil")
		return
	}
	if v.Kind() == reflect.Pointer && describesType(v.Type().Elem()) {
		return
	}
	if v.Kind() == reflect.Interface {
		w.add(path+".(type)", v.Elem().Type().String())
		w.value(path, v.Elem(), depth+1)
		return
	}
	if at := v.Pointer(); !w.on[at] {
		w.on[at] = true
		w.value(path, v.Elem(), depth+1)
		delete(w.on, at)
	}
}

// describesType reports whether values of t are what the run time knows of types. They hold places
// within the binary, so that they differ between any two.
func describesType(t reflect.Type) bool {
	return t.PkgPath() == "internal/abi" || t.PkgPath() == "reflect" && t.Name() == "rtype"
}

func (w *leafWriter) fields(path string, v reflect.Value, depth int) {
	if v.Type() == timeOf && v.CanInterface() {
		w.add(path, v.Interface().(time.Time).UTC().Format(time.RFC3339Nano))
		return
	}
	for i := 0; i < v.NumField(); i++ {
		f := v.Type().Field(i)
		if probe.Lacks(v.Type(), f.Name) || probe.Bookkeeping(f.Type) || w.own && !f.IsExported() && !probe.OfModule(v.Type().PkgPath()) {
			continue
		}
		w.value(path+"."+f.Name, v.Field(i), depth+1)
	}
}

func (w *leafWriter) elements(path string, v reflect.Value, depth int) {
	if v.Kind() == reflect.Slice {
		switch {
		case v.IsNil():
			w.add(path, "nil")
			return
		case v.Type().Elem().Kind() == reflect.Uint8:
			w.add(path, strconv.Quote(string(v.Bytes())))
			return
		}
		w.add("len("+path+")", strconv.Itoa(v.Len()))
	}
	for i := 0; i < v.Len() && len(w.list) < wire.MaxLeaves; i++ {
		w.value(path+"["+strconv.Itoa(i)+"]", v.Index(i), depth+1)
	}
}

// entries tells those of a map whose keys are numbers, texts or truths.
func (w *leafWriter) entries(path string, v reflect.Value, depth int) {
	if v.IsNil() {
		w.add(path, "nil")
		return
	}
	w.add("len("+path+")", strconv.Itoa(v.Len()))
	type entry struct {
		key   string
		value reflect.Value
	}
	var list []entry
	for it := v.MapRange(); it.Next() && len(list) < wire.MaxLeaves; {
		key := &leafWriter{}
		if k := it.Key().Kind(); k != reflect.Pointer && k != reflect.Interface && k != reflect.Struct && k != reflect.Array {
			key.value("", it.Key(), 0)
		}
		if len(key.list) == 1 {
			list = append(list, entry{key.list[0].Text, it.Value()})
		} else {
			w.leftOut = true
		}
	}
	sort.Slice(list, func(i, j int) bool { return list[i].key < list[j].key })
	for _, e := range list {
		w.value(path+"["+e.key+"]", e.value, depth+1)
	}
}

package event

import "reflect"

// Fit cuts an event to what a stream may hold: texts and lists that are too long,
// and names of files that lie outside the repository, where the go command or a
// line directive put them. The engine writes nothing else, so that what it wrote
// can be read again. A Go test or a program that is too long is left out: one that
// is cut proves nothing.
func Fit(e Event) Event {
	whole, err := complete(e)
	if err != nil {
		return e
	}
	switch e := whole.(type) {
	case Config:
		e.Policy = fitRules(e.Policy)
		return fitted(e)
	case Finding:
		e.GoTest, e.GoTestFile = fitTest(e.GoTest, e.GoTestFile)
		if len([]rune(e.Program)) > MaxProgram {
			e.Program = ""
		}
		return fitted(e)
	case Relation:
		e.GoTest, e.GoTestFile = fitTest(e.GoTest, e.GoTestFile)
		if len([]rune(e.Program)) > MaxProgram {
			e.Program = ""
		}
		return fitted(e)
	}
	v := reflect.New(reflect.TypeOf(whole)).Elem()
	v.Set(reflect.ValueOf(whole))
	fitFields(v)
	return v.Interface().(Event)
}

// fitRules keeps the first rules, up to MaxPatterns.
func fitRules(rules []PolicyRule) []PolicyRule {
	n := 0
	for i, r := range rules {
		if n += max(len(r.Packages), 1); n > MaxPatterns {
			return rules[:i:i]
		}
	}
	return rules
}

func fitTest(text, file string) (string, string) {
	if len([]rune(text)) > MaxTest {
		return "", ""
	}
	return text, file
}

func fitted[E Event](e E) E {
	fitFields(reflect.ValueOf(&e).Elem())
	return e
}

func fitFields(v reflect.Value) {
	for i := range v.NumField() {
		field := v.Type().Field(i)
		fitValue(v.Field(i), boundsOf(field), formatOf(field))
	}
}

// fitValue copies the lists that it changes: the engine still has them.
func fitValue(v reflect.Value, b bounds, format string) {
	switch v.Kind() {
	case reflect.String:
		if v.Type() == reflect.TypeFor[Ranges]() {
			return // its numbers bound it
		}
		if format == localPath && checkFormat(format, v.String()) != nil {
			v.SetString("")
			return
		}
		v.SetString(cutText(v.String(), b.length))
	case reflect.Struct:
		fitFields(v)
	case reflect.Pointer:
		if !v.IsNil() {
			p := reflect.New(v.Type().Elem())
			p.Elem().Set(v.Elem())
			fitFields(p.Elem())
			v.Set(p)
		}
	case reflect.Slice:
		n := min(v.Len(), b.items)
		list := reflect.MakeSlice(v.Type(), n, n)
		reflect.Copy(list, v)
		for i := range n {
			fitValue(list.Index(i), b, format)
		}
		if !v.IsNil() {
			v.Set(list)
		}
	}
}

// cutText bounds a text, in characters.
func cutText(s string, limit int) string {
	if len(s) <= limit { // bytes, of which there are at least as many
		return s
	}
	if r := []rune(s); len(r) > limit {
		return string(r[:limit-1]) + "…"
	}
	return s
}

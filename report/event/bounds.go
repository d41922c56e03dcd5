package event

import (
	"fmt"
	"reflect"
	"unicode/utf8"
)

// Bounds of what has no larger or smaller one of its own: a line may be long, but
// nothing in it without reason.
const (
	maxText  = 1 << 16 // characters of a text
	maxItems = 1 << 14 // members of a list or map
)

// bounds of a field: of a text, or of the texts of a list and of the list itself.
type bounds struct{ length, items int }

// boundsOf reads the "maxLength" and "maxItems" tags.
func boundsOf(f reflect.StructField) bounds {
	b := bounds{maxText, maxItems}
	for _, n := range tagged(f, "maxLength=") {
		b.length = number(n)
	}
	for _, n := range tagged(f, "maxItems=") {
		b.items = number(n)
	}
	return b
}

func validateBounds(v reflect.Value, path string, b bounds) error {
	switch v.Kind() {
	case reflect.String:
		if v.Type() != reflect.TypeFor[Ranges]() && len(v.String()) > b.length && utf8.RuneCountInString(v.String()) > b.length {
			return fmt.Errorf("field %q is longer than %d characters", path, b.length)
		}
	case reflect.Slice:
		if v.Len() > b.items {
			return fmt.Errorf("field %q has %d members, more than %d", path, v.Len(), b.items)
		}
		for i := range v.Len() {
			if v.Index(i).Kind() != reflect.String {
				break
			}
			if validateBounds(v.Index(i), path, b) != nil {
				return validateBounds(v.Index(i), fmt.Sprintf("%s[%d]", path, i), b)
			}
		}
	case reflect.Map:
		if v.Len() > b.items {
			return fmt.Errorf("field %q has %d members, more than %d", path, v.Len(), b.items)
		}
	}
	return nil
}

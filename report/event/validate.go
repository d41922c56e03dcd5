package event

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/isodelta/isodelta/internal/lazyregexp"
)

// Validate checks what the schema cannot leave to Go's types: closed sets hold
// only their members (their types, and the "enum" tags of the structs), counts
// and lines are not negative, what has a largest length (the "maxLength" and
// "maxItems" tags) keeps to it, what is a name of a package, test, file or shard
// (the "format" tags) is one, and what identifies an event is not empty. It says
// the first thing that is wrong.
func Validate(e Event) error {
	e, err := complete(e)
	if err != nil {
		return err
	}
	if err := validateFields(reflect.ValueOf(e), ""); err != nil {
		return fmt.Errorf("event of type %q: %w", e.EventType(), err)
	}
	if f, ok := e.(Finding); ok && f.Rung != Reached && (f.Suite == "" || f.Test == "") {
		return fmt.Errorf("event of type %q: it is %s, but names no test and whose it is", e.EventType(), f.Rung)
	}
	if f, ok := e.(Finding); ok && f.Cause != "" && !causeHash().MatchString(f.Cause) {
		return fmt.Errorf("event of type %q: field \"cause\" is %s, must have 64 hexadecimal digits", e.EventType(), quote(f.Cause))
	}
	if f, ok := e.(Finding); ok {
		if err := f.When.check(); err != nil {
			return fmt.Errorf("event of type %q: field \"when\": %w", e.EventType(), err)
		}
	}
	if c, ok := e.(Config); ok && len(fitRules(c.Policy)) < len(c.Policy) {
		return fmt.Errorf("event of type %q: field \"policy\" has more than %d patterns of packages", e.EventType(), MaxPatterns)
	}
	if g, ok := e.(Graph); ok {
		if err := validateGraph(g); err != nil {
			return fmt.Errorf("event of type %q: %w", e.EventType(), err)
		}
	}
	if r, ok := e.(Relation); ok {
		if err := validateRelation(r); err != nil {
			return fmt.Errorf("event of type %q: %w", e.EventType(), err)
		}
	}
	if a, ok := e.(Adequacy); ok {
		if err := validateAdequacy(a); err != nil {
			return fmt.Errorf("event of type %q: %w", e.EventType(), err)
		}
	}
	return nil
}

var causeHash = lazyregexp.New(`^[0-9a-f]{64}$`)

func validateFields(v reflect.Value, path string) error {
	for i := range v.NumField() {
		field := v.Type().Field(i)
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		if err := validateValue(v.Field(i), path+name, enum(field)); err != nil {
			return err
		}
		if err := validateBounds(v.Field(i), path+name, boundsOf(field)); err != nil {
			return err
		}
		if err := validateFormat(field, v.Field(i), path+name); err != nil {
			return err
		}
		if required(v.Type(), name) && v.Field(i).IsZero() {
			return fmt.Errorf("field %q is empty", path+name)
		}
	}
	return nil
}

func validateValue(v reflect.Value, path string, enum []string) error {
	switch v.Kind() {
	case reflect.String:
		if r, ok := v.Interface().(Ranges); ok {
			if _, err := r.spans(); err != nil {
				return fmt.Errorf("field %q: %w", path, err)
			}
		}
		if enum != nil && !slices.Contains(enum, v.String()) {
			return fmt.Errorf("field %q is %s, must be one of %s", path, quote(v.String()), strings.TrimSuffix(strings.Join(enum, ", "), ", "))
		}
	case reflect.Int:
		if v.Int() < 0 {
			return fmt.Errorf("field %q is %d, must not be negative", path, v.Int())
		}
	case reflect.Float64:
		if f := v.Float(); f < 0 || math.IsNaN(f) || math.IsInf(f, 0) {
			return fmt.Errorf("field %q is %v, must be a finite number that is not negative", path, f)
		}
	case reflect.Struct:
		return validateFields(v, path+".")
	case reflect.Pointer:
		if !v.IsNil() {
			return validateFields(v.Elem(), path+".")
		}
	case reflect.Slice:
		if k := v.Type().Elem().Kind(); k == reflect.String {
			return nil // free texts; their lengths are bounded
		}
		for i := range v.Len() {
			if validateValue(v.Index(i), path, nil) != nil { // texts are made only where something is wrong
				return validateValue(v.Index(i), fmt.Sprintf("%s[%d]", path, i), nil)
			}
		}
	case reflect.Map:
		for it := v.MapRange(); it.Next(); {
			if err := validateValue(it.Value(), fmt.Sprintf("%s[%s]", path, quote(it.Key().String())), nil); err != nil {
				return err
			}
		}
	}
	return nil
}

// required reports whether a field says what an event is about.
func required(t reflect.Type, field string) bool {
	switch t {
	case reflect.TypeFor[Config]():
		return field == "version"
	case reflect.TypeFor[Finding]():
		return field == "id" || field == "cluster"
	case reflect.TypeFor[Target]():
		return field == "function"
	case reflect.TypeFor[Relation]():
		return field == "id" || field == "function" || field == "relation"
	case reflect.TypeFor[Acceptance]():
		return field == "reason"
	case reflect.TypeFor[Limit]():
		return field == "kind" || field == "reason"
	case reflect.TypeFor[SettingChange]():
		return field == "key"
	case reflect.TypeFor[Progress]():
		return field == "phase"
	case reflect.TypeFor[ChangedItem](), reflect.TypeFor[Graph]():
		return field == "function"
	}
	return false
}

// enum returns the closed set of a field, of its type or its tag; nil means any
// value. A field that is left out where it is empty may be empty.
func enum(f reflect.StructField) []string {
	members := closedSet(f.Type)
	if members == nil {
		members = tagged(f, "enum=")
	}
	if members != nil && strings.HasSuffix(f.Tag.Get("json"), ",omitempty") {
		members = append(members, "")
	}
	return members
}

func tagged(f reflect.StructField, prefix string) []string {
	var values []string
	for part := range strings.SplitSeq(f.Tag.Get("jsonschema"), ",") {
		if v, ok := strings.CutPrefix(part, prefix); ok {
			values = append(values, v)
		}
	}
	return values
}

// quote shows a hostile string in an error message.
func quote(s string) string {
	if len(s) > 60 {
		s = s[:60] + "…"
	}
	return strconv.QuoteToASCII(s)
}

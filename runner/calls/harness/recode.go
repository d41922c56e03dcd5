//go:build go1.21

package harness

import "reflect"

// Types that stand in documents show what they are when a document is decoded into one and encoded again.

// Recoded is what the names of operations that do so begin with; the name of the type follows.
const Recoded = "recoded"

// Recode registers such an operation, by a nil pointer to the type and what decodes and encodes.
func Recode(o Operation, pointer any, decode func([]byte, any) error, encode func(any) ([]byte, error)) {
	t := reflect.TypeOf(pointer).Elem()
	o.Recodes = t
	Func(o, func(text string) (string, error) {
		v := reflect.New(t).Interface()
		if err := decode([]byte(text), v); err != nil {
			return "", err
		}
		b, err := encode(v)
		return string(b), err
	})
}

// recoding is a document for the type that an argument is decoded into, "" for other arguments.
func (b *builder) recoding(at spot) string {
	if !b.g.m.Has(at.op) || b.g.m.Ops[at.op].Recodes == nil || !b.g.r.Chance(60) {
		return ""
	}
	return b.documentOf(b.g.m.Ops[at.op].Recodes, "json")
}

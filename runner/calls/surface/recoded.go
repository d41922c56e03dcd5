package surface

import (
	"go/types"
	"reflect"

	"github.com/isodelta/isodelta/runner/calls/harness"
)

// maxRecoded bounds the types whose documents are recoded.
const maxRecoded = 24

// recoded registers, for struct types with JSON tags that the change defines otherwise, what decodes a document into such
// a type and encodes it again, or of a type that is not exported what encodes it. What a field is called, of which type it is and when it is left out shows there alone: those who
// use the types call package encoding/json, and no function of the module runs.
func (w *writer) recoded() {
	if w.head.pkg.Code == nil || w.base.pkg.Code == nil {
		return
	}
	base, head := w.base.pkg.Code.Types.Scope(), w.head.pkg.Code.Types.Scope()
	other := map[*types.TypeName]bool{}
	for _, name := range head.Names() {
		h, ok := head.Lookup(name).(*types.TypeName)
		b, ok2 := base.Lookup(name).(*types.TypeName)
		if ok && ok2 && !h.IsAlias() && !b.IsAlias() && spelled(h) != spelled(b) {
			other[h] = true
		}
	}
	n := 0
	for _, name := range head.Names() {
		h, ok := head.Lookup(name).(*types.TypeName)
		if !ok || h.IsAlias() || base.Lookup(name) == nil || n == maxRecoded {
			continue
		}
		named, ok := h.Type().(*types.Named)
		if !ok || named.TypeParams().Len() > 0 || !hasTags(named) || !other[h] && !holds(named, other) {
			continue
		}
		if !h.Exported() {
			if given := w.given(named); given != nil {
				n++
				w.encoded(name, given)
			}
			continue
		}
		n++
		json := w.api.Import("encoding/json")
		w.line(-1, "isodeltaH.Document((*%s)(nil))", name)
		w.line(len(w.api.ops), "isodeltaH.Recode(isodeltaH.Operation{Name: %q, Expr: %q, Package: %q, Exported: true, Hook: -1}, (*%s)(nil), %s.Unmarshal, %s.Marshal)",
			harness.Recoded+name, harness.Recoded+name, w.api.Package, name, json, json)
		w.api.ops = append(w.api.ops, Operation{Name: harness.Recoded + name, Package: w.api.Package, Exported: true, Recoded: true, hook: -1})
	}
}

// given returns a type, or a pointer to it, as a function of the package gives it; nil where none does.
func (w *writer) given(t *types.Named) types.Type {
	for _, o := range w.api.ops {
		for _, r := range o.results {
			if p, ok := r.(*types.Pointer); ok && types.Identical(p.Elem(), t) || types.Identical(r, t) {
				return r
			}
		}
	}
	return nil
}

// encoded registers what encodes a value of a type that is not exported: functions give it to others, who cannot make one of
// a document.
func (w *writer) encoded(name string, given types.Type) {
	op, json := "json.Marshal of "+name, w.api.Import("encoding/json")
	if _, ok := given.(*types.Pointer); ok {
		name = "*" + name
	}
	w.line(len(w.api.ops), "isodeltaH.Func(isodeltaH.Operation{Name: %q, Expr: \"Marshal\", Package: \"encoding/json\", Exported: true, Hook: -1}, func(v %s) ([]byte, error) { return %s.Marshal(v) })",
		op, name, json)
	w.api.ops = append(w.api.ops, Operation{Name: op, Package: w.api.Package, Exported: true, Recoded: true, hook: -1})
}

// hasTags reports whether a struct says by a tag what a field is called in JSON.
func hasTags(t *types.Named) bool {
	s, ok := t.Underlying().(*types.Struct)
	if !ok {
		return false
	}
	for i := range s.NumFields() {
		if _, ok := reflect.StructTag(s.Tag(i)).Lookup("json"); ok {
			return true
		}
	}
	return false
}

// holds reports whether a field of a struct is made of one of some types.
func holds(t *types.Named, list map[*types.TypeName]bool) bool {
	s, ok := t.Underlying().(*types.Struct)
	if !ok {
		return false
	}
	for f := range s.Fields() {
		of := f.Type()
		for range deepestTag {
			e, ok := types.Unalias(of).(interface{ Elem() types.Type })
			if !ok {
				break
			}
			of = e.Elem()
		}
		if n, ok := types.Unalias(of).(*types.Named); ok && list[n.Obj()] {
			return true
		}
	}
	return false
}

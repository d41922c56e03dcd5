package surface

import (
	"go/ast"
	"go/types"
	"reflect"
	"slices"

	"github.com/isodelta/isodelta/runner/calls/wire"
	"github.com/isodelta/isodelta/runner/load"
)

// maxDocuments bounds the types that decoders fill and that have to do with the change.
const maxDocuments = 16

// decoded registers the struct types that decoders fill, by the tags of their fields, where changed functions have to do
// with them or where the change edits them: texts are made that fit.
func (w *writer) decoded() {
	if w.head.pkg.Code == nil || w.head.pkg.Code.TypesInfo == nil {
		return
	}
	var list []string
	note := func(t types.Type) {
		for e, ok := types.Unalias(t).(interface{ Elem() types.Type }); ok; e, ok = types.Unalias(t).(interface{ Elem() types.Type }) {
			t = e.Elem()
		}
		n, ok := types.Unalias(t).(*types.Named)
		if !ok || n.TypeArgs().Len() > 0 || n.TypeParams().Len() > 0 || !hasDocumentTags(n, 0) {
			return
		}
		if text, ok := w.shape(n, w.head.pkg.Code.Types, 0); ok && !slices.Contains(list, text) {
			list = append(list, text)
		}
	}
	scope := w.head.pkg.Code.Types.Scope()
	for _, name := range scope.Names() {
		h, ok := scope.Lookup(name).(*types.TypeName)
		b, ok2 := w.base.pkg.Code.Types.Scope().Lookup(name).(*types.TypeName)
		if ok && ok2 && spelled(h) != spelled(b) {
			note(h.Type())
		}
	}
	for _, file := range w.head.pkg.Code.Syntax {
		for _, d := range file.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || !w.isChanged(w.head.tree, w.head.pkg.Code.TypesInfo, fn) {
				continue
			}
			ast.Inspect(fn, func(n ast.Node) bool {
				if e, ok := n.(ast.Expr); ok {
					if t := w.head.pkg.Code.TypesInfo.TypeOf(e); t != nil {
						note(t)
					}
				}
				return true
			})
		}
	}
	for _, text := range list[:min(len(list), maxDocuments)] {
		w.line(-1, "isodeltaH.Document((*%s)(nil))", text)
	}
}

// isChanged reports whether the change edits a function.
func (w *writer) isChanged(of *load.Tree, info *types.Info, fn *ast.FuncDecl) bool {
	o, ok := info.Defs[fn.Name].(*types.Func)
	return ok && w.hooks.wanted(of.Short(o.FullName()))
}

// spelled is what a type is declared as, with tags.
func spelled(o *types.TypeName) string {
	return types.TypeString(o.Type().Underlying(), func(p *types.Package) string { return p.Path() })
}

// deepestTag bounds how deep in a struct the tags of a document may stand.
const deepestTag = 2

// hasDocumentTags reports whether fields of a struct, or of structs in them, say what they are called in a document.
func hasDocumentTags(t types.Type, depth int) bool {
	for range deepestTag { // a type may be a list of itself
		if e, ok := t.Underlying().(interface{ Elem() types.Type }); ok {
			t = e.Elem()
		}
	}
	s, ok := t.Underlying().(*types.Struct)
	if !ok || depth > deepestTag {
		return false
	}
	for i := range s.NumFields() {
		for _, key := range wire.DocumentKeys() {
			if _, ok := reflect.StructTag(s.Tag(i)).Lookup(key); ok {
				return true
			}
		}
		if hasDocumentTags(s.Field(i).Type(), depth+1) {
			return true
		}
	}
	return false
}

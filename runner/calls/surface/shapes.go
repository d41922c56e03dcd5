package surface

import (
	"go/ast"
	"go/types"
	"strconv"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/isodelta/isodelta/runner/load"
)

// maxShapes bounds the struct types taken from tests, and shapeText their
// size in source.
const (
	maxShapes = 80
	shapeText = 1500
)

// shapes registers the struct types that tests declare where no other code can
// name them, in functions and in external test packages, as unnamed types with
// the same fields and tags: functions that take any look at little else. Others are made
// of them: see derived.
func (w *writer) shapes(p *load.Package) {
	seen := map[string]bool{}
	var plain []string // shapes that name nothing but themselves
	var parts [][]tagged
	tags := tagWords{}
	for _, q := range []*packages.Package{p.Test, p.XTest} {
		if q == nil || q.TypesInfo == nil {
			continue
		}
		for _, file := range q.Syntax {
			if !strings.HasSuffix(w.head.tree.Fset.Position(file.Pos()).Filename, "_test.go") &&
				!strings.HasSuffix(w.base.tree.Fset.Position(file.Pos()).Filename, "_test.go") {
				continue
			}
			ast.Inspect(file, func(n ast.Node) bool {
				e, ok := n.(*ast.StructType)
				if !ok || len(seen) >= maxShapes {
					return len(seen) < maxShapes
				}
				if s, ok := q.TypesInfo.TypeOf(e).(*types.Struct); ok && s.NumFields() > 0 {
					w.embedded = nil
					text, ok := w.shape(s, q.Types, 0)
					if ok && len(text) <= shapeText && !seen[text] {
						seen[text] = true
						w.shaped(text)
						tags.add(s)
						if len(w.embedded) == 0 {
							plain = append(plain, text)
						}
						parts = append(parts, w.fieldsOf(s, q.Types))
					}
				}
				return true
			})
		}
	}
	if w.takesAnything() {
		w.derived(plain, tags)
		w.crossed(parts, tags)
	}
	w.promoted()
}

const deepestShape = 6

// shape writes a type so that the registering file can name it; false where it
// cannot.
func (w *writer) shape(t types.Type, in *types.Package, depth int) (string, bool) {
	if depth > deepestShape {
		return "", false
	}
	sub := func(t types.Type) (string, bool) { return w.shape(t, in, depth+1) }
	switch t := t.(type) {
	case *types.Basic:
		return t.Name(), t.Info()&types.IsUntyped == 0 && t.Kind() != types.Invalid && t.Kind() != types.UnsafePointer
	case *types.Alias:
		return sub(types.Unalias(t))
	case *types.Pointer:
		s, ok := sub(t.Elem())
		return "*" + s, ok
	case *types.Slice:
		s, ok := sub(t.Elem())
		return "[]" + s, ok
	case *types.Array:
		s, ok := sub(t.Elem())
		return "[" + strconv.FormatInt(t.Len(), 10) + "]" + s, ok
	case *types.Map:
		k, ok := sub(t.Key())
		e, ok2 := sub(t.Elem())
		return "map[" + k + "]" + e, ok && ok2
	case *types.Interface:
		return "any", t.NumMethods() == 0
	case *types.Named:
		return w.namedShape(t, in, depth)
	case *types.Struct:
		return w.structShape(t, in, depth)
	}
	return "", false
}

// namedShape writes the name of a type that can be named from the package, and
// spells out one that cannot.
func (w *writer) namedShape(t *types.Named, in *types.Package, depth int) (string, bool) {
	o := t.Obj()
	switch {
	case o.Pkg() == nil:
		return o.Name(), true // error
	case t.TypeArgs().Len() > 0:
		return "", false
	case o.Parent() == o.Pkg().Scope() && o.Pkg().Path() == w.api.Package:
		// Declared by the package, and by both versions of it.
		return o.Name(), w.head.pkg.Code.Types.Scope().Lookup(o.Name()) != nil && w.base.pkg.Code.Types.Scope().Lookup(o.Name()) != nil
	case o.Parent() == o.Pkg().Scope() && o.Pkg() != in && o.Exported() && !w.closed(o.Pkg().Path()) && o.Pkg().Path() != "testing":
		if w.inModule(o.Pkg().Path()) && w.head.pkg.Code.Imports[o.Pkg().Path()] == nil {
			return "", false // might import the package under test
		}
		return w.qualify(o.Pkg()) + o.Name(), true
	}
	switch t.Underlying().(type) {
	case *types.Struct, *types.Basic, *types.Slice, *types.Map, *types.Pointer:
		if t.NumMethods() > 0 && depth > 0 {
			return "", false // its methods would be lost
		}
		return w.shape(t.Underlying(), in, depth+1)
	}
	return "", false
}

func (w *writer) structShape(t *types.Struct, in *types.Package, depth int) (string, bool) {
	var b strings.Builder
	b.WriteString("struct{")
	fields := 0
	for i := range t.NumFields() {
		f := t.Field(i)
		s, ok := w.shape(f.Type(), in, depth+1)
		if !ok {
			continue // what is left is a struct of the same kind
		}
		if fields++; fields > 1 {
			b.WriteString("; ")
		}
		if f.Embedded() {
			// What is embedded must have a name, so an unnamed struct is given one.
			if strings.ContainsAny(s, "{[") && !w.embed(f.Name(), &s) {
				b.WriteString(f.Name() + " ")
			}
		} else {
			b.WriteString(f.Name() + " ")
		}
		b.WriteString(s)
		if tag := t.Tag(i); tag != "" {
			b.WriteString(" " + strconv.Quote(tag))
		}
	}
	b.WriteString("}")
	return b.String(), fields > 0 || t.NumFields() == 0
}

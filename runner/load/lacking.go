package load

import (
	"go/types"
	"slices"
)

// maxLacking bounds the fields that are listed.
const maxLacking = 1000

// Lacking lists the exported fields of t's struct types that the types of the same name in
// other do not have, as path.Type.Field, sorted. A type that only one tree declares has
// nothing to be compared with.
func Lacking(t, other *Tree) []string {
	theirs := map[string]*Package{}
	for _, p := range other.Packages {
		theirs[p.Path] = p
	}
	var out []string
	for _, p := range t.Packages {
		q := theirs[p.Path]
		if q == nil || p.Code == nil || q.Code == nil || p.Code.Types == nil || q.Code.Types == nil {
			continue
		}
		for _, name := range p.Code.Types.Scope().Names() {
			for _, field := range lackingFields(p.Code.Types.Scope().Lookup(name), q.Code.Types.Scope().Lookup(name)) {
				out = append(out, p.Path+"."+name+"."+field)
			}
		}
	}
	slices.Sort(out)
	return out[:min(len(out), maxLacking)]
}

func lackingFields(ours, theirs types.Object) []string {
	s, ok := structOf(ours)
	o, also := structOf(theirs)
	if !ok || !also {
		return nil
	}
	has := map[string]bool{}
	for i := range o.NumFields() {
		has[o.Field(i).Name()] = true
	}
	var out []string
	for i := range s.NumFields() {
		if f := s.Field(i); f.Exported() && !has[f.Name()] {
			out = append(out, f.Name())
		}
	}
	return out
}

func structOf(o types.Object) (*types.Struct, bool) {
	name, ok := o.(*types.TypeName)
	if !ok || name.IsAlias() {
		return nil, false
	}
	s, ok := name.Type().Underlying().(*types.Struct)
	return s, ok
}

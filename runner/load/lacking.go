package load

import (
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
)

// maxLacking bounds the fields that are listed.
const maxLacking = 1000

// Lacking lists the exported fields of t's struct types, and of those of other modules that it links, that the types of the same name in
// other do not have, as path.Type.Field, sorted. A type that only one tree has is left out: there is nothing to compare it
// with.
func Lacking(t, other *Tree) []string {
	ours, theirs := t.declared(), other.declared()
	var out []string
	for path, p := range ours {
		q := theirs[path]
		if q == nil || p == q {
			continue
		}
		for _, name := range p.Scope().Names() {
			for _, field := range lackingFields(p.Scope().Lookup(name), q.Scope().Lookup(name)) {
				out = append(out, path+"."+name+"."+field)
			}
		}
	}
	slices.Sort(out)
	return out[:min(len(out), maxLacking)]
}

// declared returns what the packages of a tree declare, and those of other modules that it links, by path.
func (t *Tree) declared() map[string]*types.Package {
	out := map[string]*types.Package{}
	seen := map[*packages.Package]bool{}
	var visit func(p *packages.Package)
	visit = func(p *packages.Package) {
		first, _, _ := strings.Cut(p.PkgPath, "/")
		if seen[p] || !strings.Contains(first, ".") { // the distribution imports itself alone
			return
		}
		seen[p] = true
		if out[p.PkgPath] == nil && p.Types != nil {
			out[p.PkgPath] = p.Types
		}
		for _, q := range p.Imports {
			visit(q)
		}
	}
	for _, p := range t.Packages {
		if p.Code != nil && p.Code.Types != nil {
			out[p.Path] = p.Code.Types
		}
	}
	for _, p := range t.Packages {
		for _, q := range p.Variants() {
			for _, r := range q.Imports {
				visit(r)
			}
		}
	}
	return out
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

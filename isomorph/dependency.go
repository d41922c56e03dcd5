package isomorph

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/isodelta/isodelta/runner/load"
)

// Through is the status of a member of Δ whose own code is the same, and that calls
// changed functions of a dependency.
const Through = "through"

// Dependency is a module of which the two versions are built with different code.
type Dependency struct {
	load.Bump
	Functions int       // that differ in its packages
	Reached   []Outside // those of them that code of this module may execute, sorted by name
	Callers   int       // functions of this module through which it may do so
}

// Outside is a function outside the module that differs between the versions, or a package variable that does and
// that code of the module mentions.
type Outside struct {
	Module  string
	Package string
	Name    string // without the package's path
	// Data names the package variable whose value changed, where the code of the
	// function is the same.
	Data   string
	family string
	digest string // of what it is on head
	// variable is its whole name, where it is no function, but a package variable that the module's code mentions.
	variable string
}

// Depend compares the dependencies of two versions that Match has compared. Functions
// of the module that call what differs join Δ: they are where the difference comes in.
// What is no function and differs in a dependency stays a prune blocker, as does the
// dependency itself: calls by reflection are not seen.
func (r *Result) Depend(ctx context.Context, base, head *load.Sources, bumps []load.Bump) error {
	b, err := newLinked(ctx, base, bumps)
	if err != nil {
		return err
	}
	h, err := newLinked(ctx, head, bumps)
	if err != nil {
		return err
	}
	differ := b.differing(h)
	b.mark(differ)
	h.mark(differ)
	through := map[string]map[string]bool{} // by family of an own function, families of the others
	for _, side := range []*linked{b, h} {
		for family, reached := range side.throughOwn() {
			if through[family] == nil {
				through[family] = map[string]bool{}
			}
			maps.Copy(through[family], reached)
		}
	}
	r.leads = map[string]map[load.Place]Lead{"base": r.Base.place(b.leading(through)), "head": r.Head.place(h.leading(through))}
	r.Seams = joinSeams(b.seams(), h.seams())
	r.join(through, differ)
	r.count(bumps, through, differ)
	return nil
}

// join puts the functions that call into what differs among Δ.
func (r *Result) join(through map[string]map[string]bool, differ map[string]*Outside) {
	known := map[string]int{}
	for i, f := range r.Changed {
		known[f.Package+" "+f.Name] = i
	}
	baseFamily, headFamily := r.Base.byFamily(), r.Head.byFamily()
	for _, family := range slices.Sorted(maps.Keys(through)) {
		bf, hf := baseFamily[family], headFamily[family]
		f := cmp.Or(hf, bf)
		if f == nil {
			continue
		}
		var on []Outside
		for _, other := range slices.Sorted(maps.Keys(through[family])) {
			on = append(on, *differ[other])
		}
		i, ok := known[f.pkg+" "+f.name]
		if !ok {
			m := Function{Name: f.name, Package: f.pkg, Status: Through, Init: f.init, Digest: hex.EncodeToString(f.canonical[:])}
			if bf != nil {
				m.Base = bf.span
			}
			if hf != nil {
				m.Head = hf.span
			}
			r.Changed = append(r.Changed, m)
			i = len(r.Changed) - 1
		}
		m := &r.Changed[i]
		m.Through = on
		// What was accepted of it is accepted with these dependencies alone.
		sum := sha256.New()
		fmt.Fprintf(sum, "%s\n", m.Digest)
		for _, d := range on {
			fmt.Fprintf(sum, "%s %s\n", d.family, d.digest)
		}
		if m.Digest != "" {
			m.Digest = hex.EncodeToString(sum.Sum(nil))
		}
	}
	sortFunctions(r.Changed)
}

// count says of each dependency what of it differs, and what of that is reached.
func (r *Result) count(bumps []load.Bump, through map[string]map[string]bool, differ map[string]*Outside) {
	reached, callers := map[string]bool{}, map[string]int{}
	for _, on := range through {
		modules := map[string]bool{}
		for family := range on {
			reached[family] = true
			modules[differ[family].Module] = true
		}
		for path := range modules {
			callers[path]++
		}
	}
	for _, bump := range bumps {
		d := Dependency{Bump: bump, Callers: callers[bump.Path]}
		for family, x := range differ {
			if x.Module != bump.Path {
				continue
			}
			d.Functions++
			if reached[family] {
				d.Reached = append(d.Reached, *x)
			}
		}
		slices.SortFunc(d.Reached, func(a, b Outside) int {
			return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.Package, b.Package))
		})
		r.Dependencies = append(r.Dependencies, d)
	}
}

// dependencyBlockers are the beginnings of blockers that are about which versions of
// dependencies a module asks for, and not about those that it is built with, or that follow from those.
func dependencyBlockers() []string {
	return []string{"go.mod: require ", "go.mod: replace ", "go.mod: exclude ", "vendored code differs", "code in ", promoted}
}

// Built puts the dependencies that differ, in what is compiled of them, in the place of
// what go.mod says of them. Where none does, go.mod says nothing that is executed.
func (r *Result) Built(bumps []load.Bump) {
	r.PruneBlockers = slices.DeleteFunc(r.PruneBlockers, func(text string) bool {
		return slices.ContainsFunc(dependencyBlockers(), func(prefix string) bool { return strings.HasPrefix(text, prefix) })
	})
	r.OnlyDependencies = len(r.PruneBlockers) == 0 && len(r.Changed) == 0
	for _, b := range bumps {
		text := "dependency " + b.Path + ": " + b.Base.Named() + " became " + b.Head.Named()
		switch {
		case b.Base == nil:
			text = "dependency " + b.Path + ": " + b.Head.Named() + " added"
		case b.Head == nil:
			text = "dependency " + b.Path + ": " + b.Base.Named() + " removed"
		case b.Base.Named() == b.Head.Named():
			text = "dependency " + b.Path + ": its code differs"
		}
		r.PruneBlockers = append(r.PruneBlockers, text)
	}
	slices.Sort(r.PruneBlockers)
}

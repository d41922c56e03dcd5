package declare

import (
	"context"
	"fmt"
	"go/types"
	"slices"
	"strconv"

	"github.com/isodelta/isodelta/internal/mistake"
	"github.com/isodelta/isodelta/runner/load"
	"github.com/isodelta/isodelta/runner/relation"
	"github.com/isodelta/isodelta/runner/version"
)

// Compiled is what declarations come to.
type Compiled struct {
	Relations  []relation.Relation
	Categories []relation.ChoiceSet
	Limits     []string // what cannot be checked, with the reason
}

// Compile finds the functions that declarations of a file are about and
// type-checks their expressions, on both versions. All mistakes come back
// together, as a mistake.List. A function that only one version has, or that has
// another signature there, is a limit: its relations cannot be compared.
func Compile(ctx context.Context, file string, relations []Declaration, categories []Categorisation, base, head *load.Tree) (Compiled, error) {
	if len(relations)+len(categories) == 0 {
		return Compiled{}, nil
	}
	d := &declarer{file: file, trees: version.Both[*load.Tree]{base, head}}
	paths := relation.Mentioned(expressions(relations, categories))
	for _, side := range version.Sides {
		if side == version.Head && head == base {
			d.libraries[version.Head] = d.libraries[version.Base]
			break
		}
		d.libraries[side] = &library{tree: d.trees[side]}
		if err := d.libraries[side].load(ctx, paths); err != nil {
			return Compiled{}, err
		}
	}
	for _, r := range relations {
		d.both(r.Function, func(p *pass) func() {
			rel := p.relation(r)
			return func() { d.out.Relations = append(d.out.Relations, rel) }
		})
	}
	for _, c := range categories {
		d.both(c.Function, func(p *pass) func() {
			set := p.categories(c)
			return func() { d.out.Categories = append(d.out.Categories, set) }
		})
	}
	if err := d.errs.Err(); err != nil {
		return Compiled{}, err
	}
	return d.out, nil
}

// expressions are those of all declarations.
func expressions(relations []Declaration, categories []Categorisation) []string {
	var out []string
	for _, r := range relations {
		out = append(out, r.When.Value, r.Holds.Value)
		for _, list := range r.FollowUps {
			for _, a := range list {
				out = append(out, a.Value.Value)
			}
		}
	}
	for _, c := range categories {
		for _, cat := range append(slices.Clone(c.Input), c.Output...) {
			for _, choice := range cat.Choices {
				out = append(out, choice.When.Value)
			}
		}
	}
	return out
}

// declarer compiles the declarations of a file, one after the other.
type declarer struct {
	file      string
	trees     version.Both[*load.Tree]
	libraries version.Both[*library]
	errs      mistake.List
	out       Compiled
}

// both compiles a declaration on both versions and keeps what head's gives, if
// they can be compared.
func (d *declarer) both(function Text, compile func(*pass) func()) {
	var found version.Both[*declaredFunction]
	for side, t := range d.trees {
		f, err := find(t, function.Value)
		if err != nil {
			d.fail(function, 1, 1, err.Error())
			return
		}
		found[side] = f
	}
	name := strconv.Quote(function.Value)
	switch {
	case found[version.Base] == nil && found[version.Head] == nil:
		d.fail(function, 1, 1, unknown(function.Value, d.trees))
		return
	case found[version.Base] == nil:
		d.limit(function, "only head has "+name)
		return
	case found[version.Head] == nil:
		d.limit(function, "only base has "+name)
		return
	}
	var keep func()
	var texts version.Both[string]
	// Head's mistakes are the file's: it stands there.
	for _, side := range []version.Side{version.Head, version.Base} {
		s, err := found[side].subject(function.Value)
		if err != nil {
			d.fail(function, 1, 1, err.Error())
			return
		}
		// Names count too: expressions use them.
		texts[side] = types.TypeString(s.Sig, func(p *types.Package) string { return p.Path() })
		if side == version.Base && texts[version.Base] != texts[version.Head] {
			d.limit(function, name+" has another signature on base")
			return
		}
		p := &pass{file: d.file, Frame: relation.NewFrame(s), library: d.libraries[side]}
		done := compile(p)
		if len(p.errs) == 0 {
			if side == version.Head {
				keep = done
			}
			continue
		}
		if side == version.Base {
			d.limit(function, "it does not compile on base: "+p.errs[0].Msg)
			return
		}
		d.errs = append(d.errs, p.errs...)
		return
	}
	keep()
}

func (d *declarer) fail(t Text, line, column int, msg string) {
	line, column = t.place(line, column)
	d.errs.Add(d.file, line, column, msg)
}

func (d *declarer) limit(t Text, msg string) {
	d.out.Limits = append(d.out.Limits, fmt.Sprintf("%s:%d: not compared: %s", d.file, t.Line, msg))
}

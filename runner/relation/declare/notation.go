package declare

import (
	"slices"
	"strings"

	"github.com/isodelta/isodelta/internal/spelling"
	"github.com/isodelta/isodelta/runner/relation"
	"github.com/isodelta/isodelta/runner/relation/goexpr"
)

// notation writes a declared relation in mathematical notation: calls in the
// place of results.
func (p *pass) notation(d Declaration, f relation.Form) string {
	calls := map[string]string{}
	for k, c := range f.Calls {
		notes := slices.Clone(c.Args)
		if k > 0 {
			for i, a := range c.Args {
				notes[i] = p.inWords(a, calls)
			}
		}
		call := p.Subject.Note(notes)
		for i, r := range c.Results {
			calls[r] = call
			if len(c.Results) > 1 && i > 0 {
				calls[r] = call + "." + f.Calls[0].Results[i]
			}
		}
		for i, a := range c.After {
			if a != "" {
				calls[a] = notes[i] + " after " + call
			}
		}
	}
	out := p.inWords(f.Check, calls)
	if f.When != "" {
		out = p.inWords(f.When, nil) + " ⇒ " + out
	}
	return out
}

func (p *pass) inWords(expr string, calls map[string]string) string {
	out, err := goexpr.Rename(expr, func(name string) string {
		if c, ok := calls[name]; ok {
			return c
		}
		return name
	})
	if err != nil {
		return expr
	}
	return strings.NewReplacer(" == ", " = ", " != ", " ≠ ", " <= ", " ≤ ", " >= ", " ≥ ", " && ", " ∧ ", " || ", " ∨ ").Replace(out)
}

func nearestOf(name string, known []string) string {
	if h := spelling.DidYouMean(name, known); h != "" {
		return h
	}
	if len(known) == 0 {
		return "; it has none with a name"
	}
	return "; it has " + strings.Join(known, ", ")
}

package relation

import (
	"fmt"
	"slices"
	"strings"

	"github.com/isodelta/isodelta/internal/lazyregexp"
	"github.com/isodelta/isodelta/runner/relation/goexpr"
)

// Forms of output relations that relations of different sources have in common.
const (
	formEqual   = "equal"   // both outputs are
	formNegated = "negated" // one is minus the other
	formOrdered = "ordered" // one is at most the other
)

var (
	constants = lazyregexp.New(`\b[0-9][0-9a-zA-Z_.]*\b|"(?:[^"\\]|\\.)*"|` + "`[^`]*`")
	sameForm  = map[string]string{
		"Equal(o0, o1)": formEqual, "Equal(o1, o0)": formEqual, "o0 == o1": formEqual, "o1 == o0": formEqual,
		"Equal(o1, -o0)": formNegated, "Equal(-o0, o1)": formNegated, "o1 == -o0": formNegated, "o0 == -o1": formNegated, "Equal(o0, -o1)": formNegated,
		"o0 <= o1": formOrdered, "o1 <= o0": formOrdered, "o0 >= o1": formOrdered, "o1 >= o0": formOrdered,
	}
)

// OutputForm is the form of the output relation: its check, in which it does not matter
// what parameters, results and constants are. The k-MR coverage counts output relations
// of different form (Definition 3 of its paper), for two of the same form exercise the
// same. It is "" for a relation of a single call, which is no metamorphic one.
func (r Relation) OutputForm() string {
	if len(r.Form.Calls) < 2 {
		return ""
	}
	names := map[string]string{}
	for _, p := range r.Form.Params {
		names[p.Name] = "p"
	}
	for i, c := range r.Form.Calls {
		for _, v := range slices.Concat(c.Results, c.After) {
			if v != "" && v != "_" {
				names[v] = fmt.Sprintf("o%d", i)
			}
		}
	}
	text, err := goexpr.Rename(r.Form.Check, func(name string) string {
		if n, ok := names[name]; ok {
			return n
		}
		return name
	})
	if err != nil {
		text = r.Form.Check
	}
	text = strings.TrimSpace(constants().ReplaceAllString(text, "c"))
	if form, ok := sameForm[text]; ok {
		return form
	}
	return text
}

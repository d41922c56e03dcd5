package adequacy

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Pick is a choice of a category: indices from 0 in the order of declaration.
type Pick struct{ Category, Choice int }

func comparePicks(a, b Pick) int {
	return cmp.Or(cmp.Compare(a.Category, b.Category), cmp.Compare(a.Choice, b.Choice))
}

// Combination is the picks of a source input or of a complete test frame. The
// order of picks does not matter, nor do duplicates.
type Combination struct {
	In  []Pick // I-choices
	Out []Pick // O-choices
}

// key is the same for equal combinations.
func (c Combination) key() string {
	var b strings.Builder
	for _, picks := range [][]Pick{c.In, c.Out} {
		for _, p := range distinct(picks) {
			fmt.Fprintf(&b, "%d.%d ", p.Category, p.Choice)
		}
		b.WriteString("→ ")
	}
	return b.String()
}

func distinct(picks []Pick) []Pick {
	out := slices.Clone(picks)
	slices.SortFunc(out, comparePicks)
	return slices.Compact(out)
}

// Requirements are what a function's source inputs are to satisfy.
type Requirements struct {
	Statements []int     // identifiers, in any order
	Branches   []int     // likewise
	Choices    []int     // for each input category the number of its choices
	Impossible [][2]Pick // I-choices of different categories that cannot go together; either order
	Frames     []Combination
}

// Seen returns the different combinations, in the order in which they first
// occur: frames for Requirements where none are declared.
func Seen(combinations []Combination) []Combination {
	var out []Combination
	known := map[string]bool{}
	for _, c := range combinations {
		if key := c.key(); !known[key] {
			known[key] = true
			out = append(out, Combination{In: distinct(c.In), Out: distinct(c.Out)})
		}
	}
	return out
}

// indexed gives each requirement of a criterion its place.
type indexed map[any]int

func (x indexed) add(requirement any) {
	if _, ok := x[requirement]; !ok {
		x[requirement] = len(x)
	}
}

// indexed numbers the requirements of each criterion; duplicates are one.
func (r Requirements) indexed() map[Criterion]indexed {
	out := map[Criterion]indexed{}
	for _, c := range Criteria() {
		out[c] = indexed{}
	}
	for _, id := range r.Statements {
		out[Statement].add(id)
	}
	for _, id := range r.Branches {
		out[Branch].add(id)
	}
	picks := r.picks()
	for _, p := range picks {
		out[Choice].add(p)
	}
	impossible := map[[2]Pick]bool{}
	for _, p := range r.Impossible {
		impossible[pair(p[0], p[1])] = true
	}
	for i, a := range picks {
		for _, b := range picks[i+1:] {
			if p := pair(a, b); a.Category != b.Category && !impossible[p] {
				out[ChoicePair].add(p)
			}
		}
	}
	for _, f := range r.Frames {
		out[Frame].add(f.key())
	}
	return out
}

// picks are all declared I-choices.
func (r Requirements) picks() []Pick {
	var out []Pick
	for category, n := range r.Choices {
		for choice := range n {
			out = append(out, Pick{category, choice})
		}
	}
	return out
}

// pair is the same for either order.
func pair(a, b Pick) [2]Pick {
	if comparePicks(a, b) > 0 {
		a, b = b, a
	}
	return [2]Pick{a, b}
}

// Satisfied is what one source input satisfied.
type Satisfied struct {
	Statements []int // run
	Branches   []int // taken
	Combination
}

// of a criterion, as keys of indexed.
func (s Satisfied) of(c Criterion) []any {
	var out []any
	switch c {
	case Statement:
		for _, id := range s.Statements {
			out = append(out, id)
		}
	case Branch:
		for _, id := range s.Branches {
			out = append(out, id)
		}
	case Choice:
		for _, p := range s.In {
			out = append(out, p)
		}
	case ChoicePair:
		for i, a := range s.In {
			for _, b := range s.In[i+1:] {
				out = append(out, pair(a, b))
			}
		}
	case Frame:
		out = append(out, s.key())
	}
	return out
}

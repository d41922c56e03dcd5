package relation

import (
	"go/types"
	"path"
	"slices"
	"strings"

	"github.com/isodelta/isodelta/internal/identifier"
	"github.com/isodelta/isodelta/report/event"
	"github.com/isodelta/isodelta/runner/relation/goexpr"
)

// MaxTemplates bounds the candidates for one function.
const MaxTemplates = 24

// Tolerances of templates, relative: more than rounding in some operations,
// less than what anyone means by a difference.
const (
	toleranceFloat64 = 1e-9
	toleranceFloat32 = 1e-4
)

// Templates are general relations that a function may have, by its types and
// its name: candidates, of which those are of use that hold for the base
// version. They call the function, and where they are about a pair of functions
// its counterpart, and change nothing else. The likeliest come first, and there
// are at most MaxTemplates. A function whose parameters cannot be named from
// within its package has none.
func Templates(s *Subject) []Relation {
	t := newTemplates(s)
	if t == nil {
		return nil
	}
	t.numbers()
	t.sequences()
	t.texts()
	t.itself()
	t.twoArguments()
	t.bounds()
	t.state()
	t.pairs()
	slices.SortStableFunc(t.found, func(a, b candidate) int { return b.weight - a.weight })
	var out []Relation
	ids := map[string]bool{}
	for _, c := range t.found {
		if id := c.ID(); !ids[id] && len(out) < MaxTemplates {
			ids[id] = true
			out = append(out, c.Relation)
		}
	}
	return out
}

// Weights of candidates.
const (
	unlikely  = 10
	plausible = 20
	likely    = 30 // the types fit exactly
	suggested = 40 // the name says so
)

type candidate struct {
	Relation
	weight int
}

// templates makes the candidates of one function.
type templates struct {
	*Frame
	words     map[string]bool // of the function's name, in lower case
	results   []types.Type
	value     int // the result that says something: -1 without one or more than one
	ok        int // the error or the truth that reports whether it counts, -1 for none
	tolerance float64
	less      int // taken off the weight of what is found
	found     []candidate
}

func newTemplates(s *Subject) *templates {
	if !s.Writable() || s.Sig.Params().Len() == 0 {
		return nil
	}
	t := &templates{Frame: NewFrame(s), words: words(s.Short), value: -1, ok: -1}
	if s.Receiver {
		for w := range words(path.Base(strings.TrimSuffix(s.Name, "."+s.Short))) {
			t.words["of "+w] = true
		}
	}
	for v := range s.Sig.Results().Variables() {
		t.results = append(t.results, v.Type())
	}
	t.tolerance = ToleranceOf(slices.Concat(t.results, t.types))
	n := len(t.results)
	if n > 0 && (isError(t.results[n-1]) || n == 2 && isBool(t.results[n-1])) {
		t.ok = n - 1
		n--
	}
	if n == 1 && tells(t.results[0]) {
		t.value = 0
	}
	return t
}

// ToleranceOf returns the relative tolerance with which outputs of functions of these
// types are compared, 0 if there are no floating-point numbers among them.
func ToleranceOf(list []types.Type) float64 {
	tolerance := 0.0
	for _, t := range list {
		some, short := floats(t, map[types.Type]bool{})
		if short {
			return toleranceFloat32
		}
		if some {
			tolerance = toleranceFloat64
		}
	}
	return tolerance
}

// words are those of a name in camel case.
func words(name string) map[string]bool {
	out := map[string]bool{}
	for _, w := range identifier.Words(name) {
		out[strings.ToLower(w)] = true
	}
	return out
}

// named reports whether the function's name has one of the words.
func (t *templates) named(list ...string) bool {
	return slices.ContainsFunc(list, func(w string) bool { return t.words[w] })
}

// An input is an argument of a follow-up call: Go, and how people write it.
type input struct{ expr, note string }

// A run is one call of a candidate: what it was given and the variables that
// hold what it gave.
type run struct {
	call   Call
	note   string
	value  string // variable of the result that counts
	ok     string // condition that the result counts, "" for always
	after  map[int]string
	fields []string // variables of all results that can be compared
}

// trial is a candidate under way.
type trial struct {
	t       *templates
	names   *names
	runs    []*run
	weight  int
	name    string
	when    []string
	given   []string
	idle    string // see Form
	noGuard bool   // errors are compared, not left out
	calls   []Call
}

// try begins a candidate.
func (t *templates) try(weight int, name string) *trial {
	n := *t.names
	n.taken = map[string]bool{}
	for k := range t.names.taken {
		n.taken[k] = true
	}
	return &trial{t: t, names: &n, weight: weight, name: name}
}

// call adds a call of the subject with its parameters as arguments, but for
// those at the given places.
func (c *trial) call(changed map[int]input, keep ...int) *run {
	t := c.t
	r := &run{after: map[int]string{}}
	first := []string{"result", "followup", "third", "fourth", "fifth"}[min(len(c.calls), 4)]
	var notes []string
	r.call = t.Call()
	for i, p := range t.Params {
		in, ok := changed[i]
		if !ok {
			in = input{p.Name, p.Name}
		}
		r.call.Args[i] = in.expr
		notes = append(notes, in.note)
	}
	for i, typ := range t.results {
		name := first
		switch {
		case i == t.ok && isError(typ):
			name = map[bool]string{true: "err", false: first + "Err"}[len(c.calls) == 0]
		case i == t.ok:
			name = map[bool]string{true: "ok", false: first + "OK"}[len(c.calls) == 0]
		case t.value < 0:
			name = first + string(rune('A'+i%26))
		}
		name = c.names.fresh(name)
		r.call.Results = append(r.call.Results, name)
		if tells(typ) {
			r.fields = append(r.fields, name)
		}
		switch {
		case i == t.value:
			r.value = name
		case i == t.ok && isError(typ):
			r.ok = name + " == nil"
		case i == t.ok:
			r.ok = name
		}
	}
	for _, i := range keep {
		r.keep(c, i, first)
	}
	r.note = t.Subject.Note(notes)
	c.calls = append(c.calls, r.call)
	c.runs = append(c.runs, r)
	return r
}

// keep returns an argument as it is after the call a name.
func (r *run) keep(c *trial, i int, first string) {
	if r.call.After == nil {
		r.call.After = make([]string, len(r.call.Args))
	}
	want := "after"
	if first != "result" {
		want = first + "After"
	}
	name := c.names.fresh(want)
	r.call.After[i], r.after[i] = name, name
}

// written is the note of a call with some arguments changed.
func (t *templates) written(changed map[int]input) string {
	var notes []string
	for i, p := range t.Params {
		note := p.Name
		if in, ok := changed[i]; ok {
			note = in.note
		}
		notes = append(notes, note)
	}
	return t.Subject.Note(notes)
}

// extra adds a call of another function.
func (c *trial) extra(call Call) { c.calls = append(c.calls, call) }

func (c *trial) if_(cond string) *trial {
	if cond != "" {
		c.when = append(c.when, cond)
	}
	return c
}

// holds ends the candidate.
func (c *trial) holds(check, note string) {
	if check == "" {
		return
	}
	t := c.t
	given := c.given
	if !c.noGuard {
		for _, r := range c.runs {
			if r.ok != "" {
				given = append(given, r.ok)
			}
		}
	}
	rel := Relation{Function: t.Subject.Name, Package: t.Subject.Package.Path(), Name: c.name, Source: event.Template,
		Notation: note, Tolerance: t.tolerance}
	when, let := conjunction(c.when), conjunction(given)
	calls := slices.Clone(c.calls)
	idle := c.idle
	texts := []*string{&check, &when, &let, &idle}
	for i := range calls {
		calls[i].Args = slices.Clone(calls[i].Args)
		texts = append(texts, &calls[i].When)
		for k := range calls[i].Args {
			texts = append(texts, &calls[i].Args[k])
		}
	}
	t.renameHidden(texts)
	rel.Form = t.Form(calls, when, let, check)
	rel.Form.Idle = idle
	if !slices.Contains(goexpr.Names(check), "Equal") {
		rel.Tolerance = 0
	}
	t.found = append(t.found, candidate{rel, c.weight - t.less})
}

// renameHidden returns packages of the library other names where the package under
// test declares theirs.
func (t *templates) renameHidden(texts []*string) {
	scope := t.Subject.Package.Scope()
	var plain []string
	for _, s := range texts {
		plain = append(plain, *s)
	}
	for _, p := range Mentioned(plain) {
		if scope.Lookup(path.Base(p)) == nil {
			continue
		}
		if _, named := t.imports[p]; !named {
			t.imports[p] = t.names.fresh(path.Base(p))
		}
		for _, s := range texts {
			if out, err := goexpr.Rename(*s, func(name string) string {
				if name == path.Base(p) {
					return t.imports[p]
				}
				return name
			}); err == nil {
				*s = out
			}
		}
	}
}

// conjunction joins conditions; operands of other operators are put in
// parentheses.
func conjunction(list []string) string {
	if len(list) == 1 {
		return list[0]
	}
	out := make([]string, len(list))
	for i, s := range list {
		if strings.Contains(s, "||") {
			s = "(" + s + ")"
		}
		out[i] = s
	}
	return strings.Join(out, " && ")
}

// equal is the condition that two expressions are equal.
func equal(a, b string) string { return "Equal(" + a + ", " + b + ")" }

// same is the condition that two calls gave the same.
func same(a, b *run) string {
	var list []string
	for i := range a.fields {
		list = append(list, equal(b.fields[i], a.fields[i]))
	}
	return conjunction(list)
}

// at changes one argument.
func at(i int, expr, note string) map[int]input { return map[int]input{i: {expr, note}} }

// invariant tries that a changed argument changes nothing.
func (t *templates) invariant(weight int, name string, changed map[int]input, when string) {
	c := t.try(weight, name).if_(when)
	c.noGuard = true
	a := c.call(nil)
	b := c.call(changed)
	c.holds(same(a, b), b.note+" = "+a.note)
}

// becomes tries that a changed argument changes the result in the way that to
// says: Go over the variable that holds the first result, and how people write
// it.
func (t *templates) becomes(weight int, name string, changed map[int]input, when string, to func(v, note string) (string, string)) {
	c := t.try(weight, name).if_(when)
	a := c.call(nil)
	b := c.call(changed)
	expr, note := to(a.value, a.note)
	if expr != a.value {
		c.idle = equal(a.value, expr)
	}
	c.holds(equal(b.value, expr), b.note+" = "+note)
}

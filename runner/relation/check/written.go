package check

import (
	"fmt"
	"go/types"
	"slices"
	"strings"

	"github.com/isodelta/isodelta/report/event"
	"github.com/isodelta/isodelta/runner/calls/wire"
	"github.com/isodelta/isodelta/runner/relation"
	"github.com/isodelta/isodelta/runner/relation/genetic"
	"github.com/isodelta/isodelta/runner/relation/goexpr"
	"github.com/isodelta/isodelta/runner/relation/law"
)

// written is a relation as it is told, and as Go where it can be written so.
func (h *shape) written(t *genetic.Transform, tree *law.Expr) relation.Relation {
	variables, _, _ := h.variables(t)
	r := relation.Relation{Function: h.subject.Name, Package: h.subject.Package.Path(), Name: "evolved", Source: event.GenMorph,
		Notation: law.Notation(tree, variables)}
	if t != nil {
		r.Name += ", " + t.Name
	}
	w := &former{shape: h, frame: relation.NewFrame(h.subject), tree: tree, transform: t, whole: h.whole()}
	if form, ok := w.form(); ok {
		r.Form = form
	}
	return r
}

// whole is the Go type in which whole numbers are compared: int where no other one occurs,
// for that reads best.
func (h *shape) whole() string {
	isInt := func(t types.Type, kind law.Kind) bool {
		if list, ok := t.Underlying().(*types.Slice); ok {
			t = list.Elem()
		}
		return kind != law.Int && kind != law.Ints || types.Identical(t, types.Typ[types.Int])
	}
	for _, list := range [][]cell{h.in, h.out} {
		if slices.ContainsFunc(list, func(c cell) bool { return !isInt(c.typ, c.kind) }) {
			return "int64"
		}
	}
	for _, list := range [][]observer{h.state, h.shown} {
		if slices.ContainsFunc(list, func(o observer) bool { return !isInt(o.typ, o.kind) }) {
			return "int64"
		}
	}
	return "int"
}

// former writes a relation as Go.
type former struct {
	*shape
	frame     *relation.Frame
	tree      *law.Expr
	transform *genetic.Transform // nil for a relation of one call
	whole     string
	when      []string // for which inputs the relation says something
	given     []string // for which outputs
	variables []law.Variable
}

// form writes it; false for what has no form: values that have to be converted in ways
// that are no expression.
func (w *former) form() (relation.Form, bool) {
	var names []string
	for _, p := range w.frame.Params {
		names = append(names, p.Name)
	}
	inputs := make([]string, len(w.in))
	for i, c := range w.in {
		raw := names[c.at] + c.name
		inputs[i] = w.read(raw, c.typ, c.kind)
		if w.tree.Reads(i) || w.transform != nil && w.transform.Changes(i) {
			w.when = append(w.when, w.exact(raw, inputs[i], c.typ, c.kind)...)
		}
		w.column(c.kind, inputs[i])
	}
	for _, o := range w.state {
		raw := names[0] + "." + o.name + "()"
		text := w.read(raw, o.typ, o.kind)
		w.given = append(w.given, w.ifRead(len(w.variables), w.exact(raw, text, o.typ, o.kind))...)
		w.column(o.kind, text)
	}
	source := w.frame.Call()
	calls := []relation.Call{source}
	if w.transform != nil {
		follow := source
		var ok bool
		if follow.Args, ok = w.followArgs(names, inputs); !ok {
			return relation.Form{}, false
		}
		calls = append(calls, follow)
	}
	for k := range calls {
		w.outputsOf(&calls[k])
	}
	code := law.Go(w.tree, w.variables, w.whole)
	if code.Given != "" {
		w.given = append(w.given, code.Given)
	}
	return w.frame.Form(calls, conjunction(w.when), conjunction(w.given), code.Text), true
}

func conjunction(list []string) string {
	return strings.Join(slices.Compact(list), " && ")
}

// column adds a variable of the tree.
func (w *former) column(k law.Kind, text string) {
	w.variables = append(w.variables, law.Variable{Go: text, Kind: k})
}

// ifRead returns conditions if the tree reads a variable.
func (w *former) ifRead(variable int, conditions []string) []string {
	if !w.tree.Reads(variable) {
		return nil
	}
	return conditions
}

// followArgs writes the arguments of the follow-up call, and adds its inputs as variables.
func (w *former) followArgs(names, inputs []string) ([]string, bool) {
	args := slices.Clone(names)
	fields := make([][]string, len(names))
	for i, code := range w.transform.Go(inputs, w.whole) {
		c := w.in[i]
		if code == nil {
			w.column(c.kind, inputs[i])
			continue
		}
		text, ok := w.back(code.Text, c.typ, c.kind)
		if !ok {
			return nil, false
		}
		if code.Given != "" {
			w.when = append(w.when, code.Given)
		}
		w.when = append(w.when, w.holds(code.Text, c)...)
		w.column(c.kind, code.Text)
		if !c.isPart() {
			args[c.at] = text
		} else {
			fields[c.at] = append(fields[c.at], "v"+c.name+" = "+text)
		}
	}
	for i, list := range fields {
		if len(list) > 0 {
			typ := w.frame.Params[i].Type
			args[i] = "func(v " + typ + ") " + typ + " { " + strings.Join(list, "; ") + "; return v }(" + names[i] + ")"
		}
	}
	return args, true
}

// outputsOf declares what the tree reads of a call, and adds what the call gives as
// variables.
func (w *former) outputsOf(c *relation.Call) {
	n := w.subject.Sig.Results().Len()
	c.Results = slices.Repeat([]string{"_"}, n)
	c.After = make([]string, len(w.params))
	some := false // of what an error would leave without a value
	result := func(at int) string {
		if !w.tree.Reads(len(w.variables)) {
			return "unread"
		}
		some = some || at < n-1 || !w.fails
		if c.Results[at] == "_" {
			c.Results[at] = w.frame.Fresh("y")
		}
		return c.Results[at]
	}
	add := func(raw string, t types.Type, k law.Kind) {
		text := w.read(raw, t, k)
		w.given = append(w.given, w.ifRead(len(w.variables), w.exact(raw, text, t, k))...)
		w.column(k, text)
	}
	for _, x := range w.out {
		of := result(x.at)
		if x.pointer {
			w.given = append(w.given, w.ifRead(len(w.variables), []string{of + " != nil"})...)
		}
		add(x.code(of), x.typ, x.kind)
	}
	if w.fails {
		w.column(law.Bool, result(n-1)+" != nil")
	}
	for _, o := range w.shown {
		of := result(o.at)
		if isNillable(w.subject.Sig.Results().At(o.at).Type()) {
			w.given = append(w.given, w.ifRead(len(w.variables), []string{of + " != nil"})...)
		}
		add(of+"."+o.name+"()", o.typ, o.kind)
	}
	if w.fails && some {
		if c.Results[n-1] == "_" {
			c.Results[n-1] = w.frame.Fresh("err")
		}
		w.given = append([]string{c.Results[n-1] + " == nil"}, w.given...)
	}
	for _, o := range w.after {
		if w.tree.Reads(len(w.variables)) && c.After[0] == "" {
			c.After[0] = w.frame.Fresh("after")
		}
		add(c.After[0]+"."+o.name+"()", o.typ, o.kind)
	}
}

func isNillable(t types.Type) bool {
	switch t.Underlying().(type) {
	case *types.Pointer, *types.Interface:
		return true
	}
	return false
}

// goType returns the Go type of a kind's values.
func (w *former) goType(k law.Kind) string {
	return strings.Replace(k.GoType(), "int64", w.whole, 1)
}

// read converts an expression to the Go type of its kind.
func (w *former) read(text string, t types.Type, k law.Kind) string {
	want := w.goType(k)
	if t.String() == want {
		return text
	}
	list, ok := t.Underlying().(*types.Slice)
	switch {
	case !ok, list.String() == want:
		return goexpr.Convert(want, text)
	}
	elem := strings.TrimPrefix(want, "[]")
	return fmt.Sprintf("func() (all %s) { for _, v := range %s { all = append(all, %s(v)) }; return }()", want, text, elem)
}

// back converts an expression of a kind's Go type to a type; false for lists whose elements
// have to be converted.
func (w *former) back(text string, t types.Type, k law.Kind) (string, bool) {
	want := w.goType(k)
	if t.String() == want {
		return text, true
	}
	if list, ok := t.Underlying().(*types.Slice); ok && list.String() != want {
		return "", false
	}
	return goexpr.Convert(types.TypeString(t, w.frame.Qualify), text), true
}

// exact returns conditions under which an expression stands for what was recorded: whole
// numbers are not too large, and others are finite.
func (w *former) exact(raw, text string, t types.Type, k law.Kind) []string {
	switch k {
	case law.Int:
		if b := t.Underlying().(*types.Basic); b.Kind() == types.Uint || b.Kind() == types.Uint64 {
			return []string{raw + " < 1<<63"}
		}
	case law.Float:
		return []string{"math.Abs(" + text + ") <= math.MaxFloat64"}
	case law.Floats:
		return []string{"!slices.ContainsFunc(" + text + ", func(v float64) bool { return math.IsInf(v, 0) })"}
	}
	return nil
}

// holds returns conditions under which a parameter's type holds what the follow-up input has.
func (w *former) holds(text string, c cell) []string {
	b, ok := c.typ.Underlying().(*types.Basic)
	if !ok || c.kind != law.Int {
		return nil
	}
	switch b.Kind() {
	case types.Int, types.Int64:
		return nil
	case types.Uint, types.Uint64:
		return []string{"(" + text + ") >= 0"}
	}
	return []string{"(" + text + ") == " + w.whole + "(" + b.Name() + "(" + text + "))"}
}

// argumentsIn returns the arguments of a call as Go, where that is known: what the code of a
// sequence calls its last step with.
func (h *shape) argumentsIn(code wire.Code) []string {
	args, ok := argumentsOf(code.Call)
	if !ok || len(args) != len(h.params) {
		return h.params
	}
	for i := range args {
		args[i] = wire.Qualify(args[i], func(string) string { return "" })
	}
	return args
}

// told writes a call of a group for people: the values of its cells, and what the receiver
// shows before it. args are the arguments of the source call as Go.
func (h *shape) told(source, call wire.Sequence, args []string, seen *observation) string {
	out := slices.Clone(args)
	var fields = make([][]string, len(out))
	before, values := h.values(source), h.values(call)
	for i, c := range h.in {
		switch {
		case !c.isPart():
			out[c.at] = valueText(values[i])
		case !law.EqualValues(before[i], values[i]):
			fields[c.at] = append(fields[c.at], strings.TrimPrefix(c.name, ".")+" = "+valueText(values[i]))
		}
	}
	for i, list := range fields {
		if len(list) > 0 {
			out[i] += " with " + strings.Join(list, ", ")
		}
	}
	text := h.subject.Note(out)
	var state []string
	for i, o := range h.state {
		if seen != nil && seen.before[i] != nil {
			state = append(state, o.name+"() = "+valueText(seen.before[i]))
		}
	}
	if len(state) > 0 {
		text += ", before: " + strings.Join(state, ", ")
	}
	return text
}

// toldOutputs writes what a call gave for people.
func (h *shape) toldOutputs(seen *observation) string {
	if seen == nil {
		return "no output"
	}
	var names []string
	for _, c := range h.out {
		names = append(names, c.math("result"+h.subscript(c.at)))
	}
	if h.fails {
		names = append(names, "fails")
	}
	for _, o := range h.shown {
		names = append(names, "result"+h.subscript(o.at)+"."+o.name+"()")
	}
	for _, o := range h.after {
		names = append(names, o.name+"() after")
	}
	var out []string
	for i, v := range seen.out {
		switch {
		case v == nil, v == false && names[i] == "fails":
		case v == true && names[i] == "fails":
			out = append(out, "an error")
		case names[i] == "result":
			out = append(out, valueText(v))
		default:
			out = append(out, names[i]+" = "+valueText(v))
		}
	}
	return strings.Join(out, ", ")
}

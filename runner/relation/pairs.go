package relation

import (
	"fmt"
	"go/types"
	"slices"
	"strings"

	"github.com/isodelta/isodelta/internal/identifier"
)

// opposites are words of names of functions that undo each other. Either may
// come first.
var opposites = [][2]string{
	{"Marshal", "Unmarshal"}, {"Encode", "Decode"}, {"Compress", "Decompress"}, {"Escape", "Unescape"},
	{"Quote", "Unquote"}, {"Encrypt", "Decrypt"}, {"Pack", "Unpack"}, {"Serialize", "Deserialize"}, {"Serialise", "Deserialise"},
	{"Wrap", "Unwrap"}, {"Mask", "Unmask"}, {"Format", "Parse"}, {"String", "Parse"}, {"Join", "Split"}, {"To", "From"},
	{"Inflate", "Deflate"}, {"Zip", "Unzip"}, {"Flatten", "Unflatten"}, {"Add", "Sub"}, {"Inc", "Dec"}, {"Next", "Prev"},
	{"Exp", "Log"}, {"Shift", "Unshift"}, {"Write", "Read"}, {"Dump", "Load"}, {"Left", "Right"}, {"Up", "Down"}, {"Mul", "Div"},
	{"Enc", "Dec"}, {"Forward", "Backward"}, {"Forward", "Inverse"}, {"Push", "Pop"}, {"Rank", "Unrank"}, {"Print", "Parse"}, {"Print", "Scan"},
}

// pairs are relations with a function that undoes this one.
func (t *templates) pairs() {
	for _, name := range t.counterparts() {
		if g, ok := t.Subject.Package.Scope().Lookup(name).(*types.Func); ok && name != t.Subject.Short {
			t.undone(g)
		}
		for _, on := range t.receivers() {
			obj, _, _ := types.LookupFieldOrMethod(on, true, t.Subject.Package, name)
			if g, ok := obj.(*types.Func); ok && g.Pkg() == t.Subject.Package {
				t.undone(g)
			}
		}
	}
	t.stored()
}

// counterparts are names of functions that may undo this one.
func (t *templates) counterparts() []string {
	parts := identifier.Words(t.Subject.Short)
	var out []string
	add := func(list []string) {
		if s := strings.Join(list, ""); s != "" && s != t.Subject.Short && !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	lowerFirst := len(parts) > 0 && strings.ToLower(parts[0][:1]) == parts[0][:1]
	adapt := func(list []string) {
		if lowerFirst && len(list) > 0 {
			list = slices.Clone(list)
			list[0] = strings.ToLower(list[0][:1]) + list[0][1:]
		}
		add(list)
	}
	for i, w := range parts {
		for _, o := range opposites {
			for side := range 2 {
				if !strings.EqualFold(w, o[side]) {
					continue
				}
				changed := slices.Clone(parts)
				changed[i] = o[1-side]
				adapt(changed)
				// Type.String and ParseType, FormatType and ParseType.
				if o[1-side] == "String" || o[1-side] == "Format" {
					adapt([]string{o[1-side]})
				}
				if n := t.receiverName(); n != "" && o[1-side] == "Parse" {
					adapt([]string{"Parse", n})
					adapt([]string{"Parse"})
					adapt([]string{"New", n})
				}
				if n := t.receiverName(); n != "" {
					adapt(append(slices.Clone(changed), n)) // Encode of a type, DecodeType
				} else if i == 0 && len(parts) > 1 {
					adapt(changed[:1]) // DecodeType, Encode of the type
				}
			}
		}
		if strings.EqualFold(w, "To") && i > 0 && i < len(parts)-1 { // CelsiusToKelvin, KelvinToCelsius
			adapt(slices.Concat(parts[i+1:], []string{"To"}, parts[:i]))
			adapt(slices.Concat(parts[:i], []string{"From"}, parts[i+1:]))
		}
		if strings.EqualFold(w, "From") && i > 0 && i < len(parts)-1 {
			adapt(slices.Concat(parts[i+1:], []string{"From"}, parts[:i]))
			adapt(slices.Concat(parts[:i], []string{"To"}, parts[i+1:]))
		}
	}
	return out
}

// receiverName is the name of the type that the subject is a method of.
func (t *templates) receiverName() string {
	if !t.Subject.Receiver {
		return ""
	}
	if n := namedOf(t.types[0]); n != nil {
		return n.Obj().Name()
	}
	return ""
}

func namedOf(t types.Type) *types.Named {
	if p, ok := t.(*types.Pointer); ok {
		t = p.Elem()
	}
	n, _ := types.Unalias(t).(*types.Named)
	return n
}

// receivers are types whose methods may undo the subject: its own receiver's,
// and its result's.
func (t *templates) receivers() []types.Type {
	var out []types.Type
	add := func(typ types.Type) {
		if n := namedOf(typ); n != nil && n.Obj().Pkg() == t.Subject.Package && !types.IsInterface(n) &&
			!slices.ContainsFunc(out, func(o types.Type) bool { return types.Identical(namedOf(o), n) }) {
			out = append(out, types.NewPointer(n))
		}
	}
	if t.Subject.Receiver {
		add(t.types[0])
	}
	if t.value >= 0 {
		add(t.results[t.value])
	}
	return out
}

// counterpart is a function that may undo the subject, as it is called.
type counterpart struct {
	*Subject
	params []types.Type
	value  types.Type // of its result, nil where it gives nothing but an error
	ok     int        // the error or truth among its results, -1 for none
}

func (t *templates) counterpart(g *types.Func) *counterpart {
	var args []types.Type
	sig := g.Type().(*types.Signature)
	if sig.TypeParams().Len() > 0 {
		return nil
	}
	if sig.Recv() != nil {
		if n := namedOf(sig.Recv().Type()); n != nil && n.TypeArgs().Len() > 0 {
			args = slices.Collect(n.TypeArgs().Types())
			g = g.Origin()
		}
	}
	s := NewSubject(g, g.FullName(), args)
	if s == nil {
		return nil
	}
	c := &counterpart{Subject: s, ok: -1}
	for v := range s.Sig.Params().Variables() {
		c.params = append(c.params, v.Type())
	}
	n := s.Sig.Results().Len()
	if last := n - 1; n > 0 && (isError(s.Sig.Results().At(last).Type()) || n == 2 && isBool(s.Sig.Results().At(last).Type())) {
		c.ok = last
		n--
	}
	if n > 1 || s.Sig.Variadic() {
		return nil
	}
	if n == 1 {
		c.value = s.Sig.Results().At(0).Type()
	}
	return c
}

// undone tries that g undoes the subject: g(f(x)) = x.
func (t *templates) undone(g *types.Func) {
	c := t.counterpart(g)
	if c == nil || t.value < 0 || t.Subject.Sig.Variadic() || len(c.params) == 0 {
		return
	}
	given := t.results[t.value]
	for i, p := range t.types {
		if c.value == nil {
			t.undoneInto(c, i, p, given)
			continue
		}
		back := c.value
		if !types.Identical(back, p) && !(isPointerTo(p, back) || isPointerTo(back, p)) {
			continue
		}
		args, notes, ok := t.pass(c, given, i)
		if !ok {
			continue
		}
		r := t.try(suggested+4, "inverse of "+c.Short)
		a := r.call(nil)
		args = replaced(args, a.value)
		notes = replaced(notes, a.note)
		last := Call{Function: c.Expr, Args: args, Copied: sharing(c.params), Kinds: kinds(c.Sig.Results()), When: a.ok}
		name := r.names.fresh("back")
		for k := range c.Sig.Results().Len() {
			switch {
			case k == c.ok:
				v := r.names.fresh("backErr")
				if !isError(c.Sig.Results().At(k).Type()) {
					v = r.names.fresh("backOK")
				}
				last.Results = append(last.Results, v)
			default:
				last.Results = append(last.Results, name)
			}
		}
		r.extra(last)
		x := t.Params[i].Name
		want, got := x, name
		switch {
		case isPointerTo(p, back):
			r.if_(x + " != nil")
			want = "*" + x
		case isPointerTo(back, p):
			got = "*" + name
		}
		r.holds(reached(last, c, equal(got, want)), c.Note(notes)+" = "+x)
		if t.named("parse", "decode", "unmarshal", "unquote", "unescape", "from", "split") {
			t.stable(c, i, back)
		}
		return
	}
}

// reached is a check that also wants the counterpart to work: what was made
// from x can be read again.
func reached(last Call, c *counterpart, check string) string {
	if c.ok < 0 {
		return check
	}
	v := last.Results[c.ok]
	if isError(c.Sig.Results().At(c.ok).Type()) {
		return v + " == nil && " + check
	}
	return v + " && " + check
}

// stable tries f(g(f(x))) = f(x), for functions that read more than one
// spelling of a value.
func (t *templates) stable(c *counterpart, i int, back types.Type) {
	if !types.Identical(back, t.types[i]) {
		return
	}
	args, notes, ok := t.pass(c, t.results[t.value], i)
	if !ok {
		return
	}
	r := t.try(suggested+3, "reads what "+c.Short+" writes")
	a := r.call(nil)
	mid := Call{Function: c.Expr, Args: replaced(args, a.value), Copied: sharing(c.params), Kinds: kinds(c.Sig.Results()), When: a.ok}
	name := r.names.fresh("back")
	for k := range c.Sig.Results().Len() {
		if k == c.ok {
			mid.Results = append(mid.Results, r.names.fresh("backOK"))
			if isError(c.Sig.Results().At(k).Type()) {
				r.given = append(r.given, mid.Results[k]+" == nil")
			} else {
				r.given = append(r.given, mid.Results[k])
			}
			continue
		}
		mid.Results = append(mid.Results, name)
	}
	r.extra(mid)
	b := r.call(at(i, name, c.Note(replaced(notes, a.note))))
	check := equal(b.value, a.value)
	if b.ok != "" {
		check = b.ok + " && " + check
		r.noGuard = true
		r.given = append(r.given, a.ok)
	}
	r.holds(check, b.note+" = "+a.note)
}

// hole stands for what the subject gave in the arguments of its counterpart.
const hole = "\x00"

func replaced(list []string, with string) []string {
	out := slices.Clone(list)
	for i := range out {
		out[i] = strings.ReplaceAll(out[i], hole, with)
	}
	return out
}

// pass spells the counterpart's arguments: what the subject gave, and for the
// others parameters of the subject of the same type, but for the i-th.
func (t *templates) pass(c *counterpart, given types.Type, i int) (args, notes []string, ok bool) {
	passed := false
	next := map[int]bool{i: true}
	for _, p := range c.params {
		var arg string
		switch {
		case !passed && types.Identical(p, given):
			arg, passed = hole, true
		case !passed && isPointerTo(given, p):
			arg, passed = "*"+hole, true
		case !passed && isString(p) && isBytes(given) || !passed && isBytes(p) && isString(given):
			arg, passed = t.conversion(p, hole), true
		default:
			k := slices.IndexFunc(t.types, func(q types.Type) bool { return types.Identical(q, p) })
			for k >= 0 && next[k] {
				rest := slices.IndexFunc(t.types[k+1:], func(q types.Type) bool { return types.Identical(q, p) })
				if rest < 0 {
					k = -1
					break
				}
				k += 1 + rest
			}
			if k < 0 {
				return nil, nil, false
			}
			next[k] = true
			arg = t.Params[k].Name
		}
		args, notes = append(args, arg), append(notes, strings.TrimPrefix(arg, "*"))
	}
	return args, notes, passed
}

func (t *templates) conversion(typ types.Type, of string) string {
	return "(" + t.typ(typ) + ")(" + of + ")"
}

func isPointerTo(p, t types.Type) bool {
	ptr, ok := p.(*types.Pointer)
	return ok && types.Identical(ptr.Elem(), t)
}

func sharing(list []types.Type) []bool {
	out := make([]bool, len(list))
	for i, t := range list {
		out[i] = shares(t, map[types.Type]bool{})
	}
	return out
}

// undoneInto is undone for a counterpart that writes into what a pointer refers
// to: Unmarshal(data, &v), v.UnmarshalText(data).
func (t *templates) undoneInto(c *counterpart, i int, p, given types.Type) {
	target := -1
	for k, q := range c.params {
		if isPointerTo(q, p) || types.Identical(p, q) && isPointer(p) {
			target = k
		}
	}
	if target < 0 || len(c.params) != 2 {
		return
	}
	data := 1 - target
	if !types.Identical(c.params[data], given) {
		return
	}
	elem := c.params[target].(*types.Pointer).Elem()
	x := t.Params[i].Name
	want := x
	if types.Identical(p, c.params[target]) {
		want = "*" + x
	}
	r := t.try(suggested+4, "inverse of "+c.Short)
	if want != x {
		r.if_(x + " != nil")
	}
	a := r.call(nil)
	back := r.names.fresh("back")
	call := Call{Function: c.Expr, Args: make([]string, 2), Kinds: kinds(c.Sig.Results()), After: make([]string, 2), When: a.ok}
	call.Args[target], call.After[target] = "new("+t.typ(elem)+")", back
	call.Args[data] = a.value
	call.Copied = make([]bool, 2)
	call.Copied[data] = true
	for range c.Sig.Results().Len() {
		call.Results = append(call.Results, r.names.fresh("backErr"))
	}
	r.extra(call)
	notes := make([]string, 2)
	notes[target], notes[data] = "new", a.note
	r.holds(reached(call, c, equal("*"+back, want)), c.Note(notes)+" gives "+x)
}

func isPointer(t types.Type) bool {
	_, ok := t.(*types.Pointer)
	return ok
}

// containers are methods that put something in, and methods that look whether
// it is there or take it out: with the result that they then give.
var containers = []struct {
	put, look string
	want      string // "value": what was put; "true", "false"
	undoes    bool   // and the receiver is as before
}{
	{"Push", "Pop", "value", true}, {"Push", "Peek", "value", false}, {"Push", "Top", "value", false}, {"PushBack", "PopBack", "value", true},
	{"PushFront", "PopFront", "value", true}, {"Set", "Get", "value", false}, {"Put", "Get", "value", false}, {"Store", "Load", "value", false},
	{"Insert", "Get", "value", false}, {"Add", "Has", "true", false}, {"Add", "Contains", "true", false}, {"Insert", "Contains", "true", false},
	{"Insert", "Has", "true", false}, {"Set", "Has", "true", false}, {"Put", "Has", "true", false}, {"Put", "Contains", "true", false},
	{"Remove", "Has", "false", false}, {"Remove", "Contains", "false", false}, {"Delete", "Has", "false", false}, {"Delete", "Contains", "false", false},
}

// stored are relations of methods that put into their receiver.
func (t *templates) stored() {
	if !t.Subject.Receiver || len(t.types) < 2 || t.Subject.Sig.Variadic() || !isPointer(t.types[0]) && !t.copied[0] {
		return
	}
	for _, o := range containers {
		if o.put != t.Subject.Short {
			continue
		}
		on := t.types[0]
		if !isPointer(on) {
			on = types.NewPointer(on)
		}
		obj, _, _ := types.LookupFieldOrMethod(on, true, t.Subject.Package, o.look)
		g, ok := obj.(*types.Func)
		if !ok || g.Pkg() != t.Subject.Package {
			continue
		}
		if c := t.counterpart(g); c != nil && c.value != nil || c != nil && o.want != "value" {
			t.look(c, o.want, o.undoes)
		}
	}
}

func (t *templates) look(c *counterpart, want string, undoes bool) {
	// The value is the last argument; what stands in front of it is the key.
	value := len(t.types) - 1
	keys := t.Params[1:value]
	if want != "value" || len(c.params) == value+1 {
		keys = t.Params[1:]
	}
	if len(c.params) != 1+len(keys) || want == "value" && (c.value == nil || !types.Identical(c.value, t.types[value])) {
		return
	}
	for k := range keys {
		if !types.Identical(c.params[k+1], t.types[k+1]) {
			return
		}
	}
	got := c.value
	if got == nil && c.ok == 0 {
		got = c.Sig.Results().At(0).Type()
	}
	if want != "value" && (got == nil || !isBool(got)) {
		return
	}
	r := t.try(suggested+4, c.Short+" after "+t.Subject.Short)
	a := r.call(nil, 0)
	call := Call{Function: c.Expr, Args: []string{a.after[0]}, Copied: sharing(c.params), Kinds: kinds(c.Sig.Results()), After: make([]string, len(c.params)), When: a.ok}
	notes := []string{t.Params[0].Name}
	for _, k := range keys {
		call.Args = append(call.Args, k.Name)
		notes = append(notes, k.Name)
	}
	for k := range c.Sig.Results().Len() {
		name := "got"
		if k == c.ok && c.Sig.Results().Len() > 1 {
			name = "gotOK"
		}
		call.Results = append(call.Results, r.names.fresh(name))
	}
	recv := call.Args[0]
	if !isPointer(c.params[0]) && isPointer(t.types[0]) {
		call.Args[0] = "*" + recv
		call.Copied[0] = shares(c.params[0], map[types.Type]bool{})
	}
	if isPointer(c.params[0]) && !isPointer(t.types[0]) {
		call.Args[0] = "&" + recv
	}
	if undoes && isPointer(c.params[0]) {
		call.After[0] = r.names.fresh("last")
	}
	r.extra(call)
	v := call.Results[0]
	check, says := equal(v, t.Params[value].Name), t.Params[value].Name
	switch want {
	case "true":
		check, says = v, "true"
	case "false":
		check, says = "!"+v, "false"
	}
	if c.ok >= 0 && c.Sig.Results().Len() > 1 {
		check = reached(call, c, check)
	}
	r.holds(check, a.note+"; "+c.Note(notes)+" = "+says)
	if !undoes || call.After[0] == "" {
		return
	}
	again := t.try(suggested+2, c.Short+" undoes "+t.Subject.Short)
	again.noGuard = true
	again.calls, again.given = r.calls, nil
	if a.ok != "" {
		again.given = append(again.given, a.ok)
	}
	again.holds(equal(call.After[0], t.Params[0].Name), fmt.Sprintf("%s; %s leaves %s as it was", a.note, c.Note(notes), t.Params[0].Name))
}
